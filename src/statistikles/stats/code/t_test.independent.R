test <- t.test(group1, group2, mu = mu0, alternative = chosen_side(alternative), conf.level = 1 - alpha)
say("statistic", test$statistic)
say("df", test$parameter)
say("p_value", test$p.value)
say("estimate", test$estimate[1] - test$estimate[2])
say("std_error", test$stderr)
say("conf_low", test$conf.int[1])
say("conf_high", test$conf.int[2])
if (is.null(group_names)) group_names <- c("group1", "group2")
say_group(group_names[1], group1)
say_group(group_names[2], group2)

student <- t.test(group1, group2, mu = mu0, alternative = chosen_side(alternative), conf.level = 1 - alpha,
                  var.equal = TRUE)
say(c("also", "student", "statistic"), student$statistic)
say(c("also", "student", "df"), student$parameter)
say(c("also", "student", "p_value"), student$p.value)
say(c("also", "student", "conf_low"), student$conf.int[1])
say(c("also", "student", "conf_high"), student$conf.int[2])

n1 <- length(group1); n2 <- length(group2); df <- n1 + n2 - 2
pooled <- sqrt(((n1 - 1) * var(group1) + (n2 - 1) * var(group2)) / df)
d <- (mean(group1) - mean(group2)) / pooled
size <- sqrt(1 / n1 + 1 / n2)
say(c("effect_sizes", "cohens_d", "estimate"), d)
say(c("effect_size", "estimate"), d * hedges_factor(df))
if (abs(d / size) < 30) {  # beyond, pt() is not exact
  limits <- t_noncentrality(d / size, df, 1 - alpha) * size
  say(c("effect_sizes", "cohens_d", "conf_low"), limits[1])
  say(c("effect_sizes", "cohens_d", "conf_high"), limits[2])
  say(c("effect_size", "conf_low"), limits[1] * hedges_factor(df))
  say(c("effect_size", "conf_high"), limits[2] * hedges_factor(df))
}
say(c("effect_sizes", "glass_delta", "estimate"), (mean(group1) - mean(group2)) / sd(group2))
say(c("effect_sizes", "common_language", "estimate"), pnorm((mean(group1) - mean(group2)) / sqrt(var(group1) + var(group2))))
