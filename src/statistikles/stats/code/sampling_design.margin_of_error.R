z <- qnorm(1 - (1 - conf_level) / 2)
fpc <- if (is.null(population)) 1 else sqrt((population - n) / (population - 1))
error <- sqrt(proportion * (1 - proportion) / n) * fpc
m <- n / fpc^2
say("std_error", error)
say("margin_of_error", z * error)
centre <- (proportion + z^2 / (2 * m)) / (1 + z^2 / m)
reach <- z * sqrt(proportion * (1 - proportion) / m + z^2 / (4 * m^2)) / (1 + z^2 / m)
say(c("intervals", "wilson", "conf_low"), centre - reach)
say(c("intervals", "wilson", "conf_high"), centre + reach)
say(c("intervals", "wald", "conf_low"), max(0, proportion - z * error))
say(c("intervals", "wald", "conf_high"), min(1, proportion + z * error))
