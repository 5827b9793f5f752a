found <- NULL
for (pair in combn(names(data), 2, simplify = FALSE)) {
  both <- complete.cases(data[[pair[1]]], data[[pair[2]]])
  v <- data[[pair[1]]][both]
  w <- data[[pair[2]]][both]
  if ((is.null(target) || target %in% pair) && sum(both) > 2 && sd(v) > 0 && sd(w) > 0) {
    if (coefficient == "spearman") {
      v <- rank(v)
      w <- rank(w)
    }
    test <- cor.test(v, w)
    found <- rbind(found, c(test$estimate, test$p.value, sum(both)))
  }
}
holm <- p.adjust(found[, 2], "holm")
ranked <- order(-abs(found[, 1]))  # the strongest first
for (i in seq_along(ranked)) {
  row <- c("rows", paste0("[", i - 1, "]"))
  now <- found[ranked[i], ]
  say(c(row, "r"), now[1])
  say(c(row, "p_value"), now[2])
  say(c(row, "n"), now[3])
  say(c(row, "p_holm"), holm[ranked[i]])
  if (now[3] > 3 && abs(now[1]) < 1) {
    ends <- fisher_z(now[1], 1 / sqrt(now[3] - 3), alpha, "two-sided")
    say(c(row, "conf_low"), ends[1])
    say(c(row, "conf_high"), ends[2])
  }
}
say("n", length(data[[1]]))
say(c("details", "n_pairs"), nrow(found))
say(c("details", "strongest", "r"), found[ranked[1], 1])
