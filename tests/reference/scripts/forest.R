# Reference values of machine_learning, type rf_proxy. Run from the project root: Rscript tests/reference/scripts/forest.R
# The forest is compared with one of 5000 trees from other random numbers, so to a few per cent; correlations are exact.
suppressPackageStartupMessages({library(jsonlite); library(randomForest)})
source_of <- function(what) list(program = what, version = as.character(getRversion()), command = "Rscript tests/reference/scripts/forest.R")
rf <- source_of(paste0("R randomForest ", packageVersion("randomForest"), " (5000 trees, defaults)")); pearson <- source_of("R cor")
columns <- function(x) unname(lapply(x, identity))
one <- function(id, x, y, rtol) {
  set.seed(1); f <- randomForest(x, if (is.character(y)) factor(y) else y, ntree = 5000, importance = TRUE); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  if (is.character(y)) { put("oob_score", mean(f$predicted == y)); top <- order(-importance(f, type = 1, scale = FALSE)[, 1])[1:2]; v <- importance(f, type = 1, scale = FALSE)[, 1] }
  else { put("oob_score", 1 - mean((y - f$predicted)^2) / mean((y - mean(y))^2)); v <- importance(f, type = 1, scale = FALSE)[, 1] / mean((y - mean(y))^2); top <- order(-v)[1:2] }
  g <- importance(f, type = 2)[, 1]; g <- g / sum(g)
  for (j in top) { put(paste0("permutation_importance.", names(x)[j]), v[j]); put(paste0("impurity_importance.", names(x)[j]), g[j]) }
  if (v[top[1]] > 1.2 * v[top[2]]) put("ranking.0", names(x)[top[1]])
  list(id = paste0("forest-", id), arguments = list(type = "rf_proxy", x = columns(x), y = y, n_trees = 1000, var_names = names(x)), expect = e, rtol = rtol, atol = 1e-9, source = rf)
}
related <- function(id, x, y) {
  ok <- complete.cases(x) & !is.na(y); e <- list(n_missing = sum(!ok)); for (v in names(x)) e[[paste0("abs_r.", v)]] <- abs(cor(x[ok, v], y[ok]))
  list(id = paste0("forest-correlations-", id), arguments = list(type = "rf_proxy", x = columns(x), y = y, n_trees = 20, var_names = names(x)), expect = e, rtol = 1e-10, atol = 1e-12, source = pearson)
}
m <- mtcars[, c("wt", "hp", "qsec", "drat", "cyl", "disp")]; b <- MASS::Boston[seq(1, 506, 4), ]; ir <- setNames(iris[1:4], c("sl", "sw", "pl", "pw")); a <- airquality[1:60, c("Wind", "Temp")]
cases <- list(one("boston", b[, c("lstat", "rm", "crim", "nox", "ptratio", "age")], b$medv, 0.08), one("iris-classes", ir, as.character(iris$Species), 0.08), one("swiss", swiss[, 2:6], swiss$Fertility, 0.15),
  related("mtcars-ties", m, mtcars$mpg), related("missing", a, airquality$Ozone[1:60]), related("boston", b[, c("lstat", "rm")], b$medv))
refuse <- function(id, arguments, code) list(id = paste0("forest-", id), arguments = c(list(type = "rf_proxy"), arguments), error_code = code, source = list(program = "definition", version = "-", command = "no variance, or too few rows"))
cases <- c(cases, list(refuse("constant", list(x = 1:12, y = rep(1, 12)), "zero_variance"), refuse("few", list(x = 1:3, y = 1:3), "too_few_values")))
write(toJSON(list(tool = "machine_learning", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1), "tests/reference/values/machine_learning-forest.json")
