# Reference values of survival_analysis from R's survival package; run from tests/reference.
library(jsonlite); library(survival)
cases <- list()
src <- function(cmd) list(program = "R survival", version = paste(getRversion(), packageVersion("survival")), command = cmd)
add <- function(id, arguments, expect, cmd, rtol = 1e-8)
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, expect = expect, rtol = rtol, source = src(cmd))
km <- function(id, t, d, type = "log-log", level = 0.95, jt = t) {
  f <- survfit(Surv(t, d) ~ 1, conf.type = type, conf.int = level); s <- summary(f); q <- quantile(f, 0.5)
  e <- list(n = length(t), n_events = sum(d))
  for (i in seq_along(s$time)) {
    k <- paste0("groups.all.curve.", i - 1, ".")
    e[[paste0(k, "time")]] <- s$time[i]; e[[paste0(k, "n_at_risk")]] <- s$n.risk[i]
    e[[paste0(k, "survival")]] <- s$surv[i]
    if (s$surv[i] > 0) {
      e[[paste0(k, "std_error")]] <- s$std.err[i]
      e[[paste0(k, "conf_low")]] <- s$lower[i]; e[[paste0(k, "conf_high")]] <- s$upper[i]
    }
  }
  if (!is.na(q$quantile)) e[["groups.all.median_survival"]] <- unname(q$quantile)
  if (!is.na(q$lower)) e[["groups.all.conf_low"]] <- unname(q$lower)
  if (!is.na(q$upper)) e[["groups.all.conf_high"]] <- unname(q$upper)
  e[["groups.all.restricted_mean"]] <- unname(survival:::survmean(f, rmean = max(t))$matrix["rmean"])
  add(id, list(type = "kaplan_meier", times = jt, events = d, conf_type = type, conf_level = level), e,
      "survfit(Surv(t, d) ~ 1, conf.type); quantile(f, 0.5); survmean(rmean = max(t))")
}
aml1 <- aml[aml$x == "Maintained", ]; aml2 <- aml[aml$x != "Maintained", ]
km("aml-maintained", aml1$time, aml1$status)
km("aml-log", aml2$time, aml2$status, "log")
km("aml-plain-90", aml$time, aml$status, "plain", 0.9)
km("ties-to-zero", c(1, 1, 2, 2, 3), c(1, 1, 1, 1, 1))
km("half", c(1, 2, 3, 4), c(1, 1, 1, 0))
lr <- function(id, t, d, g) {
  f <- survdiff(Surv(t, d) ~ g); p1 <- survdiff(Surv(t, d) ~ g, rho = 1); k <- length(f$n)
  e <- list(statistic = f$chisq, df = k - 1, p_value = pchisq(f$chisq, k - 1, lower.tail = FALSE),
            "also.peto_peto.statistic" = p1$chisq)
  lev <- sort(unique(as.character(g)))
  for (i in seq_along(lev)) {
    e[[paste0("details.", lev[i], ".observed_events")]] <- f$obs[i]
    e[[paste0("details.", lev[i], ".expected_events")]] <- f$exp[i]
  }
  if (k == 2) e[["effect_size.estimate"]] <- exp((f$obs[1] - f$exp[1]) / f$var[1, 1])
  add(id, list(type = "log_rank", times = t, events = d, groups = as.character(g)), e, "survdiff(Surv(t, d) ~ g); rho = 1")
}
lr("aml", aml$time, aml$status, ifelse(aml$x == "Maintained", "m", "n"))
v <- veteran
lr("veteran-cells", v$time, v$status, as.character(v$celltype))
lr("ties", c(1, 1, 2, 2, 3, 3, 4, 4), c(1, 1, 1, 0, 1, 1, 0, 1), rep(c("a", "b"), 4))
cox <- function(id, t, d, x, ties = "efron") {
  f <- coxph(Surv(t, d) ~ ., data = as.data.frame(x), ties = ties, control = coxph.control(eps = 1e-13, iter.max = 60))
  s <- summary(f)
  e <- list(statistic = unname(s$logtest["test"]), p_value = unname(s$logtest["pvalue"]),
            "also.score_test.statistic" = unname(s$sctest["test"]), "also.wald_test.statistic" = f$wald.test[[1]],
            log_likelihood = f$loglik[2], "details.log_likelihood_null" = f$loglik[1],
            "diagnostics.concordance" = unname(s$concordance[1]), aic = AIC(f))
  for (n in names(coef(f))) {
    e[[paste0("terms.", n, ".estimate")]] <- unname(coef(f)[n])
    e[[paste0("terms.", n, ".std_error")]] <- unname(sqrt(diag(vcov(f)))[n])
    e[[paste0("terms.", n, ".hazard_ratio_low")]] <- s$conf.int[n, 3]
    e[[paste0("terms.", n, ".hazard_ratio_high")]] <- s$conf.int[n, 4]
  }
  add(id, list(type = "cox", times = t, events = d, x = unname(as.list(as.data.frame(x))), var_names = names(coef(f)), ties = ties),
      e, "coxph(Surv(t, d) ~ ., ties, eps = 1e-13)", 1e-7)
}
l <- na.omit(lung[, c("time", "status", "age", "sex", "ph.ecog")])
cox("lung", l$time, l$status - 1, data.frame(age = l$age, sex = l$sex, ecog = l$ph.ecog))
cox("lung-breslow", l$time, l$status - 1, data.frame(age = l$age, sex = l$sex), "breslow")
cox("aml", aml$time, aml$status, data.frame(m = as.numeric(aml$x == "Maintained")))
cox("heavy-ties", c(1, 1, 1, 2, 2, 2, 3, 3, 3, 4), c(1, 1, 0, 1, 1, 1, 1, 0, 1, 1), data.frame(z = c(2, 1, 0, 3, 1, 2, 0, 1, 2, 0)))
lm <- lung[1:60, ]; lm$age[c(3, 17)] <- NA
k <- !is.na(lm$age)
f <- coxph(Surv(time, status) ~ age, data = lm)
add("missing", list(type = "cox", times = lm$time, events = lm$status - 1, x = list(lm$age), var_names = I("age")),
    list("terms.age.estimate" = unname(coef(f)), n_missing = 2, n = sum(k)), "coxph(Surv(time, status) ~ age), NA dropped", 1e-7)
refuse <- function(id, args, code, why)
  cases[[length(cases) + 1]] <<- list(id = id, arguments = args, error_code = code, source = src(why))
refuse("separated", list(type = "cox", times = c(1, 2, 3, 4, 5, 6), events = rep(1, 6), x = list(c(3, 3, 3, 0, 0, 0))), "separation",
       "coxph warns: beta may be infinite")
refuse("no-events", list(type = "log_rank", times = 1:4, events = rep(0, 4), groups = c("a", "a", "b", "b")), "no_events", "no events")
write(toJSON(list(tool = "survival_analysis", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = 1),
      "values/survival_analysis.json")
