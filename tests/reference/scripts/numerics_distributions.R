# Tail areas, quantiles and exact null distributions from R, for tests/numerics/test_distributions.py.
# Run: Rscript tests/reference/scripts/numerics_distributions.R > tests/numerics/values/distributions_r.json
library(jsonlite)
cases <- list()
add <- function(fn, args, value, command, rtol = 1e-12) {
  cases[[length(cases) + 1]] <<- list(fn = fn, args = args, value = value, command = command, rtol = rtol)
}
for (z in c(-3, 0.5, 2, 8, 30)) add("norm_sf", list(z), pnorm(z, lower = FALSE), "pnorm(z, lower=FALSE)")
for (p in c(1e-10, 0.025, 0.5, 0.9)) add("norm_ppf", list(p), qnorm(p), "qnorm(p)")
for (a in list(c(-1.2, 4), c(0.3, 1), c(2, 5), c(9, 30), c(50, 3), c(6, 1e5)))
  add("t_sf", as.list(a), pt(a[1], a[2], lower = FALSE), "pt(t, df, lower=FALSE)", 1e-11)
for (a in list(c(0.025, 4), c(0.4, 7.5), c(1e-8, 20), c(0.975, 12)))
  add("t_ppf", as.list(a), qt(a[1], a[2]), "qt(p, df)", 1e-10)
for (a in list(c(0.2, 3, 12), c(3, 2, 10), c(50, 4, 60), c(1.1, 100, 2000)))
  add("f_sf", as.list(a), pf(a[1], a[2], a[3], lower = FALSE), "pf(f, df1, df2, lower=FALSE)", 1e-11)
for (a in list(c(0.05, 3, 12), c(0.5, 2, 10), c(1e-6, 4, 60), c(0.99, 5, 500)))
  add("f_isf", as.list(a), qf(a[1], a[2], a[3], lower = FALSE), "qf(p, df1, df2, lower=FALSE)", 1e-9)
for (a in list(c(0.1, 1), c(7, 3), c(200, 20), c(900, 1000)))
  add("chi2_sf", as.list(a), pchisq(a[1], a[2], lower = FALSE), "pchisq(x, df, lower=FALSE)", 1e-11)
for (a in list(c(0.05, 1), c(0.9, 7), c(1e-9, 3)))
  add("chi2_isf", as.list(a), qchisq(a[1], a[2], lower = FALSE), "qchisq(p, df, lower=FALSE)", 1e-10)
for (a in list(c(800, 3, 2), c(2000, 5, 10)))
  add("f_logsf", as.list(c(a[1] * 1e3, a[2], a[3] * 100)),
      pf(a[1] * 1e3, a[2], a[3] * 100, lower = FALSE, log.p = TRUE), "pf(..., log.p=TRUE)", 1e-10)
for (a in list(c(0.3, 2, 3), c(0.99, 0.5, 8), c(0.05, 20, 4)))
  add("beta_cdf", as.list(a), pbeta(a[1], a[2], a[3]), "pbeta(x, a, b)", 1e-11)
for (a in list(c(0.4, 2.5, 1.7), c(30, 3, 2)))
  add("gamma_sf", as.list(a), pgamma(a[1], a[2], scale = a[3], lower = FALSE), "pgamma(lower=FALSE)", 1e-11)
for (a in list(c(0.4, 1.7, 2), c(9, 0.8, 3)))
  add("weibull_sf", as.list(a), pweibull(a[1], a[2], a[3], lower = FALSE), "pweibull(lower=FALSE)")
for (a in list(c(3, 10, 0.2), c(50, 1000, 0.04), c(0, 7, 0.6))) {
  add("binom_sf", as.list(a), pbinom(a[1], a[2], a[3], lower = FALSE), "pbinom(lower=FALSE)", 1e-11)
  add("binom_pmf", as.list(a), dbinom(a[1], a[2], a[3]), "dbinom(k, n, p)")
}
for (a in list(c(3, 10, 0.2), c(7, 20, 0.3), c(12, 13, 0.6), c(30, 100, 0.5)))
  for (alt in c("two-sided", "greater", "less"))
    add("binom_test_p", c(as.list(a), alt),
        binom.test(a[1], a[2], a[3], alternative = sub("-", ".", alt))$p.value, "binom.test", 1e-10)
for (a in list(c(3, 10), c(0, 12), c(12, 12), c(40, 300))) {
  ci <- binom.test(a[1], a[2])$conf.int
  add("clopper_pearson", as.list(a), c(ci[1], ci[2]), "binom.test()$conf.int", 1e-9)
}
for (a in list(c(4, 2.5), c(300, 250))) add("poisson_sf", as.list(a), ppois(a[1], a[2], lower = FALSE), "ppois", 1e-11)
for (a in list(c(4, 10, 7, 8), c(20, 300, 50, 900)))
  add("hypergeom_sf", as.list(a), phyper(a[1], a[3], a[4], a[2], lower = FALSE), "phyper(lower=FALSE)", 1e-10)
for (a in list(c(3, 1, 1, 3), c(1000, 2000, 3000, 4000), c(0, 9, 7, 2), c(12, 5, 29, 2), c(200, 1, 3, 150)))
  for (alt in c("two-sided", "greater", "less"))
    add("fisher_exact_p", c(as.list(a), alt),
        fisher.test(matrix(a, 2, byrow = TRUE), alternative = sub("-", ".", alt))$p.value, "fisher.test", 1e-9)
for (a in list(c(3.5, 3, 10), c(2, 5, 30), c(6, 4, 12), c(4, 10, 100)))
  add("studentized_range_sf", as.list(a), ptukey(a[1], a[2], a[3], lower = FALSE), "ptukey(lower=FALSE)", 1e-7)
for (a in list(c(0.05, 3, 10), c(0.01, 5, 30), c(0.1, 4, 8)))
  add("studentized_range_isf", as.list(a), qtukey(a[1], a[2], a[3], lower = FALSE), "qtukey(lower=FALSE)", 1e-4)
for (a in list(c(2, 10, 1), c(-1, 8, 0.5), c(4, 25, 3)))
  add("nc_t_cdf", as.list(a), pt(a[1], a[2], a[3]), "pt(t, df, ncp)", 1e-9)
for (a in list(c(3, 2, 20, 4), c(8, 3, 30, 10)))
  add("nc_f_cdf", as.list(a), pf(a[1], a[2], a[3], a[4]), "pf(f, df1, df2, ncp)", 1e-9)
for (a in list(c(5, 3, 4), c(30, 5, 20)))
  add("nc_chi2_cdf", as.list(a), pchisq(a[1], a[2], a[3]), "pchisq(x, df, ncp)", 1e-9)
for (a in list(c(20, 6, 8), c(31, 8, 11), c(900, 50, 50)))
  add("mann_whitney_exact_tails", as.list(a), c(pwilcox(a[1], a[2], a[3]), pwilcox(a[1] - 1, a[2], a[3], lower = FALSE)),
      "pwilcox")
for (a in list(c(30, 15), c(10, 12), c(400, 50)))
  add("signed_rank_exact_tails", list(a[1], as.list(seq_len(a[2]))),
      c(psignrank(a[1], a[2]), psignrank(a[1] - 1, a[2], lower = FALSE)), "psignrank")
set.seed(1)
for (n in c(6, 9, 20, 45)) {
  x <- rnorm(n); y <- x + rnorm(n)
  cc <- sum(outer(x, x, "-") * outer(y, y, "-") > 0) / 2
  add("kendall_exact_tails", list(cc, n),
      c(cor.test(x, y, method = "kendall", exact = TRUE, alternative = "less")$p.value,
        cor.test(x, y, method = "kendall", exact = TRUE, alternative = "greater")$p.value),
      "cor.test(kendall); R takes the upper tail as 1 - cdf, which costs it digits", 1e-8)
}
for (n in c(5, 7, 9)) {
  x <- rnorm(n); y <- x + rnorm(n)
  add("spearman_exact_tails", list(as.list(rank(x)), as.list(rank(y))),
      c(cor.test(x, y, method = "spearman", exact = TRUE, alternative = "less")$p.value,
        cor.test(x, y, method = "spearman", exact = TRUE, alternative = "greater")$p.value), "cor.test(spearman)")
}
for (n in c(5, 20, 90)) {
  x <- round(runif(n), 6)
  k <- ks.test(x, "punif", exact = TRUE)
  add("ks_one_sample_sf", list(unname(k$statistic), n), k$p.value, "ks.test(x, punif, exact=TRUE)", 1e-9)
}
for (m in c(4, 12, 40)) {
  x <- round(rnorm(m), 3); y <- round(rnorm(m + 3, 0.6), 3) + 1e-5
  for (alt in c("two-sided", "greater", "less")) {
    k <- ks.test(x, y, exact = TRUE, alternative = sub("-", ".", alt))
    add("ks_two_sample_exact_p", list(as.list(x), as.list(y), alt), c(unname(k$statistic), k$p.value),
        "ks.test(x, y, exact=TRUE); R 4.2 takes it as 1 - cdf, which costs it digits", 1e-9)
  }
}
for (m in c(6, 15)) {  # with ties: R 4.2 enumerates the tie pattern
  x <- round(rnorm(m), 0); y <- round(rnorm(m + 2, 0.8), 0)
  k <- ks.test(x, y, exact = TRUE)
  add("ks_two_sample_exact_p", list(as.list(x), as.list(y), "two-sided"), c(unname(k$statistic), k$p.value),
      "ks.test(x, y, exact=TRUE), ties", 1e-11)
}
for (n in c(3, 4, 5, 6, 11, 12, 60, 800)) {
  x <- round(rexp(n)^0.6, 6)
  s <- shapiro.test(x)
  add("shapiro_wilk", list(as.list(x)), c(unname(s$statistic), s$p.value), "shapiro.test(x)", 1e-9)
}
x <- c(2.1, 3.7, -1.4, 8.8, 0.3, 5.5, 5.5, 9.9, 4.2)
for (type in 1:9) for (size in c(9, 8))
  add("quantiles", list(as.list(x[1:size]), list(0, 0.1, 0.25, 0.35, 0.5, 0.75, 0.9, 1), type),
      unname(quantile(x[1:size], c(0, 0.1, 0.25, 0.35, 0.5, 0.75, 0.9, 1), type = type)), "quantile(x, p, type)")
cat(toJSON(list(program = "R", version = paste(R.version$major, R.version$minor, sep = "."),
                script = "tests/reference/scripts/numerics_distributions.R", cases = cases),
           auto_unbox = TRUE, digits = I(17), pretty = 1))
