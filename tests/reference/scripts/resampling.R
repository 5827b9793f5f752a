# Reference values of bootstrap. The replicates are random, so what is compared is (a) the statistic and the acceleration,
# which are not, and (b) the standard error and bounds against 200,000 replicates of R's boot, within Monte Carlo error.
# Run from the project root: Rscript tests/reference/scripts/resampling.R   (packages jsonlite, boot, e1071)
suppressPackageStartupMessages({library(jsonlite); library(boot)})
set.seed(2024)
stat <- list(mean = mean, median = median, variance = var, sd = sd, trimmed_mean = function(v) mean(v, trim = .1), iqr = IQR,
  mad = function(v) mad(v, constant = 1), cv = function(v) sd(v) / mean(v), skewness = function(v) e1071::skewness(v, type = 2),
  kurtosis = function(v) e1071::kurtosis(v, type = 2))
accel <- function(l) { d <- mean(l) - l; sum(d^3) / (6 * sum(d^2)^1.5) }
src <- function(p) list(program = p, version = as.character(getRversion()), command = "Rscript tests/reference/scripts/resampling.R")
exact <- function(id, x, name) { y <- x[!is.na(x)]; l <- sapply(seq_along(y), function(i) stat[[name]](y[-i]))
  list(id = paste0(name, "-", id), arguments = list(data = x, statistic = name, n_reps = 500),
       expect = list(estimate = stat[[name]](y), also.bootstrap.acceleration = accel(l), n = length(y), n_missing = sum(is.na(x)), seed = 0),
       rtol = 1e-9, source = src("R (statistic and jackknife from their definitions)")) }
pair <- function(id, x, y) { l <- sapply(seq_along(x), function(i) cor(x[-i], y[-i]))
  list(id = paste0("correlation-", id), arguments = list(data = x, y = y, statistic = "correlation", n_reps = 500),
       expect = list(estimate = cor(x, y), also.bootstrap.acceleration = accel(l)), rtol = 1e-9, source = src("R (cor and jackknife)")) }
big <- function(id, x, name, rtol) { b <- boot(x, function(d, i) stat[[name]](d[i]), R = 200000)
  l <- sapply(seq_along(x), function(i) stat[[name]](x[-i])); a <- accel(l); z0 <- qnorm(mean(b$t < b$t0 - 1e-9) + mean(abs(b$t - b$t0) <= 1e-9) / 2)
  z <- qnorm(c(.025, .975)); p <- pnorm(z0 + (z0 + z) / (1 - a * (z0 + z))); q <- quantile(b$t, p, names = FALSE); pc <- quantile(b$t, c(.025, .975), names = FALSE)
  list(id = paste0("boot-", name, "-", id), arguments = list(data = x, statistic = name, n_reps = 50000),
       expect = list(std_error = sd(b$t), conf_low = q[1], conf_high = q[2], also.percentile.conf_low = pc[1], also.percentile.conf_high = pc[2]),
       rtol = rtol, atol = 0.02, source = src("R with boot, 200,000 replicates (tolerance: Monte Carlo error)")) }
x1 <- round(rgamma(24, 3, .5), 2); x2 <- c(x1[1:15], NA, x1[3], x1[3], NA); x3 <- round(rnorm(31, 50, 8), 1)
cases <- list()
for (name in names(stat)) cases <- c(cases, list(exact("gamma", x1, name), exact("ties-missing", x2, name), exact("normal", x3, name)))
cases <- c(cases, list(pair("cars", as.numeric(cars$speed), as.numeric(cars$dist)), pair("women", as.numeric(women$height), as.numeric(women$weight)),
  pair("faithful", faithful$eruptions[1:40], faithful$waiting[1:40]),
  big("gamma", x1, "mean", .01), big("gamma", x1, "sd", .015), big("normal", x3, "mean", .01), big("normal", x3, "skewness", .03)))
write(toJSON(list(tool = "bootstrap", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = 1), "tests/reference/values/bootstrap.json")
