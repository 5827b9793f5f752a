# Random permutations come from numpy's generator, which R does not have: the p values stand here only where all
# arrangements of the labels can be listed.
given <- if (is.null(group_labels)) lapply(factors, as.character) else list(group = as.character(group_labels))
n <- nrow(distance_matrix)
a <- -distance_matrix^2 / 2
g <- a - outer(rowMeans(a), colMeans(a), "+") + mean(a)  # Gower's centred matrix
indicators <- function(labels) outer(labels, unique(labels), "==") + 0
columns <- lapply(given, indicators)
pairs <- list()
if (interaction) {
  for (pair in combn(names(given), 2, simplify = FALSE)) {
    pairs[[paste(pair, collapse = " \u00d7 ")]] <- indicators(paste(given[[pair[1]]], given[[pair[2]]], sep = "\r"))
  }
}
hat <- function(blocks) {  # the projection onto the space that these columns span, and its dimension
  parts <- svd(do.call(cbind, c(list(rep(1, n)), unname(blocks))))
  q <- parts$u[, parts$d > 1e-9 * parts$d[1], drop = FALSE]
  list(h = q %*% t(q), rank = ncol(q))
}
blocks <- c(columns, pairs)
term <- function(name, others) {
  full <- hat(c(others, blocks[name]))
  less <- hat(others)
  list(h = full$h - less$h, df = full$rank - less$rank)
}
partial <- sequence <- list()
for (i in seq_along(blocks)) {
  name <- names(blocks)[i]
  within <- if (name %in% names(columns)) columns else blocks
  partial[[name]] <- term(name, within[names(within) != name])
  sequence[[name]] <- term(name, blocks[seq_len(i - 1)])
}
model <- hat(blocks)
total <- sum(diag(g))
df_residual <- n - model$rank
cells <- as.integer(factor(do.call(paste, c(unname(given), sep = "\r"))))
sizes <- tabulate(cells)
count <- prod(choose(cumsum(sizes), sizes))
exact <- count <= max(n_permutations, 10000)
listed <- function(level, spots, out) {  # every different arrangement of the labels of the cells
  if (level > length(sizes)) return(list(out))
  chosen <- if (length(spots) == sizes[level]) list(spots) else combn(spots, sizes[level], simplify = FALSE)
  do.call("c", lapply(chosen, function(s) listed(level + 1, setdiff(spots, s), replace(out, s, level))))
}
first <- match(seq_along(sizes), cells)
shuffled <- if (exact) lapply(listed(1, seq_len(n), cells), function(row) first[row])
left <- sapply(shuffled, function(s) (total - sum(model$h[s, s] * g)) / df_residual)
residual <- total - sum(model$h * g)
mean_residual <- residual / df_residual
report <- function(place, terms) {
  for (name in names(terms)) {
    h <- terms[[name]]$h
    df <- terms[[name]]$df
    ss <- sum(h * g)
    f <- ss / df / mean_residual
    say(c(place, name, "sum_sq"), ss)
    say(c(place, name, "df"), df)
    say(c(place, name, "mean_sq"), ss / df)
    say(c(place, name, "statistic"), f)
    if (exact) {
      found <- sapply(shuffled, function(s) sum(h[s, s] * g)) / df / left
      say(c(place, name, "p_value"), sum(found >= f - 1e-9 * max(1, abs(f)), na.rm = TRUE) / count)
    }
    say(c(place, name, "effect_size", "estimate"), ss / total)
    say(c(place, name, "effect_sizes", "omega_squared", "estimate"), (ss - df * mean_residual) / (total + mean_residual))
    say(c(place, name, "effect_sizes", "partial_r_squared", "estimate"), ss / (ss + residual))
  }
  say(c(place, "residual", "sum_sq"), residual)
  say(c(place, "residual", "df"), df_residual)
  say(c(place, "total", "sum_sq"), total)
}
report("sources", partial)
report(c("also", "sequential"), if (length(given) == 1) partial else sequence)
say("n", n)
say(c("details", "n_permutations"), if (exact) count else n_permutations)
apart <- unlist(lapply(seq_along(sizes), function(c) {  # distances to the centroids of the cells
  part <- g[cells == c, cells == c, drop = FALSE]
  sqrt(abs(diag(part) - 2 * rowMeans(part) + mean(part)))
}))
test <- anova(lm(apart ~ factor(sort(cells))))
say(c("also", "dispersion", "statistic"), test[1, "F value"])
say(c("also", "dispersion", "p_value"), test[1, "Pr(>F)"])
