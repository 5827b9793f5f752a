n <- length(data); m <- length(target)
cost <- matrix(Inf, n + 1, m + 1)
cost[1, 1] <- 0
for (i in seq_len(n)) for (j in seq_len(m)) {
  if (is.null(window) || abs(i - j) <= window) {
    cost[i + 1, j + 1] <- abs(data[i] - target[j]) + min(cost[i, j], cost[i, j + 1], cost[i + 1, j])
  }
}
path <- matrix(0, 0, 2)
i <- n
j <- m
while (i > 0 && j > 0) {  # back along the best path; a diagonal step is preferred among equals
  path <- rbind(c(i - 1, j - 1), path)
  step <- which.min(c(cost[i, j], cost[i, j + 1], cost[i + 1, j]))
  if (step < 3) i <- i - 1
  if (step != 2) j <- j - 1
}
say("distance", cost[n + 1, m + 1])
say("path_length", nrow(path))
say("distance_per_step", cost[n + 1, m + 1] / nrow(path))
for (k in if (nrow(path) <= 1000) seq_len(nrow(path))) {
  say(c("path", paste0("[", k - 1, "]"), "[0]"), path[k, 1])
  say(c("path", paste0("[", k - 1, "]"), "[1]"), path[k, 2])
}
say("n_data", n)
say("n_target", m)
