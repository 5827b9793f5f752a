w <- 1 / variances
estimate <- sum(w * effect_sizes) / sum(w)
error <- 1 / sqrt(sum(w))
say("estimate", estimate)
say("std_error", error)
say("statistic", estimate / error)
say("p_value", 2 * pnorm(-abs(estimate / error)))
say("conf_low", estimate - qnorm(1 - alpha / 2) * error)
say("conf_high", estimate + qnorm(1 - alpha / 2) * error)
q <- sum(w * (effect_sizes - estimate)^2)
df <- length(w) - 1
say(c("details", "heterogeneity", "q"), q)
say(c("details", "heterogeneity", "p_value"), pchisq(q, df, lower.tail = FALSE))
say(c("details", "heterogeneity", "i2_percent"), 100 * max(0, (q - df) / q))
