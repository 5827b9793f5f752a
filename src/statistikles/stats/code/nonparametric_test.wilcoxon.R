# unless: groups
# Differences that the decimals given make equal are equal, whatever the binary fractions say.
difference <- if (is.null(group2)) group1 - mu0 else signif(group1 - group2, 12) - mu0
kept <- difference[difference != 0]
ties <- anyDuplicated(abs(kept)) > 0
# Where no difference is left, nothing speaks against the centre: p is 1.
plain <- list(statistic = 0, p.value = 1)
if (length(kept) > 0) {
  plain <- suppressWarnings(wilcox.test(kept, alternative = chosen_side(alternative), exact = FALSE, correct = TRUE))
}
say("statistic", plain$statistic)
say(c("also", "asymptotic", "p_value"), plain$p.value)
ranks <- rank(abs(kept))
if (!exact_p) say("p_value", plain$p.value)
if (exact_p && (ties || length(kept) == 0)) say("p_value", tied_signs_p(ranks, sum(ranks[kept > 0]), alternative))
if (exact_p && !ties && length(kept) > 0) say("p_value", wilcox.test(kept, alternative = chosen_side(alternative), exact = TRUE)$p.value)
say(c("details", "w_plus"), sum(ranks[kept > 0]))
say(c("details", "w_minus"), sum(ranks[kept < 0]))
say(c("details", "n_positive"), sum(kept > 0))
say(c("details", "n_negative"), sum(kept < 0))
say(c("details", "n_zeros"), sum(difference == 0))
say(c("effect_size", "estimate"), (sum(ranks[kept > 0]) - sum(ranks[kept < 0])) / sum(ranks))
averages <- outer(difference, difference, "+") / 2
say("estimate", median(averages[lower.tri(averages, diag = TRUE)]) + if (is.null(group2)) mu0 else 0)
