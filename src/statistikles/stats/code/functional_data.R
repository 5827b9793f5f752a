n <- nrow(x); m <- ncol(x)
points <- if (is.null(grid)) seq(0, 1, length.out = m) else grid
weights <- (c(diff(points), 0) + c(0, diff(points))) / 2  # trapezoid rule
z <- scale(x, scale = FALSE)
parts <- svd(sweep(z, 2, sqrt(weights), "*"))
rank <- min(sum(parts$d > 1e-12 * parts$d[1]), n - 1)
kept <- min(if (is.null(n_components)) 20 else n_components, rank)
share <- parts$d^2 / sum(parts$d^2)
at <- function(i) paste0("[", i - 1, "]")
say("n", n)
say("n_points", m)
say("n_components", kept)
say("total_variance", sum(parts$d^2) / (n - 1))
for (i in seq_len(m)) {
  say(c("grid", at(i)), points[i])
  say(c("quadrature_weights", at(i)), weights[i])
  say(c("mean_curve", at(i)), mean(x[, i]))
  say(c("std_dev_curve", at(i)), sd(x[, i]))
}
for (j in seq_len(kept)) {
  axis_j <- parts$v[, j]
  turn <- sign(axis_j[which(abs(axis_j) >= max(abs(axis_j)) * (1 - 1e-9))[1]])  # the largest weighted value is positive
  name <- paste0("FPC", j)
  say(c("eigenvalues", at(j)), parts$d[j]^2 / (n - 1))
  say(c("proportion_explained", at(j)), share[j])
  say(c("cumulative_proportion", at(j)), sum(share[1:j]))
  for (i in seq_len(m)) say(c("eigenfunctions", name, at(i)), turn * axis_j[i] / sqrt(weights[i]))
  if (n * kept <= 20000) for (i in seq_len(n)) say(c("scores", name, at(i)), turn * parts$u[i, j] * parts$d[j])
}
