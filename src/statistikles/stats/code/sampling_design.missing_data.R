x <- do.call(cbind, data)
empty <- rowSums(!is.na(x)) == 0
x <- scale(x[!empty, , drop = FALSE])
seen <- !is.na(x)
n <- nrow(x); k <- ncol(x)
patterns <- split(seq_len(n), apply(seen, 1, paste, collapse = " "))
middle <- rep(0, k)
shape <- diag(k)
for (round in 1:100000) {  # the EM algorithm
  first <- rep(0, k)
  second <- matrix(0, k, k)
  for (rows in patterns) {
    p <- seen[rows[1], ]
    slope <- solve(shape[p, p, drop = FALSE], shape[p, , drop = FALSE])  # regression of every variable on those seen
    filled <- sweep(sweep(x[rows, p, drop = FALSE], 2, middle[p]) %*% slope, 2, middle, "+")
    first <- first + colSums(filled)
    second <- second + crossprod(filled) + length(rows) * (shape - shape[, p, drop = FALSE] %*% slope)
  }
  before <- c(middle, shape)
  middle <- first / n
  shape <- second / n - outer(middle, middle)
  if (max(abs(c(middle, shape) - before)) < 1e-14) break
}
total <- 0
df <- -k
for (rows in patterns) {
  p <- seen[rows[1], ]
  gap <- colMeans(x[rows, p, drop = FALSE]) - middle[p]
  total <- total + length(rows) * sum(gap * solve(shape[p, p, drop = FALSE], gap))
  df <- df + sum(p)
}
say("statistic", total)
say("df", df)
say("p_value", pchisq(total, df, lower.tail = FALSE))
say("n", n)
say(c("details", "n_patterns"), length(patterns))
say(c("details", "n_complete"), sum(rowSums(!seen) == 0))
say(c("details", "n_empty_rows"), sum(empty))
say(c("details", "percent_missing"), 100 * sum(!seen) / length(seen))
for (name in names(data)) {
  gone <- is.na(data[[name]][!empty])
  say(c("details", "variables", name, "n_missing"), sum(gone))
  say(c("details", "variables", name, "percent_missing"), 100 * sum(gone) / n)
}
say(c("also", "unbiased_covariance", "statistic"), total * (n - 1) / n)
say(c("also", "unbiased_covariance", "p_value"), pchisq(total * (n - 1) / n, df, lower.tail = FALSE))
