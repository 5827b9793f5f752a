n <- length(data)
if (!is.null(max_lag)) {
  out <- pacf(data, lag.max = max_lag, plot = FALSE)$acf
  for (k in seq_along(out)) say(c("pacf", paste0("[", k, "]")), out[k])
}
say("band", qnorm(1 - alpha / 2) / sqrt(n))
say("n", n)
