# within 1e-4: Statistikles stops turning when a turn is below half a millionth; a flat peak lies some such turns further
# Statistikles takes the best of five starts of its own; should one of these twenty be better still, the numbers differ.
n <- nrow(x); p <- ncol(x)
named <- predictor_names(var_names, p)
if (is.null(k)) k <- min(p, 20)
z <- scale(x, scale = FALSE)
size <- if (k == p) sqrt(colMeans(z^2)) else rep(sqrt(mean(z^2)), p)
parts <- svd(sweep(z, 2, size, "/"))
white <- sqrt(n) * parts$u[, seq_len(k), drop = FALSE]
orthogonal <- function(w) {
  turned <- svd(w)
  turned$u %*% t(turned$v)
}
log_cosh <- function(v) abs(v) + log1p(exp(-2 * abs(v))) - log(2)
set.seed(seed)
best <- -Inf
w_best <- matrix(1)
for (start in if (k > 1) 1:20) {  # symmetric FastICA; the rotation of largest negentropy
  w <- if (start == 1) diag(k) else orthogonal(matrix(rnorm(k * k), k))
  for (round in 1:2000) {
    slope <- tanh(white %*% t(w))
    new <- orthogonal(t(slope) %*% white / n - colMeans(1 - slope^2) * w)
    change <- max(abs(abs(rowSums(new * w)) - 1))
    w <- new
    if (change < 1e-15) {
      gain <- sum((colMeans(log_cosh(white %*% t(w))) - 0.374567207491438)^2)
      if (gain > best + 1e-12) {
        best <- gain
        w_best <- w
      }
      break
    }
  }
}
w <- w_best
kept <- seq_len(k)
forward <- w %*% sweep(t(parts$v[, kept, drop = FALSE]) * (sqrt(n) / parts$d[kept]), 2, size, "/")
mixing <- (sweep(parts$v[, kept, drop = FALSE], 2, parts$d[kept] / sqrt(n), "*") * size) %*% t(w)
relative <- mixing / size  # decides order and sign
ranked <- order(-round(colSums(relative^2), 10))
for (i in kept) {
  j <- ranked[i]
  turn <- sign(relative[which(abs(relative[, j]) >= max(abs(relative[, j])) * (1 - 1e-9))[1], j])
  source_i <- turn * as.vector(white %*% w[j, ])
  name <- paste0("IC", i)
  for (row in seq_len(p)) {
    say(c("mixing_matrix", named[row], name), turn * mixing[row, j])
    say(c("unmixing_matrix", name, named[row]), turn * forward[j, row])
  }
  say(c("excess_kurtosis", name), mean(source_i^4) - 3)
  say(c("negentropy", name), (mean(log_cosh(source_i)) - 0.374567207491438)^2)
  for (row in if (n * k <= 20000) seq_len(n)) say(c("sources", name, paste0("[", row - 1, "]")), source_i[row])
}
for (j in seq_len(p)) say(c("means", named[j]), mean(x[, j]))
say("proportion_kept", sum(parts$d[kept]^2) / sum(parts$d^2))
say("n", n)
