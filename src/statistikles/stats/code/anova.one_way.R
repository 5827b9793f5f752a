# unless: decimal
value <- unlist(groups, use.names = FALSE)
group <- factor(rep(names(groups), lengths(groups)), levels = names(groups))
fit <- aov(value ~ group)
table <- summary(fit)[[1]]
say("statistic", table[1, "F value"])
say("df", table[1, "Df"])
say("df_error", table[2, "Df"])
say("p_value", table[1, "Pr(>F)"])
say(c("details", "between", "sum_sq"), table[1, "Sum Sq"])
say(c("details", "between", "mean_sq"), table[1, "Mean Sq"])
say(c("details", "within", "sum_sq"), table[2, "Sum Sq"])
say(c("details", "within", "mean_sq"), table[2, "Mean Sq"])
say("n", length(value))
for (name in names(groups)) say_group(name, groups[[name]])

df1 <- table[1, "Df"]; df2 <- table[2, "Df"]; f <- table[1, "F value"]
eta <- table[1, "Sum Sq"] / sum(table[, "Sum Sq"])
say(c("effect_size", "estimate"), eta)
say(c("effect_sizes", "omega_squared", "estimate"), df1 * (f - 1) / (df1 * (f - 1) + length(value)))
say(c("effect_sizes", "epsilon_squared", "estimate"), df1 * (f - 1) / (df1 * f + df2))
say(c("effect_sizes", "cohens_f", "estimate"), sqrt(eta / (1 - eta)))

welch <- oneway.test(value ~ group)
say(c("also", "welch", "statistic"), welch$statistic)
say(c("also", "welch", "df"), welch$parameter[1])
say(c("also", "welch", "df_error"), welch$parameter[2])
say(c("also", "welch", "p_value"), welch$p.value)

# Pairs in the order of the groups, the earlier minus the later. Games-Howell: Welch's standard errors and df.
mean_sq <- table[2, "Mean Sq"]
k <- length(groups)
if (post_hoc && k > 2) for (i in seq_len(k - 1)) for (j in (i + 1):k) {
  a <- groups[[i]]; b <- groups[[j]]
  pair <- paste0(names(groups)[i], " \u2212 ", names(groups)[j])
  difference <- mean(a) - mean(b)
  error <- sqrt(mean_sq / 2 * (1 / length(a) + 1 / length(b)))
  reach <- tukey_quantile(1 - alpha, k, df2) * error
  say(c("post_hoc", "tukey_hsd", pair, "statistic"), abs(difference) / error)
  say(c("post_hoc", "tukey_hsd", pair, "estimate"), difference)
  say(c("post_hoc", "tukey_hsd", pair, "conf_low"), difference - reach)
  say(c("post_hoc", "tukey_hsd", pair, "conf_high"), difference + reach)
  p <- ptukey(abs(difference) / error, k, df2, lower.tail = FALSE)
  if (p > 1e-4) say(c("post_hoc", "tukey_hsd", pair, "p_value"), p)  # below, ptukey() has too few digits
  if (length(a) < 2 || length(b) < 2) next
  va <- var(a) / length(a); vb <- var(b) / length(b)
  df <- (va + vb)^2 / (va^2 / (length(a) - 1) + vb^2 / (length(b) - 1))
  error <- sqrt((va + vb) / 2)
  reach <- tukey_quantile(1 - alpha, k, df) * error
  say(c("post_hoc", "games_howell", pair, "statistic"), abs(difference) / error)
  say(c("post_hoc", "games_howell", pair, "df"), df)
  say(c("post_hoc", "games_howell", pair, "conf_low"), difference - reach)
  say(c("post_hoc", "games_howell", pair, "conf_high"), difference + reach)
  p <- ptukey(abs(difference) / error, k, df, lower.tail = FALSE)
  if (p > 1e-4) say(c("post_hoc", "games_howell", pair, "p_value"), p)  # below, ptukey() has too few digits
}
