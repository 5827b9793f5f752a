# The resamples come from numpy's generator, which R does not have: here are the estimate and the acceleration,
# which need no resamples. boot::boot.ci() gives intervals that differ by the luck of the draw.
statistic_of <- function(v, w = NULL) {
  n <- length(v)
  d <- v - mean(v)
  skew <- function() sqrt(n) * sum(d^3) / sum(d^2)^1.5
  excess <- function() n * sum(d^4) / sum(d^2)^2 - 3
  switch(statistic, mean = mean(v), median = median(v), variance = var(v), sd = sd(v),
         trimmed_mean = mean(v, trim = 0.1), iqr = IQR(v), mad = mad(v, constant = 1), cv = sd(v) / mean(v),
         skewness = skew() * sqrt(n * (n - 1)) / (n - 2),
         kurtosis = ((n + 1) * excess() + 6) * (n - 1) / ((n - 2) * (n - 3)),
         correlation = cor(v, w))
}
n <- length(data)
without <- sapply(seq_len(n), function(i) statistic_of(data[-i], y[-i]))
gap <- mean(without) - without
say("estimate", statistic_of(data, y))
say("n", n)
if (all(is.finite(gap)) && any(gap != 0)) say(c("also", "bootstrap", "acceleration"), sum(gap^3) / (6 * sum(gap^2)^1.5))
