# Where the subsets are too many to try all, numpy's generator draws them, which R does not have: then only the
# least-squares fit of all rows is computed here.
n <- nrow(x); p <- ncol(x); q <- p + 1
names <- c("intercept", predictor_names(var_names, p))
plain <- lm(y ~ x)
for (j in seq_len(q)) say(c("also", "least_squares", "coefficients", names[j]), coef(plain)[j])
say("n", n)
if (choose(n, q) <= 5000) {
  z <- cbind(1, scale(x) * sqrt(n / (n - 1)))
  subsets <- combn(n, q)
  usable <- apply(subsets, 2, function(rows) abs(det(z[rows, ])) > 1e-10)
  planes <- apply(subsets[, usable, drop = FALSE], 2, function(rows) solve(z[rows, ], y[rows]))
  distances <- abs(y - z %*% planes)
  if (is.null(threshold)) {  # 2.5 robust standard deviations, from the least median of squares
    h <- (n + q + 1) %/% 2
    threshold <- 2.5 / qnorm(0.75) * (1 + 5 / (n - q)) * min(apply(distances, 2, function(d) sort(d)[h]))
    threshold <- max(threshold, 1e-10 * max(abs(y)))
  }
  inside <- distances <= threshold
  chosen <- inside[, order(-colSums(inside), colSums(inside * distances^2))[1]]
  fit <- lm(y[chosen] ~ x[chosen, ])
  terms <- coef(summary(fit))
  ends <- confint(fit, level = 1 - alpha)
  for (j in seq_len(q)) {
    say(c("terms", names[j], "estimate"), terms[j, 1])
    say(c("terms", names[j], "std_error"), terms[j, 2])
    say(c("terms", names[j], "statistic"), terms[j, 3])
    say(c("terms", names[j], "df"), fit$df.residual)
    say(c("terms", names[j], "p_value"), terms[j, 4])
    say(c("terms", names[j], "conf_low"), ends[j, 1])
    say(c("terms", names[j], "conf_high"), ends[j, 2])
  }
  say("r_squared", summary(fit)$r.squared)
  say("residual_std_error", sigma(fit))
  say(c("details", "n_inliers"), sum(chosen))
  say(c("details", "threshold"), threshold)
  for (i in seq_len(sum(!chosen))) say(c("details", "outlier_indices", paste0("[", i - 1, "]")), which(!chosen)[i] - 1)
}
