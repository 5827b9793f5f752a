# R's "greater" means that the distribution function of the first sample lies above, as here.
test <- suppressWarnings(ks.test(group1, group2, alternative = chosen_side(alternative), exact = exact_p && anyDuplicated(c(group1, group2)) == 0))
say("statistic", test$statistic)
ties <- anyDuplicated(c(group1, group2)) > 0
if (exact_p) say("p_value", if (ties) tied_paths_p(group1, group2, alternative) else test$p.value)
say(c("details", "d_greater"), suppressWarnings(ks.test(group1, group2, alternative = "greater", exact = FALSE))$statistic)
say(c("details", "d_less"), suppressWarnings(ks.test(group1, group2, alternative = "less", exact = FALSE))$statistic)
say("n", length(group1) + length(group2))
if (is.null(group_names)) group_names <- c("group1", "group2")
say_ranked(group_names[1], group1)
say_ranked(group_names[2], group2)
