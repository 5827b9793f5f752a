# Reference values of functional_data. Run from the project root: Rscript tests/reference/scripts/functional.R
suppressPackageStartupMessages(library(jsonlite))
src <- list(program = "R (prcomp of curves weighted by the roots of trapezoid weights; a linear basis has the same inner product up to quadrature)", version = as.character(getRversion()), command = "Rscript tests/reference/scripts/functional.R")
one <- function(id, x, grid = NULL, k, rtol = 1e-8) {
  ok <- complete.cases(x); y <- x[ok, ]; n <- nrow(y); m <- ncol(y); g <- if (is.null(grid)) seq(0, 1, length.out = m) else grid
  w <- diff(g); w <- (c(w, 0) + c(0, w)) / 2; f <- prcomp(sweep(y, 2, sqrt(w), "*")); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  v <- f$sdev^2; sg <- apply(f$rotation, 2, function(r) sign(r[which.max(abs(r))]))
  put("n", n); put("n_missing", sum(!ok)); put("total_variance", sum(v))
  for (j in 1:m) { put(paste0("mean_curve.", j - 1), mean(y[, j])); put(paste0("quadrature_weights.", j - 1), w[j]); put(paste0("std_dev_curve.", j - 1), sd(y[, j])) }
  for (j in 1:k) { phi <- f$rotation[, j] * sg[j] / sqrt(w); put(paste0("eigenvalues.", j - 1), v[j]); put(paste0("proportion_explained.", j - 1), v[j] / sum(v)); put(paste0("cumulative_proportion.", j - 1), sum(v[1:j]) / sum(v))
    for (i in 1:m) put(paste0("eigenfunctions.FPC", j, ".", i - 1), phi[i])
    for (i in 1:n) put(paste0("scores.FPC", j, ".", i - 1), sum(w * (y[i, ] - colMeans(y)) * phi)) }
  a <- list(x = unname(lapply(seq_len(nrow(x)), function(i) unname(x[i, ]))), n_components = k); if (!is.null(grid)) a$grid <- grid
  list(id = id, arguments = a, expect = e, rtol = rtol, atol = 1e-9, source = src)
}
o <- as.data.frame(nlme::Orthodont); o <- matrix(o$distance[1:64], ncol = 4, byrow = TRUE)
lob <- as.data.frame(datasets::Loblolly); lob <- t(unstack(lob, height ~ Seed)); lob <- unname(as.matrix(lob))
chick <- as.data.frame(ChickWeight); ch <- t(sapply(split(chick, as.character(chick$Chick))[1:12], function(d) { r <- rep(NA, 12); r[match(d$Time, c(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21))] <- d$weight; r }))
cases <- list(one("orthodont-ties", o, c(8, 10, 12, 14), 3), one("loblolly-unequal-grid", lob, c(3, 5, 10, 15, 20, 25), 3), one("missing", unname(ch), c(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 21), 2), one("default-grid", o, NULL, 2))
refuse <- function(id, arguments, code) list(id = id, arguments = arguments, error_code = code, source = list(program = "definition", version = "-", command = "no variance, or no increasing grid"))
cases <- c(cases, list(refuse("same-curves", list(x = list(1:3, 1:3)), "zero_variance"), refuse("grid-not-increasing", list(x = list(1:3, c(2, 5, 1)), grid = c(0, 2, 1)), "out_of_range"),
  refuse("grid-length", list(x = list(1:3, c(2, 5, 1)), grid = c(0, 2)), "length_mismatch"), refuse("too-many", list(x = list(1:3, c(2, 5, 1)), n_components = 2), "out_of_range")))
write(toJSON(list(tool = "functional_data", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1), "tests/reference/values/functional_data.json")
