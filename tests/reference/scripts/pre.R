# Writes values/pre_suite.json and values/calculate_pre.json, from R.
# Measures are written from their definitions over pairs and cells; standard errors by numerical differentiation
# of those definitions (multinomial delta method), so they share no formula with the program under test.
# Run in tests/reference: Rscript scripts/pre.R
library(jsonlite)
source_of <- function(command) list(program = "R", version = as.character(getRversion()), command = command)
rows_of <- function(m) lapply(seq_len(nrow(m)), function(i) I(as.numeric(m[i, ])))
save <- function(tool, cases) write(toJSON(list(tool = tool, cases = cases), auto_unbox = TRUE, digits = NA, na = "null",
  pretty = TRUE), paste0("values/", tool, ".json"))

pairs <- function(p) {  # concordant and discordant probability of two independent draws
  con <- dis <- 0
  for (i in 1:nrow(p)) for (j in 1:ncol(p)) for (k in 1:nrow(p)) for (l in 1:ncol(p)) {
    s <- sign(i - k) * sign(j - l)
    if (s > 0) con <- con + p[i, j] * p[k, l]
    if (s < 0) dis <- dis + p[i, j] * p[k, l]
  }
  c(con, dis)
}
entropy <- function(q) -sum(ifelse(q > 0, q * log(q), 0))
measures <- list(
  lambda_y_given_x = function(p) (sum(apply(p, 1, max)) - max(colSums(p))) / (sum(p) - max(colSums(p))),
  lambda_x_given_y = function(p) (sum(apply(p, 2, max)) - max(rowSums(p))) / (sum(p) - max(rowSums(p))),
  lambda_symmetric = function(p) (sum(apply(p, 1, max)) + sum(apply(p, 2, max)) - max(colSums(p)) - max(rowSums(p))) /
    (2 * sum(p) - max(colSums(p)) - max(rowSums(p))),
  tau_y_given_x = function(p) { p <- p / sum(p); (sum(p^2 / rowSums(p)) - sum(colSums(p)^2)) / (1 - sum(colSums(p)^2)) },
  tau_x_given_y = function(p) { p <- t(p) / sum(p); (sum(p^2 / rowSums(p)) - sum(colSums(p)^2)) / (1 - sum(colSums(p)^2)) },
  u_y_given_x = function(p) { p <- p / sum(p); (entropy(rowSums(p)) + entropy(colSums(p)) - entropy(p)) / entropy(colSums(p)) },
  u_x_given_y = function(p) { p <- p / sum(p); (entropy(rowSums(p)) + entropy(colSums(p)) - entropy(p)) / entropy(rowSums(p)) },
  u_symmetric = function(p) { p <- p / sum(p); x <- entropy(rowSums(p)); y <- entropy(colSums(p)); 2 * (x + y - entropy(p)) / (x + y) },
  gamma = function(p) { s <- pairs(p); (s[1] - s[2]) / (s[1] + s[2]) },
  somers_d_y_given_x = function(p) { p <- p / sum(p); s <- pairs(p); (s[1] - s[2]) / (1 - sum(rowSums(p)^2)) },
  somers_d_x_given_y = function(p) { p <- p / sum(p); s <- pairs(p); (s[1] - s[2]) / (1 - sum(colSums(p)^2)) },
  somers_d_symmetric = function(p) { p <- p / sum(p); s <- pairs(p)
    2 * (s[1] - s[2]) / (2 - sum(colSums(p)^2) - sum(rowSums(p)^2)) },
  tau_b = function(p) { p <- p / sum(p); s <- pairs(p); (s[1] - s[2]) / sqrt((1 - sum(rowSums(p)^2)) * (1 - sum(colSums(p)^2))) },
  tau_c = function(p) { p <- p / sum(p); s <- pairs(p); m <- min(dim(p)); (s[1] - s[2]) * m / (m - 1) }
)
error_of <- function(f, m) {
  n <- sum(m); p <- m / n
  g <- p * 0
  for (c in which(p > 0)) { h <- 1e-5; up <- down <- p; up[c] <- up[c] + h; down[c] <- down[c] - h; g[c] <- (f(up) - f(down)) / (2 * h) }
  sqrt((sum(p * g^2) - sum(p * g)^2) / n)
}
tied <- function(m) {
  twice <- function(v) sum(v == max(v)) > 1
  any(apply(m, 1, twice), apply(m, 2, twice), twice(rowSums(m)), twice(colSums(m)))
}
suite <- function(id, m, arguments = NULL) {
  e <- list(n = sum(m))
  for (name in names(measures)) {
    v <- measures[[name]](m); s <- error_of(measures[[name]], m)
    e[[paste0(name, ".estimate")]] <- v
    if (grepl("lambda", name) && tied(m)) next  # lambda has no derivative where the largest counts tie
    e[[paste0(name, ".std_error")]] <- s
    if (abs(v) + 1.96 * s < 1) e[[paste0(name, ".conf_high")]] <- v + qnorm(0.975) * s
  }
  x <- rep(row(m), m); y <- rep(col(m), m)
  k <- suppressWarnings(cor.test(x, y, method = "kendall", exact = FALSE))
  e[["ordinal_association.statistic"]] <- k$statistic[[1]]
  e[["ordinal_association.p_value"]] <- k$p.value
  t <- suppressWarnings(chisq.test(m, correct = FALSE))
  e[["independence.statistic"]] <- t$statistic[[1]]; e[["independence.p_value"]] <- t$p.value
  e[["cramers_v.estimate"]] <- sqrt(t$statistic[[1]] / (sum(m) * (min(dim(m)) - 1)))
  if (is.null(arguments)) arguments <- list(contingency_matrix = rows_of(m))
  list(id = id, arguments = arguments, expect = e, rtol = 1e-6, atol = 1e-9,
       source = source_of("definitions in scripts/pre.R; cor.test(method = 'kendall'), chisq.test"))
}
perfect <- list(id = "perfect-table", arguments = list(contingency_matrix = rows_of(diag(c(5, 5)))),
  expect = list(tau_b.estimate = cor(rep(1:2, each = 5), rep(1:2, each = 5), method = "kendall"),
                lambda_y_given_x.estimate = 1, gamma.estimate = 1, gamma.std_error = NA),
  rtol = 1e-12, source = source_of("cor(rep(1:2, each = 5), rep(1:2, each = 5), method = 'kendall')"))
job <- matrix(c(1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11), 4, 4)
hair <- unclass(margin.table(HairEyeColor, c(1, 2)))
cars <- unclass(table(mtcars$cyl, mtcars$gear))
save("pre_suite", list(
  suite("job-satisfaction", job),
  suite("hair-eye", hair),
  suite("cylinders-gears-missing", cars, list(x = c(mtcars$cyl, NA, 4), y = c(mtcars$gear, 3, NA))),
  suite("two-by-three", matrix(c(30, 12, 14, 25, 9, 20), 2)),
  perfect,
  list(id = "one-row", arguments = list(contingency_matrix = list(I(c(1, 2, 3)))), error_code = "shape",
       source = source_of("one row: nothing to predict from"))
))

reduction <- function(id, y, f, baseline = NULL) {
  base <- if (is.null(baseline)) NA else baseline
  keep <- complete.cases(y, f) & (if (length(base) > 1) !is.na(base) else TRUE)
  b <- if (is.null(baseline)) mean(y[keep]) else if (length(base) > 1) base[keep] else base
  y0 <- y[keep]; f0 <- f[keep]
  e <- list(e1 = sum((y0 - b)^2), e2 = sum((y0 - f0)^2), n = length(y0), n_missing = length(y) - length(y0))
  e$pre <- 1 - e$e2 / e$e1
  e$r_squared <- 1 - e$e2 / sum((y0 - mean(y0))^2)
  e$squared_correlation <- cor(y0, f0)^2
  e$pre_absolute <- 1 - sum(abs(y0 - f0)) / sum(abs(y0 - b))
  arguments <- list(observed = y, predicted = f)
  if (!is.null(baseline)) arguments$baseline <- baseline
  list(id = id, arguments = arguments, expect = e, rtol = 1e-10,
       source = source_of("1 - sum((y - f)^2) / sum((y - b)^2); cor(y, f)^2"))
}
fit <- lm(dist ~ speed, cars <- datasets::cars)
save("calculate_pre", list(
  reduction("cars-fit", cars$dist, unname(fitted(fit))),
  reduction("number-baseline", c(3, 5, 7, 9, 12), c(2.5, 5.5, 7, 9.5, 11), baseline = 6),
  reduction("vector-baseline-missing", c(1, 2, NA, 4, 6, 7), c(1.5, 2, 3, NA, 5, 8), baseline = c(2, 2, 3, 3, NA, 4)),
  reduction("worse-than-the-mean", c(1, 2, 3, 4), c(4, 3, 1, 2)),
  list(id = "constant", arguments = list(observed = c(2, 2, 2), predicted = c(1, 2, 3)), error_code = "zero_variance",
       source = source_of("sum((y - mean(y))^2) is 0"))
))
