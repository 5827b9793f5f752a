# Reference values of t_test, from R's t.test and the noncentral t by uniroot on pt; run from tests/reference.
library(jsonlite)
options(digits = 17)
src <- function(cmd) list(program = "R", version = as.character(getRversion()), command = cmd)
cases <- list()
add <- function(id, arguments, expect, cmd, rtol = 1e-9) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, expect = expect, rtol = rtol, source = src(cmd))
}
ncp <- function(t, df, p) uniroot(function(x) pt(t, df, x) - p, c(t - 20, t + 20), tol = 1e-12)$root
j <- function(df) exp(lgamma(df / 2) - lgamma((df - 1) / 2) - log(df / 2) / 2)
two <- function(id, a, b, alternative = "two.sided", mu = 0, level = 0.95, ja = a, jb = b) {
  w <- t.test(a, b, alternative = alternative, mu = mu, conf.level = level)
  s <- t.test(a, b, alternative = alternative, mu = mu, conf.level = level, var.equal = TRUE)
  n1 <- length(a); n2 <- length(b); df <- n1 + n2 - 2
  sp <- sqrt(((n1 - 1) * var(a) + (n2 - 1) * var(b)) / df)
  d <- (mean(a) - mean(b)) / sp; k <- sqrt(1 / n1 + 1 / n2)
  e <- list(statistic = unname(w$statistic), df = unname(w$parameter), p_value = w$p.value, std_error = w$stderr,
            estimate = mean(a) - mean(b),
            "also.student.statistic" = unname(s$statistic), "also.student.df" = unname(s$parameter),
            "also.student.p_value" = s$p.value,
            "groups.group1.std_dev" = sd(a), "groups.group2.mean" = mean(b),
            "effect_sizes.cohens_d.estimate" = d, "effect_size.estimate" = j(df) * d)
  if (is.finite(w$conf.int[1])) e$conf_low <- w$conf.int[1]
  if (is.finite(w$conf.int[2])) e$conf_high <- w$conf.int[2]
  args <- list(type = "independent", group1 = ja, group2 = jb, alpha = 1 - level,
               alternative = sub(".", "-", alternative, fixed = TRUE), mu0 = mu)
  add(id, args, e, "t.test(a, b), var.equal both ways; pooled d, J by lgamma", 1e-9)
  if (alternative == "two.sided" && abs(d / k) < 10) {  # R's noncentral pt loses precision beyond
    tt <- d / k
    add(paste0(id, "-effect-interval"), args,
        list("effect_sizes.cohens_d.conf_low" = ncp(tt, df, 1 - (1 - level) / 2) * k,
             "effect_sizes.cohens_d.conf_high" = ncp(tt, df, (1 - level) / 2) * k),
        "uniroot on pt(t, df, ncp)", 1e-6)
  }
}
sleep1 <- sleep$extra[1:10]; sleep2 <- sleep$extra[11:20]
two("sleep", sleep1, sleep2)
two("unequal-n", c(12.1, 14.7, 13.3), c(10.2, 11.9, 9.8, 10.4, 13.1, 12.2, 11.7), level = 0.9)
two("greater", mtcars$mpg[mtcars$am == 1], mtcars$mpg[mtcars$am == 0], alternative = "greater")
two("less-mu", iris$Sepal.Length[1:50], iris$Sepal.Length[51:100], alternative = "less", mu = -1)
two("ties", c(1, 1, 2, 2, 3), c(2, 2, 2, 3, 3, 3))
two("constant-group", c(1, 2, 3), c(3, 3, 3))
two("tiny-p", c(1.0, 1.1, 1.2, 1.05, 1.15), c(101.0, 101.1, 100.9, 101.05, 100.95))
two("missing", c(5.1, 4.9, 6.0), c(4.1, 3.9, 4.4, 4.0),
    ja = list(5.1, NULL, 4.9, 6.0), jb = c(4.1, 3.9, 4.4, 4.0))
offset <- 1e9
two("offset", offset + c(0.25, 0.5, 1.25, 2.0), offset + c(1.5, 2.25, 3.0, 3.5, 4.75))
one <- function(id, a, mu = 0, alternative = "two.sided") {
  r <- t.test(a, mu = mu, alternative = alternative); n <- length(a); d <- (mean(a) - mu) / sd(a)
  e <- list(statistic = unname(r$statistic), df = unname(r$parameter), p_value = r$p.value, estimate = mean(a),
            std_error = r$stderr, "effect_sizes.cohens_d.estimate" = d, "effect_size.estimate" = j(n - 1) * d)
  if (is.finite(r$conf.int[1])) e$conf_low <- r$conf.int[1]
  if (is.finite(r$conf.int[2])) e$conf_high <- r$conf.int[2]
  add(id, list(type = "one_sample", group1 = a, mu0 = mu, alternative = sub(".", "-", alternative, fixed = TRUE)), e,
      "t.test(a, mu = mu)")
}
one("one-mpg", mtcars$mpg, 20)
one("one-greater", c(3.2, 4.1, 3.9, 5.0), 3, "greater")
one("one-less-ties", c(2, 2, 2, 3), 2.5, "less")
one("one-faithful", faithful$eruptions, 3.5)
paired <- function(id, a, b, alternative = "two.sided", mu = 0, ja = a, jb = b) {
  r <- t.test(a, b, paired = TRUE, alternative = alternative, mu = mu)
  d <- a - b; n <- length(d); dz <- (mean(d) - mu) / sd(d)
  e <- list(statistic = unname(r$statistic), df = unname(r$parameter), p_value = r$p.value, estimate = mean(d), n = n,
            "effect_sizes.cohens_d.estimate" = dz, "effect_size.estimate" = j(n - 1) * dz,
            "effect_sizes.cohens_d_average.estimate" = (mean(d) - mu) / sqrt((var(a) + var(b)) / 2))
  if (is.finite(r$conf.int[1])) e$conf_low <- r$conf.int[1]
  if (is.finite(r$conf.int[2])) e$conf_high <- r$conf.int[2]
  add(id, list(type = "paired", group1 = ja, group2 = jb, mu0 = mu,
               alternative = sub(".", "-", alternative, fixed = TRUE)), e, "t.test(a, b, paired = TRUE)")
}
paired("paired-sleep", sleep1, sleep2)
paired("paired-anscombe", anscombe$y1, anscombe$y3, "greater")
paired("paired-mu", c(10, 12, 9, 11), c(8, 11, 9, 7), mu = 1)
paired("paired-missing", c(1.5, 2.5, 4.0), c(1.0, 2.75, 3.0), ja = list(1.5, 2.5, 9, 4.0), jb = list(1.0, 2.75, NULL, 3.0))
refuse <- function(id, args, code) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = args, error_code = code,
    source = src("t.test stops: data are essentially constant / not enough observations"))
}
refuse("constant", list(type = "independent", group1 = c(1, 1, 1), group2 = c(2, 2, 2)), "zero_variance")
refuse("one-value", list(type = "one_sample", group1 = I(c(1))), "too_few_values")
refuse("same-differences", list(type = "paired", group1 = c(1, 2, 3), group2 = c(0, 1, 2)), "zero_variance")
write(toJSON(list(tool = "t_test", cases = cases), auto_unbox = TRUE, digits = NA, null = "null", pretty = 1),
      "values/t_test.json")
