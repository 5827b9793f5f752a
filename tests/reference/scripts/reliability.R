# Writes values/reliability_analysis.json: reference values of Cronbach's alpha, from R and psych.
# Run in tests/reference: Rscript scripts/reliability.R
suppressMessages({library(jsonlite); library(psych)})
source_of <- function(command) list(program = "R psych", version = paste(getRversion(), packageVersion("psych")), command = command)
item_names <- function(k) paste0("item", seq_len(k))

case <- function(id, x, conf_level = 0.95) {
  complete <- x[complete.cases(x), , drop = FALSE]
  colnames(complete) <- item_names(ncol(complete))
  n <- nrow(complete); k <- ncol(complete)
  a <- suppressWarnings(suppressMessages(alpha(as.data.frame(complete), check.keys = FALSE, warnings = FALSE)))
  ci <- alpha.ci(a$total$raw_alpha, n, k, p.val = 1 - conf_level)
  odd <- rowSums(complete[, seq(1, k, 2), drop = FALSE]); even <- rowSums(complete[, seq(2, k, 2), drop = FALSE])
  r <- cor(odd, even)
  C <- cov(complete); total <- sum(C)
  lambda6 <- 1 - sum((1 - suppressWarnings(smc(complete))) * diag(C)) / total
  off <- C; diag(off) <- 0
  e <- list(estimate = a$total$raw_alpha, standardized_alpha = a$total$std.alpha, std_error = a$total$ase,
            conf_low = ci$lower.ci, conf_high = ci$upper.ci, n = n, n_items = k, n_missing = nrow(x) - n,
            mean_inter_item_correlation = a$total$average_r, guttman_lambda6_standardized = a$total[["G6(smc)"]],
            guttman_lambda6 = lambda6, guttman_lambda2 = (sum(off) + sqrt(k / (k - 1) * sum(off^2))) / total,
            split_half_correlation = r, guttman_split_half = 2 * (1 - (var(odd) + var(even)) / var(odd + even)))
  if (k %% 2 == 0) e$spearman_brown <- 2 * r / (1 + r)
  for (j in seq_len(k)) {
    item <- item_names(k)[j]
    e[[paste0("items.", item, ".item_rest_correlation")]] <- cor(complete[, j], rowSums(complete[, -j, drop = FALSE]))
    e[[paste0("items.", item, ".item_total_correlation")]] <- cor(complete[, j], rowSums(complete))
    e[[paste0("items.", item, ".std_dev")]] <- sd(complete[, j])
    if (k > 2) e[[paste0("items.", item, ".alpha_if_dropped")]] <- a$alpha.drop$raw_alpha[j]
  }
  rows <- lapply(seq_len(nrow(x)), function(i) lapply(x[i, ], function(v) if (is.na(v)) NULL else v))
  list(id = id, arguments = list(items = rows, conf_level = conf_level), expect = e, rtol = 1e-9,
       source = source_of("psych::alpha(items), alpha.ci, smc; cor and var of the halves"))
}
refuse <- function(id, rows, code, why) list(id = id, arguments = list(items = rows), error_code = code, source = source_of(why))

attitude_rows <- as.matrix(attitude); dimnames(attitude_rows) <- NULL
set.seed(11)
likert <- matrix(sample(1:5, 20 * 4, TRUE), 20) + rep(sample(0:3, 20, TRUE), 4)
holes <- likert; holes[2, 3] <- NA; holes[7, 1] <- NA
negative <- matrix(c(1, 2, 3, 4, 5, 6, 5, 4, 3, 3, 2, 2, 2, 1, 3, 2, 4, 1), 6)
binary <- matrix(as.numeric(matrix(runif(30 * 6), 30) < plogis(rep(rnorm(30), 6))), 30)
cases <- list(
  case("attitude", attitude_rows), case("likert-ties-90", likert, 0.9), case("missing-rows", holes),
  case("negative-alpha", negative), case("binary-kr20", binary), case("offset", likert + 1e6),
  refuse("total-constant", list(c(1, 3), c(2, 2), c(3, 1)), "zero_variance", "the total is 4 in every row; psych::alpha gives -Inf"),
  refuse("one-row", list(c(1, 3, 2)), "too_few_values", "no variance of one row"))
out <- list(tool = "reliability_analysis", cases = cases)
write(toJSON(out, auto_unbox = TRUE, digits = NA, null = "null", pretty = TRUE), "values/reliability_analysis.json")
