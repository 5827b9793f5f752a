# Reference values of outlier rules and power transformations, from R's own functions and optimize().
# Run: Rscript tests/pipeline/values/cleanse.R examples > tests/pipeline/values/cleanse.json   (R 4.2.2, jsonlite 1.8.4)
library(jsonlite)
folder <- commandArgs(trailingOnly = TRUE)[1]
penguins <- read.csv(file.path(folder, "penguins.csv"))
titanic_like <- c(7.25, 71.2833, 7.925, 53.1, 8.05, 8.4583, 51.8625, 21.075, 11.1333, 30.0708, 16.7, 26.55, 512.3292, 31.275)
flags <- function(x) {
  x <- x[!is.na(x)]
  q <- quantile(x, c(.25, .75), type = 7, names = FALSE)
  reach <- 1.5 * (q[2] - q[1])
  list(n = length(x),
       iqr = sum(x < q[1] - reach | x > q[2] + reach),
       z = sum(abs((x - mean(x)) / sd(x)) > 3),
       modified_z = sum(abs(x - median(x)) / mad(x, constant = 1 / qnorm(.75)) > 3.5))
}
box_cox <- function(x, l) if (l == 0) log(x) else (x^l - 1) / l
bc_ll <- function(l, x) { y <- box_cox(x, l); (l - 1) * sum(log(x)) - length(x) / 2 * log(mean((y - mean(y))^2)) }
yeo <- function(x, l) ifelse(x >= 0, if (l == 0) log1p(pmax(x, 0)) else ((pmax(x, 0) + 1)^l - 1) / l,
                             if (l == 2) -log1p(pmax(-x, 0)) else -((pmax(-x, 0) + 1)^(2 - l) - 1) / (2 - l))
yj_ll <- function(l, x) { y <- yeo(x, l)
  sum(sign(x) * log1p(abs(x))) * (l - 1) - length(x) / 2 * log(mean((y - mean(y))^2)) }
best <- function(ll, x) optimize(ll, c(-3, 5), x = x, maximum = TRUE, tol = 1e-12)
depth <- penguins$bill_depth_mm[!is.na(penguins$bill_depth_mm)]
mixed <- c(-2.1, -0.7, -0.2, 0, 0.3, 0.9, 1.4, 2.2, 3.1, 4.8, 7.9, 12.5)
data <- list(rivers = as.numeric(rivers), islands = as.numeric(islands), precip = as.numeric(precip), fares = titanic_like)
out <- list(
  data = data,
  flags = lapply(data, flags),
  mixed = mixed,
  box_cox = list(fares = best(bc_ll, titanic_like), bill_depth_mm = best(bc_ll, depth)),
  yeo_johnson = list(mixed = best(yj_ll, mixed), fares = best(yj_ll, titanic_like)),
  yeo_johnson_values = yeo(mixed, 0.3),
  blom = qnorm((rank(mixed) - 3/8) / (length(mixed) + 1/4)),
  blom_ties = qnorm((rank(c(3, 1, 3, 2, 3)) - 3/8) / 5.25))
cat(toJSON(out, digits = NA, auto_unbox = TRUE, pretty = TRUE), "\n")
