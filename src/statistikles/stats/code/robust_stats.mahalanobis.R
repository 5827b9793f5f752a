n <- nrow(x); p <- ncol(x)
names <- predictor_names(var_names, p)
report <- function(place, d2) {
  tails <- pchisq(d2, p, lower.tail = FALSE)
  flagged <- which(tails < alpha)
  for (i in if (n <= 10000) seq_len(n)) {
    at <- paste0("[", i - 1, "]")
    say(c(place, "d", at), sqrt(d2[i]))
    say(c(place, "d2", at), d2[i])
    say(c(place, "p_values", at), tails[i])
  }
  say(c(place, "max_d2"), max(d2))
  say(c(place, "max_index"), which.max(d2) - 1)
  say(c(place, "n_outliers"), length(flagged))
  for (i in seq_along(flagged)) say(c(place, "outlier_indices", paste0("[", i - 1, "]")), flagged[i] - 1)
}
distances_of <- function(rows) mahalanobis(x, colMeans(x[rows, , drop = FALSE]), cov(x[rows, , drop = FALSE]))
report(NULL, distances_of(seq_len(n)))
say("n", n)
say("n_variables", p)
say("cutoff", qchisq(1 - alpha, p))
for (j in seq_len(p)) say(c("means", names[j]), mean(x[, j]))
consistency <- function(share) if (share >= 1) 1 else share / pchisq(qchisq(share, p), p + 2)
# The minimum covariance determinant, where every start can be tried; otherwise random starts find it, or nearly.
if (n >= 2 * p + 1 && choose(n, p + 1) <= 3000) {
  h <- (n + p + 1) %/% 2
  size_of <- function(rows) as.numeric(determinant(cov(x[rows, , drop = FALSE]))$modulus)
  least <- Inf
  for (start in asplit(combn(n, p + 1), 2)) {
    if (qr(scale(x[start, , drop = FALSE], scale = FALSE), tol = 1e-7)$rank < p) next
    rows <- order(distances_of(start))[1:h]
    repeat {  # concentration: each step lowers the determinant
      further <- order(distances_of(rows))[1:h]
      if (!size_of(further) < size_of(rows) - 1e-12) break
      rows <- further
    }
    if (size_of(rows) < least - 1e-12) {
      least <- size_of(rows)
      best <- rows
    }
  }
  kept <- which(distances_of(best) / consistency(h / n) <= qchisq(0.975, p))
  report("robust", distances_of(kept) / consistency(length(kept) / n))
  say(c("robust", "subset_size"), h)
  say(c("robust", "n_weighted"), length(kept))
  for (j in seq_len(p)) say(c("robust", "centre", names[j]), mean(x[kept, j]))
}
