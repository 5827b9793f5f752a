# Reference values of test_assumptions: shapiro.test, tseries, car, goftest-free definitions written out.
# Run from tests/reference: Rscript scripts/assumptions.R
suppressMessages({library(jsonlite); library(tseries); library(car); library(MASS)})
options(digits = 17, warn = -1)
src <- function(cmd, program = "R", version = as.character(getRversion())) list(program = program, version = version, command = cmd)
cases <- list()
add <- function(id, arguments, expect, cmd, rtol = 1e-9) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, expect = expect, rtol = rtol, source = src(cmd))
}
refuse <- function(id, arguments, code, cmd) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, error_code = code, source = src(cmd))
}

# --- normality --------------------------------------------------------------------------------------
normal <- function(id, x, jx = x) {
  s <- shapiro.test(x); j <- jarque.bera.test(x); n <- length(x); z <- sort((x - mean(x)) / sd(x)); p <- pnorm(z)
  e <- list("also.shapiro_wilk.statistic" = unname(s$statistic), "also.shapiro_wilk.p_value" = s$p.value,
            statistic = unname(s$statistic), p_value = s$p.value,
            "also.lilliefors.statistic" = max(seq_len(n) / n - p, p - (seq_len(n) - 1) / n))
  if (n >= 8) e[["also.anderson_darling.statistic"]] <- -n - mean((2 * seq_len(n) - 1) * (log(p) + pnorm(rev(z), lower.tail = FALSE, log.p = TRUE)))
  args <- list(type = "normality", data = jx)
  add(id, args, e, "shapiro.test; Lilliefors and Anderson-Darling distances from pnorm of the z scores", 1e-6)
  add(paste0(id, "-jb"), args, list("also.jarque_bera.statistic" = unname(j$statistic), "also.jarque_bera.p_value" = j$p.value),
      "tseries::jarque.bera.test")
}
normal("normality-women", women$weight)
normal("normality-precip", as.numeric(precip))
normal("normality-skewed", faithful$eruptions)
normal("normality-ties", c(1, 1, 2, 2, 2, 3, 3, 4, 9))
normal("normality-missing", c(2.1, 3.4, 1.9, 5.6, 4.4), list(2.1, NULL, 3.4, 1.9, 5.6, 4.4))
normal("normality-rivers", rivers)
g <- split(PlantGrowth$weight, PlantGrowth$group)
r <- shapiro.test(residuals(lm(weight ~ group, PlantGrowth)))
add("normality-groups", list(type = "normality", groups = g), list(statistic = unname(r$statistic), p_value = r$p.value,
    "details.by_group.ctrl.p_value" = shapiro.test(g$ctrl)$p.value, "details.by_group.trt2.p_value" = shapiro.test(g$trt2)$p.value),
    "shapiro.test of the residuals of lm, and of each group", 1e-6)
refuse("normality-constant", list(type = "normality", data = c(3, 3, 3, 3)), "constant", "shapiro.test stops: all 'x' values are identical")

# --- variances --------------------------------------------------------------------------------------
spread <- function(id, g, jg = g) {
  x <- unlist(g, use.names = FALSE); f <- factor(rep(names(g), lengths(g)), levels = names(g))
  m <- leveneTest(x, f); a <- leveneTest(x, f, center = mean); k <- fligner.test(x, f); b <- bartlett.test(x, f)
  add(paste0("levene-", id), list(type = "levene", groups = jg),
      list(statistic = m[1, 2], p_value = m[1, 3], df = m[1, 1], df_error = m[2, 1],
           "also.mean_centred.statistic" = a[1, 2], "also.mean_centred.p_value" = a[1, 3],
           "effect_size.estimate" = m[1, 1] * m[1, 2] / (m[1, 1] * m[1, 2] + m[2, 1]),
           "also.fligner_killeen.statistic" = unname(k$statistic), "also.fligner_killeen.p_value" = k$p.value),
      "car::leveneTest, center = median and mean; fligner.test", 1e-8)
  v <- sapply(g, var)
  add(paste0("bartlett-", id), list(type = "bartlett", groups = jg),
      list(statistic = unname(b$statistic), df = unname(b$parameter), p_value = b$p.value, "effect_size.estimate" = max(v) / min(v)),
      "bartlett.test; max(var)/min(var)", 1e-9)
}
spread("sprays", split(as.numeric(InsectSprays$count), InsectSprays$spray))
spread("plants", g)
spread("two", list(a = c(1.5, 2.25, 9, 4, 5.5), b = c(3, 3.5, 4, 4.25)))
spread("missing", list(a = c(1, 5, 9), b = c(2, 2.5, 3, 8)), list(a = list(1, NULL, 5, 9), b = c(2, 2.5, 3, 8)))
refuse("bartlett-constant", list(type = "bartlett", groups = list(a = c(1, 1, 1), b = c(1, 2, 3))), "zero_variance", "log of a zero variance")
refuse("levene-constant", list(type = "levene", groups = list(a = c(1, 1, 1), b = c(2, 2, 2))), "zero_variance", "0/0 in the F of constant deviations")

# --- distribution -----------------------------------------------------------------------------------
given <- function(id, x, name, cdf, parameters, ...) {
  t <- ks.test(x, cdf, ..., exact = TRUE)
  add(id, list(type = "distribution", data = x, distribution = name, parameters = parameters),
      list(statistic = unname(t$statistic), p_value = t$p.value, "also.plain_ks.p_value" = t$p.value), "ks.test(exact = TRUE)", 1e-8)
}
x <- c(0.41, -0.22, 1.13, 0.05, -0.97, 0.62, 1.84, -0.38, 0.27, -1.41)
y <- c(0.35, 1.92, 0.08, 2.75, 0.64, 1.11, 0.29, 4.05, 0.91, 1.57, 0.48, 0.77)
given("fit-normal-given", x, "normal", "pnorm", list(mean = 0, sd = 1), 0, 1)
given("fit-exponential-given", y, "exponential", "pexp", list(rate = 0.8), 0.8)
given("fit-gamma-given", y, "gamma", "pgamma", list(shape = 1.4, scale = 0.9), 1.4, scale = 0.9)
given("fit-weibull-given", y, "weibull", "pweibull", list(shape = 1.2, scale = 1.3), 1.2, 1.3)
given("fit-lognormal-given", y, "lognormal", "plnorm", list(meanlog = -0.1, sdlog = 0.9), -0.1, 0.9)
given("fit-uniform-given", y / 5, "uniform", "punif", list(low = 0, high = 1), 0, 1)
fitted <- function(id, x, name, cdf, start = NULL, rtol = 1e-4) {
  d <- fitdistr(x, name, control = list(reltol = 1e-14)); e <- as.list(d$estimate)
  if (!is.null(e$rate) && name == "gamma") { e$scale <- 1 / e$rate; args <- list(shape = e$shape, rate = e$rate); e$rate <- NULL }
  else if (!is.null(e$rate)) { args <- list(rate = e$rate); e <- list(scale = 1 / e$rate) } else args <- e
  s <- do.call(ks.test, c(list(x, cdf), unname(args)))
  out <- setNames(e, paste0("details.parameters.", names(e))); out$statistic <- unname(s$statistic)
  add(id, list(type = "distribution", data = x, distribution = name, n_reps = 99), out, "MASS::fitdistr, then D of ks.test", rtol)
}
fitted("fit-gamma-estimated", y, "gamma", "pgamma")
fitted("fit-weibull-estimated", y, "weibull", "pweibull")
fitted("fit-exponential-estimated", y, "exponential", "pexp", rtol = 1e-9)
n <- length(y); inner <- sort(y)[2:(n - 1)]; u <- ks.test(inner, "punif", min(y), max(y), exact = TRUE)
add("fit-uniform-estimated", list(type = "distribution", data = y, distribution = "uniform"),
    list(p_value = u$p.value, "details.parameters.low" = min(y), "details.parameters.high" = max(y)),
    "ks.test of the inner values, which are uniform between the extremes", 1e-8)
counts <- c(0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 1, 0, 2)
k <- 0:20; dp <- max(abs(ecdf(counts)(k) - ppois(k, mean(counts))))
add("fit-poisson-estimated", list(type = "distribution", data = counts, distribution = "poisson", n_reps = 99),
    list(statistic = dp, "details.parameters.mean" = mean(counts)), "max(abs(ecdf(k) - ppois(k, mean)))")
refuse("fit-negative", list(type = "distribution", data = c(-1, 2, 3), distribution = "gamma"), "out_of_range", "outside the support")
refuse("fit-unknown-parameter", list(type = "distribution", data = y, distribution = "normal", parameters = list(mu = 1)), "invalid_input", "no such parameter")

# --- outliers ---------------------------------------------------------------------------------------
esd <- function(x, r, alpha = 0.05) {
  out <- list(); keep <- x
  for (i in seq_len(r)) {
    n <- length(x) - i + 1; z <- abs(keep - mean(keep)) / sd(keep); w <- which.max(z)
    t <- qt(1 - alpha / (2 * n), n - 2); lam <- t * (n - 1) / sqrt((n - 2 + t^2) * n)
    out[[i]] <- c(z[w], lam, keep[w]); keep <- keep[-w]
  }
  do.call(rbind, out)
}
outl <- function(id, x, r, alternative = "two-sided", jx = x) {
  n <- length(x); z <- (x - mean(x)) / sd(x)
  g <- switch(alternative, "two-sided" = max(abs(z)), greater = max(z), less = max(-z))
  t <- g * sqrt(n * (n - 2) / ((n - 1)^2 - n * g^2))
  p <- min(1, n * (if (alternative == "two-sided") 2 else 1) * pt(t, n - 2, lower.tail = FALSE))
  s <- esd(x, r); q <- quantile(x, c(.25, .75)); m <- abs(x - median(x)) * qnorm(.75) / mad(x, constant = 1)
  e <- list(statistic = g, p_value = p, "details.generalised_esd.n_outliers" = max(0, which(s[, 1] > s[, 2])),
            "details.iqr.n_outliers" = sum(x < q[[1]] - 1.5 * diff(q) | x > q[[2]] + 1.5 * diff(q)),
            "details.z.n_outliers" = sum(abs(z) > 3), "details.modified_z.n_outliers" = sum(m > 3.5),
            "details.iqr.upper_fence" = q[[2]] + 1.5 * unname(diff(q)))
  for (i in seq_len(r)) {
    at <- paste0("details.generalised_esd.steps.", i - 1, ".")
    e[[paste0(at, "statistic")]] <- s[i, 1]; e[[paste0(at, "critical_value")]] <- s[i, 2]; e[[paste0(at, "value")]] <- s[i, 3]
  }
  add(id, list(type = "outliers", data = jx, alternative = alternative, max_outliers = r), e,
      "Grubbs' G and its t by pt; Rosner's steps by qt; quantile, mad")
}
outl("outliers-grubbs", c(199.31, 199.53, 200.19, 200.82, 201.92, 201.95, 202.18, 245.57), 2)
outl("outliers-rivers", rivers, 6)
outl("outliers-greater", as.numeric(islands), 3, "greater")
outl("outliers-less-missing", c(5.1, 4.8, 5.3, 1.2, 5.0, 4.9, 5.2), 1, "less", list(5.1, 4.8, NULL, 5.3, 1.2, 5.0, 4.9, 5.2))
outl("outliers-ties", c(2, 2, 3, 3, 3, 4, 4, 5, 12), 2)
refuse("outliers-constant", list(type = "outliers", data = c(1, 1, 1, 1)), "zero_variance", "sd is zero")

write_json(list(tool = "test_assumptions", cases = cases), "values/test_assumptions.json", digits = NA, auto_unbox = TRUE, null = "null", pretty = 1)
cat(length(cases), "cases\n")
