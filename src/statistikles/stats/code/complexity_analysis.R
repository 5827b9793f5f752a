# Without sizes and times the comparisons of Python's own sort are counted, which R does not have.
if (is.null(sizes)) {
  say("n", floor(log2(max_size / 32)) + 1)
} else {
  n <- length(sizes)
  y <- log(times)
  total <- sum((y - mean(y))^2)
  report <- function(name, rss, parameters) {
    k <- parameters + 1  # the error variance counts as a parameter
    extra <- if (n > k + 1) 2 * k * (k + 1) / (n - k - 1) else 0
    if (total > 0) say(c("laws", name, "r_squared"), 1 - rss / total)
    say(c("laws", name, "rmse_log"), sqrt(rss / n))
    if (rss > n * 1e-24) say(c("laws", name, "aicc"), n * log(rss / n) + 2 * k + extra)
  }
  laws <- list("1" = sizes^0, "log n" = log(sizes), "sqrt n" = sqrt(sizes), "n" = sizes, "n log n" = sizes * log(sizes),
               "n^2" = sizes^2, "n^2 log n" = sizes^2 * log(sizes), "n^3" = sizes^3)
  for (name in names(laws)) {
    rest <- y - log(laws[[name]])
    report(name, sum((rest - mean(rest))^2), 1)
  }
  power <- lm(y ~ log(sizes))
  report("n^b (free exponent)", deviance(power), 2)
  ends <- confint(power, level = conf_level)
  found <- suppressWarnings(summary(power))
  say("exponent", coef(power)[2])
  say("std_error", found$coefficients[2, 2])
  say("conf_low", ends[2, 1])
  say("conf_high", ends[2, 2])
  if (total > 0) say("r_squared", found$r.squared)
  exponential <- lm(y ~ sizes)
  report("c^n (exponential)", deviance(exponential), 2)
  say("exponential_base", exp(coef(exponential)[2]))
  say("n", n)
}
