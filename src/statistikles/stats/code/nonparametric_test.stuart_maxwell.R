moved <- rowSums(data) != colSums(data) | rowSums(data) + colSums(data) > 2 * diag(data)
d <- (rowSums(data) - colSums(data))[moved]
v <- -(data + t(data))[moved, moved]
diag(v) <- (rowSums(data) + colSums(data) - 2 * diag(data))[moved]
last <- length(d)
x <- drop(d[-last] %*% solve(v[-last, -last], d[-last]))
say("statistic", x)
say("df", last - 1)
say("p_value", pchisq(x, last - 1, lower.tail = FALSE))
say("n", sum(data))
say(c("effect_size", "estimate"), sqrt(x / sum(data)))
say(c("details", "n_changed"), sum(data) - sum(diag(data)))
bowker <- mcnemar.test(data, correct = FALSE)
if (is.finite(bowker$statistic)) {
  say(c("also", "bowker", "statistic"), bowker$statistic)
  say(c("also", "bowker", "p_value"), bowker$p.value)
}
