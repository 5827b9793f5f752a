w <- do.call(rbind, lapply(matrix, function(row) vapply(row, function(v) if (is.null(v)) Inf else as.numeric(v), 0)))
n <- nrow(w)
least_cycle_mean <- function(w) {  # Karp: walks[k + 1, ] holds the cheapest walks of k arcs to every node, from anywhere
  walks <- base::matrix(0, n + 1, n)
  for (k in seq_len(n)) walks[k + 1, ] <- apply(walks[k, ] + w, 2, min)
  ends <- which(is.finite(walks[n + 1, ]))
  min(sapply(ends, function(v) {
    k <- which(is.finite(walks[1:n, v])) - 1
    max((walks[n + 1, v] - walks[k + 1, v]) / (n - k))
  }))
}
say("min_plus", least_cycle_mean(w))
say("max_plus", -least_cycle_mean(ifelse(is.finite(w), -w, Inf)))
reach <- is.finite(w) | diag(n) == 1
for (round in seq_len(n)) reach <- reach %*% reach > 0
say("n_components", nrow(unique(reach & t(reach))))
say("n", n)
