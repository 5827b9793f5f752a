# unless: covariates
# Type II: each term after all that do not contain it.
a <- factor(factor_a); b <- factor(factor_b)
squares <- function(formula) sum(resid(lm(formula))^2)
full <- lm(if (interaction) y ~ a * b else y ~ a + b)
rest <- sum(resid(full)^2); df_rest <- df.residual(full)
if (is.null(var_names)) var_names <- c("factor_a", "factor_b")
term <- function(name, sum_sq, df) {
  f <- sum_sq / df / (rest / df_rest)
  say(c("sources", name, "sum_sq"), sum_sq)
  say(c("sources", name, "df"), df)
  say(c("sources", name, "statistic"), f)
  say(c("sources", name, "p_value"), pf(f, df, df_rest, lower.tail = FALSE))
  say(c("sources", name, "effect_size", "estimate"), sum_sq / (sum_sq + rest))
}
term(var_names[1], squares(y ~ b) - squares(y ~ a + b), nlevels(a) - 1)
term(var_names[2], squares(y ~ a) - squares(y ~ a + b), nlevels(b) - 1)
if (interaction) term(paste(var_names[1], "\u00d7", var_names[2]), squares(y ~ a + b) - rest, (nlevels(a) - 1) * (nlevels(b) - 1))
say(c("sources", "residual", "sum_sq"), rest)
say(c("sources", "residual", "df"), df_rest)
say("n", length(y))
