n <- length(data)
out <- acf(data, lag.max = max_lag, plot = FALSE)$acf
if (is.null(max_lag)) out <- numeric(0)  # the number of lags is a convention; give max_lag to compare them
for (k in seq_along(out)) say(c("acf", paste0("[", k - 1, "]")), out[k])
say("band", qnorm(1 - alpha / 2) / sqrt(n))
say("n", n)
