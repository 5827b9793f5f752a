# within 1e-5: lme() of nlme stops its search there
library(nlme)
frame <- data.frame(y = y, group = factor(group_ids))
p <- if (is.null(x)) 0 else ncol(x)
if (p > 0) frame$x <- x
model <- if (p > 0) y ~ x else y ~ 1
tight <- lmeControl(maxIter = 500, msMaxIter = 500, tolerance = 1e-12, msTol = 1e-14, opt = "nlminb", returnObject = TRUE)
full <- lme(model, frame, ~ 1 | group, method = "REML", control = tight)
ml <- lme(model, frame, ~ 1 | group, method = "ML", control = tight)
names <- c("intercept", if (p > 0) predictor_names(var_names, p))
for (part in list(list(NULL, full), list(c("also", "ml"), ml))) {
  values <- fixef(part[[2]])
  errors <- sqrt(diag(part[[2]]$varFix))
  for (j in seq_along(values)) {
    say(c(part[[1]], "terms", names[j], "estimate"), values[j])
    say(c(part[[1]], "terms", names[j], "std_error"), errors[j])
    say(c(part[[1]], "terms", names[j], "statistic"), values[j] / errors[j])
  }
  say(c(part[[1]], "log_likelihood"), logLik(part[[2]]))
  say(c(part[[1]], "aic"), AIC(part[[2]]))
}
within <- sigma(full)^2
between <- as.numeric(VarCorr(full)["(Intercept)", "Variance"])
if (between < 1e-6 * within) between <- 0  # lme() never reaches zero itself
say("residual_std_error", sigma(full))
say(c("effect_size", "estimate"), between / (between + within))
say("n", nrow(frame))
say(c("details", "n_groups"), nlevels(frame$group))
say(c("details", "random_intercept_variance"), between)
say(c("details", "residual_variance"), within)
if (between > 1e-6 * within && nlevels(frame$group) <= 2000) {
  effects <- ranef(full)
  for (label in rownames(effects)) say(c("details", "random_effects", label), effects[label, 1])
}
plain <- gls(model, frame, method = "REML")
if (between > 1e-6 * within) {
  say(c("details", "random_intercept_test", "statistic"), 2 * (logLik(full) - logLik(plain)))
  say(c("details", "random_intercept_test", "p_value"), pchisq(2 * (logLik(full) - logLik(plain)), 1, lower.tail = FALSE) / 2)
}
spread <- var(as.vector(model.matrix(model, frame) %*% fixef(full)))
say(c("details", "r_squared_marginal"), spread / (spread + between + within))
say(c("details", "r_squared_conditional"), (spread + between) / (spread + between + within))
if (p > 0) {
  empty <- lme(y ~ 1, frame, ~ 1 | group, method = "ML", control = tight)
  say("statistic", 2 * (logLik(ml) - logLik(empty)))
  say("df", p)
  say("p_value", pchisq(2 * (logLik(ml) - logLik(empty)), p, lower.tail = FALSE))
}

# Satterthwaite's degrees of freedom, which lme() does not give: from the curvature of the restricted likelihood in the
# logarithms of the variance ratio and the residual variance.
n <- nrow(frame)
design <- cbind(rep(1, n), if (p > 0) scale(x, scale = FALSE))
back <- diag(p + 1)
if (p > 0) back[1, -1] <- -colMeans(x)
sizes <- as.vector(table(frame$group))
means <- rowsum(design, frame$group) / sizes
both <- cbind(design, y - mean(y))
group_means <- rowsum(both, frame$group) / sizes
parts <- function(ratio) {
  square <- crossprod(both - group_means[as.integer(frame$group), ]) + crossprod(group_means, sizes / (1 + ratio * sizes) * group_means)
  a <- square[-(p + 2), -(p + 2), drop = FALSE]
  b <- solve(a, square[-(p + 2), p + 2], tol = 0)
  list(a = a, rss = square[p + 2, p + 2] - sum(b * square[-(p + 2), p + 2]))
}
restricted <- function(v) {
  now <- parts(exp(v[1]))
  -(sum(log1p(exp(v[1]) * sizes)) + determinant(now$a)$modulus + (n - p - 1) * (log(2 * pi) + v[2]) + now$rss / exp(v[2])) / 2
}
if (between > 1e-6 * within) {
  found <- peak(restricted, log(c(between / within, within)))
  ratio <- exp(found$point[1])
  variance <- exp(found$point[2])
  inverse <- solve(parts(ratio)$a)
  for (j in seq_len(p + 1)) {
    row <- back[j, ]
    level <- sum(row * (inverse %*% row))
    slope <- sum((sizes / (1 + ratio * sizes) * (means %*% inverse %*% row))^2)
    gradient <- variance * c(ratio * slope, level)
    df <- 2 * (variance * level)^2 / sum(gradient * solve(-found$curvature, gradient))
    value <- fixef(full)[[j]]
    error <- sqrt(variance * level)
    say(c("terms", names[j], "df"), df)
    say(c("terms", names[j], "p_value"), 2 * pt(-abs(value / error), df))
    say(c("terms", names[j], "conf_low"), value - qt(1 - alpha / 2, df) * error)
    say(c("terms", names[j], "conf_high"), value + qt(1 - alpha / 2, df) * error)
  }
  level <- function(u) restricted(c(u, log(parts(exp(u))$rss / (n - p - 1)))) - restricted(found$point) + qchisq(1 - alpha, 1) / 2
  low <- if (level(-60) > 0) 0 else plogis(uniroot(level, c(-60, log(ratio)), tol = 1e-13)$root)
  say(c("effect_size", "conf_low"), low)
  if (level(40) < 0) say(c("effect_size", "conf_high"), plogis(uniroot(level, c(log(ratio), 40), tol = 1e-13)$root))
}
