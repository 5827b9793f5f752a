# unless: distribution, n_reps
if (!is.null(parameters)) {
  test <- suppressWarnings(ks.test(data, "pnorm", parameters$mean, parameters$sd))
  say("statistic", test$statistic)
  if (anyDuplicated(data) == 0 && length(data) < 100) say("p_value", test$p.value)
} else {
  z <- sort((data - mean(data)) / sd(data)); i <- seq_along(z)
  say("statistic", max(i / length(z) - pnorm(z), pnorm(z) - (i - 1) / length(z)))
}
say_group("sample", data)
