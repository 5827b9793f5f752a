# Reference values of power_analysis and sample_size_calculator. Run from the project root:
# Rscript tests/reference/scripts/power.R   (packages jsonlite and pwr)
suppressPackageStartupMessages({library(jsonlite); library(pwr)})
src <- function(program) list(program = program, version = if (grepl("pwr", program)) paste("R", getRversion(), "pwr",
  packageVersion("pwr")) else as.character(getRversion()), command = "Rscript tests/reference/scripts/power.R")
# pwr solves with a loose tolerance, so its power curve is inverted here with a tight one.
solve_n <- function(curve, power, low, high = 1e7) uniroot(function(n) curve(n) - power, c(low, high), tol = 1e-11)$root
t2n <- function(n1, n2, d, a, alt) pwr.t2n.test(n1 = n1, n2 = n2, d = d, sig.level = a, alternative = alt)$power
p_case <- function(id, args, expect, rtol = 1e-8) list(id = id, arguments = args, expect = expect, rtol = rtol, source = src("R with pwr"))
alt <- function(x) sub("-", ".", x)
need <- function(id, d, power = .8, a = .05, alternative = "two-sided", ratio = 1) {
  curve <- function(n) t2n(n, n * ratio, d, a, alt(alternative))
  n <- solve_n(curve, power, max(2, 2 / ratio) + 1e-9); m <- ceiling(n)
  args <- list(effect_size = d, power = power, alpha = a)
  if (alternative != "two-sided") args$alternative <- alternative
  if (ratio != 1) args$ratio <- ratio
  p_case(id, args, list(n_exact = n, n = m, n_total = m + ceiling(m * ratio - 1e-9), achieved_power = t2n(m, ceiling(m * ratio - 1e-9), d, a, alt(alternative))))
}
have <- function(id, d, n, a = .05, alternative = "two-sided", ratio = 1) {
  args <- list(effect_size = d, n = n, alpha = a, alternative = alternative, ratio = ratio)
  p_case(id, args, list(power = t2n(n, ceiling(n * ratio - 1e-9), d, a, alt(alternative))))
}
detect <- function(id, n, power, a = .05, alternative = "two-sided") {
  s <- if (alternative == "less") c(-20, 0) else c(0, 20)
  d <- uniroot(function(d) t2n(n, n, d, a, alt(alternative)) - power, s, tol = 1e-13)$root
  p_case(id, list(n = n, power = power, alpha = a, alternative = alternative), list(effect_size = d))
}
level <- function(id, d, n, power) {
  a <- uniroot(function(a) t2n(n, n, d, a, "two.sided") - power, c(1e-8, .999), tol = 1e-14)$root
  p_case(id, list(effect_size = d, n = n, power = power), list(alpha = a, solved_for = "alpha"))
}
other <- function(id, d, power, type, design) {
  n <- solve_n(function(n) pwr.t.test(n = n, d = d, type = type)$power, power, 2 + 1e-9)
  p_case(id, list(effect_size = d, power = power, design = design), list(n_exact = n, n = ceiling(n)))
}
analysis <- list(need("d-half", .5), need("d-0.4", .4), need("d-small-90", .2, .9), need("alpha-01", .8, .95, .01),
  need("greater", .5, alternative = "greater"), need("less", -.35, .9, alternative = "less"), need("ratio-2", .5, ratio = 2),
  need("ratio-half", .6, .9, ratio = .5), have("power-30", .5, 30), have("power-null", 0, 25), have("power-less", .3, 25, .05, "less"),
  have("power-ratio", .45, 20, .05, "two-sided", 3), have("power-negative-d", -.7, 15), detect("detect-30", 30, .8),
  detect("detect-less", 20, .9, .05, "less"), level("alpha-solved", .5, 30, .6), other("paired", .4, .8, "paired", "paired"),
  other("one-sample", .3, .9, "one.sample", "one_sample"))
base <- power.t.test(n = 17, delta = .9, sd = 1, strict = TRUE)
analysis <- c(analysis, list(list(id = "power-t-test", arguments = list(effect_size = .9, n = 17, alpha = .05),
  expect = list(power = base$power), rtol = 1e-9, source = src("R (power.t.test, strict)"))))
write(toJSON(list(tool = "power_analysis", cases = analysis), auto_unbox = TRUE, digits = NA, pretty = 1), "tests/reference/values/power_analysis.json")

s_case <- function(id, design, args, expect, rtol = 1e-8, program = "R with pwr")
  list(id = id, arguments = c(list(design = design), args), expect = expect, rtol = rtol, source = src(program))
means <- function(id, d, power = .8, a = .05) { n <- solve_n(function(n) pwr.t.test(n = n, d = d, sig.level = a)$power, power, 2 + 1e-9)
  s_case(id, "means", list(effect_size = d, power = power, alpha = a), list(n_exact = n, n = ceiling(n), n_per_group = ceiling(n))) }
props <- function(id, es = NULL, p1 = .5 + es / 2, p2 = .5 - es / 2, power = .8, a = .05) {
  n <- power.prop.test(p1 = p1, p2 = p2, power = power, sig.level = a, tol = 1e-12)$n
  h <- if (is.null(es)) ES.h(p1, p2) else es
  m <- solve_n(function(n) pwr.2p.test(h = h, n = n, sig.level = a)$power, power, 2 + 1e-9)
  args <- c(if (is.null(es)) list(p1 = p1, p2 = p2) else list(effect_size = es), list(power = power, alpha = a))
  s_case(id, "proportions", args, list(n_exact = n, n = ceiling(n), also.cohens_h.effect_size = h, also.cohens_h.n_exact = m,
    also.cohens_h.n = ceiling(m)), 1e-7, "R (power.prop.test) with pwr") }
corr <- function(id, r, power = .8, a = .05) {
  z <- ((qnorm(1 - a / 2) + qnorm(power)) / atanh(r))^2 + 3
  # exact: given the n - 1 scaled squares of x, the t statistic of r is noncentral t
  exact <- function(n, tail) { tc <- qt(a / 2, n - 2, lower.tail = FALSE); s <- r / sqrt(1 - r^2)
    f <- function(v) (pt(tc, n - 2, s * sqrt(v), lower.tail = FALSE) + pt(-tc, n - 2, s * sqrt(v))) * dchisq(v, n - 1)
    centre <- n - 1; w <- 9 * sqrt(2 * (n - 1)) + 40
    integrate(f, max(0, centre - w), centre, rel.tol = 1e-11)$value + integrate(f, centre, centre + w, rel.tol = 1e-11)$value }
  m <- solve_n(exact, power, 4, 5000)
  s_case(id, "correlation", list(effect_size = r, power = power, alpha = a), list(n_exact = z, n = ceiling(z),
    also.exact.n_exact = m, also.exact.n = ceiling(m), also.exact.achieved_power = exact(ceiling(m))), 1e-7, "R (definition, pt with ncp integrated)") }
reg <- function(id, f2, k, u = k, power = .8, a = .05) {
  curve <- function(n) pf(qf(a, u, n - k - 1, lower.tail = FALSE), u, n - k - 1, f2 * n, lower.tail = FALSE)
  n <- solve_n(curve, power, k + 2, 1e5)
  if (u == k) stopifnot(abs(pwr.f2.test(u = k, v = n - k - 1, f2 = f2, sig.level = a)$power - power) < 1e-8)
  args <- list(effect_size = f2, n_predictors = k, power = power, alpha = a); if (u != k) args$n_tested <- u
  s_case(id, "regression", args, list(n_exact = n, n = ceiling(n), achieved_power = curve(ceiling(n)))) }
anv <- function(id, f, k, power = .8, a = .05) {
  n <- solve_n(function(n) pwr.anova.test(k = k, n = n, f = f, sig.level = a)$power, power, 2, 1e5)
  s_case(id, "anova", list(effect_size = f, n_groups = k, power = power, alpha = a), list(n_exact = n, n = ceiling(n),
    n_total = k * ceiling(n), achieved_power = pwr.anova.test(k = k, n = ceiling(n), f = f, sig.level = a)$power)) }
sizes <- list(means("means-half", .5), means("means-small", .2, .9), means("means-large", 1.1, .95, .01),
  props("props-20", .2), props("props-10", .1, power = .9), props("props-p1-p2", p1 = .85, p2 = .65), props("props-rare", p1 = .02, p2 = .05, a = .01),
  corr("r-30", .3), corr("r-10", .1, .9), corr("r-negative", -.55, .95, .01), corr("r-50", .5),
  reg("f2-medium", .15, 5), reg("f2-small", .02, 3, power = .9), reg("f2-subset", .1, 8, 2), reg("f2-one", .35, 1),
  anv("f-25-k2", .25, 2), anv("f-25-k3", .25, 3), anv("f-25-k5", .25, 5), anv("f-10-k4", .1, 4, .9), anv("f-40-k10", .4, 10))
write(toJSON(list(tool = "sample_size_calculator", cases = sizes), auto_unbox = TRUE, digits = NA, pretty = 1), "tests/reference/values/sample_size_calculator.json")
