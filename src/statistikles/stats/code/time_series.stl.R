# stl() of R takes a wrong median of an even number of remainders for its robustness weights, from the second round on:
# a robust decomposition is computed here only for an odd number of values.
low <- period + 1 + period %% 2
wide <- ceiling(1.5 * period / (1 - 1.5 / 7))
wide <- wide + 1 - wide %% 2
if (!robust || length(data) %% 2 == 1) {
  fit <- stl(ts(data, frequency = period), s.window = 7, s.degree = 1, t.window = wide, t.degree = 1, l.window = low,
             l.degree = 1, s.jump = 1, t.jump = 1, l.jump = 1, robust = robust,
             inner = if (robust) 2 else 5, outer = if (robust) 15 else 0)$time.series
  population <- function(v) mean((v - mean(v))^2)
  for (i in seq_along(data)) {
    place <- paste0("[", i - 1, "]")
    say(c("trend", place), fit[i, "trend"])
    say(c("seasonal", place), fit[i, "seasonal"])
    say(c("remainder", place), fit[i, "remainder"])
  }
  rest <- population(fit[, "remainder"])
  say("trend_strength", max(0, 1 - rest / population(fit[, "trend"] + fit[, "remainder"])))
  say("seasonal_strength", max(0, 1 - rest / population(fit[, "seasonal"] + fit[, "remainder"])))
}
say("n", length(data))
