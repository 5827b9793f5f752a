edges <- adj > 0
diag(edges) <- FALSE
n <- nrow(edges)
away <- ifelse(diag(n) == 1, 0, Inf)  # shortest ways, and how many there are
ways <- diag(n)
walks <- diag(n)
for (step in seq_len(n - 1)) {
  walks <- walks %*% edges
  walks[away < step] <- 0
  fresh <- walks > 0 & is.infinite(away)
  if (!any(fresh)) break
  away[fresh] <- step
  ways[fresh] <- walks[fresh]
}
directed <- any(edges != t(edges))
parts <- eigen(t(edges) + 0)
ranked <- order(-Re(parts$values))
top <- Re(parts$values[ranked[1]])
vector <- Re(parts$vectors[, ranked[1]])
vector <- vector * sign(vector[which.max(abs(vector))])
unique_top <- top > 1e-9 && Mod(parts$values[ranked[2]] - parts$values[ranked[1]]) >= 1e-9 * top
if (is.null(node_names)) node_names <- as.character(seq_len(n) - 1)
for (v in seq_len(n)) {
  name <- node_names[v]
  on_way <- is.finite(away) & outer(away[, v], away[v, ], "+") == away
  share <- outer(ways[, v], ways[v, ]) / ifelse(ways > 0, ways, 1) * on_way
  diag(share) <- 0
  between <- sum(share[-v, -v])
  near <- away[-v, v][is.finite(away[-v, v])]
  n_edges <- sum(edges[v, ]) + if (directed) sum(edges[, v]) else 0
  say(c("nodes", name, "degree"), n_edges / (n - 1))
  say(c("nodes", name, "n_edges"), n_edges)
  if (directed) {
    say(c("nodes", name, "in_degree"), sum(edges[, v]) / (n - 1))
    say(c("nodes", name, "out_degree"), sum(edges[v, ]) / (n - 1))
  }
  say(c("nodes", name, "betweenness"), if (n > 2) between / ((n - 1) * (n - 2)) else 0)
  say(c("nodes", name, "closeness"), if (length(near)) length(near)^2 / sum(near) / (n - 1) else 0)
  if (unique_top) say(c("nodes", name, "eigenvector"), vector[v] / sqrt(sum(vector^2)))
}
say("n", n)
say("n_edges", sum(edges) / if (directed) 1 else 2)
say("density", sum(edges) / (n * (n - 1)))
