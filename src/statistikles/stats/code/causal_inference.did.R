n <- length(y)
design <- cbind(1, treat, post, treat * post)
fit <- hc1(design, y)
df <- n - 4
classical <- fit$bread * sum(fit$rest^2) / df
leverage <- rowSums((design %*% fit$bread) * design)
hc3 <- fit$bread %*% crossprod(design * (fit$rest / (1 - leverage))) %*% fit$bread
lead <- fit$covariance
freedom <- df
if (!is.null(cluster)) {
  sums <- rowsum(design * fit$rest, as.character(cluster))
  g <- nrow(sums)
  lead <- g / (g - 1) * (n - 1) / df * fit$bread %*% crossprod(sums) %*% fit$bread
  freedom <- g - 1
}
report <- function(place, j, covariance, df) {
  value <- fit$b[j]
  error <- sqrt(covariance[j, j])
  reach <- qt(1 - alpha / 2, df) * error
  say(c(place, "estimate"), value)
  say(c(place, "std_error"), error)
  say(c(place, "statistic"), value / error)
  say(c(place, "df"), df)
  say(c(place, "p_value"), 2 * pt(-abs(value / error), df))
  say(c(place, "conf_low"), value - reach)
  say(c(place, "conf_high"), value + reach)
}
report(NULL, 4, lead, freedom)
for (j in 1:4) report(c("details", "terms", c("intercept", "treat", "post", "treat_x_post")[j]), j, lead, freedom)
report(c("also", "classical"), 4, classical, df)
report(c("also", "hc1"), 4, fit$covariance, df)
report(c("also", "hc3"), 4, hc3, df)
say(c("effect_size", "estimate"), fit$b[4] / sqrt(sum(fit$rest^2) / df))
say("n", n)
for (cell in list(list("control_before", 0, 0), list("control_after", 0, 1), list("treated_before", 1, 0), list("treated_after", 1, 1))) {
  rows <- treat == cell[[2]] & post == cell[[3]]
  if (sum(rows) > 1) say_group(cell[[1]], y[rows])
}
