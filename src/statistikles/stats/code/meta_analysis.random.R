# unless: tau2_method
# REML by Fisher scoring, until nothing changes any more.
y <- effect_sizes; v <- variances
tau2 <- max(0, var(y) - mean(v))
for (step in 1:1000) {
  w <- 1 / (v + tau2)
  mu <- sum(w * y) / sum(w)
  new <- max(0, sum(w^2 * ((y - mu)^2 - v)) / sum(w^2) + 1 / sum(w))
  if (abs(new - tau2) < 1e-15) break
  tau2 <- new
}
w <- 1 / (v + tau2)
mu <- sum(w * y) / sum(w); error <- 1 / sqrt(sum(w))
say(c("details", "tau2"), tau2)
say("estimate", mu)
say("std_error", error)
say("statistic", mu / error)
say("p_value", 2 * pnorm(-abs(mu / error)))
say("conf_low", mu - qnorm(1 - alpha / 2) * error)
say("conf_high", mu + qnorm(1 - alpha / 2) * error)
k <- length(y)
if (k > 2) {
  reach <- qt(1 - alpha / 2, k - 2) * sqrt(tau2 + error^2)
  say(c("details", "prediction_low"), mu - reach)
  say(c("details", "prediction_high"), mu + reach)
}
