# unless: weights, decimal, quantiles, detail=core
x <- if (is.null(data)) unlist(groups, use.names = FALSE) else data
n <- length(x)
say("n", n)
say("sum", sum(x))
say("mean", mean(x))
say("std_dev", sd(x))
say("variance", var(x))
say("std_error", sd(x) / sqrt(n))
reach <- qt(1 - alpha / 2, n - 1) * sd(x) / sqrt(n)
say("conf_low", mean(x) - reach)
say("conf_high", mean(x) + reach)
say("median", median(x))
say("minimum", min(x))
say("maximum", max(x))
say("range", max(x) - min(x))
say("q1", quantile(x, 0.25, type = 7))
say("q3", quantile(x, 0.75, type = 7))
say("iqr", IQR(x, type = 7))
say("variance_population", var(x) * (n - 1) / n)
say("std_dev_population", sqrt(var(x) * (n - 1) / n))
if (detail == "full") {
  say("q1_type6", quantile(x, 0.25, type = 6))
  say("q3_type6", quantile(x, 0.75, type = 6))
  say("mad", mad(x, constant = 1))
  m <- function(k) mean((x - mean(x))^k)
  if (sd(x) > 0 && n > 3) {
    g1 <- m(3) / m(2)^1.5
    g2 <- m(4) / m(2)^2 - 3
    say("skewness_type1", g1)
    say("skewness", g1 * sqrt(n * (n - 1)) / (n - 2))
    say("skewness_type3", g1 * (1 - 1 / n)^1.5)
    say("excess_kurtosis_type1", g2)
    say("excess_kurtosis", ((n + 1) * g2 + 6) * (n - 1) / ((n - 2) * (n - 3)))
    say("excess_kurtosis_type3", (g2 + 3) * (1 - 1 / n)^2 - 3)
  }
  if (trim > 0) say("trimmed_mean", mean(x, trim = trim))
  if (all(x > 0)) {
    say("cv", sd(x) / mean(x))
    say("geometric_mean", exp(mean(log(x))))
    say("harmonic_mean", 1 / mean(1 / x))
  }
}
for (name in names(groups)) {
  v <- groups[[name]]
  say_group(name, v)
  say(c("groups", name, "variance"), var(v))
  say(c("groups", name, "iqr"), IQR(v))
  reach <- qt(1 - alpha / 2, length(v) - 1) * sd(v) / sqrt(length(v))
  say(c("groups", name, "conf_low"), mean(v) - reach)
  say(c("groups", name, "conf_high"), mean(v) + reach)
}
