# Writes values/path_analysis.json: recursive path models from lavaan (errors of different equations unrelated).
# Run in tests/reference: Rscript scripts/path.R
suppressMessages({library(jsonlite); library(lavaan)})
source_of <- function(command) list(program = "R", version = paste(getRversion(), "lavaan", packageVersion("lavaan")), command = command)
refuse <- function(id, data, spec, code, why) list(id = id, arguments = list(data = data, model_spec = spec, n_reps = 50), error_code = code, source = source_of(why))
cell <- function(v) lapply(v, function(u) if (is.na(u)) NULL else u)

# lavaan's own bounds stop at the default tolerance of uniroot (four digits); the same equation, solved further:
bound <- function(f, n, p) { x <- f[["chisq"]]; df <- f[["df"]]; if (pchisq(x, df) <= p) return(0)
  sqrt(uniroot(function(nc) pchisq(x, df, nc) - p, c(0, 10 * x + 100), tol = 1e-12)$root / (df * n)) }
path <- function(id, d, spec, defined = character(0)) {
  complete <- d[complete.cases(d), ]
  label <- function(y, x) paste0("b_", y, "_", x)
  text <- sapply(spec, function(e) paste(e[[1]], "~", paste0(label(e[[1]], e[[2]]), "*", e[[2]], collapse = " + ")))
  products <- sapply(names(defined), function(k) paste0(k, " := ", defined[[k]]))
  m <- lavaan(paste(c(text, products), collapse = "\n"), complete, auto.var = TRUE, auto.fix.first = FALSE, auto.cov.y = FALSE, meanstructure = FALSE, fixed.x = TRUE)
  pe <- parameterEstimates(m); st <- standardizedSolution(m); f <- fitMeasures(m); r2 <- lavInspect(m, "r2")
  e <- list(df = f[["df"]], n = nrow(complete), n_missing = nrow(d) - nrow(complete), "details.fit.srmr" = f[["srmr"]], "details.fit.cfi" = f[["cfi"]],
            "details.fit.baseline_chi_square" = f[["baseline.chisq"]], "details.fit.baseline_df" = f[["baseline.df"]])
  if (f[["df"]] > 0) e <- c(e, list(statistic = f[["chisq"]], p_value = f[["pvalue"]], "details.fit.tli" = f[["tli"]], "details.fit.rmsea" = f[["rmsea"]],
    "details.fit.rmsea_conf_low" = bound(f, nrow(complete), .95), "details.fit.rmsea_conf_high" = bound(f, nrow(complete), .05), "details.fit.p_close" = f[["rmsea.pvalue"]])) else e["p_value"] <- list(NULL)
  for (i in which(pe$op == "~")) { a <- paste0("terms.", pe$lhs[i], " ~ ", pe$rhs[i], "."); e[[paste0(a, "estimate")]] <- pe$est[i]; e[[paste0(a, "std_error")]] <- pe$se[i]
    e[[paste0(a, "p_value")]] <- pe$pvalue[i]; e[[paste0(a, "standardized")]] <- st$est.std[st$op == "~" & st$lhs == pe$lhs[i] & st$rhs == pe$rhs[i]] }
  for (eq in spec) { y <- eq[[1]]; o <- summary(lm(reformulate(eq[[2]], y), complete)); e[[paste0("details.equations.", y, ".r_squared")]] <- o$r.squared
    e[[paste0("details.equations.", y, ".intercept")]] <- coef(o)[1, 1]; x <- eq[[2]][1]; k <- paste0("also.least_squares.", y, " ~ ", x, "."); e[[paste0(k, "statistic")]] <- coef(o)[x, 3]; e[[paste0(k, "p_value")]] <- coef(o)[x, 4] }
  for (k in names(defined)) { row <- pe[pe$op == ":=" & pe$lhs == k, ]; e[[paste0(attr(defined, "at")[[k]], ".estimate")]] <- row$est; e[[paste0(attr(defined, "at")[[k]], ".std_error")]] <- row$se; e[[paste0(attr(defined, "at")[[k]], ".p_value")]] <- row$pvalue }
  list(id = id, arguments = list(data = lapply(as.list(d), cell), model_spec = lapply(spec, function(q) list(q[[1]], as.list(q[[2]]))), n_reps = 100), expect = e, rtol = 1e-6, atol = 1e-7,
       source = source_of("lavaan(model, data, auto.var = TRUE, auto.cov.y = FALSE, fixed.x = TRUE), fitMeasures, parameterEstimates; lm per equation"))
}
with_places <- function(defined, at) { attr(defined, "at") <- at; defined }
set.seed(31)
n <- 120; X1 <- round(rnorm(n), 2); X2 <- round(.4 * X1 + rnorm(n), 2); M1 <- round(.5 * X1 + .3 * X2 + rnorm(n), 2); M2 <- round(.6 * M1 + rnorm(n), 2); Y <- round(.4 * M2 + .3 * M1 + .2 * X1 + rnorm(n), 2)
d <- data.frame(X1, X2, M1, M2, Y); holes <- d; holes$M1[c(3, 8)] <- NA; holes$Y[100] <- NA
chain <- list(list("M1", c("X1", "X2")), list("M2", "M1"), list("Y", c("M2", "M1")))
med <- list(list("hp", "disp"), list("mpg", c("hp", "disp"))); m1 <- list(list("M1", "X1"), list("Y", "M1"))
cases <- list(
  path("chain", d, chain, with_places(list(ind = "b_M1_X1*b_M2_M1*b_Y_M2", tot = "b_M1_X1*b_M2_M1*b_Y_M2 + b_M1_X1*b_Y_M1"),
    list(ind = "details.indirect_effects.X1 -> M1 -> M2 -> Y", tot = "details.total_effects.X1 -> Y.indirect"))),
  path("mediation-saturated", mtcars[, c("mpg", "disp", "hp")], med, with_places(list(ind = "b_hp_disp*b_mpg_hp", tot = "b_hp_disp*b_mpg_hp + b_mpg_disp"),
    list(ind = "details.indirect_effects.disp -> hp -> mpg", tot = "details.total_effects.disp -> mpg.total"))),
  path("full-mediation-missing", holes[, c("X1", "M1", "Y")], m1, with_places(list(ind = "b_M1_X1*b_Y_M1"), list(ind = "details.indirect_effects.X1 -> M1 -> Y"))),
  path("two-outcomes", d, list(list("M1", "X1"), list("M2", c("X2")))),
  refuse("cycle", list(a = 1:9, b = c(2, 1, 4, 3, 6, 5, 8, 7, 9)), list(list("a", "b"), list("b", "a")), "cycle", "the model is not recursive"),
  refuse("constant", list(a = 1:6, b = rep(1, 6)), list(list("a", "b")), "zero_variance", "no variance"),
  refuse("unknown", list(a = 1:6, b = c(2, 1, 4, 3, 6, 5)), list(list("a", "c")), "unknown_name", "no such column"))
write(toJSON(list(tool = "path_analysis", cases = cases), auto_unbox = TRUE, digits = NA, null = "null", pretty = TRUE), "values/path_analysis.json")
