library(survival)
group <- if (is.null(groups)) rep("all", length(times)) else groups
for (name in sort(unique(group))) {
  own <- group == name
  fit <- summary(survfit(Surv(times[own], events[own]) ~ 1, conf.type = conf_type, conf.int = conf_level))
  say(c("groups", name, "n"), sum(own))
  say(c("groups", name, "n_events"), sum(events[own]))
  for (i in seq_along(fit$time)) {
    row <- c("groups", name, "curve", paste0("[", i - 1, "]"))
    say(c(row, "time"), fit$time[i])
    say(c(row, "n_at_risk"), fit$n.risk[i])
    say(c(row, "n_events"), fit$n.event[i])
    say(c(row, "survival"), fit$surv[i])
    if (fit$surv[i] > 0) say(c(row, "std_error"), fit$std.err[i])
    if (fit$surv[i] > 0 && fit$surv[i] < 1) {
      say(c(row, "conf_low"), fit$lower[i])
      say(c(row, "conf_high"), fit$upper[i])
    }
  }
}
