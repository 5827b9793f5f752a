test <- kruskal.test(groups)
say("statistic", test$statistic)
say("df", test$parameter)
say("p_value", test$p.value)
value <- unlist(groups, use.names = FALSE)
group <- rep(seq_along(groups), lengths(groups))
n <- length(value); k <- length(groups); h <- unname(test$statistic)
say("n", n)
say(c("effect_size", "estimate"), h / (n - 1))
say(c("effect_sizes", "eta_squared_h", "estimate"), max(0, (h - k + 1) / (n - k)))
ranks <- rank(value)
for (i in seq_len(k)) {
  name <- names(groups)[i]
  say_ranked(name, groups[[i]])
  say(c("groups", name, "mean_rank"), mean(ranks[group == i]))
  say(c("groups", name, "sum_ranks"), sum(ranks[group == i]))
}

# Dunn's test: differences of mean ranks over all groups, the variance corrected for ties; Holm's p leads.
if (post_hoc && k > 2) {
  counts <- table(value)
  variance <- (n * (n + 1) - sum(counts^3 - counts) / (n - 1)) / 12
  pairs <- combn(k, 2)
  means <- tapply(ranks, group, mean)
  estimate <- means[pairs[1, ]] - means[pairs[2, ]]
  error <- sqrt(variance * (1 / lengths(groups)[pairs[1, ]] + 1 / lengths(groups)[pairs[2, ]]))
  p <- 2 * pnorm(-abs(estimate / error))
  holm <- p.adjust(p, "holm")
  bonferroni <- p.adjust(p, "bonferroni")
  reach <- qnorm(1 - alpha / ncol(pairs) / 2) * error
  for (i in seq_len(ncol(pairs))) {
    pair <- paste0(names(groups)[pairs[1, i]], " \u2212 ", names(groups)[pairs[2, i]])
    say(c("post_hoc", "dunn", pair, "statistic"), estimate[i] / error[i])
    say(c("post_hoc", "dunn", pair, "estimate"), estimate[i])
    say(c("post_hoc", "dunn", pair, "std_error"), error[i])
    say(c("post_hoc", "dunn", pair, "p_value"), holm[i])
    say(c("post_hoc", "dunn", pair, "conf_low"), estimate[i] - reach[i])
    say(c("post_hoc", "dunn", pair, "conf_high"), estimate[i] + reach[i])
    say(c("post_hoc", "dunn", pair, "details", "p_value_unadjusted"), p[i])
    say(c("post_hoc", "dunn", pair, "details", "p_value_bonferroni"), bonferroni[i])
  }
}
