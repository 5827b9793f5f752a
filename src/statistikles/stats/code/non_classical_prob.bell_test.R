s <- sum(c(1, -1, 1, 1) * correlations)
say("estimate", s)
say(c("details", "quantum_bound"), 2 * sqrt(2))
if (!is.null(n)) {
  trials <- rep_len(n, 4)
  error <- sqrt(sum((1 - correlations^2) / trials))
  say("n", sum(trials))
  if (error > 0) {
    say("std_error", error)
    say("statistic", (abs(s) - 2) / error)
    say("p_value", pnorm((abs(s) - 2) / error, lower.tail = FALSE))
    say("conf_low", s - qnorm(1 - alpha / 2) * error)
    say("conf_high", s + qnorm(1 - alpha / 2) * error)
  }
}
