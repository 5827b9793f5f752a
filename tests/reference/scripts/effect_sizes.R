# Reference values of effect_size_calculator: the conversions written out, intervals by uniroot on pt and pf.
# Run from tests/reference: Rscript scripts/effect_sizes.R
library(jsonlite)
options(digits = 17, warn = -1)
src <- function(cmd) list(program = "R", version = as.character(getRversion()), command = cmd)
cases <- list()
add <- function(id, arguments, expect, cmd, rtol = 1e-9) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, expect = expect, rtol = rtol, source = src(cmd))
}
refuse <- function(id, arguments, code, cmd) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, error_code = code, source = src(cmd))
}
root <- function(f, ends) uniroot(f, ends, tol = 1e-13)$root
spread <- function(d, a) {  # everything that follows from d
  f <- sqrt(d^2 / (d^2 + a)); r <- d / sqrt(d^2 + a)
  list("cohens_d.estimate" = d, "r.estimate" = r, "eta_squared.estimate" = r^2, "cohens_f.estimate" = sqrt(r^2 / (1 - r^2)),
       "odds_ratio.estimate" = exp(d * pi / sqrt(3)), "common_language.estimate" = pnorm(d / sqrt(2)),
       "cohens_u3.estimate" = pnorm(d), "overlap.estimate" = 2 * pnorm(-abs(d) / 2))
}
formulas <- "d/sqrt(d^2 + a), exp(d*pi/sqrt(3)), pnorm(d/sqrt(2)), 2*pnorm(-abs(d)/2)"
j <- function(m) gamma(m / 2) / (sqrt(m / 2) * gamma((m - 1) / 2))
from_d <- function(id, d, n1 = NULL, n2 = NULL, level = 0.95) {
  a <- if (is.null(n1)) 4 else (n1 + n2)^2 / (n1 * n2)
  args <- c(list(cohens_d = d, conf_level = level), if (!is.null(n1)) list(n1 = n1, n2 = n2))
  e <- spread(d, a)
  if (!is.null(n1)) {
    e$"hedges_g.estimate" <- j(n1 + n2 - 2) * d
    t <- d / sqrt(1 / n1 + 1 / n2); e$"r_sample.estimate" <- t / sqrt(t^2 + n1 + n2 - 2)
  }
  add(id, args, e, formulas)
  if (!is.null(n1)) {
    k <- sqrt(1 / n1 + 1 / n2); t <- d / k; df <- n1 + n2 - 2; al <- (1 - level) / 2
    lo <- k * root(function(x) pt(t, df, x) - (1 - al), c(t - 15, t + 15)); hi <- k * root(function(x) pt(t, df, x) - al, c(t - 15, t + 15))
    add(paste0(id, "-interval"), args, list("cohens_d.conf_low" = lo, "cohens_d.conf_high" = hi,
        "r.conf_low" = lo / sqrt(lo^2 + a), "odds_ratio.conf_high" = exp(hi * pi / sqrt(3)),
        "common_language.conf_low" = pnorm(lo / sqrt(2))), "uniroot on pt(t, df, ncp), then the same conversions", 1e-6)
  }
}
from_d("d-no-n", 0.5)
from_d("d-equal-n", 0.8, 30, 30)
from_d("d-unequal-n", -0.35, 20, 55, 0.9)
from_d("d-large", 2.5, 12, 15)
from_r <- function(id, r, n1 = NULL, n2 = NULL) {
  a <- if (is.null(n1)) 4 else (n1 + n2)^2 / (n1 * n2); back <- function(r) sqrt(a) * r / sqrt(1 - r^2)
  e <- spread(back(r), a)
  if (!is.null(n1)) {
    z <- atanh(r) + c(-1, 1) * qnorm(.975) / sqrt(n1 + n2 - 3)
    e$"r.conf_low" <- tanh(z[1]); e$"r.conf_high" <- tanh(z[2]); e$"cohens_d.conf_low" <- back(tanh(z[1]))
  }
  add(id, c(list(r = r), if (!is.null(n1)) list(n1 = n1, n2 = n2)), e, paste("sqrt(a) r/sqrt(1 - r^2), Fisher z;", formulas))
}
from_r("r-no-n", 0.3)
from_r("r-negative", -0.45, 40, 25)
from_r("r-small", 0.05, 150, 90)
from_eta <- function(id, eta, n1 = NULL, n2 = NULL) {
  a <- if (is.null(n1)) 4 else (n1 + n2)^2 / (n1 * n2); d <- sqrt(a * eta / (1 - eta)); e <- spread(d, a); rtol <- 1e-9
  if (!is.null(n1)) {
    m <- n1 + n2 - 2; f <- eta / (1 - eta) * m; rtol <- 1e-6
    up <- root(function(x) pf(f, 1, m, x) - .025, c(0, f * 10 + 100)); e$"cohens_d.conf_high" <- sqrt(up * (1 / n1 + 1 / n2))
    e$"cohens_d.conf_low" <- if (pf(f, 1, m) <= .975) 0 else sqrt(root(function(x) pf(f, 1, m, x) - .975, c(0, f * 10 + 100)) * (1 / n1 + 1 / n2))
  }
  add(id, c(list(eta_squared = eta), if (!is.null(n1)) list(n1 = n1, n2 = n2)), e, paste("sqrt(a eta/(1 - eta)), uniroot on pf;", formulas), rtol)
}
from_eta("eta-no-n", 0.06)
from_eta("eta-n", 0.14, 35, 40)
from_eta("eta-small", 0.01, 20, 20)
from_or <- function(id, or, n1 = NULL, n2 = NULL, rate = NULL) {
  a <- if (is.null(n1)) 4 else (n1 + n2)^2 / (n1 * n2); d <- log(or) * sqrt(3) / pi; e <- spread(d, a)
  args <- list(odds_ratio = or); e$"cox.cohens_d" <- log(or) / 1.65
  p0 <- if (is.null(rate)) 0.01 else rate
  cut <- function(s) { p <- pnorm(qnorm(p0) + s); p / (1 - p) / (p0 / (1 - p0)) }
  e$"odds_ratio_cutoffs.small" <- cut(.2); e$"odds_ratio_cutoffs.medium" <- cut(.5); e$"odds_ratio_cutoffs.large" <- cut(.8)
  if (!is.null(rate)) {
    args$control_event_rate <- rate; o <- or * rate / (1 - rate); p1 <- o / (1 + o)
    e$"number_needed_to_treat.estimate" <- 1 / (p1 - rate)
    if (!is.null(n1)) {
      se <- sqrt(1 / (n1 * p1) + 1 / (n1 * (1 - p1)) + 1 / (n2 * rate) + 1 / (n2 * (1 - rate)))
      e$"odds_ratio.conf_low" <- exp(log(or) - qnorm(.975) * se); e$"odds_ratio.conf_high" <- exp(log(or) + qnorm(.975) * se)
    }
  }
  if (!is.null(n1)) { args$n1 <- n1; args$n2 <- n2 }
  add(id, args, e, paste("log(or)*sqrt(3)/pi; Chen's cut-offs by pnorm(qnorm(p0) + d); Woolf's SE;", formulas))
}
from_or("or-plain", 2.5)
from_or("or-protective", 0.4, 100, 120, 0.3)
from_or("or-large", 6.71, 60, 60, 0.1)
for (v in list(list("nnt-help", 0.5, 0.2), list("nnt-harm", -0.3, 0.4), list("nnt-rare", 0.8, 0.01)))
  add(v[[1]], list(cohens_d = v[[2]], control_event_rate = v[[3]]), list("number_needed_to_treat.estimate" =
      1 / (pnorm(v[[2]] + qnorm(v[[3]])) - v[[3]])), "1/(pnorm(d + qnorm(cer)) - cer), Furukawa & Leucht 2011")
refuse("none-given", list(n1 = 10, n2 = 10), "missing_argument", "nothing to convert")
refuse("two-given", list(cohens_d = 0.5, r = 0.2), "invalid_argument", "two effect sizes at once")
refuse("one-size", list(cohens_d = 0.5, n1 = 10), "missing_argument", "only one group size")
write_json(list(tool = "effect_size_calculator", cases = cases), "values/effect_size_calculator.json", digits = NA, auto_unbox = TRUE, null = "null", pretty = 1)
cat(length(cases), "cases\n")
