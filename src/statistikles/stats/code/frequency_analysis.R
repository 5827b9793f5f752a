# unless: order, bins, top
counts <- sort(table(data), decreasing = TRUE)
n <- sum(counts)
say("n", n)
say(c("details", "n_unique"), length(counts))
say(c("details", "mode_count"), counts[1])
say(c("details", "n_modes"), sum(counts == counts[1]))
for (i in seq_along(counts)) {  # the counts are the same whichever of equal ones comes first
  row <- c("rows", paste0("[", i - 1, "]"))
  say(c(row, "count"), counts[i])
  say(c(row, "proportion"), counts[i] / n)
  wilson <- suppressWarnings(prop.test(counts[i], n, conf.level = conf_level, correct = FALSE))$conf.int
  say(c(row, "conf_low"), wilson[1])
  say(c(row, "conf_high"), wilson[2])
  say(c(row, "cumulative_proportion"), sum(counts[1:i]) / n)
}
