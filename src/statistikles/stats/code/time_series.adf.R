# The regression is base R's; the p value is MacKinnon's response surface of 1994, the critical values those of 2010.
n <- length(data)
fixed <- match(trend, c("n", "c", "ct")) - 1
if (is.null(max_lag)) max_lag <- ceiling(12 * (n / 100)^0.25)
max_lag <- min(max_lag, n %/% 2 - fixed - 1)
fit_of <- function(lag, rows) {  # rows: how many, counted from the end
  change <- diff(data)
  at <- seq(to = n - 1, length.out = rows)
  terms <- cbind(level = data[at], if (lag > 0) sapply(seq_len(lag), function(k) change[at - k]))
  if (trend != "n") terms <- cbind(terms, 1)
  if (trend == "ct") terms <- cbind(terms, seq_len(rows))
  lm(change[at] ~ terms - 1)
}
lag <- max_lag
if (autolag && max_lag > 0) {
  rows <- n - 1 - max_lag  # the same rows for every lag
  lag <- which.min(sapply(0:max_lag, function(k) AIC(fit_of(k, rows)))) - 1
}
rows <- n - 1 - lag
tau <- coef(summary(fit_of(lag, rows)))[1, "t value"]
surface <- list(n = list(-19.04, Inf, -1.04, c(0.6344, 1.2378, 0.032496), c(0.4797, 0.93557, -0.06999, 0.033066)),
                c = list(-18.83, 2.74, -1.61, c(2.1659, 1.4412, 0.038269), c(1.7339, 0.93202, -0.12745, -0.010368)),
                ct = list(-16.18, 0.70, -2.89, c(3.2512, 1.6047, 0.049588), c(2.5261, 0.61654, -0.37956, -0.060285)))[[trend]]
curve <- surface[[if (tau <= surface[[3]]) 4 else 5]]
p <- if (tau > surface[[2]]) 1 else if (tau < surface[[1]]) 0 else pnorm(sum(curve * tau^(seq_along(curve) - 1)))
critical <- list(n = rbind(c(-2.56574, -2.2358, -3.627, 0), c(-1.941, -0.2686, -3.365, 31.223), c(-1.61682, 0.2656, -2.714, 25.364)),
                 c = rbind(c(-3.43035, -6.5393, -16.786, -79.433), c(-2.86154, -2.8903, -4.234, -40.04), c(-2.56677, -1.5384, -2.809, 0)),
                 ct = rbind(c(-3.95877, -9.0531, -28.428, -134.155), c(-3.41049, -4.3904, -9.036, -45.374), c(-3.12705, -2.5856, -3.925, -22.38)))[[trend]]
say("statistic", tau)
say("p_value", p)
say("n", n)
say(c("details", "lags"), lag)
say(c("details", "n_used"), rows)
for (i in 1:3) say(c("details", "critical_values", c("1%", "5%", "10%")[i]), sum(critical[i, ] / rows^(0:3)))
