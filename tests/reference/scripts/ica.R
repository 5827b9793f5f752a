# Reference values of signal_processing, type ica. Run from the project root: Rscript tests/reference/scripts/ica.R
suppressPackageStartupMessages({library(jsonlite); library(fastICA)})
src <- list(program = paste0("R fastICA ", packageVersion("fastICA"), " (parallel, logcosh, tolerance 1e-14); order and signs by the stated convention"), version = as.character(getRversion()), command = "Rscript tests/reference/scripts/ica.R")
one <- function(id, data, k, rtol = 1e-5) {
  x <- as.matrix(data[complete.cases(data), ]); n <- nrow(x); p <- ncol(x); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  best <- NULL; for (s in 1:8) { set.seed(s); f <- fastICA(x, k, alg.typ = "parallel", fun = "logcosh", method = "R", tol = 1e-14, maxit = 5000)
    g <- sum((colMeans(log(cosh(f$S))) - integrate(function(z) log(cosh(z)) * dnorm(z), -30, 30, rel.tol = 1e-12)$value)^2); if (is.null(best) || g > best$g + 1e-10) best <- list(g = g, f = f) }
  A <- t(best$f$A); W <- t(best$f$K %*% best$f$W)  # x = A s, s = W x
  unit <- if (k == p) apply(x, 2, function(v) sqrt(mean((v - mean(v))^2))) else rep(sqrt(mean(scale(x, scale = FALSE)^2)), p)
  rel <- A / unit; o <- order(-colSums(rel^2)); sg <- apply(rel[, o, drop = FALSE], 2, function(v) sign(v[which.max(abs(v))]))
  A <- sweep(A[, o, drop = FALSE], 2, sg, "*"); W <- W[o, , drop = FALSE] * sg; S <- sweep(best$f$S[, o, drop = FALSE], 2, sg, "*")
  for (j in seq_len(k)) { put(paste0("excess_kurtosis.IC", j), mean(S[, j]^4) - 3); for (i in 1:4) put(paste0("sources.IC", j, ".", i - 1), S[i, j])
    for (v in seq_len(p)) { put(paste0("mixing_matrix.", colnames(x)[v], ".IC", j), A[v, j]); put(paste0("unmixing_matrix.IC", j, ".", colnames(x)[v]), W[j, v]) } }
  put("n", n); put("n_missing", nrow(data) - n); put("k", k)
  list(id = paste0("ica-", id), arguments = list(type = "ica", x = unname(as.list(data)), k = k, var_names = names(data)), expect = e, rtol = rtol, atol = 1e-6, source = src)
}
t <- 1:120; s <- cbind(sin(t / 7), ((t %% 17) - 8) / 5, sign(cos(t / 11)) + 0.1 * cos(t * 1.7))
mix <- round(as.data.frame(s %*% t(matrix(c(1, 0.5, 0.3, -0.4, 1.2, 0.6, 0.2, -0.7, 0.9), 3))), 3); names(mix) <- c("a", "b", "c")
two <- round(data.frame(left = s[, 1] + 0.6 * s[, 2], right = 0.4 * s[, 1] - s[, 2]), 2); miss <- two[1:80, ]; miss$left[4] <- NA; miss$right[9] <- NA
ties <- data.frame(u = c(eurodist)[1:60] %% 7, v = c(eurodist)[1:60] %% 11, w = c(eurodist)[41:100] %% 5)
cases <- list(one("three", mix, 3), one("two-of-three", mix, 2), one("missing", miss, 2), one("ties", ties, 2))
refuse <- function(id, arguments, code) list(id = paste0("ica-", id), arguments = c(list(type = "ica"), arguments), error_code = code, source = list(program = "definition", version = "-", command = "fewer dimensions than sources"))
cases <- c(cases, list(refuse("too-many", list(x = list(c(1, 2, 4, 3, 9), c(2, 5, 1, 3, 3)), k = 3), "out_of_range"), refuse("dependent", list(x = list(c(1, 2, 4, 3, 9), c(2, 4, 8, 6, 18)), k = 2), "singular"), refuse("constant", list(x = list(c(1, 2, 4, 3, 9), c(2, 2, 2, 2, 2))), "zero_variance")))
write(toJSON(list(tool = "signal_processing", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1), "tests/reference/values/signal_processing.json")
