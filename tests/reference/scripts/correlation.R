# Writes values/correlation.json: reference values of the correlations, from R.
# Run in tests/reference: Rscript scripts/correlation.R
library(jsonlite)
source_of <- function(command) list(program = "R", version = as.character(getRversion()), command = command)
complete <- function(...) { d <- data.frame(...); d[complete.cases(d), , drop = FALSE] }
fisher <- function(r, variance, alpha) tanh(atanh(r) + c(-1, 1) * qnorm(1 - alpha / 2) * sqrt(variance))

pearson <- function(id, x, y, alpha = 0.05, alternative = "two-sided") {
  d <- complete(x = x, y = y)
  t <- cor.test(d$x, d$y, conf.level = 1 - alpha, alternative = sub("-", ".", alternative))
  e <- list(estimate = t$estimate[[1]], statistic = t$statistic[[1]], df = t$parameter[[1]], p_value = t$p.value, n = nrow(d))
  if (alternative != "less") e$conf_low <- t$conf.int[1]
  if (alternative != "greater") e$conf_high <- t$conf.int[2]
  list(id = id, arguments = list(method = "pearson", x = x, y = y, alpha = alpha, alternative = alternative), expect = e,
       rtol = 1e-9, source = source_of("cor.test(x, y)"))
}
spearman <- function(id, x, y, exact = FALSE) {
  d <- complete(x = x, y = y); n <- nrow(d)
  t <- cor.test(d$x, d$y, method = "spearman", exact = FALSE)
  r <- t$estimate[[1]]
  bounds <- fisher(r, (1 + r^2 / 2) / (n - 3), 0.05)
  e <- list(estimate = r, p_value = t$p.value, n = n, conf_low = bounds[1], conf_high = bounds[2],
            statistic = r * sqrt((n - 2) / (1 - r^2)))
  if (exact) e[["also.exact.p_value"]] <- cor.test(d$x, d$y, method = "spearman", exact = TRUE)$p.value
  list(id = id, arguments = list(method = "spearman", x = x, y = y), expect = e, rtol = 1e-9,
       source = source_of("cor.test(x, y, method = 'spearman', exact = FALSE / TRUE); Fisher z with (1 + r^2/2)/(n - 3)"))
}
kendall <- function(id, x, y, exact) {
  d <- complete(x = x, y = y); n <- nrow(d)
  approx <- cor.test(d$x, d$y, method = "kendall", exact = FALSE)
  tau <- approx$estimate[[1]]
  s <- outer(d$x, d$x, function(a, b) sign(a - b)) * outer(d$y, d$y, function(a, b) sign(a - b))
  con <- sum(s > 0) / 2; dis <- sum(s < 0) / 2; m <- min(length(unique(d$x)), length(unique(d$y)))
  free <- function(v) sum(outer(v, v, "!=")) / 2
  bounds <- fisher(tau, 0.437 / (n - 4), 0.05)
  e <- list(estimate = tau, statistic = con - dis, n = n, conf_low = bounds[1], conf_high = bounds[2])
  e[["also.normal_approximation.statistic"]] <- approx$statistic[[1]]
  e[["also.normal_approximation.p_value"]] <- approx$p.value
  e$p_value <- if (exact) cor.test(d$x, d$y, method = "kendall", exact = TRUE)$p.value else approx$p.value
  e[["details.concordant"]] <- con; e[["details.discordant"]] <- dis
  e[["effect_sizes.gamma.estimate"]] <- (con - dis) / (con + dis)
  e[["effect_sizes.tau_a.estimate"]] <- (con - dis) / choose(n, 2)
  e[["effect_sizes.tau_c.estimate"]] <- 2 * m * (con - dis) / (n^2 * (m - 1))
  e[["effect_sizes.somers_d_yx.estimate"]] <- (con - dis) / free(d$x)
  e[["effect_sizes.somers_d_xy.estimate"]] <- (con - dis) / free(d$y)
  list(id = id, arguments = list(method = "kendall", x = x, y = y), expect = e, rtol = 1e-9,
       source = source_of("cor.test(x, y, method = 'kendall', exact = TRUE / FALSE); pairs counted with outer"))
}
partial <- function(id, x, y, z, alpha = 0.05) {
  d <- do.call(complete, c(list(x = x, y = y), z)); n <- nrow(d); k <- length(z)
  covariates <- as.matrix(d[, -(1:2)])
  rx <- resid(lm(d$x ~ covariates)); ry <- resid(lm(d$y ~ covariates))
  r <- cor(rx, ry); df <- n - 2 - k; t <- r * sqrt(df / (1 - r^2))
  bounds <- fisher(r, 1 / (n - k - 3), alpha)
  e <- list(estimate = r, statistic = t, df = df, p_value = 2 * pt(-abs(t), df), conf_low = bounds[1], conf_high = bounds[2], n = n)
  e[["effect_sizes.semi_partial_x.estimate"]] <- cor(rx, d$y)
  e[["effect_sizes.semi_partial_y.estimate"]] <- cor(d$x, ry)
  e[["effect_sizes.zero_order.estimate"]] <- cor(d$x, d$y)
  ranks <- apply(covariates, 2, rank)
  s <- cor(resid(lm(rank(d$x) ~ ranks)), resid(lm(rank(d$y) ~ ranks)))
  e[["also.spearman.estimate"]] <- s
  e[["also.spearman.p_value"]] <- 2 * pt(-abs(s * sqrt(df / (1 - s^2))), df)
  list(id = id, arguments = list(method = "partial", x = x, y = y, covariates = unname(z), alpha = alpha), expect = e,
       rtol = 1e-8, source = source_of("cor(resid(lm(x ~ z)), resid(lm(y ~ z))), pt, Fisher z with n - k - 3"))
}
refused <- function(id, method, x, y, code) list(id = id, arguments = list(method = method, x = x, y = y),
  error_code = code, source = source_of("cor(x, y) is NA: the standard deviation is zero"))

hunter_x <- c(44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1)
hunter_y <- c(2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8)
flat <- rep(2, 5)
cases <- list(
  pearson("hollander-wolfe", hunter_x, hunter_y),
  pearson("airquality-missing", airquality$Ozone, airquality$Wind, alpha = 0.01),
  pearson("trees-greater", trees$Girth, trees$Volume, alternative = "greater"),
  pearson("faithful-far-tail", faithful$eruptions, faithful$waiting),
  pearson("anscombe-less", anscombe$x1, -anscombe$y1, alternative = "less"),
  refused("constant-pearson", "pearson", 1:5, flat, "zero_variance"),
  spearman("hollander-wolfe-ranks", hunter_x, hunter_y, exact = TRUE),
  spearman("airquality-ties-missing", airquality$Ozone, airquality$Temp),
  spearman("cars-ties", cars$speed, cars$dist),
  refused("constant-spearman", "spearman", flat, 1:5, "zero_variance"),
  kendall("hollander-wolfe-tau", hunter_x, hunter_y, exact = TRUE),
  kendall("swiss-no-ties", round(swiss$Fertility + (1:47) / 1000, 6), round(swiss$Agriculture + (47:1) / 1000, 6), exact = TRUE),
  kendall("mtcars-ties", mtcars$cyl, mtcars$gear, exact = FALSE),
  kendall("airquality-tau-missing", airquality$Ozone, airquality$Temp, exact = FALSE),
  refused("constant-kendall", "kendall", flat, 1:5, "zero_variance"),
  partial("mtcars-one", mtcars$mpg, mtcars$hp, list(wt = mtcars$wt)),
  partial("swiss-three", swiss$Fertility, swiss$Education, list(a = swiss$Agriculture, b = swiss$Catholic, c = swiss$Infant.Mortality), alpha = 0.1),
  partial("airquality-missing-two", airquality$Ozone, airquality$Temp, list(a = airquality$Wind, b = airquality$Solar.R))
)
write(toJSON(list(tool = "correlation", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = TRUE),
      "values/correlation.json")
