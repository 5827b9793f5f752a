tested <- if (is.null(n_tested)) n_predictors else n_tested
power_of <- function(n) {
  df <- n - n_predictors - 1
  pf(qf(1 - alpha, tested, df), tested, df, effect_size * n, lower.tail = FALSE)
}
exact <- uniroot(function(n) power_of(n) - power, c(n_predictors + 1.1, 1e6), tol = 1e-13, maxiter = 1e4)$root
say("n_exact", exact)
say("n", ceiling(exact))
say("achieved_power", power_of(ceiling(exact)))
