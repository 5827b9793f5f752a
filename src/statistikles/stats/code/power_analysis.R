# unless: ratio, design, n
solved <- power.t.test(delta = effect_size, sd = 1, sig.level = alpha, power = power, strict = TRUE, tol = 1e-12,
                       alternative = if (alternative == "two-sided") "two.sided" else "one.sided")
say("n_exact", solved$n)
n <- ceiling(solved$n)
say("n", n)
say("n_total", 2 * n)
say("achieved_power", power.t.test(n = n, delta = effect_size, sd = 1, sig.level = alpha, strict = TRUE,
    alternative = if (alternative == "two-sided") "two.sided" else "one.sided")$power)
