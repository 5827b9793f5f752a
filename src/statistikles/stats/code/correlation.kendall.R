test <- suppressWarnings(cor.test(x, y, method = "kendall", alternative = chosen_side(alternative), exact = exact_p))
plain <- suppressWarnings(cor.test(x, y, method = "kendall", alternative = chosen_side(alternative), exact = FALSE))
say("estimate", test$estimate)
say("p_value", test$p.value)
if (exact_p) {
  say(c("also", "normal_approximation", "statistic"), plain$statistic)
  say(c("also", "normal_approximation", "p_value"), plain$p.value)
}
say("n", length(x))
signs <- (outer(x, x, ">") - outer(x, x, "<")) * (outer(y, y, ">") - outer(y, y, "<"))
concordant <- sum(signs > 0) / 2
discordant <- sum(signs < 0) / 2
say(c("details", "concordant"), concordant)
say(c("details", "discordant"), discordant)
say("statistic", concordant - discordant)
say(c("effect_sizes", "gamma", "estimate"), (concordant - discordant) / (concordant + discordant))
say(c("effect_sizes", "tau_a", "estimate"), (concordant - discordant) / choose(length(x), 2))
if (is.null(names)) names <- c("x", "y")
say_group(names[1], x)
say_group(names[2], y)
