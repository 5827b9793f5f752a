group <- factor(group_ids)
fit <- manova(x ~ group)
for (test in c("Wilks", "Pillai", "Hotelling-Lawley", "Roy")) {
  row <- summary(fit, test = test)$stats[1, ]
  key <- c("also", tolower(sub("-", "_", test)))
  say(c(key, "estimate"), row[2])
  say(c(key, "statistic"), row[3])
  say(c(key, "df"), row[4])
  say(c(key, "df_error"), row[5])
  say(c(key, "p_value"), row[6])
}
say("n", nrow(x))
if (is.null(var_names)) var_names <- paste0("x", seq_len(ncol(x)))
for (j in seq_len(ncol(x))) {
  row <- summary(aov(x[, j] ~ group))[[1]]
  say(c("post_hoc", "univariate", var_names[j], "statistic"), row[1, "F value"])
  say(c("post_hoc", "univariate", var_names[j], "p_value"), row[1, "Pr(>F)"])
}
