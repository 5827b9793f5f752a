# unless: r, eta_squared, odds_ratio, control_event_rate
d <- cohens_d
a <- if (is.null(n1) || is.null(n2)) 4 else (n1 + n2)^2 / (n1 * n2)
r <- d / sqrt(d^2 + a)
say(c("cohens_d", "estimate"), d)
say(c("r", "estimate"), r)
say(c("eta_squared", "estimate"), r^2)
say(c("cohens_f", "estimate"), sqrt(r^2 / (1 - r^2)))
say(c("log_odds_ratio", "estimate"), d * pi / sqrt(3))
say(c("odds_ratio", "estimate"), exp(d * pi / sqrt(3)))
say(c("common_language", "estimate"), pnorm(d / sqrt(2)))
say(c("cohens_u3", "estimate"), pnorm(d))
say(c("overlap", "estimate"), 2 * pnorm(-abs(d) / 2))
if (!is.null(n1) && !is.null(n2)) say(c("hedges_g", "estimate"), d * hedges_factor(n1 + n2 - 2))
