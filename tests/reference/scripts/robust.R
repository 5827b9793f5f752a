# Reference values of robust_stats. Run from the project root: Rscript tests/reference/scripts/robust.R
suppressPackageStartupMessages({library(jsonlite); library(robustbase); library(MASS)})
src <- list(program = paste0("R (mahalanobis, lm); robustbase ", packageVersion("robustbase"), " covMcd(use.correction = FALSE); MASS ", packageVersion("MASS"), " rlm"),
            version = as.character(getRversion()), command = "Rscript tests/reference/scripts/robust.R")
maha <- function(id, data, nsamp = "best", rtol = 1e-8) {
  x <- as.matrix(data[complete.cases(data), ]); n <- nrow(x); p <- ncol(x); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  report <- function(pre, d) { for (i in seq_along(d)) { put(paste0(pre, "d2.", i - 1), d[i]); put(paste0(pre, "d.", i - 1), sqrt(d[i])); put(paste0(pre, "p_values.", i - 1), pchisq(d[i], p, lower.tail = FALSE)) }
    put(paste0(pre, "n_outliers"), sum(d > qchisq(.975, p))); put(paste0(pre, "max_d2"), max(d)) }
  report("", mahalanobis(x, colMeans(x), cov(x))); put("cutoff", qchisq(.975, p)); put("n", n); put("n_missing", nrow(data) - n)
  m <- covMcd(x, use.correction = FALSE, nsamp = nsamp); report("robust.", m$mah); put("robust.subset_size", m$quan)
  for (v in names(data)) put(paste0("robust.centre.", v), m$center[[v]])
  list(id = paste0("mahalanobis-", id), arguments = list(type = "mahalanobis", x = unname(as.list(data)), var_names = names(data)), expect = e, rtol = rtol, atol = 1e-10, source = src)
}
K <- 1.345
loc <- function(id, x, k = K) {  # the root by uniroot, not by the iteration under test; standard error as in summary.rlm
  z <- x[!is.na(x)]; n <- length(z); s <- mad(z, constant = 1 / qnorm(.75)); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  psi <- function(u) pmax(-k, pmin(k, u)); m <- uniroot(function(t) sum(psi((z - t) / s)), range(z), tol = 1e-14)$root; u <- (z - m) / s
  ins <- as.numeric(abs(u) <= k); se <- sqrt(sum((psi(u) * s)^2) / (n - 1)) * (1 + var(ins) / (n * mean(ins)^2)) / mean(ins) / sqrt(n)
  put("estimate", m); put("std_error", se); put("conf_low", m - qnorm(.975) * se); put("also.scale", s); put("also.median", median(z)); put("also.mean", mean(z)); put("n", n); put("n_missing", length(x) - n)
  if (k == 1.5) stopifnot(abs(huber(z, k = 1.5, tol = 1e-12)$mu - m) < 1e-4 * s)
  a <- list(type = "huber", data = x); if (k != K) a$k <- k
  list(id = paste0("huber-", id), arguments = a, expect = e, rtol = 1e-9, atol = 1e-10, source = src)
}
reg <- function(id, data, vars) {  # rlm divides the MAD by the rounded .6745; its k is adjusted so that the weights are the same
  full <- data[complete.cases(data), ]; r <- 0.6745 / qnorm(.75)
  m <- rlm(as.formula(paste("y ~", paste(vars, collapse = " + "))), full, k = K * r, acc = 1e-14, maxit = 2000); s <- coef(summary(m)); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  labels <- c("intercept", vars); for (j in seq_along(labels)) { a <- paste0("terms.", labels[j], "."); put(paste0(a, "estimate"), s[j, 1]); put(paste0(a, "std_error"), s[j, 2]); put(paste0(a, "statistic"), s[j, 3])
    put(paste0("also.least_squares.coefficients.", labels[j]), coef(lm(formula(m), full))[j]) }
  put("residual_std_error", m$s * r); for (i in seq_along(m$w)) put(paste0("details.weights.", i - 1), m$w[i]); put("n", nrow(full)); put("n_missing", nrow(data) - nrow(full))
  list(id = paste0("huber-", id), arguments = list(type = "huber", x = unname(lapply(vars, function(v) data[[v]])), y = data$y, var_names = as.list(vars)), expect = e, rtol = 1e-7, atol = 1e-9, source = src)
}
ransac <- function(id, x, y, threshold) {  # every pair of rows, the definition written out; then lm on the consensus set
  ok <- !is.na(x) & !is.na(y); u <- x[ok]; v <- y[ok]; best <- c(-1, Inf); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  for (i in seq_along(u)) for (j in seq_along(u)) if (i < j && u[i] != u[j]) { b <- (v[j] - v[i]) / (u[j] - u[i]); d <- abs(v - (v[i] + b * (u - u[i]))); k <- d <= threshold
    if (sum(k) > best[1] || (sum(k) == best[1] && sum(d[k]^2) < best[2] - 1e-12)) { best <- c(sum(k), sum(d[k]^2)); keep <- k } }
  m <- lm(v ~ u, subset = keep); s <- coef(summary(m)); for (j in 1:2) { a <- paste0("terms.", c("intercept", "x")[j], "."); put(paste0(a, "estimate"), s[j, 1]); put(paste0(a, "std_error"), s[j, 2]); put(paste0(a, "p_value"), s[j, 4]) }
  put("details.n_inliers", sum(keep)); put("r_squared", summary(m)$r.squared); put("residual_std_error", summary(m)$sigma); put("n_missing", sum(!ok))
  for (i in seq_along(keep)) put(paste0("details.inlier_mask.", i - 1), keep[[i]])
  list(id = paste0("ransac-", id), arguments = list(type = "ransac", x = x, y = y, threshold = threshold), expect = e, rtol = 1e-8, atol = 1e-10, source = src)
}
sl <- setNames(stackloss, c("air", "water", "acid", "y")); air <- airquality[1:40, ]; air <- data.frame(y = air$Ozone, wind = air$Wind, temp = air$Temp)
ph <- data.frame(y = phones$calls, year = phones$year); hb <- setNames(starsCYG, c("temp", "light"))
cases <- list(maha("stackloss", sl[, 1:3]), maha("stars", hb), maha("missing", air[c(1:24), ]),
  loc("ties-outlier", c(4.1, 3.9, 4.4, 4.0, 4.2, 4.1, 3.8, 4.1, 9.7)), loc("chem-k", as.numeric(chem), 1.5), loc("missing", c(12.1, NA, 11.8, 12.4, 30, 12, -5, NA, 12.2)),
  reg("phones", ph, "year"), reg("stackloss", sl, c("air", "water", "acid")), reg("missing", air, c("wind", "temp")),
  ransac("phones", phones$year, phones$calls, 5), ransac("stars", hb$temp, hb$light, 0.5), ransac("missing-ties", c(1, 2, 3, 3, 4, 5, 6, NA, 8, 9), c(1.1, 2, 3.1, 9, 4, 5.2, 5.9, 7, -3, 9), 0.5))
refuse <- function(id, arguments, code) list(id = id, arguments = arguments, error_code = code, source = list(program = "definition", version = "-", command = "division by zero, or no unique plane"))
cases <- c(cases, list(refuse("huber-mad-zero", list(type = "huber", data = c(1, 1, 1, 1, 9)), "zero_scale"), refuse("huber-both", list(type = "huber", data = 1:5, y = 1:5), "missing_argument"),
  refuse("mahalanobis-collinear", list(type = "mahalanobis", x = list(1:6, 2 * (1:6))), "singular"), refuse("mahalanobis-few", list(type = "mahalanobis", x = list(1:3, c(2, 1, 5), c(0, 3, 1))), "too_few_values"),
  refuse("ransac-constant", list(type = "ransac", x = c(1, 1, 1, 1, 1), y = 1:5), "zero_variance")))
write(toJSON(list(tool = "robust_stats", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1), "tests/reference/values/robust_stats.json")
