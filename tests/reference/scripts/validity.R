# Writes values/validity_assessment.json and values/criterion_validity_test.json, from R and lavaan.
# Run in tests/reference: Rscript scripts/validity.R
suppressMessages({library(jsonlite); library(lavaan)})
source_of <- function(command) list(program = "R", version = paste(getRversion(), "lavaan", packageVersion("lavaan")), command = command)
case <- function(id, arguments, e, command, rtol = 1e-9) list(id = id, arguments = arguments, expect = e, rtol = rtol, source = source_of(command))
refuse <- function(id, arguments, code, why) list(id = id, arguments = arguments, error_code = code, source = source_of(why))
rows_of <- function(x) lapply(seq_len(nrow(x)), function(i) lapply(unname(x[i, ]), function(v) if (is.na(v)) NULL else v))

cvr <- function(ne, n, alpha = 0.05) {
  ok <- which(pbinom(0:n - 1, n, 0.5, lower.tail = FALSE) <= alpha) - 1
  ci <- binom.test(ne, n, conf.level = 1 - alpha)$conf.int
  e <- list(estimate = (ne - n / 2) / (n / 2), p_value = binom.test(ne, n, alternative = "greater")$p.value,
            conf_low = 2 * ci[1] - 1, conf_high = 2 * ci[2] - 1, "details.critical_n" = NULL)
  if (length(ok)) { e[["details.critical_n"]] <- min(ok); e[["details.critical_cvr"]] <- (min(ok) - n / 2) / (n / 2) } else e["details.critical_n"] <- list(NULL)
  case(paste("cvr", ne, n, sep = "-"), list(n_essential = ne, n_total = n, alpha = alpha), e, "binom.test(n_essential, n_total, alternative = 'greater'); pbinom for the critical number")
}
ave <- function(id, blocks) {
  complete <- complete.cases(do.call(cbind, blocks)); kept <- lapply(blocks, function(b) b[complete, , drop = FALSE])
  e <- list(n = sum(complete), n_missing = sum(!complete)); cr <- c(); av <- c()
  for (name in names(kept)) {
    d <- as.data.frame(kept[[name]]); k <- ncol(d); names(d) <- paste0("i", 1:k)
    if (k == 2) l <- rep(sqrt(cor(d)[1, 2]), 2) else {
      s <- standardizedSolution(cfa(paste("f =~", paste(names(d), collapse = " + ")), d, std.lv = TRUE)); l <- s$est.std[s$op == "=~"] }
    l <- l * sign(sum(l)); av[name] <- mean(l^2); cr[name] <- sum(l)^2 / (sum(l)^2 + sum(1 - l^2))
    e[[paste0("constructs.", name, ".ave")]] <- av[[name]]; e[[paste0("constructs.", name, ".composite_reliability")]] <- cr[[name]] }
  for (p in combn(names(kept), 2, simplify = FALSE)) {
    z <- lapply(kept[p], scale); r <- cor(rowSums(z[[1]]), rowSums(z[[2]])); key <- paste0("pairs.", p[1], " - ", p[2], ".")
    mono <- function(b) { m <- abs(cor(b)); mean(m[upper.tri(m)]) }
    e[[paste0(key, "correlation")]] <- r; latent <- r / sqrt(cr[[p[1]]] * cr[[p[2]]]); e[[paste0(key, "latent_correlation")]] <- latent
    e[[paste0(key, "fornell_larcker")]] <- min(av[p]) > latent^2
    e[[paste0(key, "htmt")]] <- mean(abs(cor(kept[[p[1]]], kept[[p[2]]]))) / sqrt(mono(kept[[p[1]]]) * mono(kept[[p[2]]])) }
  case(id, list(type = "ave_htmt", items = lapply(blocks, rows_of)), e, "lavaan::cfa per construct, standardizedSolution; HTMT from cor, written out", 1e-4)
}
given <- function(id, loadings, r) {
  e <- list()
  for (name in names(loadings)) { l <- loadings[[name]]; e[[paste0("constructs.", name, ".ave")]] <- mean(l^2)
    e[[paste0("constructs.", name, ".composite_reliability")]] <- sum(l)^2 / (sum(l)^2 + sum(1 - l^2)) }
  key <- paste0("pairs.", names(loadings)[1], " - ", names(loadings)[2], ".squared_correlation"); e[[key]] <- r^2
  case(id, list(type = "ave_htmt", loadings = loadings, construct_correlations = matrix(c(1, r, r, 1), 2)), e, "mean(l^2); sum(l)^2 / (sum(l)^2 + sum(1 - l^2))")
}
cvi <- function(id, m, cutoff = 3) {
  a <- rowSums(m >= cutoff); n <- ncol(m); pc <- dbinom(a, n, .5); e <- list(s_cvi_average = mean(a / n), s_cvi_universal = mean(a == n))
  for (i in seq_along(a)) { e[[paste0("items.item", i, ".i_cvi")]] <- a[i] / n; e[[paste0("items.item", i, ".modified_kappa")]] <- (a[i] / n - pc[i]) / (1 - pc[i]) }
  case(id, list(type = "cvi", ratings_matrix = m, cutoff = cutoff), e, "rowMeans(m >= cutoff); dbinom for the chance agreement")
}
criterion <- function(id, x, y, rxx = NULL, ryy = NULL, sd_u = NULL, type = "concurrent", alternative = "two-sided") {
  ok <- complete.cases(x, y); t <- cor.test(x[ok], y[ok], alternative = sub("-", ".", alternative)); r <- t$estimate[[1]]
  e <- list(estimate = r, statistic = t$statistic[[1]], df = t$parameter[[1]], p_value = t$p.value, n = sum(ok), n_missing = sum(!ok),
            "also.spearman_rho" = cor(x[ok], y[ok], method = "spearman"))
  if (alternative == "two-sided") { e$conf_low <- t$conf.int[1]; e$conf_high <- t$conf.int[2] }
  args <- list(predictor = x, criterion = y, validity_type = type, alternative = alternative)
  if (!is.null(rxx) || !is.null(ryy)) {
    f <- 1 / sqrt(prod(c(rxx, ryy))); e[["also.corrected_for_attenuation.estimate"]] <- r * f
    if (!is.null(rxx)) args$predictor_reliability <- rxx; if (!is.null(ryy)) args$criterion_reliability <- ryy }
  if (!is.null(sd_u)) { u <- sd_u / sd(x[ok]); args$unrestricted_sd <- sd_u; e[["also.corrected_for_range_restriction.estimate"]] <- r * u / sqrt(1 + r^2 * (u^2 - 1)) }
  case(id, args, e, "cor.test(predictor, criterion); corrections written out")
}
set.seed(8)
f <- rnorm(70); g <- .5 * f + rnorm(70)
noise <- function(k) matrix(rnorm(70 * k), 70)
A <- round(outer(f, c(1, .8, .9)) + .7 * noise(3), 2); B <- round(outer(g, c(.9, .7, .8, .6)) + .8 * noise(4), 2); C <- round(outer(f + g, c(1, 1)) + noise(2), 2)
Ah <- A; Ah[5, 2] <- NA; Bh <- B; Bh[11, 1] <- NA; Bh[5, 1] <- NA
vcases <- list(cvr(9, 10), cvr(5, 5), cvr(26, 40), cvr(2, 8), cvr(3, 4), cvr(7, 8, 0.1),
  refuse("cvr-too-many", list(n_essential = 11, n_total = 10), "out_of_range", "more than the panel"),
  ave("ave-two", list(A = A, B = B)), ave("ave-missing-three", list(A = Ah, B = Bh, C = C)), ave("ave-offset", list(A = A + 1000, C = C)),
  given("ave-given", list(trust = c(.82, .78, .88), loyalty = c(.75, .81, .69, .72)), .56), given("ave-negative", list(a = c(.9, -.4, .7), b = c(.5, .6)), -.3),
  cvi("cvi-four-items", matrix(c(4, 4, 3, 4, 3, 4, 2, 3, 4, 4, 2, 3, 1, 4, 2, 4, 4, 4, 4, 4), 4, byrow = TRUE)), cvi("cvi-two-experts", rbind(c(4, 3), c(1, 4))),
  cvi("cvi-other-cutoff", matrix(c(5, 4, 3, 2, 5, 5), 2), 4))
write(toJSON(list(tool = "validity_assessment", cases = vcases), auto_unbox = TRUE, digits = NA, null = "null", pretty = TRUE), "values/validity_assessment.json")
x <- c(52, 61, 47, 58, 66, 49, 55, 70, 63, 51); y <- c(3.1, 3.4, 2.8, 3.0, 3.9, 3.2, 2.9, 3.8, 3.6, 2.7)
ym <- y; ym[4] <- NA
ccases <- list(criterion("predictive", x, y, .85, .7, 9.5, "predictive"), criterion("ties-missing", round(x, -1), ym, .9), criterion("less", -x, y, alternative = "less"),
  refuse("constant", list(predictor = rep(3, 5), criterion = 1:5), "zero_variance", "cor is NA with sd zero"))
write(toJSON(list(tool = "criterion_validity_test", cases = ccases), auto_unbox = TRUE, digits = NA, null = "null", na = "null", pretty = TRUE), "values/criterion_validity_test.json")
