# within 1e-6: the steps stop when they change little. The start (NNDSVDa) uses no random numbers.
n <- nrow(x); p <- ncol(x)
named <- predictor_names(var_names, p)
power <- 2^(floor(log2(max(x))) + 1)
a <- x / power
parts <- svd(a)
length_of <- function(v) sqrt(sum(v^2))
weights <- matrix(0, n, k)
topics <- matrix(0, k, p)
for (j in seq_len(k)) {
  axis_j <- parts$v[, j]
  turn <- sign(axis_j[which(abs(axis_j) >= max(abs(axis_j)) * (1 - 1e-9))[1]])
  sides <- lapply(c(1, -1), function(sign) list(pmax(sign * turn * parts$u[, j], 0), pmax(sign * turn * axis_j, 0)))
  sizes <- sapply(sides, function(side) length_of(side[[1]]) * length_of(side[[2]]))
  best <- if (sizes[1] >= sizes[2]) 1 else 2
  if (sizes[best] > 0) {
    factor <- sqrt(parts$d[j] * sizes[best])
    weights[, j] <- factor * sides[[best]][[1]] / length_of(sides[[best]][[1]])
    topics[j, ] <- factor * sides[[best]][[2]] / length_of(sides[[best]][[2]])
  }
}
weights[weights < 1e-6] <- mean(a)
topics[topics < 1e-6] <- mean(a)
descend <- function(w, gram, cross) {  # one column after the other at its best for the others
  off <- 0
  for (j in seq_len(k)) {
    slope <- as.vector(w %*% gram[, j] - cross[, j])
    off <- off + sum(abs(ifelse(w[, j] == 0, pmin(0, slope), slope)))
    if (gram[j, j] > 0) w[, j] <- pmax(w[, j] - slope / gram[j, j], 0)
  }
  list(w = w, off = off)
}
first <- NULL
for (round in 1:5000) {
  one <- descend(weights, topics %*% t(topics), a %*% t(topics))
  weights <- one$w
  two <- descend(t(topics), t(weights) %*% weights, t(a) %*% weights)
  topics <- t(two$w)
  if (is.null(first)) first <- one$off + two$off
  if (one$off + two$off <= 1e-10 * first) break
}
error <- length_of(a - weights %*% topics)
sums <- rowSums(topics)
share <- topics / ifelse(sums > 0, sums, 1)
weights <- sweep(weights, 2, sums, "*")
ranked <- order(-round(colSums(weights), 10))
for (i in seq_len(k)) {
  topic <- paste0("topic", i)
  j <- ranked[i]
  for (term in seq_len(p)) say(c("topics", topic, named[term]), share[j, term])
  say(c("topic_shares", topic), sum(weights[, j]) / sum(weights))
  for (row in if (n * k <= 20000) seq_len(n)) say(c("document_weights", topic, paste0("[", row - 1, "]")), weights[row, j] * power)
}
say("reconstruction_error", error * power)
say("relative_error", error / length_of(a))
say("share_reproduced", 1 - (error / length_of(a))^2)
say("n", n)
say("n_terms", p)
