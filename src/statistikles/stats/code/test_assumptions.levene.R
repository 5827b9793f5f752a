# Levene's test is the analysis of variance of the distances from each group's centre.
levene <- function(centre) {
  distance <- lapply(groups, function(v) abs(v - centre(v)))
  group <- factor(rep(seq_along(groups), lengths(groups)))
  summary(aov(unlist(distance) ~ group))[[1]]
}
table <- levene(median)
say("statistic", table[1, "F value"])
say("df", table[1, "Df"])
say("df_error", table[2, "Df"])
say("p_value", table[1, "Pr(>F)"])
say(c("effect_size", "estimate"), table[1, "Sum Sq"] / sum(table[, "Sum Sq"]))
means <- levene(mean)
say(c("also", "mean_centred", "statistic"), means[1, "F value"])
say(c("also", "mean_centred", "p_value"), means[1, "Pr(>F)"])
fligner <- fligner.test(groups)
say(c("also", "fligner_killeen", "statistic"), fligner$statistic)
say(c("also", "fligner_killeen", "p_value"), fligner$p.value)
say("n", sum(lengths(groups)))
for (name in names(groups)) {
  say_group(name, groups[[name]])
  say(c("details", "variances", name), var(groups[[name]]))
}
