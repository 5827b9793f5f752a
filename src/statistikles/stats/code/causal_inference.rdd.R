n <- length(y)
u <- x - threshold
treated <- u >= 0
imbens_kalyanaraman <- function() {  # their bandwidth (2012); the pilot bandwidth where a step of it fails
  pilot <- 1.84 * sd(u) * n^(-1 / 5)
  sides <- list(!treated & abs(u) <= pilot, treated & abs(u) <= pilot)
  if (min(sapply(sides, sum)) < 2) return(pilot)
  density <- sum(sapply(sides, sum)) / (2 * n * pilot)
  variance <- sapply(sides, function(rows) var(y[rows]))
  if (sum(variance) <= 0) return(pilot)
  third <- 6 * hc1(cbind(1, treated, u, u^2, u^3), y)$b[5]
  bend <- regular <- NULL
  for (side in 1:2) {
    rows <- if (side == 1) !treated else treated
    wide <- max(abs(u[rows]))
    if (third != 0 && variance[side] > 0) {
      wide <- min(wide, 3.56 * (variance[side] / (density * third^2))^(1 / 7) * sum(rows)^(-1 / 7))
    }
    inside <- rows & abs(u) <= wide
    if (length(unique(u[inside])) < 3) return(pilot)
    bend[side] <- 2 * hc1(cbind(1, u[inside], u[inside]^2), y[inside])$b[3]
    regular[side] <- 2160 * variance[side] / (sum(inside) * wide^4)
  }
  3.4375 * (sum(variance) / (density * ((bend[2] - bend[1])^2 + sum(regular))))^(1 / 5) * n^(-1 / 5)
}
h <- if (is.null(bandwidth)) imbens_kalyanaraman() else bandwidth
third_value <- function(rows) sort(unique(abs(u[rows])))[3]
h <- max(h, max(third_value(!treated), third_value(treated)) * (1 + 1e-6))  # three values on each side
jump <- function(place, h) {  # two lines, weighted by a triangle around the threshold; without a bandwidth all rows alike
  weights <- if (is.null(h)) rep(1, n) else 1 - abs(u) / h
  rows <- weights > 1e-12
  d <- as.numeric(treated[rows])
  fit <- hc1(cbind(1, d, u[rows], d * u[rows]), y[rows], weights[rows])
  error <- sqrt(fit$covariance[2, 2])
  df <- sum(rows) - 4
  say(c(place, "estimate"), fit$b[2])
  say(c(place, "std_error"), error)
  say(c(place, "statistic"), fit$b[2] / error)
  say(c(place, "df"), df)
  say(c(place, "p_value"), 2 * pt(-abs(fit$b[2] / error), df))
  say(c(place, "conf_low"), fit$b[2] - qt(1 - alpha / 2, df) * error)
  say(c(place, "conf_high"), fit$b[2] + qt(1 - alpha / 2, df) * error)
  if (is.null(place)) {
    say(c("effect_size", "estimate"), fit$b[2] / sd(y[!treated]))
    say_group("below", y[rows & !treated])
    say_group("above", y[rows & treated])
    say(c("details", "n_used"), sum(rows))
  }
}
jump(NULL, h)
say("n", n)
say(c("details", "bandwidth"), h)
near <- abs(u) <= h / 2
say(c("details", "density", "n_below"), sum(near & !treated))
say(c("details", "density", "n_above"), sum(near & treated))
if (any(near)) say(c("details", "density", "p_value"), binom.test(sum(near & treated), sum(near))$p.value)
within <- abs(u) < h / 2 * (1 - 1e-12)
enough <- sum(within) >= 5 && min(length(unique(u[within & treated])), length(unique(u[within & !treated]))) > 1
if (enough) jump(c("also", "half_bandwidth"), h / 2)
jump(c("also", "double_bandwidth"), 2 * h)
jump(c("also", "global_lines"), NULL)
