ties <- anyDuplicated(c(group1, group2)) > 0
plain <- suppressWarnings(wilcox.test(group1, group2, alternative = chosen_side(alternative), exact = FALSE, correct = TRUE))
# Where all values are the same, every arrangement gives this U: p is 1.
if (is.nan(plain$p.value)) plain$p.value <- 1
say("statistic", plain$statistic)
say(c("details", "u1"), plain$statistic)
say(c("details", "u2"), length(group1) * length(group2) - plain$statistic)
say(c("also", "asymptotic", "p_value"), plain$p.value)
ranks <- rank(c(group1, group2))
if (!exact_p) say("p_value", plain$p.value)
if (exact_p && ties) say("p_value", tied_ranks_p(ranks, length(group1), alternative))
if (exact_p && !ties) {
  test <- wilcox.test(group1, group2, alternative = chosen_side(alternative), exact = TRUE, conf.int = TRUE, conf.level = 1 - alpha)
  say("p_value", test$p.value)
  say("conf_low", test$conf.int[1])
  say("conf_high", test$conf.int[2])
}
say("estimate", median(outer(group1, group2, "-")))
say("n", length(group1) + length(group2))
delta <- 2 * plain$statistic / (length(group1) * length(group2)) - 1
say(c("effect_size", "estimate"), delta)
say(c("effect_sizes", "vargha_delaney_a", "estimate"), (delta + 1) / 2)
if (is.null(group_names)) group_names <- c("group1", "group2")
first <- seq_along(group1)
say_ranked(group_names[1], group1)
say(c("groups", group_names[1], "mean_rank"), mean(ranks[first]))
say_ranked(group_names[2], group2)
say(c("groups", group_names[2], "mean_rank"), mean(ranks[-first]))
