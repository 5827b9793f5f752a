tail <- (1 - conf_level) / 2
say("estimate", mean(samples))
say("conf_low", quantile(samples, tail, type = 7))
say("conf_high", quantile(samples, 1 - tail, type = 7))
say(c("also", "median"), median(samples))
say(c("also", "std_dev"), sd(samples))
