n <- nrow(items); k <- ncol(items)
top <- if (is.null(max_score)) max(1, items) else max_score
total <- rowSums(items)
size <- max(1, floor(group_fraction * n + 0.5))
members <- function(score) {  # persons tied at the edge of the upper group share the places that are left
  edge <- sort(score)[n - size + 1]
  (score > edge) + (score == edge) * (size - sum(score > edge)) / sum(score == edge)
}
for (j in seq_len(k)) {
  row <- c("rows", paste0("[", j - 1, "]"))
  rest <- total - items[, j]
  say(c(row, "difficulty"), mean(items[, j]) / top)
  say(c(row, "std_dev"), sd(items[, j]))
  if (sd(items[, j]) > 0 && sd(rest) > 0) say(c(row, "point_biserial_corrected"), cor(items[, j], rest))
  say(c(row, "discrimination_index"), sum((members(total) - members(-total)) * items[, j]) / size / top)
}
say("n", n)
say(c("details", "n_items"), k)
say(c("details", "n_per_group"), size)
say(c("details", "total_mean"), mean(total))
say(c("details", "total_std_dev"), sd(total))
say(c("details", "cronbach_alpha"), k / (k - 1) * (1 - sum(apply(items, 2, var)) / var(total)))
