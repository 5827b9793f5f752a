n <- length(data)
rest <- if (trend == "c") data - mean(data) else residuals(lm(data ~ seq_len(n)))
moment <- function(k) sum(rest[(k + 1):n] * rest[1:(n - k)]) / n
if (is.null(max_lag)) {  # Hobijn, Franses & Ooms (2004), Bartlett kernel
  k <- seq_len(floor(n^(2 / 9)))
  g <- sapply(k, moment)
  max_lag <- floor(1.1447 * ((2 * sum(k * g) / (moment(0) + 2 * sum(g)))^2)^(1 / 3) * n^(1 / 3))
}
lags <- min(max_lag, n - 1)
k <- seq_len(lags)
variance <- moment(0) + 2 * sum((1 - k / (lags + 1)) * vapply(k, moment, 0))
table <- if (trend == "c") c(0.347, 0.463, 0.574, 0.739) else c(0.119, 0.146, 0.176, 0.216)
say("statistic", sum(cumsum(rest)^2) / n^2 / variance)
say("p_value", approx(table, c(0.1, 0.05, 0.025, 0.01), sum(cumsum(rest)^2) / n^2 / variance, rule = 2)$y)
say("n", n)
say(c("details", "lags"), lags)
for (i in 1:4) say(c("details", "critical_values", c("10%", "5%", "2.5%", "1%")[i]), table[i])
