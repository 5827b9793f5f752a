# Reference values of bayesian_em. Run from the project root: Rscript tests/reference/scripts/mixtures.R
suppressPackageStartupMessages({library(jsonlite); library(mclust)})
src <- list(program = paste0("R mclust ", packageVersion("mclust"), " (EM to a relative tolerance of 1e-14)"), version = as.character(getRversion()), command = "Rscript tests/reference/scripts/mixtures.R")
one <- function(id, x, k, rtol = 1e-5) {
  z <- x[!is.na(x)]; n <- length(z); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  f <- Mclust(z, G = k, modelNames = if (k > 1) "V" else "X", verbose = FALSE)
  if (k > 1) f <- em(data = z, modelName = "V", parameters = f$parameters, control = emControl(tol = 1e-14, itmax = 100000))
  m <- f$parameters$mean; o <- order(m); v <- f$parameters$variance$sigmasq; w <- if (k > 1) f$parameters$pro else 1
  for (j in seq_len(k)) { put(paste0("means.", j - 1), m[o[j]]); put(paste0("variances.", j - 1), v[o[j]]); put(paste0("std_devs.", j - 1), sqrt(v[o[j]])); put(paste0("weights.", j - 1), w[o[j]]) }
  ll <- f$loglik; p <- 3 * k - 1; put("log_likelihood", ll); put("aic", 2 * p - 2 * ll); put("bic", p * log(n) - 2 * ll); put("n", n); put("n_missing", length(x) - n)
  if (k > 1) { cl <- max.col(f$z[, o]); for (j in seq_len(k)) put(paste0("n_assigned.", j - 1), sum(cl == j)); put("mean_responsibility", mean(apply(f$z, 1, max)))
    put("separation", 1 + sum(ifelse(f$z > 0, f$z * log(f$z), 0)) / (n * log(k))) }
  list(id = id, arguments = list(data = x, k = k), expect = e, rtol = rtol, atol = 1e-7, source = src)
}
miss <- faithful$waiting[1:60]; miss[c(5, 31)] <- NA
iris_pl <- iris$Petal.Length
cases <- list(one("old-faithful-waiting-ties", faithful$waiting, 2), one("old-faithful-eruptions", faithful$eruptions, 2), one("missing", miss, 2), one("single", faithful$eruptions[1:40], 1),
  one("three", c(qnorm(ppoints(40), 0, 1), qnorm(ppoints(30), 8, 0.7), qnorm(ppoints(50), 15, 1.5)), 3))
refuse <- function(id, arguments, code) list(id = id, arguments = arguments, error_code = code, source = list(program = "definition", version = "-", command = "no maximum of the likelihood"))
cases <- c(cases, list(refuse("more-components-than-values", list(data = c(1, 2, 3), k = 4), "out_of_range"), refuse("constant", list(data = c(2, 2, 2, 2), k = 2), "zero_variance"),
  refuse("too-many", list(data = 1:50, k = 21), "limit_exceeded"), refuse("few-different-values", list(data = c(1, 1, 2, 2), k = 3), "zero_variance")))
write(toJSON(list(tool = "bayesian_em", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1), "tests/reference/values/bayesian_em.json")
