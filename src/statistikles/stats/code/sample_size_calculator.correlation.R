z <- atanh(abs(effect_size))
q <- qnorm(1 - if (alternative == "two-sided") alpha / 2 else alpha)
exact <- ((q + qnorm(power)) / z)^2 + 3
say("n_exact", exact)
say("n", ceiling(exact))
say("achieved_power", pnorm(z * sqrt(ceiling(exact) - 3) - q))
