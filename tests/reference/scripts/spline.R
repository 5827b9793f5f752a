# Reference values of machine_learning, type spline. Run from the project root: Rscript tests/reference/scripts/spline.R
suppressPackageStartupMessages({library(jsonlite); library(splines)})
src <- list(program = "R (lm on the truncated-power basis of centred x where well conditioned; lm on splines::bs for fit and tests)", version = as.character(getRversion()), command = "Rscript tests/reference/scripts/spline.R")
one <- function(id, x, y, knots = NULL, coefficients = TRUE, rtol = 1e-6) {
  ok <- !is.na(x) & !is.na(y); u <- x[ok]; v <- y[ok]; k <- if (is.null(knots)) min(u) + (max(u) - min(u)) * 1:3 / 4 else knots
  b <- lm(v ~ bs(u, knots = k, degree = 3)); l <- lm(v ~ u); s <- summary(b); a <- anova(l, b); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  f <- s$fstatistic; put("statistic", f[1]); put("df", f[2]); put("df_error", f[3]); put("p_value", pf(f[1], f[2], f[3], lower.tail = FALSE))
  put("r_squared", s$r.squared); put("adj_r_squared", s$adj.r.squared); put("residual_std_error", s$sigma); put("details.rss", sum(resid(b)^2)); put("n", sum(ok)); put("n_missing", sum(!ok))
  put("diagnostics.nonlinearity.statistic", a$F[2]); put("diagnostics.nonlinearity.df", a$Df[2]); put("diagnostics.nonlinearity.p_value", a$`Pr(>F)`[2])
  p <- predict(b, se.fit = TRUE); for (i in seq_along(v)) { put(paste0("details.fitted.", i - 1), fitted(b)[i]); put(paste0("details.fitted_std_error.", i - 1), p$se.fit[i]) }
  for (j in seq_along(k)) put(paste0("details.knots.", j - 1), k[j])
  if (coefficients) { X <- cbind(1, u, u^2, u^3, sapply(k, function(q) pmax(u - q, 0)^3)); t <- summary(lm(v ~ X - 1, tol = 1e-14))$coefficients
    labels <- c("intercept", "x", "x^2", "x^3", paste0("(x - knot", seq_along(k), ")^3+")); for (j in seq_along(labels)) { q <- paste0("terms.", labels[j], "."); put(paste0(q, "estimate"), t[j, 1]); put(paste0(q, "std_error"), t[j, 2]); put(paste0(q, "p_value"), t[j, 4]) } }
  g <- list(type = "spline", x = x, y = y); if (!is.null(knots)) g$knots <- knots
  list(id = paste0("spline-", id), arguments = g, expect = e, rtol = rtol, atol = 1e-9, source = src)
}
m <- MASS::mcycle[1:70, ]; a <- airquality[1:50, ]
cases <- list(one("cars-ties", cars$speed / 10, cars$dist), one("motorcycle", m$times, m$accel, NULL, FALSE), one("missing", a$Temp / 10 - 7, a$Ozone), one("given-knots", faithful$eruptions[1:80], faithful$waiting[1:80], c(2.5, 3.5)))
refuse <- function(id, arguments, code) list(id = paste0("spline-", id), arguments = c(list(type = "spline"), arguments), error_code = code, source = list(program = "definition", version = "-", command = "the coefficients are not determined"))
cases <- c(cases, list(refuse("constant-y", list(x = 1:12, y = rep(3, 12)), "zero_variance"), refuse("few-rows", list(x = 1:7, y = c(1, 4, 2, 5, 3, 6, 2)), "too_few_values"),
  refuse("few-values", list(x = c(1, 1, 1, 2, 2, 2, 3, 3, 3), y = c(1, 4, 2, 5, 3, 6, 2, 1, 1)), "singular"), refuse("knots-outside", list(x = 1:12, y = (1:12)^2 %% 5, knots = c(0, 5)), "out_of_range")))
write(toJSON(list(tool = "machine_learning", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1), "tests/reference/values/machine_learning-spline.json")
