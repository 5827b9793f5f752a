# With groups, the deviations from the group means are tested together.
x <- if (is.null(groups)) data else unlist(lapply(groups, function(v) v - mean(v)), use.names = FALSE)
n <- length(x)
test <- if (n >= 3 && n <= 5000) shapiro.test(x)
if (!is.null(test)) {
  say(c("also", "shapiro_wilk", "statistic"), test$statistic)
  say(c("also", "shapiro_wilk", "p_value"), test$p.value)
}
m <- function(k) mean((x - mean(x))^k)
g1 <- m(3) / m(2)^1.5
g2 <- m(4) / m(2)^2 - 3
jb <- n / 6 * (g1^2 + g2^2 / 4)
say(c("also", "jarque_bera", "statistic"), jb)
say(c("also", "jarque_bera", "p_value"), pchisq(jb, 2, lower.tail = FALSE))
z <- sort((x - mean(x)) / sd(x))
i <- seq_len(n)
say(c("also", "anderson_darling", "statistic"),
    -n - mean((2 * i - 1) * (pnorm(z, log.p = TRUE) + pnorm(rev(z), lower.tail = FALSE, log.p = TRUE))))
say(c("also", "lilliefors", "statistic"), max(i / n - pnorm(z), pnorm(z) - (i - 1) / n))
say("n", n)
