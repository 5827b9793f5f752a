# Reference values of descriptive_statistics. Run from the project root: Rscript tests/reference/scripts/descriptive.R
# Needs the packages jsonlite, e1071, psych and survey.
suppressPackageStartupMessages({library(jsonlite); library(survey)})
source_of <- function(more = "") list(program = paste0("R", more), version = as.character(getRversion()),
                                      command = "Rscript tests/reference/scripts/descriptive.R")
full <- function(id, x, note = NULL, trim = 0.1) {
  arguments <- list(data = x)
  if (trim != 0.1) arguments$trim <- trim
  y <- x[!is.na(x)]; n <- length(y); m <- mean(y); ci <- t.test(y)$conf.int
  k <- qbinom(0.025, n, 0.5); s <- sort(y)
  k <- if (pbinom(k - 1, n, 0.5) <= 0.025) k else k - 1   # largest k with P(B <= k - 1) <= .025
  cut <- floor(n * trim); w <- pmin(pmax(y, s[cut + 1]), s[n - cut])
  tab <- table(y); modes <- as.numeric(names(tab)[tab == max(tab)])
  q6 <- quantile(y, c(.25, .75), type = 6, names = FALSE); q7 <- quantile(y, c(.25, .75), names = FALSE)
  expect <- list(n = n, n_missing = sum(is.na(x)), sum = sum(y), mean = m, std_error = sd(y) / sqrt(n),
    conf_low = ci[1], conf_high = ci[2], median = median(y), std_dev = sd(y), variance = var(y),
    variance_population = var(y) * (n - 1) / n, minimum = min(y), maximum = max(y), range = diff(range(y)),
    q1 = q7[1], q3 = q7[2], iqr = IQR(y), q1_type6 = q6[1], q3_type6 = q6[2],
    mad = mad(y, constant = 1), mad_scaled = mad(y), cv = sd(y) / m,
    skewness_type1 = e1071::skewness(y, type = 1), skewness = e1071::skewness(y, type = 2),
    skewness_type3 = e1071::skewness(y, type = 3), excess_kurtosis_type1 = e1071::kurtosis(y, type = 1),
    excess_kurtosis = e1071::kurtosis(y, type = 2), excess_kurtosis_type3 = e1071::kurtosis(y, type = 3),
    trimmed_mean = mean(y, trim = trim), winsorised_mean = mean(w), winsorised_std_dev = sd(w),
    lag1_autocorrelation = acf(y, lag.max = 1, plot = FALSE)$acf[2])
  if (n >= 6) expect <- c(expect, list(median_conf_low = s[k], median_conf_high = s[n + 1 - k],
    median_conf_level = 1 - 2 * pbinom(k - 1, n, 0.5)))
  if (min(y) > 0) expect <- c(expect, list(geometric_mean = psych::geometric.mean(y),
    harmonic_mean = psych::harmonic.mean(y)))
  if (max(tab) > 1) {
    expect$mode_count <- max(tab)
    for (i in seq_along(modes)) expect[[paste0("modes.", i - 1)]] <- modes[i]
  }
  list(id = id, arguments = arguments, expect = expect, rtol = 1e-10, source = source_of(" with e1071, psych"))
}
weighted <- function(id, x, w, type) {
  ok <- !is.na(x); y <- x[ok]; v <- w[ok]; n <- length(y)
  if (type == "reliability") {
    fit <- cov.wt(cbind(y), wt = v / sum(v), method = "unbiased")
    neff <- sum(v)^2 / sum(v^2); se <- sqrt(fit$cov[1, 1] / neff)
    expect <- list(n = n, mean = unname(fit$center), variance = fit$cov[1, 1], std_error = se, n_effective = neff,
      conf_low = unname(fit$center) - qt(.975, neff - 1) * se, conf_high = unname(fit$center) + qt(.975, neff - 1) * se)
  } else {
    d <- svydesign(ids = ~1, weights = ~v, data = data.frame(y, v)); est <- svymean(~y, d)
    ci <- confint(est, df = n - 1)
    expect <- list(n = n, mean = unname(coef(est)), std_error = unname(SE(est))[1], variance = unname(coef(svyvar(~y, d))),
      conf_low = ci[1], conf_high = ci[2])
  }
  list(id = id, arguments = list(data = x, weights = w, weight_type = type), expect = expect, rtol = 1e-10,
       source = source_of(if (type == "reliability") " (cov.wt)" else " with survey"))
}
by_group <- function(id, groups) {
  expect <- list()
  for (g in names(groups)) {
    y <- groups[[g]][!is.na(groups[[g]])]; ci <- t.test(y)$conf.int
    values <- list(n = length(y), mean = mean(y), std_dev = sd(y), std_error = sd(y) / sqrt(length(y)), conf_low = ci[1],
      conf_high = ci[2], median = median(y), iqr = IQR(y), minimum = min(y), maximum = max(y))
    for (key in names(values)) expect[[paste("groups", g, key, sep = ".")]] <- values[[key]]
  }
  all <- unlist(groups); expect$mean <- mean(all, na.rm = TRUE); expect$n_missing <- sum(is.na(all))
  list(id = id, arguments = list(groups = groups), expect = expect, rtol = 1e-10, source = source_of())
}
set.seed(20)
x <- round(rgamma(40, 2, 0.5), 2)
at <- c(.05, .1, .333, .5, .9)
q <- list(id = "quantiles", arguments = list(data = x, quantiles = at), expect = list(), rtol = 1e-12, source = source_of())
for (i in seq_along(at)) {
  q$expect[[paste0("quantiles.", i - 1, ".quantile")]] <- quantile(x, at[i], names = FALSE)
  q$expect[[paste0("quantiles.", i - 1, ".quantile_type6")]] <- quantile(x, at[i], type = 6, names = FALSE)
}
p3 <- list(id = "power-mean", arguments = list(data = x[1:9], power = 3), expect = list(power_mean = mean(x[1:9]^3)^(1/3)),
           rtol = 1e-12, source = source_of())
pm <- list(id = "power-mean-negative", arguments = list(data = x[1:9], power = -2.5),
           expect = list(power_mean = mean(x[1:9]^-2.5)^(1/-2.5)), rtol = 1e-12, source = source_of())
fw <- full("frequency-weights", rep(c(2, 3.5, 4, 9), c(3, 1, 4, 2)))
fw$arguments <- list(data = c(2, 3.5, 4, 9), weights = c(3, 1, 4, 2), weight_type = "frequency")
fw$expect$lag1_autocorrelation <- NULL
cases <- list(
  full("gamma", x), full("ties-and-missing", c(3, 1, 4, 1, 5, NA, 9, 2, 6, 5, 3, 5, NA, 8)),
  full("negative-values", c(-2.5, 0.3, 1.7, -0.8, 4.4, 12.9, -3.3)), full("trim-20-percent", x, trim = 0.2),
  full("five-values", c(1.5, 2, 2, 3.25, 10)), full("rivers", as.numeric(rivers)), full("faithful", faithful$eruptions),
  fw, weighted("reliability", c(1.2, 3.4, 2.2, 5.9, 4.1), c(1, 2.5, 0.7, 3, 1), "reliability"),
  weighted("probability", c(1.2, 3.4, 2.2, NA, 5.9, 4.1), c(10, 25, 7, 4, 30, 12), "probability"),
  by_group("by-group", list(a = c(1.1, 2.3, NA, 2.9), b = c(4, 4, 5.5, 7.25))), q, p3, pm)
write(toJSON(list(tool = "descriptive_statistics", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = 1),
      "tests/reference/values/descriptive_statistics.json")
