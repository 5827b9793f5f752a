test <- friedman.test(data)
n <- nrow(data); k <- ncol(data); q <- unname(test$statistic)
say("statistic", q)
say("df", test$parameter)
say("p_value", test$p.value)
say("n", n)
w <- q / (n * (k - 1))
say(c("effect_size", "estimate"), w)
if (w < 1) {
  f <- (n - 1) * w / (1 - w)
  say(c("also", "iman_davenport", "statistic"), f)
  say(c("also", "iman_davenport", "df"), k - 1)
  say(c("also", "iman_davenport", "df_error"), (n - 1) * (k - 1))
  say(c("also", "iman_davenport", "p_value"), pf(f, k - 1, (n - 1) * (k - 1), lower.tail = FALSE))
}
if (is.null(names)) names <- paste0("treatment", seq_len(k))
ranks <- t(apply(data, 1, rank))
for (j in seq_len(k)) {
  say_ranked(names[j], data[, j])
  say(c("groups", names[j], "mean_rank"), mean(ranks[, j]))
  say(c("groups", names[j], "sum_ranks"), sum(ranks[, j]))
}
