# Reference values of nonlinear_regression. Run from the project root: Rscript tests/reference/scripts/nonlinear.R
suppressPackageStartupMessages(library(jsonlite))
src <- list(program = "R (nls)", version = as.character(getRversion()), command = "Rscript tests/reference/scripts/nonlinear.R")
one <- function(id, text, response, data, start, rtol = 2e-6, keep = names(data)) {
  f <- as.formula(paste(response, "~", gsub("**", "^", text, fixed = TRUE)))
  fit <- nls(f, na.omit(data[keep]), start = start, control = nls.control(tol = 1e-7, maxiter = 500)); s <- summary(fit); co <- coef(s)
  e <- list(); put <- function(k, v) e[[k]] <<- unname(v); df <- df.residual(fit); q <- qt(.975, df)
  for (p in names(start)) { k <- paste0("terms.", p, "."); put(paste0(k, "estimate"), co[p, 1]); put(paste0(k, "std_error"), co[p, 2])
    put(paste0(k, "statistic"), co[p, 3]); put(paste0(k, "conf_low"), co[p, 1] - q * co[p, 2]); put(paste0(k, "conf_high"), co[p, 1] + q * co[p, 2]) }
  put("residual_std_error", s$sigma); put("df_error", df); put("details.sum_sq_residual", deviance(fit)); put("n", nobs(fit))
  put("log_likelihood", as.numeric(logLik(fit))); put("aic", AIC(fit)); put("bic", BIC(fit))
  w <- shapiro.test(as.numeric(resid(fit))); put("diagnostics.residual_normality.statistic", w$statistic)
  put("n_missing", nrow(data) - nobs(fit))
  list(id = id, arguments = list(formula = text, data = as.list(data[keep]), response = response, start = start), expect = e, rtol = rtol, atol = 1e-9, source = src)
}
p <- as.data.frame(Puromycin)[Puromycin$state == "treated", c("conc", "rate")]; d <- data.frame(DNase)[DNase$Run == 1, c("conc", "density")]
b <- data.frame(demand = BOD$demand, Time = BOD$Time); i <- data.frame(Indometh)[Indometh$Subject == 1, c("time", "conc")]
m <- p; m$rate[c(3, 8)] <- NA; l <- data.frame(Loblolly)[1:30, c("height", "age")]
cases <- list(one("michaelis-menten", "vm*conc/(k+conc)", "rate", p, list(vm = 200, k = 0.05)),
  one("missing", "vm*conc/(k+conc)", "rate", m, list(vm = 200, k = 0.05)),
  one("logistic-curve", "a/(1+exp((mid-log(conc))/s))", "density", d, list(a = 2.5, mid = 1.5, s = 1)),
  one("saturation", "a*(1-exp(-b*Time))", "demand", b, list(a = 20, b = 0.5)),
  one("two-exponentials", "a1*exp(-b1*time)+a2*exp(-b2*time)", "conc", i, list(a1 = 2, b1 = 2, a2 = .5, b2 = .2), 2e-5),
  one("power", "a*age**b", "height", l, list(a = 5, b = .8)),
  one("log-response", "a-b*age", "log(height)", l, list(a = 2, b = -.1)))
write(toJSON(list(tool = "nonlinear_regression", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = 1),
      "tests/reference/values/nonlinear_regression.json")
