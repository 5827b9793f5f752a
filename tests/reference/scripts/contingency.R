# Writes values/chi_square.json: reference values of the tests of counts, from R.
# Run in tests/reference: Rscript scripts/contingency.R
library(jsonlite)
source_of <- function(command) list(program = "R", version = as.character(getRversion()), command = command)
rows_of <- function(m) lapply(seq_len(nrow(m)), function(i) I(as.numeric(m[i, ])))
ncp <- function(x, df, p) {
  if (pchisq(x, df) <= p) return(0)
  uniroot(function(l) pchisq(x, df, l) - p, c(0, 10 * x + 50), tol = 1e-13)$root
}
g_of <- function(o, e) 2 * sum(ifelse(o > 0, o * log(o / e), 0))

independence <- function(id, m, fisher = TRUE, alpha = 0.05, arguments = NULL, rows = NULL, columns = NULL) {
  r <- nrow(m); c <- ncol(m); n <- sum(m); k <- min(r, c) - 1
  t <- suppressWarnings(chisq.test(m, correct = FALSE))
  x2 <- t$statistic[[1]]; df <- t$parameter[[1]]
  e <- list(statistic = x2, df = df, p_value = t$p.value, n = n)
  g <- g_of(m, t$expected)
  e[["also.g_test.statistic"]] <- g
  e[["also.g_test.p_value"]] <- pchisq(g, df, lower.tail = FALSE)
  e[["effect_size.estimate"]] <- sqrt(x2 / (n * k))
  e[["effect_size.conf_low"]] <- min(1, sqrt(ncp(x2, df, 1 - alpha / 2) / (n * k)))
  e[["effect_size.conf_high"]] <- min(1, sqrt(ncp(x2, df, alpha / 2) / (n * k)))
  e[["effect_sizes.cramers_v_corrected.estimate"]] <- sqrt(max(0, x2 / n - (r - 1) * (c - 1) / (n - 1)) /
    (min(r - (r - 1)^2 / (n - 1), c - (c - 1)^2 / (n - 1)) - 1))
  if (is.null(rows)) rows <- paste0("row", 1:r)
  if (is.null(columns)) columns <- paste0("column", 1:c)
  for (i in 1:r) for (j in 1:c) {
    cell <- paste0(rows[i], ".", columns[j])
    e[[paste0("details.expected.", cell)]] <- t$expected[i, j]
    e[[paste0("details.pearson_residuals.", cell)]] <- t$residuals[i, j]
    e[[paste0("details.adjusted_residuals.", cell)]] <- t$stdres[i, j]
  }
  if (fisher) e[["also.fisher_exact.p_value"]] <- fisher.test(m, workspace = 2e7)$p.value
  if (r == 2 && c == 2) {
    y <- suppressWarnings(chisq.test(m, correct = TRUE))
    e[["also.yates.statistic"]] <- y$statistic[[1]]; e[["also.yates.p_value"]] <- y$p.value
    e[["also.fisher_exact.details.p_value_greater"]] <- fisher.test(m, alternative = "greater")$p.value
    e[["also.fisher_exact.details.p_value_less"]] <- fisher.test(m, alternative = "less")$p.value
    z <- qnorm(1 - alpha / 2)
    if (all(m > 0)) {
      or <- m[1, 1] * m[2, 2] / (m[1, 2] * m[2, 1]); se <- sqrt(sum(1 / m))
      e[["effect_sizes.odds_ratio.estimate"]] <- or
      e[["effect_sizes.odds_ratio.conf_low"]] <- exp(log(or) - z * se)
      p <- m[, 1] / rowSums(m); rr <- p[1] / p[2]
      e[["effect_sizes.risk_ratio.estimate"]] <- rr
      e[["effect_sizes.risk_ratio.conf_high"]] <- exp(log(rr) + z * sqrt(sum((1 - p) / m[, 1])))
      w <- sapply(1:2, function(i) prop.test(m[i, 1], sum(m[i, ]), correct = FALSE, conf.level = 1 - alpha)$conf.int)
      e[["effect_sizes.risk_difference.estimate"]] <- p[1] - p[2]
      e[["effect_sizes.risk_difference.conf_low"]] <- p[1] - p[2] - sqrt((p[1] - w[1, 1])^2 + (w[2, 2] - p[2])^2)
      e[["effect_sizes.risk_difference.conf_high"]] <- p[1] - p[2] + sqrt((w[2, 1] - p[1])^2 + (p[2] - w[1, 2])^2)
      e[["effect_sizes.phi.estimate"]] <- cor(rep(c(1, 1, 0, 0), as.vector(t(m))), rep(c(1, 0, 1, 0), as.vector(t(m))))
    }
  }
  if (is.null(arguments)) arguments <- list(observed = rows_of(m))
  list(id = id, arguments = c(list(type = "independence", alpha = alpha), arguments), expect = e, rtol = 1e-7, atol = 1e-12,
       source = source_of("chisq.test(m, correct = ); fisher.test(m); prop.test; formulae in scripts/contingency.R"))
}

# fisher.test stops its search for the limits at 1e-4 (5 % off in a limit of 620), so the noncentral
# hypergeometric distribution is written out here and solved to 1e-14 on the log scale.
conditional <- function(id, m, alpha = 0.05) {
  x <- m[1, 1]; lo <- max(0, sum(m[, 1]) - sum(m[2, ])); hi <- min(sum(m[, 1]), sum(m[1, ]))
  support <- lo:hi
  base <- dhyper(support, sum(m[, 1]), sum(m[, 2]), sum(m[1, ]), log = TRUE)
  d <- function(b) { w <- base + b * support; w <- exp(w - max(w)); w / sum(w) }
  root <- function(f) exp(uniroot(f, c(-60, 60), tol = 1e-14)$root)
  e <- list()
  e[["also.fisher_exact.estimate"]] <- if (x == lo) 0 else if (x == hi) NA else root(function(b) sum(support * d(b)) - x)
  e[["also.fisher_exact.conf_low"]] <- if (x == lo) 0 else root(function(b) sum(d(b)[support >= x]) - alpha / 2)
  e[["also.fisher_exact.conf_high"]] <- if (x == hi) NA else root(function(b) sum(d(b)[support <= x]) - alpha / 2)
  list(id = id, arguments = list(type = "independence", observed = rows_of(m)), expect = e, rtol = 1e-8, atol = 1e-12,
       source = source_of("dhyper times odds^x, solved with uniroot (the definition behind fisher.test(m)$conf.int)"))
}

fit <- function(id, o, p, exact = TRUE, arguments = NULL, probabilities = p) {
  t <- suppressWarnings(chisq.test(o, p = p, rescale.p = TRUE))
  n <- sum(o); df <- length(o) - 1
  e <- list(statistic = t$statistic[[1]], df = df, p_value = t$p.value, n = n)
  g <- g_of(o, t$expected)
  e[["also.g_test.statistic"]] <- g; e[["also.g_test.p_value"]] <- pchisq(g, df, lower.tail = FALSE)
  e[["effect_size.estimate"]] <- sqrt(t$statistic[[1]] / n)
  e[["effect_size.conf_low"]] <- sqrt(ncp(t$statistic[[1]], df, 0.975) / n)
  e[["effect_size.conf_high"]] <- sqrt(ncp(t$statistic[[1]], df, 0.025) / n)
  if (exact) {  # every outcome listed
    k <- length(o); q <- p / sum(p)
    all <- as.matrix(expand.grid(rep(list(0:n), k - 1))); all <- all[rowSums(all) <= n, , drop = FALSE]
    all <- cbind(all, n - rowSums(all))
    pr <- apply(all, 1, dmultinom, prob = q)
    e[["also.exact.p_value"]] <- sum(pr[pr <= dmultinom(o, prob = q) * (1 + 1e-7)])
  }
  if (is.null(arguments)) arguments <- list(observed = o, expected_proportions = p)
  list(id = id, arguments = c(list(type = "goodness_of_fit"), arguments), expect = e, rtol = 1e-7, atol = 1e-12,
       source = source_of("chisq.test(o, p = p, rescale.p = TRUE); dmultinom over all outcomes"))
}

strata <- function(id, a) {
  k <- dim(a)[3]; e <- list()
  plain <- mantelhaen.test(a, correct = FALSE)
  e$statistic <- plain$statistic[[1]]; e$p_value <- plain$p.value; e$df <- plain$parameter[[1]]
  if (all(dim(a)[1:2] == 2)) {
    e$estimate <- plain$estimate[[1]]; e$conf_low <- plain$conf.int[1]; e$conf_high <- plain$conf.int[2]
    corrected <- mantelhaen.test(a, correct = TRUE)
    e[["also.continuity_corrected.statistic"]] <- corrected$statistic[[1]]
    e[["also.continuity_corrected.p_value"]] <- corrected$p.value
    w <- plain$estimate[[1]]; bd <- s <- v <- 0   # Breslow-Day and Tarone from the definition
    for (i in 1:k) {
      m <- a[, , i]; r <- sum(m[1, ]); c1 <- sum(m[, 1]); n <- sum(m)
      x <- uniroot(function(x) x * (n - r - c1 + x) - w * (r - x) * (c1 - x), c(max(0, r + c1 - n), min(r, c1)), tol = 1e-14)$root
      var <- 1 / (1 / x + 1 / (r - x) + 1 / (c1 - x) + 1 / (n - r - c1 + x))
      bd <- bd + (m[1, 1] - x)^2 / var; s <- s + m[1, 1] - x; v <- v + var
    }
    e[["also.breslow_day.statistic"]] <- bd
    e[["also.breslow_day_tarone.statistic"]] <- bd - s^2 / v
    e[["also.breslow_day_tarone.p_value"]] <- pchisq(bd - s^2 / v, k - 1, lower.tail = FALSE)
  }
  list(id = id, arguments = list(type = "mantel_haenszel", tables = lapply(1:k, function(i) rows_of(a[, , i]))),
       expect = e, rtol = 1e-7, atol = 1e-10,
       source = source_of("mantelhaen.test(a, correct = ); Breslow-Day by its definition with uniroot"))
}

refused <- function(id, arguments, code) list(id = id, arguments = arguments, error_code = code,
  source = source_of("chisq.test gives NaN or an error"))

hair <- margin.table(HairEyeColor, c(1, 2))
cars <- table(mtcars$cyl, mtcars$gear)
gears <- list(x = c(mtcars$cyl, NA, 4), y = c(mtcars$gear, 3, NA))
job <- matrix(c(1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11), 4, 4)
cases <- list(
  independence("tea", matrix(c(3, 1, 1, 3), 2)),
  independence("convictions", matrix(c(2, 10, 15, 3), 2), alpha = 0.1),
  independence("zero-cell", matrix(c(5, 0, 1, 4), 2)),
  independence("large-counts", matrix(c(345, 260, 455, 345), 2)),
  independence("far-tail", matrix(c(900, 100, 150, 850), 2)),
  independence("job-satisfaction", job),
  independence("hair-eye", hair, fisher = FALSE),
  independence("crossed-with-missing", cars, arguments = gears, rows = rownames(cars), columns = colnames(cars)),
  independence("two-by-four", matrix(c(1, 3, 3, 5, 1, 1, 4, 3), 2)),
  conditional("tea-odds", matrix(c(3, 1, 1, 3), 2)),
  conditional("convictions-odds", matrix(c(2, 10, 15, 3), 2)),
  conditional("edge-odds", matrix(c(5, 0, 1, 4), 2)),
  refused("empty-row", list(type = "independence", observed = rows_of(matrix(c(0, 3, 0, 4), 2))), "zero_margin"),
  refused("one-row", list(type = "independence", observed = list(I(c(1, 2, 3)))), "shape"),
  fit("mendel", c(315, 108, 101, 32), c(9, 3, 3, 1) / 16, exact = FALSE),
  fit("ratio-rescaled", c(31, 10, 9, 4), c(9, 3, 3, 1)),
  fit("die", c(5, 8, 9, 8, 10, 20), rep(1, 6) / 6, exact = FALSE, arguments = list(observed = c(5, 8, 9, 8, 10, 20))),
  fit("small-with-zero", c(0, 3, 7), c(0.3, 0.3, 0.4)),
  fit("labels-with-missing", c(3, 5, 1), rep(1, 3) / 3,
      arguments = list(data = c("b", "a", NA, "b", "c", "a", "b", "b", "a", "b"))),
  refused("zero-proportion", list(type = "goodness_of_fit", observed = c(1, 2), expected_proportions = c(0, 1)), "out_of_range"),
  strata("admissions", UCBAdmissions),
  strata("rabbits", array(c(0, 0, 6, 5, 3, 0, 3, 6, 6, 2, 0, 4, 5, 6, 1, 0, 2, 5, 0, 0), dim = c(2, 2, 5))[, , 2:4]),
  strata("job-by-sex", array(c(1, 2, 0, 0, 3, 3, 1, 2, 11, 17, 8, 4, 2, 3, 5, 2,
                               1, 0, 0, 0, 1, 3, 0, 1, 2, 5, 7, 9, 1, 1, 3, 6), dim = c(4, 4, 2))),
  refused("empty-strata", list(type = "mantel_haenszel", tables = list(list(I(c(1, 2)), I(c(0, 0))))), "zero_margin")
)
write(toJSON(list(tool = "chi_square", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = TRUE),
      "values/chi_square.json")
