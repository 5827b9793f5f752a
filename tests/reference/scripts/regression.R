# Reference values of regression. Run from the project root: Rscript tests/reference/scripts/regression.R
# Needs the packages jsonlite, car, lmtest and sandwich.
suppressPackageStartupMessages({library(jsonlite); library(car); library(lmtest); library(sandwich)})
src <- list(program = "R (lm) with car, lmtest, sandwich", version = as.character(getRversion()), command = "Rscript tests/reference/scripts/regression.R")
ncp_bound <- function(f, u, v, p) if (pf(f, u, v) <= p) 0 else
  uniroot(function(l) pf(f, u, v, l) - p, c(0, 10 * f * u + 200), tol = 1e-11)$root
one <- function(id, formula, data, vars, arguments = list(), rtol = 1e-8, robust = TRUE) {
  y <- all.vars(formula)[1]; fit <- lm(formula, data = data); s <- summary(fit); co <- s$coefficients; ci <- confint(fit)
  labels <- if (attr(terms(fit), "intercept")) c("intercept", vars) else vars
  e <- list(); n <- length(resid(fit)); k <- length(labels)
  put <- function(key, value) e[[key]] <<- unname(value)
  for (j in seq_along(labels)) { p <- paste0("terms.", labels[j], ".")
    put(paste0(p, "estimate"), co[j, 1]); put(paste0(p, "std_error"), co[j, 2]); put(paste0(p, "statistic"), co[j, 3])
    put(paste0(p, "p_value"), co[j, 4]); put(paste0(p, "conf_low"), ci[j, 1]); put(paste0(p, "conf_high"), ci[j, 2]) }
  slopes <- setdiff(labels, "intercept")
  if (length(slopes) > 1 && "intercept" %in% labels) { v <- vif(fit); for (j in seq_along(slopes)) put(paste0("terms.", slopes[j], ".vif"), v[j]) }
  if ("intercept" %in% labels) { X <- model.matrix(fit)[, -1, drop = FALSE]; yy <- model.response(model.frame(fit))
    for (j in seq_along(slopes)) put(paste0("terms.", slopes[j], ".standardized"), coef(fit)[j + 1] * sd(X[, j]) / sd(yy)) }
  f <- s$fstatistic
  put("statistic", f[1]); put("df", f[2]); put("df_error", f[3]); put("p_value", pf(f[1], f[2], f[3], lower.tail = FALSE))
  put("r_squared", s$r.squared); put("adj_r_squared", s$adj.r.squared); put("residual_std_error", s$sigma)
  put("log_likelihood", as.numeric(logLik(fit))); put("aic", AIC(fit)); put("bic", BIC(fit)); put("n", n)
  put("n_missing", nrow(data) - n)
  lo <- ncp_bound(f[1], f[2], f[3], .975); hi <- ncp_bound(f[1], f[2], f[3], .025)
  put("effect_sizes.r_squared.conf_low", lo / (lo + n)); put("effect_sizes.r_squared.conf_high", hi / (hi + n))
  if ("intercept" %in% labels) {
    b <- bptest(fit); put("diagnostics.breusch_pagan.statistic", b$statistic); put("diagnostics.breusch_pagan.p_value", b$p.value)
  }
  d <- dwtest(fit, exact = FALSE, alternative = "two.sided")
  put("diagnostics.durbin_watson.statistic", d$statistic); put("diagnostics.durbin_watson.p_value", d$p.value)
  w <- shapiro.test(resid(fit)); put("diagnostics.residual_normality.statistic", w$statistic); put("diagnostics.residual_normality.p_value", w$p.value)
  h <- hatvalues(fit); ck <- cooks.distance(fit); rs <- rstudent(fit)
  put("diagnostics.influence.leverage_max", max(h)); put("diagnostics.influence.leverage_max_row", which.max(h))
  put("diagnostics.influence.cooks_distance_max", max(ck)); put("diagnostics.influence.cooks_distance_max_row", which.max(ck))
  put("diagnostics.outlier.studentized_residual", rs[which.max(abs(rs))]); put("diagnostics.outlier.row", which.max(abs(rs)))
  p <- 2 * pt(max(abs(rs)), fit$df.residual - 1, lower.tail = FALSE)
  put("diagnostics.outlier.p_value_bonferroni", min(1, n * p))
  X <- model.matrix(fit); put("diagnostics.condition_number", kappa(scale(X, center = FALSE, scale = sqrt(colSums(X^2))), exact = TRUE))
  hc <- sqrt(diag(vcovHC(fit, type = "HC3")))
  for (j in seq_along(labels)) put(paste0("also.hc3.terms.", labels[j], ".std_error"), hc[j])
  columns <- arguments$columns; arguments$columns <- NULL
  x <- if (is.null(columns)) lapply(vars, function(v) data[[v]]) else columns
  if (length(x) == 1) x <- x[[1]]
  list(id = id, arguments = c(list(x = x, y = data[[y]], var_names = if (is.null(columns)) as.list(vars) else list(vars[1])), arguments),
       expect = e, rtol = rtol, atol = 1e-10, source = src)
}
ahead <- function(id, formula, data, vars, new, arguments = list(), rtol = 1e-8) {
  case <- one(id, formula, data, vars, arguments, rtol); fit <- lm(formula, data = data)
  ci <- predict(fit, new, interval = "confidence", se.fit = TRUE); pi <- predict(fit, new, interval = "prediction")
  case$expect <- list()
  for (i in seq_len(nrow(new))) { k <- paste0("details.predictions.", i - 1, ".")
    put <- function(key, v) case$expect[[paste0(k, key)]] <<- unname(v)
    put("predicted", ci$fit[i, 1]); put("std_error", ci$se.fit[i]); put("conf_low", ci$fit[i, 2]); put("conf_high", ci$fit[i, 3])
    put("prediction_low", pi[i, 2]); put("prediction_high", pi[i, 3]) }
  case$arguments$predict_at <- if (length(arguments$columns) == 1) new[[1]] else if (ncol(new) == 1) new[[1]] else as.list(new)
  case }
m <- mtcars; a <- airquality[1:60, ]
ca <- data.frame(speed = cars$speed, dist = cars$dist); ca$`speed^2` <- ca$speed^2
st <- data.frame(stackloss); names(st) <- c("air", "water", "acid", "loss")
w <- data.frame(height = women$height, weight = women$weight); w$`height^2` <- w$height^2; w$`height^3` <- w$height^3
cases <- list(
  one("simple", dist ~ speed, ca, "speed"), one("multiple", mpg ~ wt + hp + qsec, m, c("wt", "hp", "qsec")),
  one("stackloss", loss ~ air + water + acid, st, c("air", "water", "acid")),
  one("missing", Ozone ~ Solar.R + Wind + Temp, a, c("Solar.R", "Wind", "Temp")),
  one("no-intercept", dist ~ 0 + speed, ca, "speed", list(intercept = FALSE)),
  one("no-intercept-two", mpg ~ 0 + wt + hp, m, c("wt", "hp"), list(intercept = FALSE)),
  one("quadratic", dist ~ speed + `speed^2`, ca, c("speed", "speed^2"), list(columns = list(ca$speed), degree = 2)),
  ahead("predict-simple", dist ~ speed, ca, "speed", data.frame(speed = c(4, 12.5, 30))),
  ahead("predict-multiple", mpg ~ wt + hp, m, c("wt", "hp"), data.frame(wt = c(2.5, 3, 5), hp = c(100, 150, 90))),
  ahead("predict-quadratic", dist ~ speed + `speed^2`, ca, c("speed", "speed^2"),
        data.frame(speed = c(7, 21), `speed^2` = c(49, 441), check.names = FALSE), list(columns = list(ca$speed), degree = 2)),
  ahead("predict-no-intercept", dist ~ 0 + speed, ca, "speed", data.frame(speed = c(10, 20)), list(intercept = FALSE)),
  one("cubic", weight ~ height + `height^2` + `height^3`, w, c("height", "height^2", "height^3"),
      list(columns = list(w$height), degree = 3), rtol = 1e-5))
refuse <- function(id, arguments, code) list(id = id, arguments = arguments, error_code = code, source = list(
  program = "definition", version = "1", command = "rank of the design or variance of y is zero"))
cases <- c(cases, list(refuse("collinear", list(x = list(c(1, 2, 3, 4, 5), c(2, 4, 6, 8, 10)), y = c(1, 3, 2, 5, 4)), "singular"),
  refuse("constant-y", list(x = c(1, 2, 3, 4), y = c(7, 7, 7, 7)), "zero_variance"),
  refuse("constant-x", list(x = c(2, 2, 2, 2), y = c(1, 2, 3, 4)), "singular")))
write(toJSON(list(tool = "regression", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = 1),
      "tests/reference/values/regression.json")
