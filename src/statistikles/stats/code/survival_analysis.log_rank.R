library(survival)
test <- survdiff(Surv(times, events) ~ groups)
df <- length(test$n) - 1
say("statistic", test$chisq)
say("df", df)
say("p_value", pchisq(test$chisq, df, lower.tail = FALSE))
say("n", sum(test$n))
names <- sub("^groups=", "", names(test$n))
for (i in seq_along(names)) {
  say(c("groups", names[i], "n"), test$n[i])
  say(c("details", names[i], "observed_events"), test$obs[i])
  say(c("details", names[i], "expected_events"), test$exp[i])
}
