# Reference values of pca. Run from the project root: Rscript tests/reference/scripts/multivariate.R
suppressPackageStartupMessages({library(jsonlite); library(psych)})
src <- list(program = paste0("R (prcomp; psych ", packageVersion("psych"), " KMO and cortest.bartlett)"),
            version = as.character(getRversion()), command = "Rscript tests/reference/scripts/multivariate.R")
one <- function(id, data, scale, k = NULL, scores = FALSE, adequate = TRUE, rtol = 1e-8) {
  full <- data[complete.cases(data), , drop = FALSE]
  fit <- prcomp(full, scale. = scale); n <- nrow(full); p <- ncol(full); e <- list()
  put <- function(key, value) e[[key]] <<- unname(value)
  turn <- apply(fit$rotation, 2, function(v) sign(v[which.max(abs(v))])); rot <- sweep(fit$rotation, 2, turn, "*")
  all <- sum(fit$sdev > 1e-10 * fit$sdev[1]); m <- min(k, all); v <- fit$sdev^2
  put("n", n); put("n_missing", nrow(data) - n); put("n_components", m); put("total_variance", sum(v[1:all]))
  for (j in seq_len(m)) {
    put(paste0("eigenvalues.", j - 1), v[j]); put(paste0("std_devs.", j - 1), fit$sdev[j])
    put(paste0("proportion_explained.", j - 1), v[j] / sum(v)); put(paste0("cumulative_proportion.", j - 1), sum(v[1:j]) / sum(v))
    for (i in seq_len(p)) {
      put(paste0("loadings.PC", j, ".", colnames(full)[i]), rot[i, j])
      put(paste0("correlation_loadings.PC", j, ".", colnames(full)[i]), cor(full[[i]], fit$x[, j] * turn[j])) }
    if (scores) for (i in 1:n) put(paste0("scores.", i - 1, ".", j - 1), fit$x[i, j] * turn[j]) }
  put("kaiser.n_components", sum(v > sum(v) / p))
  if (adequate) {
    r <- cor(full); b <- cortest.bartlett(r, n); q <- KMO(r)
    put("bartlett_sphericity.statistic", b$chisq); put("bartlett_sphericity.df", b$df); put("bartlett_sphericity.p_value", b$p.value)
    put("kmo.overall", q$MSA); for (i in seq_len(p)) put(paste0("kmo.per_variable.", colnames(full)[i]), q$MSAi[i])
  } else { e["bartlett_sphericity"] <- list(NULL); e["kmo"] <- list(NULL) }
  a <- list(x = unname(lapply(data, identity)), scale = scale, scores = scores, var_names = names(data)); if (!is.null(k)) a$n_components <- k
  list(id = id, arguments = a, expect = e, rtol = rtol, atol = 1e-9, source = src)
}
wide <- as.data.frame(t(as.matrix(USArrests[c(1, 5, 9, 20, 32, 43), ])))
names(wide) <- c("alabama", "california", "florida", "maryland", "newyork", "texas")
dup <- transform(swiss[1:15, 1:3], sum = Fertility + Agriculture)
air <- airquality[1:60, c("Ozone", "Solar.R", "Wind", "Temp")]; names(air) <- c("ozone", "solar", "wind", "temp")
cases <- list(one("usarrests-correlation", USArrests, TRUE), one("usarrests-covariance", USArrests, FALSE),
  one("swiss-two-components", swiss[, 2:6], TRUE, 2), one("missing", air, TRUE),
  one("iris-scores-ties", iris[1:25, 1:4], FALSE, 2, TRUE), one("fewer-rows-than-columns", wide, FALSE, 6, TRUE, FALSE, 1e-7),
  one("collinear", dup, FALSE, NULL, FALSE, FALSE, 1e-7))
refuse <- function(id, arguments, code) list(id = id, arguments = arguments, error_code = code,
  source = list(program = "definition", version = "-", command = "no variance to divide by, or fewer columns than components"))
cases <- c(cases, list(refuse("constant-standardised", list(x = list(1:4, c(2, 2, 2, 2)), scale = TRUE), "zero_variance"),
  refuse("all-constant", list(x = list(c(1, 1, 1), c(2, 2, 2))), "zero_variance"),
  refuse("too-many-components", list(x = list(1:4, c(2, 1, 4, 3)), n_components = 3), "out_of_range")))
write(toJSON(list(tool = "pca", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1),
      "tests/reference/values/pca.json")
