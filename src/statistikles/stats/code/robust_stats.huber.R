# As MASS::huber() and MASS::rlm() do, but with all digits of the constant 1.4826 of the MAD.
constant <- 1 / qnorm(0.75)
answer <- if (is.null(data)) y else data
n <- length(answer)
design <- if (is.null(data)) cbind(1, x) else matrix(1, n)
if (!is.null(data)) {  # the scale stays the MAD about the median
  scale <- mad(data, constant = constant)
  pull <- function(m) sum(pmax(-k, pmin(k, (data - m) / scale)))
  b <- uniroot(pull, range(data) + c(-1, 1) * scale, tol = 1e-15, maxiter = 1e4)$root
} else {  # iteratively reweighted least squares
  b <- qr.coef(qr(design), answer)
  for (round in 1:1000) {
    rest <- as.vector(answer - design %*% b)
    scale <- constant * median(abs(rest))
    root <- sqrt(pmin(1, k * scale / pmax(abs(rest), 1e-300)))
    before <- b
    b <- qr.coef(qr(design * root), answer * root)
    if (max(abs(design %*% (b - before))) < 1e-14 * max(abs(answer))) break
  }
}
rest <- as.vector(answer - design %*% b)
inside <- as.numeric(abs(rest) <= k * scale)
q <- ncol(design)
correction <- 1 + q / n * var(inside) / mean(inside)^2
factor <- correction * sqrt(sum(pmax(-k * scale, pmin(k * scale, rest))^2) / (n - q)) / mean(inside)
errors <- factor * sqrt(diag(solve(crossprod(design))))
reach <- qnorm(1 - alpha / 2)
say("n", n)
if (!is.null(data)) {
  say("estimate", b)
  say("std_error", errors)
  say("conf_low", b - reach * errors)
  say("conf_high", b + reach * errors)
  say(c("also", "scale"), scale)
  say(c("also", "mad"), mad(data, constant = 1))
  say(c("also", "mean"), mean(data))
  say(c("also", "median"), median(data))
  say(c("also", "n_limited"), sum(1 - inside))
} else {
  names <- c("intercept", predictor_names(var_names, q - 1))
  plain <- qr.coef(qr(design), answer)
  for (j in seq_len(q)) {
    say(c("terms", names[j], "estimate"), b[j])
    say(c("terms", names[j], "std_error"), errors[j])
    say(c("terms", names[j], "statistic"), b[j] / errors[j])
    say(c("terms", names[j], "p_value"), 2 * pnorm(-abs(b[j] / errors[j])))
    say(c("terms", names[j], "conf_low"), b[j] - reach * errors[j])
    say(c("terms", names[j], "conf_high"), b[j] + reach * errors[j])
    say(c("also", "least_squares", "coefficients", names[j]), plain[j])
  }
  say("residual_std_error", scale)
  say(c("details", "n_limited"), sum(1 - inside))
}
