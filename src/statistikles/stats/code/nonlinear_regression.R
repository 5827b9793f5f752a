# unless: decimal
# within 1e-7: the searches of nls() and of its last steps stop there for curves that are hard to fit
known <- c("+", "-", "*", "/", "^", "(", "exp", "log", "sqrt", "sin", "cos", "tan", "atan", "pi", names(data), names(start))
curve <- as.formula(paste("~", formula))
left <- as.formula(paste("~", response))
stopifnot(all(c(all.names(curve)[-1], all.names(left)[-1]) %in% known))  # arithmetic only
both <- as.formula(paste(response, "~", formula))
fit <- nls(both, data, start, control = nls.control(maxiter = 1000, tol = 1e-6, minFactor = 1e-10, scaleOffset = 1e-6))
y <- eval(left[[2]], data)
n <- length(y)
slopes <- deriv(curve[[2]], names(start))
at <- function(b) eval(slopes, c(data, as.list(b)))
rest_at <- function(b) y - as.vector(at(b))
b <- coef(fit)
for (round in 1:200) {  # Gauss-Newton to the last digits
  move <- qr.coef(qr(attr(at(b), "gradient")), rest_at(b))
  if (sum(rest_at(b + move)^2) > sum(rest_at(b)^2)) break
  b <- b + move
}
decomposed <- qr(attr(at(b), "gradient"))
rss <- sum(rest_at(b)^2)
df <- n - length(b)
errors <- sqrt(rss / df * diag(chol2inv(qr.R(decomposed))))
reach <- qt(1 - alpha / 2, df)
for (name in names(b)) {
  e <- errors[match(name, names(b))]
  say(c("terms", name, "estimate"), b[name])
  say(c("terms", name, "std_error"), e)
  say(c("terms", name, "statistic"), b[name] / e)
  say(c("terms", name, "p_value"), 2 * pt(-abs(b[name] / e), df))
  say(c("terms", name, "conf_low"), b[name] - reach * e)
  say(c("terms", name, "conf_high"), b[name] + reach * e)
}
log_likelihood <- -n / 2 * (log(2 * pi * rss / n) + 1)
say("df_error", df)
say("r_squared", 1 - rss / sum((y - mean(y))^2))
say("residual_std_error", sqrt(rss / df))
say("log_likelihood", log_likelihood)
say("aic", 2 * (length(b) + 1) - 2 * log_likelihood)
say("bic", log(n) * (length(b) + 1) - 2 * log_likelihood)
say("n", n)
say(c("details", "sum_sq_residual"), rss)
say(c("diagnostics", "leverage_max"), max(rowSums(qr.Q(decomposed)^2)))
