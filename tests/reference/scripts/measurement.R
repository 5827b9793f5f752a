# Writes values/measurement_analysis.json: omega (lavaan, factanal), standard error of measurement, item analysis.
# Run in tests/reference: Rscript scripts/measurement.R
suppressMessages({library(jsonlite); library(lavaan)})
version <- paste(getRversion(), "lavaan", packageVersion("lavaan"))
source_of <- function(command) list(program = "R", version = version, command = command)
refuse <- function(id, arguments, code, why) list(id = id, arguments = arguments, error_code = code, source = source_of(why))
rows_of <- function(x) lapply(seq_len(nrow(x)), function(i) lapply(unname(x[i, ]), function(v) if (is.na(v)) NULL else v))

# lavaan's own bounds stop at the default tolerance of uniroot (four digits); the same equation, solved further:
bound <- function(f, n, p) { x <- f[["chisq"]]; df <- f[["df"]]; if (pchisq(x, df) <= p) return(0)
  sqrt(uniroot(function(nc) pchisq(x, df, nc) - p, c(0, 10 * x + 100), tol = 1e-12)$root / (df * n)) }
omega_case <- function(id, x) {
  k <- ncol(x); names <- paste0("item", 1:k); complete <- x[complete.cases(x), ]
  d <- setNames(as.data.frame(complete), names)
  model <- paste0("f =~ ", paste0("l", 1:k, "*", names, collapse = " + "), "\n", paste0(names, " ~~ p", 1:k, "*", names, collapse = "\n"),
                  "\nomega := (", paste0("l", 1:k, collapse = "+"), ")^2 / ((", paste0("l", 1:k, collapse = "+"), ")^2 + ", paste0("p", 1:k, collapse = "+"), ")")
  m <- cfa(model, data = d, std.lv = TRUE)
  pe <- parameterEstimates(m); om <- pe[pe$lhs == "omega", ]; f <- fitMeasures(m)
  load <- pe[pe$op == "=~", ]; turn <- sign(sum(load$est))
  std <- standardizedSolution(m); std <- std[std$op == "=~", "est.std"] * turn
  fa <- if (f[["df"]] > 0) factanal(complete, 1, nstart = 5)
  e <- list(estimate = om$est, std_error = om$se, omega_standardized = sum(std)^2 / (sum(std)^2 + sum(1 - std^2)),
            n = nrow(complete), n_missing = nrow(x) - nrow(complete), "fit.chi_square" = f[["chisq"]], "fit.df" = f[["df"]],
            "fit.baseline_chi_square" = f[["baseline.chisq"]], "fit.srmr" = f[["srmr"]], "fit.cfi" = f[["cfi"]])
  if (f[["df"]] > 0) e <- c(e, list("fit.p_value" = f[["pvalue"]], "fit.tli" = f[["tli"]], "fit.rmsea" = f[["rmsea"]],
      "fit.rmsea_conf_low" = bound(f, nrow(complete), .95), "fit.rmsea_conf_high" = bound(f, nrow(complete), .05), "fit.p_close" = f[["rmsea.pvalue"]],
      "fit.bartlett.chi_square" = fa$STATISTIC[[1]]))
  for (j in 1:k) { a <- paste0("items.item", j, ".")
    e[[paste0(a, "loading")]] <- load$est[j] * turn; e[[paste0(a, "loading_std_error")]] <- load$se[j]
    e[[paste0(a, "loading_standardized")]] <- std[j]; e[[paste0(a, "uniqueness")]] <- 1 - std[j]^2 }
  list(id = id, arguments = list(type = "omega", items = rows_of(x)), expect = e, rtol = 1e-5, atol = 1e-5,
       source = source_of("lavaan::cfa(model, std.lv = TRUE), omega as a defined parameter; factanal(x, 1) for Bartlett's chi-square"))
}
heywood <- function(id, x) {
  fa <- factanal(x, 1, nstart = 5)
  e <- list("fit.bartlett.chi_square" = fa$STATISTIC[[1]], std_error = NULL)
  for (j in 1:ncol(x)) e[[paste0("items.item", j, ".uniqueness")]] <- fa$uniquenesses[[j]]
  list(id = id, arguments = list(type = "omega", items = rows_of(x)), expect = e, rtol = 1e-4, source = source_of("factanal(x, 1): a uniqueness at its lower bound 0.005"))
}
sem_case <- function(id, r, sd, score, mean, level) {
  z <- qnorm(1 - (1 - level) / 2); sem <- sd * sqrt(1 - r); est <- sd * sqrt(r * (1 - r)); true <- mean + r * (score - mean)
  list(id = id, arguments = list(type = "sem", reliability = r, sd = sd, score = score, mean = mean, conf_level = level), rtol = 1e-12,
       expect = list(sem = sem, std_error_of_estimation = est, smallest_detectable_change = z * sqrt(2) * sem, "score.conf_low" = score - z * sem,
                     "true_score.estimate" = true, "true_score.conf_high" = true + z * est), source = source_of("sd * sqrt(1 - r) and so on, written out"))
}
item_case <- function(id, x, max_score = NULL) {
  top <- if (is.null(max_score)) max(1, max(x)) else max_score
  C <- cov(x); k <- ncol(x)
  total <- rowSums(x); n <- nrow(x); size <- floor(0.27 * n + 0.5)
  half <- function(v) { edge <- sort(v, decreasing = TRUE)[size]; (v > edge) + (v == edge) * (size - sum(v > edge)) / sum(v == edge) }
  d <- (half(total) - half(-total)) %*% x / size / top
  e <- list(n = n, "details.cronbach_alpha" = k / (k - 1) * (1 - sum(diag(C)) / sum(C)), "details.total_std_dev" = sd(total))
  for (j in 1:ncol(x)) { p <- paste0("rows.", j - 1, ".")
    e[[paste0(p, "difficulty")]] <- mean(x[, j]) / top; e[[paste0(p, "discrimination_index")]] <- d[j]
    e[[paste0(p, "point_biserial_corrected")]] <- cor(x[, j], total - x[, j]) }
  args <- list(type = "item_analysis", items = rows_of(x)); if (!is.null(max_score)) args$max_score <- max_score
  list(id = id, arguments = args, expect = e, rtol = 1e-9, source = source_of("cor(item, total - item), cov; upper and lower 27 % written out"))
}
set.seed(3)
att <- as.matrix(attitude); dimnames(att) <- NULL
f <- rnorm(60); five <- round(outer(f, c(.9, .7, .8, -.5, .4)) + matrix(rnorm(300), 60), 1); holes <- five; holes[4, 2] <- NA; holes[9, 5] <- NA
g <- rnorm(40); three <- round(outer(g, c(3, 2, 1)) + matrix(rnorm(120), 40), 2)
h <- rnorm(50); hey <- round(cbind(h, .8 * h + rnorm(50) * .6, .5 * h + rnorm(50), .6 * h + rnorm(50), rnorm(50)), 2); hey[, 5] <- round(hey[, 2] - .8 * hey[, 1] + .4 * rnorm(50), 2)
bin <- matrix(as.numeric(matrix(runif(300), 50) < plogis(rep(rnorm(50), 6) + rep(c(-2, -1, 0, 0, 1, 2), each = 50))), 50)
graded <- round(outer(rnorm(35), c(1, .8, .5, .9)) + matrix(rnorm(140), 35) + 2); graded[graded < 0] <- 0; graded[graded > 4] <- 4
cases <- list(omega_case("omega-attitude", att), omega_case("omega-missing-reversed", holes), omega_case("omega-three-items-saturated", three),
  heywood("omega-heywood", hey), refuse("omega-constant", list(type = "omega", items = rows_of(cbind(five[1:10, 1:3], 1))), "zero_variance", "a constant item has no correlation"),
  sem_case("sem-iq", .91, 15, 110, 100, .95), sem_case("sem-90", .8, 4.2, 12, 20, .9), sem_case("sem-perfect", 1, 10, 50, 40, .95),
  item_case("items-binary-ties", bin), item_case("items-graded", graded, 4), item_case("items-graded-observed-maximum", graded[1:20, ]))
write(toJSON(list(tool = "measurement_analysis", cases = cases), auto_unbox = TRUE, digits = NA, null = "null", pretty = TRUE), "values/measurement_analysis.json")
