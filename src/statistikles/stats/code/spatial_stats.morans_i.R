# The permutation p value comes from numpy's generator, which R does not have; everything else stands here.
n <- length(x)
diag(w) <- 0
if (row_standardize) w <- w / ifelse(rowSums(w) > 0, rowSums(w), 1)
z <- x - mean(x)
s0 <- sum(w)
value <- n / s0 * sum(z * (w %*% z)) / sum(z^2)
expected <- -1 / (n - 1)
s1 <- sum((w + t(w))^2) / 2
s2 <- sum((rowSums(w) + colSums(w))^2)
b <- mean(z^4) / mean(z^2)^2
normal <- (n^2 * s1 - n * s2 + 3 * s0^2) / (s0^2 * (n^2 - 1)) - expected^2
random <- n * ((n^2 - 3 * n + 3) * s1 - n * s2 + 3 * s0^2) - b * ((n^2 - n) * s1 - 2 * n * s2 + 6 * s0^2)
random <- random / ((n - 1) * (n - 2) * (n - 3) * s0^2) - expected^2
score <- (value - expected) / sqrt(random)
say("estimate", value)
say("std_error", sqrt(random))
say("statistic", score)
say("p_value", 2 * pnorm(-abs(score)))
say("n", n)
say(c("details", "expected"), expected)
say(c("details", "variance_randomisation"), random)
say(c("details", "variance_normality"), normal)
say(c("also", "normality", "statistic"), (value - expected) / sqrt(normal))
say(c("also", "normality", "p_value"), 2 * pnorm(-abs(value - expected) / sqrt(normal)))
