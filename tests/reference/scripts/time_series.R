# Reference values of time_series from R: acf, pacf, Box.test, stl, filter; run from tests/reference.
library(jsonlite)
cases <- list()
add <- function(id, arguments, expect, cmd, rtol = 1e-9)
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, expect = expect, rtol = rtol,
    source = list(program = "R", version = as.character(getRversion()), command = cmd))
series <- list(lh = as.numeric(lh), nile = as.numeric(Nile), ties = c(1, 1, 2, 2, 2, 1, 3, 3, 1, 2), offset = 1e9 + round(4 * as.numeric(lh)) / 4)
for (n in names(series)) {
  x <- series[[n]]; k <- 5; shown <- x
  if (n == "offset") x <- x - 1e9  # exact; at the offset itself acf loses digits to the rounded mean
  a <- as.numeric(acf(x, lag.max = k, plot = FALSE)$acf); p <- as.numeric(pacf(x, lag.max = k, plot = FALSE)$acf)
  e <- setNames(as.list(a), paste0("acf.", 0:k)); e$band <- qnorm(.975) / sqrt(length(x))
  add(paste0("acf-", n), list(type = "acf", data = shown, max_lag = k), e, "acf(x, lag.max = 5)", 1e-8)
  add(paste0("pacf-", n), list(type = "pacf", data = shown, max_lag = k), setNames(as.list(p), paste0("pacf.", 1:k)),
      "pacf(x, lag.max = 5)", 1e-7)
  b <- Box.test(x, lag = k, type = "Ljung-Box"); b2 <- Box.test(x, lag = k); b3 <- Box.test(x, lag = k, type = "Ljung-Box", fitdf = 2)
  add(paste0("ljung-", n), list(type = "ljung_box", data = shown, max_lag = k),
      list(statistic = unname(b$statistic), df = k, p_value = b$p.value, "also.box_pierce.statistic" = unname(b2$statistic)),
      'Box.test(x, 5, "Ljung-Box"); Box.test(x, 5)', 1e-8)
  add(paste0("ljung-fitted-", n), list(type = "ljung_box", data = shown, max_lag = k, n_fitted = 2),
      list(df = k - 2, p_value = b3$p.value), "Box.test(fitdf = 2)", 1e-8)
  f <- as.numeric(filter(x, rep(1 / 3, 3), sides = 1)); f <- f[!is.na(f)]
  add(paste0("ma-", n), list(type = "moving_average", data = x, window = 3),
      c(setNames(as.list(f[1:4]), paste0("values.", 0:3)), list(start = 2)), "filter(x, rep(1/3, 3), sides = 1)", 1e-12)
  w <- 2 / 5; ema <- Reduce(function(l, v) l + w * (v - l), x[-1], x[1], accumulate = TRUE)
  add(paste0("ema-", n), list(type = "moving_average", data = x, window = 4, ma_type = "exponential"),
      setNames(as.list(ema[1:6]), paste0("values.", 0:5)), "Reduce(level + 2/5 (x - level))", 1e-12)
}
write(toJSON(list(tool = "time_series", cases = cases), auto_unbox = TRUE, digits = NA, pretty = 1), "values/time_series-R.json")
