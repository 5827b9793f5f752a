# within 1e-7: coefficients of powers far from the data lose digits
n <- length(x)
low <- min(x)
wide <- max(x) - low
inner <- if (is.null(knots)) low + wide * seq_len(n_knots) / (n_knots + 1) else knots
u <- (x - low) / wide
bends <- (inner - low) / wide
design <- cbind(outer(u, 0:3, "^"), sapply(bends, function(t) pmax(u - t, 0)^3))
q <- ncol(design)
df <- n - q
parts <- qr(design, tol = 1e-12)
b <- qr.coef(parts, y - mean(y))
fitted_values <- qr.fitted(parts, y - mean(y))
rss <- sum((y - mean(y) - fitted_values)^2)
tss <- sum((y - mean(y))^2)
s <- sqrt(rss / df)
back <- diag(c(rep(1, 4), rep(wide^-3, length(bends))))  # from powers of (x - low) / wide to powers of x
for (j in 0:3) for (i in 0:j) back[i + 1, j + 1] <- choose(j, i) * (-low)^(j - i) / wide^j
errors <- s * sqrt(rowSums((back %*% backsolve(qr.R(parts), diag(q)))^2))
values <- as.vector(back %*% b)
values[1] <- values[1] + mean(y)
named <- c("intercept", "x", "x^2", "x^3", paste0("(x - knot", seq_along(bends), ")^3+"))
for (j in seq_len(q)) {
  say(c("terms", named[j], "estimate"), values[j])
  say(c("terms", named[j], "std_error"), errors[j])
  say(c("terms", named[j], "statistic"), values[j] / errors[j])
  say(c("terms", named[j], "p_value"), 2 * pt(-abs(values[j] / errors[j]), df))
  say(c("terms", named[j], "conf_low"), values[j] - qt(1 - alpha / 2, df) * errors[j])
  say(c("terms", named[j], "conf_high"), values[j] + qt(1 - alpha / 2, df) * errors[j])
}
f <- (tss - rss) / (q - 1) / (rss / df)
say("statistic", f)
say("df", q - 1)
say("df_error", df)
say("p_value", pf(f, q - 1, df, lower.tail = FALSE))
say("r_squared", 1 - rss / tss)
say("adj_r_squared", 1 - rss / tss * (n - 1) / df)
say("residual_std_error", s)
ends <- f_noncentrality(f, q - 1, df, 1 - alpha)
say(c("effect_size", "estimate"), 1 - rss / tss)
say(c("effect_size", "conf_low"), ends[1] / (ends[1] + n))
say(c("effect_size", "conf_high"), ends[2] / (ends[2] + n))
straight <- deviance(lm(y ~ u))
f <- (straight - rss) / (q - 2) / (rss / df)
say(c("diagnostics", "nonlinearity", "statistic"), f)
say(c("diagnostics", "nonlinearity", "p_value"), pf(f, q - 2, df, lower.tail = FALSE))
say(c("diagnostics", "nonlinearity", "effect_size", "estimate"), 1 - rss / straight)
say("n", n)
say(c("details", "rss"), rss)
for (i in seq_along(inner)) say(c("details", "knots", paste0("[", i - 1, "]")), inner[i])
leverage <- rowSums(qr.Q(parts)^2)
for (i in if (n <= 10000) seq_len(n)) {
  say(c("details", "fitted", paste0("[", i - 1, "]")), mean(y) + fitted_values[i])
  say(c("details", "fitted_std_error", paste0("[", i - 1, "]")), s * sqrt(leverage[i]))
}
