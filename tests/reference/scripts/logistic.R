# Reference values of logistic_regression. Run from the project root: Rscript tests/reference/scripts/logistic.R
suppressPackageStartupMessages(library(jsonlite))
src <- list(program = "R (glm; profile likelihood, AUC and Hosmer-Lemeshow from their definitions)",
            version = as.character(getRversion()), command = "Rscript tests/reference/scripts/logistic.R")
ctl <- glm.control(epsilon = 1e-14, maxit = 100)
one <- function(id, formula, data, vars, rtol = 1e-7) {
  fit <- glm(formula, binomial, data, control = ctl); co <- summary(fit)$coefficients; yname <- all.vars(formula)[1]
  y <- fit$y; n <- length(y); p <- fitted(fit); ll <- as.numeric(logLik(fit)); q <- length(vars)
  ll0 <- as.numeric(logLik(glm(y ~ 1, binomial, control = ctl))); e <- list()
  put <- function(key, value) e[[key]] <<- unname(value)
  labels <- c("intercept", vars); wald <- confint.default(fit)
  for (j in seq_along(labels)) { k <- paste0("terms.", labels[j], ".")
    put(paste0(k, "estimate"), co[j, 1]); put(paste0(k, "std_error"), co[j, 2]); put(paste0(k, "statistic"), co[j, 3]); put(paste0(k, "p_value"), co[j, 4])
    put(paste0(k, "conf_low"), wald[j, 1]); put(paste0(k, "conf_high"), wald[j, 2]); put(paste0(k, "odds_ratio"), exp(co[j, 1]))
    put(paste0(k, "odds_ratio_low"), exp(wald[j, 1])); put(paste0(k, "odds_ratio_high"), exp(wald[j, 2])) }
  X <- model.matrix(fit)
  for (j in seq_along(vars)) {
    at <- function(b) as.numeric(logLik(glm.fit(X[, -(j + 1), drop = FALSE], y, offset = b * X[, j + 1], family = binomial(), control = ctl)$deviance / -2))
    dev <- function(b) glm.fit(X[, -(j + 1), drop = FALSE], y, offset = b * X[, j + 1], family = binomial(), control = ctl)$deviance
    gap <- function(b) dev(b) + 2 * ll - qchisq(.95, 1); b <- co[j + 1, 1]; s <- co[j + 1, 2]
    k <- paste0("also.profile_likelihood.terms.", vars[j], ".")
    put(paste0(k, "conf_low"), uniroot(gap, c(b - 6 * s, b), tol = 1e-12)$root); put(paste0(k, "conf_high"), uniroot(gap, c(b, b + 6 * s), tol = 1e-12)$root)
    put(paste0(k, "statistic"), dev(0) + 2 * ll); put(paste0(k, "p_value"), pchisq(dev(0) + 2 * ll, 1, lower.tail = FALSE)) }
  lr <- 2 * (ll - ll0); put("statistic", lr); put("df", q); put("p_value", pchisq(lr, q, lower.tail = FALSE))
  put("log_likelihood", ll); put("aic", AIC(fit)); put("bic", BIC(fit)); put("n", n); put("n_missing", nrow(data) - n)
  cs <- 1 - exp(2 * (ll0 - ll) / n)
  put("pseudo_r_squared.mcfadden", 1 - ll / ll0); put("pseudo_r_squared.cox_snell", cs)
  put("pseudo_r_squared.nagelkerke", cs / (1 - exp(2 * ll0 / n))); put("pseudo_r_squared.tjur", mean(p[y == 1]) - mean(p[y == 0]))
  pr <- round(p, 12); g <- cut(pr, unique(round(quantile(pr, 0:10 / 10), 13)), include.lowest = TRUE); o <- tapply(y, g, sum); ex <- tapply(p, g, sum); m <- tapply(y, g, length)
  hl <- sum((o - ex)^2 / (ex * (m - ex) / m)); few <- nlevels(g) < 3; put("diagnostics.hosmer_lemeshow.statistic", if (few) NA else hl)
  put("diagnostics.hosmer_lemeshow.p_value", if (few) NA else pchisq(hl, nlevels(g) - 2, lower.tail = FALSE))
  psi <- outer(p[y == 1], p[y == 0], function(a, b) (a > b) + (a == b) / 2); put("effect_size.estimate", mean(psi))
  put("effect_size.std_error", sqrt(var(rowMeans(psi)) / nrow(psi) + var(colMeans(psi)) / ncol(psi)))
  put("details.classification.accuracy", mean((p >= .5) == y)); put("details.classification.true_positive", sum(p >= .5 & y == 1))
  put("details.brier_score", mean((p - y)^2))
  x <- lapply(vars, function(v) data[[v]]); if (length(x) == 1) x <- x[[1]]
  list(id = id, arguments = list(x = x, y = data[[yname]], var_names = as.list(vars)), expect = e, rtol = rtol, atol = 1e-9, source = src)
}
i <- data.frame(infert); i <- i[1:120, ]; a <- airquality; a$high <- as.integer(a$Ozone > 45)
b <- MASS::birthwt[seq(1, 189, 2), ]; k <- rpart::kyphosis; k$k <- as.integer(k$Kyphosis == "present")
cases <- list(one("mtcars", am ~ wt, mtcars, "wt"), one("kyphosis", k ~ Age + Number + Start, k, c("Age", "Number", "Start")),
  one("birthwt", low ~ age + lwt + smoke, b, c("age", "lwt", "smoke")), one("missing", high ~ Wind + Solar.R, a[a$Month < 9, ], c("Wind", "Solar.R"), 1e-6),
  one("binary-predictor", case ~ spontaneous, i, "spontaneous"))
refuse <- function(id, arguments, code) list(id = id, arguments = arguments, error_code = code,
  source = list(program = "Albert and Anderson 1984", version = "definition", command = "no finite maximum likelihood estimate"))
cases <- c(cases, list(refuse("complete", list(x = 1:6, y = c(0, 0, 0, 1, 1, 1)), "separation"),
  refuse("quasi", list(x = c(1, 2, 3, 3, 4, 5), y = c(0, 0, 0, 1, 1, 1)), "separation"),
  refuse("by-two", list(x = list(c(1, 2, 3, 4, 1, 2, 3, 4), c(1, 3, 2, 5, 3, 4, 5.5, 6)), y = c(0, 0, 0, 0, 1, 1, 1, 1)), "separation"),
  refuse("constant", list(x = 1:5, y = c(1, 1, 1, 1, 1)), "zero_variance"),
  refuse("collinear", list(x = list(1:6, 2 * (1:6)), y = c(0, 1, 0, 1, 0, 1)), "singular")))
write(toJSON(list(tool = "logistic_regression", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = 1),
      "tests/reference/values/logistic_regression.json")
