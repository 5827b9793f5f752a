if (is.null(p1)) { p1 <- 0.5 + effect_size / 2; p2 <- 0.5 - effect_size / 2 }
q <- qnorm(1 - if (alternative == "two-sided") alpha / 2 else alpha)
pooled <- (p1 + p2) / 2
under_null <- sqrt(2 * pooled * (1 - pooled)); under_other <- sqrt(p1 * (1 - p1) + p2 * (1 - p2))
exact <- ((q * under_null + qnorm(power) * under_other) / (p1 - p2))^2
say("n_exact", exact)
say("n", ceiling(exact))
say("n_total", 2 * ceiling(exact))
say("achieved_power", pnorm((sqrt(ceiling(exact)) * abs(p1 - p2) - q * under_null) / under_other))
