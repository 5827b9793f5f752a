# Reference values of meta_analysis from R's metafor; run from tests/reference.
suppressMessages({library(jsonlite); library(metafor)})
cases <- list()
src <- function(cmd) list(program = "R metafor", version = paste(getRversion(), packageVersion("metafor")), command = cmd)
tight <- list(threshold = 1e-12, maxiter = 1000, tol = 1e-12)
fixed <- function(id, y, v, jy = y, jv = v) {
  f <- rma(y, v, method = "FE")
  e <- list(estimate = c(f$beta), std_error = f$se, statistic = f$zval, p_value = f$pval, conf_low = f$ci.lb, conf_high = f$ci.ub)
  if (length(y) > 1) {
    e[["details.heterogeneity.q"]] <- f$QE; e[["details.heterogeneity.p_value"]] <- f$QEp
    e[["details.heterogeneity.i2_percent"]] <- 100 * max(0, (f$QE - (f$k - 1)) / f$QE)
  }
  cases[[length(cases) + 1]] <<- list(id = id, arguments = list(model = "fixed", effect_sizes = jy, variances = jv), expect = e,
    rtol = 1e-9, source = src('rma(yi, vi, method = "FE")'))
}
random <- function(id, y, v, lead = "REML", jy = y, jv = v) {
  f <- rma(y, v, method = lead, control = tight)
  d <- rma(y, v, method = "DL"); p <- rma(y, v, method = "PM", control = tight); r <- rma(y, v, method = "REML", control = tight)
  h <- rma(y, v, method = lead, test = "knha", control = tight)
  i <- confint(rma(y, v, method = "DL"), control = list(tol = 1e-12))$random
  e <- list(estimate = c(f$beta), std_error = f$se, p_value = f$pval, conf_low = f$ci.lb, conf_high = f$ci.ub,
            "details.tau2" = f$tau2, "details.heterogeneity.tau2_conf_low" = i["tau^2", "ci.lb"],
            "details.heterogeneity.tau2_conf_high" = if (i["tau^2", "ci.ub"] < 100) i["tau^2", "ci.ub"],  # metafor stops its search at 100
            "also.hartung_knapp.std_error" = h$se, "also.hartung_knapp.p_value" = h$pval, "also.hartung_knapp.conf_low" = h$ci.lb)
  e <- Filter(Negate(is.null), e)
  if (lead != "DL") { e[["also.dl.details.tau2"]] <- d$tau2; e[["also.dl.estimate"]] <- c(d$beta) }
  if (lead != "PM") e[["also.pm.details.tau2"]] <- p$tau2
  if (lead != "REML") e[["also.reml.details.tau2"]] <- r$tau2
  if (length(y) >= 3) {
    q <- qt(.975, f$k - 2) * sqrt(f$tau2 + f$se^2)
    e[["details.prediction_low"]] <- c(f$beta) - q; e[["details.prediction_high"]] <- c(f$beta) + q
  }
  cases[[length(cases) + 1]] <<- list(id = id,
    arguments = list(model = "random", tau2_method = tolower(lead), effect_sizes = jy, variances = jv), expect = e, rtol = 1e-6,
    atol = 1e-9, source = src('rma(yi, vi, method, test = "knha"); confint (Q-profile); qt(.975, k - 2)'))
}
bcg <- escalc(measure = "RR", ai = tpos, bi = tneg, ci = cpos, di = cneg, data = dat.bcg)
y <- c(bcg$yi); v <- c(bcg$vi)
fixed("bcg", y, v); random("bcg-reml", y, v); random("bcg-dl", y, v, "DL"); random("bcg-pm", y, v, "PM")
hom <- c(0.30, 0.31, 0.29, 0.32, 0.305); hv <- c(0.04, 0.05, 0.02, 0.03, 0.06)
fixed("homogeneous", hom, hv); random("homogeneous", hom, hv)
random("two", c(0.1, 0.9), c(0.02, 0.05))
fixed("one", 0.4, 0.04, jy = I(0.4), jv = I(0.04))
fixed("missing", c(0.2, 0.5, 0.1), c(0.02, 0.03, 0.05), jy = list(0.2, 0.5, NULL, 0.1), jv = list(0.02, 0.03, 0.04, 0.05))
random("scaled", y * 1e-3, v * 1e-6)
cases[[length(cases) + 1]] <- list(id = "zero-variance", arguments = list(model = "fixed", effect_sizes = c(1, 2), variances = c(0, 1)),
  error_code = "out_of_range", source = src("rma stops: non-positive sampling variances"))
write(toJSON(list(tool = "meta_analysis", cases = cases), auto_unbox = TRUE, digits = NA, null = "null", pretty = 1),
      "values/meta_analysis.json")
