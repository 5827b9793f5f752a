n <- length(data)
z <- data - mean(data)
windows <- unique(round(exp(seq(log(8), log(n %/% 2), length.out = 12))))
pieces <- function(v, w) matrix(v[seq_len(n %/% w * w)], nrow = w)  # one window per column
spread <- function(v) sqrt(mean((v - mean(v))^2))
rescaled_range <- function(w) {
  mean(unlist(apply(pieces(z, w), 2, function(v) {
    path <- cumsum(v - mean(v))
    if (spread(v) > 1e-12 * max(abs(z))) (max(path, 0) - min(path, 0)) / spread(v)
  })))
}
expected <- function(w) {  # of independent normal values (Anis & Lloyd)
  i <- seq_len(w - 1)
  exp(lgamma((w - 1) / 2) - lgamma(w / 2)) / sqrt(pi) * sum(sqrt((w - i) / i))
}
fluctuation <- function(w) {
  part <- pieces(cumsum(z), w)
  sqrt(mean(residuals(lm(part ~ seq_len(w)))^2))
}
line <- function(values) {  # slope over the logarithm of the window, with its error and R squared
  fit <- summary(lm(log(values) ~ log(windows)))
  c(fit$coefficients[2, 1:2], fit$r.squared)
}
found <- line(sapply(windows, rescaled_range))
say("hurst", found[1] - suppressWarnings(line(sapply(windows, expected)))[1] + 0.5)
say("rs_multi_window", found[1])
say("rs_std_error", found[2])
say("rs_r_squared", found[3])
say("rs_one_window", log(rescaled_range(n)) / log(n))
found <- line(sapply(windows, fluctuation))
say("dfa", found[1])
say("dfa_std_error", found[2])
say("dfa_r_squared", found[3])
for (i in seq_along(windows)) say(c("windows", paste0("[", i - 1, "]")), windows[i])
say("n", n)
