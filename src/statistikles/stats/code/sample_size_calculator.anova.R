power_of <- function(n) {
  df <- n_groups * (n - 1)
  pf(qf(1 - alpha, n_groups - 1, df), n_groups - 1, df, effect_size^2 * n_groups * n, lower.tail = FALSE)
}
exact <- uniroot(function(n) power_of(n) - power, c(1.1, 1e6), tol = 1e-13, maxiter = 1e4)$root
say("n_exact", exact)
say("n", ceiling(exact))
say("n_total", n_groups * ceiling(exact))
say("achieved_power", power_of(ceiling(exact)))
