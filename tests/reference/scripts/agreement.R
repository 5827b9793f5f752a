# Writes values/inter_rater_reliability.json: kappa, ICC and Bland-Altman reference values, from R with psych and vcd.
# Run in tests/reference: Rscript scripts/agreement.R
suppressMessages({library(jsonlite); library(psych); library(vcd)})
version <- paste(getRversion(), "psych", packageVersion("psych"), "vcd", packageVersion("vcd"))
source_of <- function(command) list(program = "R", version = version, command = command)
case <- function(id, arguments, e, command, rtol = 1e-9) list(id = id, arguments = arguments, expect = e, rtol = rtol, source = source_of(command))
refuse <- function(id, arguments, code, why) list(id = id, arguments = arguments, error_code = code, source = source_of(why))

cohen <- function(id, r1, r2, levels, alpha = 0.05) {
  keep <- !is.na(r1) & !is.na(r2)
  t <- table(factor(r1[keep], levels), factor(r2[keep], levels)); n <- sum(t); k <- length(levels)
  one <- Kappa(t, weights = "Equal-Spacing"); two <- Kappa(t, weights = "Fleiss-Cohen")
  p <- t / n; a <- rowSums(p); b <- colSums(p); po <- sum(diag(p)); pe <- sum(a * b)
  null <- sqrt(pe + pe^2 - sum(a * b * (a + b))) / ((1 - pe) * sqrt(n))  # Fleiss, Cohen and Everitt 1969
  kappa <- one$Unweighted[["value"]]; se <- one$Unweighted[["ASE"]]
  share <- (a + b) / 2; chance <- sum(share * (1 - share)) / (k - 1)
  e <- list(estimate = kappa, std_error = se, "details.std_error_null" = null, statistic = kappa / null,
            p_value = 2 * pnorm(-abs(kappa / null)), conf_low = kappa - qnorm(1 - alpha / 2) * se, n = n,
            n_missing = sum(!keep), "also.maximum_kappa" = (sum(pmin(a, b)) - pe) / (1 - pe),
            "also.pabak" = (k * po - 1) / (k - 1), "also.gwet_ac1" = (po - chance) / (1 - chance),
            "also.linear_weighted.estimate" = one$Weighted[["value"]], "also.linear_weighted.std_error" = one$Weighted[["ASE"]],
            "also.quadratic_weighted.estimate" = two$Weighted[["value"]], "also.quadratic_weighted.std_error" = two$Weighted[["ASE"]])
  case(id, list(type = "cohens_kappa", rater1 = r1, rater2 = r2, categories = levels, alpha = alpha), e,
       "vcd::Kappa(table, weights = 'Equal-Spacing' / 'Fleiss-Cohen'); null SE, PABAK, AC1 from their definitions")
}
fleiss <- function(id, counts) {
  n <- nrow(counts); m <- sum(counts[1, ]); p <- colSums(counts) / (n * m); q <- 1 - p
  P <- (rowSums(counts^2) - m) / (m * (m - 1)); pe <- sum(p^2); kappa <- (mean(P) - pe) / (1 - pe)
  null <- sqrt(2) / (sum(p * q) * sqrt(n * m * (m - 1))) * sqrt(sum(p * q)^2 - sum(p * q * (q - p)))
  pei <- as.vector(counts %*% p) / m
  own <- (P - pe) / (1 - pe) - 2 * (1 - kappa) * (pei - pe) / (1 - pe)
  se <- sqrt(sum((own - kappa)^2) / (n * (n - 1)))
  e <- list(estimate = kappa, statistic = kappa / null, p_value = 2 * pnorm(-abs(kappa / null)), std_error = se,
            "details.std_error_null" = null, "details.n_raters" = m)
  for (j in seq_along(p)) if (p[j] > 0) {
    kj <- 1 - sum(counts[, j] * (m - counts[, j])) / (n * m * (m - 1) * p[j] * q[j])
    e[[paste0("details.categories.category", j, ".estimate")]] <- kj
    e[[paste0("details.categories.category", j, ".statistic")]] <- kj / sqrt(2 / (n * m * (m - 1)))
  }
  case(id, list(type = "fleiss_kappa", ratings_matrix = counts), e, "Fleiss 1971, Fleiss, Nee and Landis 1979, Gwet 2021, written out in the script")
}
icc <- function(id, x, form, alpha = 0.05) {
  complete <- x[complete.cases(x), ]
  r <- ICC(complete, lmer = FALSE, missing = FALSE, alpha = alpha)$results
  keys <- c("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")
  e <- list(n = nrow(complete), n_missing = nrow(x) - nrow(complete))
  for (i in 1:6) for (f in list(c("estimate", "ICC"), c("statistic", "F"), c("df", "df1"), c("df_error", "df2"),
                                c("p_value", "p"), c("conf_low", "lower bound"), c("conf_high", "upper bound")))
    e[[paste("also", keys[i], f[1], sep = ".")]] <- r[i, f[2]]
  i <- match(form, c("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"))
  e$estimate <- r[i, "ICC"]; e$conf_low <- r[i, "lower bound"]
  rows <- lapply(seq_len(nrow(x)), function(i) lapply(unname(x[i, ]), function(v) if (is.na(v)) NULL else v))
  case(id, list(type = "icc", ratings_matrix = rows, icc_type = form, alpha = alpha), e, "psych::ICC(ratings, lmer = FALSE)")
}
bland <- function(id, a, b) {
  d <- a - b; n <- length(d); t <- t.test(a, b, paired = TRUE); z <- qnorm(0.975)
  fit <- summary(lm(d ~ I((a + b) / 2)))$coefficients
  reach <- qt(0.975, n - 1) * sd(d) * sqrt(1 / n + z^2 / (2 * (n - 1)))
  s <- function(u, v) sum((u - mean(u)) * (v - mean(v))) / n
  ccc <- 2 * s(a, b) / (s(a, a) + s(b, b) + (mean(a) - mean(b))^2)
  e <- list(estimate = mean(d), std_error = sd(d) / sqrt(n), statistic = t$statistic[[1]], p_value = t$p.value,
            conf_low = t$conf.int[1], conf_high = t$conf.int[2], "details.sd_difference" = sd(d),
            "details.lower_limit.estimate" = mean(d) - z * sd(d), "details.lower_limit.conf_low" = mean(d) - z * sd(d) - reach,
            "details.upper_limit.estimate" = mean(d) + z * sd(d), "details.upper_limit.conf_high" = mean(d) + z * sd(d) + reach,
            "details.proportional_bias.slope" = fit[2, 1], "details.proportional_bias.statistic" = fit[2, 3],
            "details.proportional_bias.p_value" = fit[2, 4], "effect_sizes.lins_concordance.estimate" = ccc)
  case(id, list(type = "bland_altman", rater1 = a, rater2 = b), e, "t.test(a, b, paired = TRUE); lm(d ~ mean); limits and CCC from their definitions")
}

set.seed(5)
shrout <- matrix(c(9, 2, 5, 8, 6, 1, 3, 2, 8, 4, 6, 8, 7, 1, 2, 6, 10, 5, 6, 9, 6, 2, 4, 7), ncol = 4, byrow = TRUE)
holes <- rbind(shrout, c(4, NA, 3, 5))
noisy <- round(matrix(rnorm(45), 15), 2)  # near zero, negative forms
wide <- round(matrix(rnorm(20 * 5), 20) + rnorm(20), 3) + 1e6
l3 <- c("none", "mild", "severe")
r1 <- sample(l3, 60, TRUE, c(.5, .3, .2)); r2 <- ifelse(runif(60) < .6, r1, sample(l3, 60, TRUE))
n1 <- sample(1:4, 40, TRUE); n2 <- pmin(4, pmax(1, n1 + sample(-1:1, 40, TRUE)))
r1m <- r1; r1m[c(3, 9)] <- NA
diagnoses <- matrix(c(0,0,0,0,14, 0,2,6,4,2, 0,0,3,5,6, 0,3,9,2,0, 2,2,8,1,1, 7,7,0,0,0, 3,2,6,3,0, 2,5,3,2,2, 6,5,2,1,0, 0,2,2,3,7), 10, byrow = TRUE)
pefr1 <- c(494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427)
pefr2 <- c(512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451)
cases <- list(
  cohen("cohen-three", r1, r2, l3), cohen("cohen-numbers", n1, n2, as.character(1:4), 0.1), cohen("cohen-missing", r1m, r2, l3),
  cohen("cohen-opposed", c(1, 1, 0, 0, 1, 0), c(0, 0, 1, 1, 0, 1), c("0", "1")),
  refuse("cohen-all-same", list(type = "cohens_kappa", rater1 = rep("a", 5), rater2 = rep("a", 5)), "zero_variance", "p_e = 1: 0/0"),
  fleiss("fleiss-wikipedia-14-raters", diagnoses), fleiss("fleiss-one-each", rbind(c(1, 1, 1), c(1, 1, 1))),
  fleiss("fleiss-empty-category", rbind(c(3, 0, 1), c(0, 0, 4), c(2, 0, 2), c(4, 0, 0))),
  refuse("fleiss-unequal", list(type = "fleiss_kappa", ratings_matrix = rbind(c(2, 1), c(2, 2))), "unequal_raters", "rows sum to 3 and 4"),
  icc("icc-shrout-fleiss", shrout, "ICC(1,1)"), icc("icc-missing", holes, "ICC(2,k)"), icc("icc-noise", noisy, "ICC(3,1)"),
  icc("icc-offset", wide, "ICC(3,k)", 0.1),
  bland("bland-pefr", pefr1, pefr2), bland("bland-ties", c(3, 3, 4, 5, 6, 6, 7), c(3, 4, 4, 4, 6, 5, 9)),
  bland("bland-offset", pefr1 / 7 + 1e6, pefr2 / 7 + 1e6))
write(toJSON(list(tool = "inter_rater_reliability", cases = cases), auto_unbox = TRUE, digits = NA, null = "null", na = "null", pretty = TRUE),
      "values/inter_rater_reliability.json")
