# Reference values of Moran's I from R's spdep; run from tests/reference.
suppressMessages({library(jsonlite); library(spdep)})
cases <- list()
moran <- function(id, x, w, style = "B") {
  l <- mat2listw(w, style = style)
  r <- moran.test(x, l, randomisation = TRUE, alternative = "two.sided", zero.policy = TRUE)
  n <- moran.test(x, l, randomisation = FALSE, alternative = "two.sided", zero.policy = TRUE)
  cases[[length(cases) + 1]] <<- list(id = id,
    arguments = list(type = "morans_i", x = x, w = w, row_standardize = style == "W"),
    expect = list(estimate = unname(r$estimate[1]), "details.expected" = unname(r$estimate[2]),
                  "details.variance_randomisation" = unname(r$estimate[3]), "details.variance_normality" = unname(n$estimate[3]),
                  statistic = unname(r$statistic), p_value = r$p.value, "also.normality.p_value" = n$p.value),
    rtol = 1e-9, source = list(program = "R spdep", version = paste(getRversion(), packageVersion("spdep")),
                               command = paste0('moran.test(x, mat2listw(w, "', style, '"), two.sided)')))
}
line <- function(n) { w <- matrix(0, n, n); for (i in 1:(n - 1)) w[i, i + 1] <- w[i + 1, i] <- 1; w }
grid <- function(k) { g <- expand.grid(1:k, 1:k); d <- as.matrix(dist(g, "manhattan")); (d == 1) * 1 }
set.seed(3)
moran("line", c(3, 4, 6, 7, 9), line(5))
moran("grid", round(as.numeric(volcano[seq(1, 60, 12), seq(1, 60, 12)]), 3), unname(grid(5)))
moran("grid-standardised", round(rnorm(36), 4), unname(grid(6)), "W")
w <- round(1 / as.matrix(dist(cbind(c(0, 1, 3, 6, 2, 5), c(0, 2, 1, 4, 5, 0)))), 6); diag(w) <- 0
moran("inverse-distance-ties", c(1, 1, 2, 2, 5, 5), unname(w))
write(toJSON(list(tool = "spatial_stats", cases = cases), auto_unbox = TRUE, digits = NA, pretty = 1), "values/spatial_stats-moran.json")
