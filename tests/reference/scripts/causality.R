# Writes values/granger_causality.json: Granger tests from lmtest, partial R2 and lag choice from lm.
# Run in tests/reference: Rscript scripts/causality.R
suppressMessages({library(jsonlite); library(lmtest)})
source_of <- function(command) list(program = "R", version = paste(getRversion(), "lmtest", packageVersion("lmtest")), command = command)
granger <- function(id, x, y, lag) {
  ok <- complete.cases(x, y); a <- x[ok]; b <- y[ok]; n <- length(a)
  f <- grangertest(a, b, order = lag); g <- grangertest(b, a, order = lag)
  past <- function(v, first, k) sapply(seq_len(k), function(j) v[(first - j + 1):(n - j)])
  full <- lm(b[(lag + 1):n] ~ past(b, lag, lag) + past(a, lag, lag)); own <- lm(b[(lag + 1):n] ~ past(b, lag, lag)); T <- n - lag
  chi <- T * (deviance(own) - deviance(full)) / deviance(full); lr <- T * log(deviance(own) / deviance(full))
  most <- max(1, min(max(lag, 8), (n - 3) %/% 4)); rows <- n - most
  score <- sapply(1:most, function(p) { d <- deviance(lm(b[(most + 1):n] ~ past(b, most, p) + past(a, most, p))); rows * log(d / rows) + c(2, log(rows)) * (2 * p + 1) })
  e <- list(statistic = f$F[2], p_value = f[["Pr(>F)"]][2], df = lag, df_error = f$Res.Df[1], n = n, "also.reverse.statistic" = g$F[2], "also.reverse.p_value" = g[["Pr(>F)"]][2],
            "also.chi_square.statistic" = chi, "also.chi_square.p_value" = pchisq(chi, lag, lower.tail = FALSE), "also.likelihood_ratio.statistic" = lr,
            "effect_size.estimate" = 1 - deviance(full) / deviance(own), "details.lag_choice.aic_lag" = which.min(score[1, ]), "details.lag_choice.bic_lag" = which.min(score[2, ]))
  list(id = id, arguments = list(series_x = x, series_y = y, lag = lag), expect = e, rtol = 1e-9, source = source_of("lmtest::grangertest(x, y, order = lag); chi-square forms and criteria from lm"))
}
refuse <- function(id, x, y, lag, code, why) list(id = id, arguments = list(series_x = x, series_y = y, lag = lag), error_code = code, source = source_of(why))
data(ChickEgg); chick <- as.numeric(ChickEgg[, 1]); egg <- as.numeric(ChickEgg[, 2])
set.seed(9); x <- as.numeric(arima.sim(list(ar = .5), 80)); y <- as.numeric(stats::filter(c(0, .6 * head(x, -1)) + rnorm(80, sd = .5), .3, "recursive")); hole <- round(y, 2); hole[c(1, 80)] <- NA
cases <- list(granger("egg-chicken-4", egg, chick, 4), granger("chicken-egg-1", chick, egg, 1), granger("simulated-2", x, y, 2), granger("missing-ends-ties", round(x, 1), round(hole, 1), 3),
  granger("offset", round(x, 6) + 1e6, round(y, 6) * 1e-3, 2), refuse("constant", rep(2, 20), y[1:20], 1, "zero_variance", "lm drops the constant"), refuse("too-short", x[1:8], y[1:8], 3, "too_few_values", "no residual degrees of freedom"))
write(toJSON(list(tool = "granger_causality", cases = cases), auto_unbox = TRUE, digits = NA, null = "null", na = "null", pretty = TRUE), "values/granger_causality.json")
