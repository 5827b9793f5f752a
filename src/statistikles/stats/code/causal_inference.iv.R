n <- length(y); p <- ncol(x); m <- ncol(z)
named <- c("intercept", predictor_names(var_names, p), if (!is.null(controls)) paste0("control", seq_len(ncol(controls))))
centred <- function(m) if (!is.null(m)) scale(m, scale = FALSE)  # large offsets would cost digits
centre <- c(colMeans(x), if (!is.null(controls)) colMeans(controls))
design <- cbind(rep(1, n), centred(x), centred(controls))
instruments <- cbind(rep(1, n), centred(z), centred(controls))
second <- qr.fitted(qr(instruments), design)
q <- ncol(design)
df <- n - q
bread <- solve(crossprod(second))
b <- qr.coef(qr(second), y)
rest <- as.vector(y - design %*% b)  # with the predictors as they are
rss <- sum(rest^2)
robust <- n / df * bread %*% crossprod(second * rest) %*% bread
back <- diag(q)
back[1, -1] <- -centre
report <- function(place, covariance) {
  covariance <- back %*% covariance %*% t(back)
  value <- as.vector(back %*% b)
  for (j in seq_len(q)) {
    error <- sqrt(covariance[j, j])
    say(c(place, named[j], "estimate"), value[j])
    say(c(place, named[j], "std_error"), error)
    say(c(place, named[j], "statistic"), value[j] / error)
    say(c(place, named[j], "p_value"), 2 * pt(-abs(value[j] / error), df))
    say(c(place, named[j], "conf_low"), value[j] - qt(1 - alpha / 2, df) * error)
    say(c(place, named[j], "conf_high"), value[j] + qt(1 - alpha / 2, df) * error)
  }
}
wald <- function(b, covariance) sum(b * solve(covariance, b)) / length(b)
report("terms", robust)
report(c("also", "classical", "terms"), bread * rss / df)
say("statistic", wald(b[-1], robust[-1, -1, drop = FALSE]))
say("df", q - 1)
say("df_error", df)
say("p_value", pf(wald(b[-1], robust[-1, -1, drop = FALSE]), q - 1, df, lower.tail = FALSE))
say("r_squared", 1 - rss / sum((y - mean(y))^2))
say("residual_std_error", sqrt(rss / df))
say("n", n)
left <- NULL
for (j in seq_len(p)) {
  place <- c("diagnostics", "first_stage", named[j + 1])
  stage <- hc1(instruments, x[, j])
  left <- cbind(left, stage$rest)
  short <- sum(qr.resid(qr(cbind(rep(1, n), controls)), x[, j])^2)
  free <- n - ncol(instruments)
  f <- (short - sum(stage$rest^2)) / m / (sum(stage$rest^2) / free)
  at <- 1 + seq_len(m)
  say(c(place, "partial_r_squared"), 1 - sum(stage$rest^2) / short)
  say(c(place, "statistic"), f)
  say(c(place, "p_value"), pf(f, m, free, lower.tail = FALSE))
  say(c(place, "robust_statistic"), wald(stage$b[at], stage$covariance[at, at, drop = FALSE]))
  say(c(place, "robust_p_value"), pf(wald(stage$b[at], stage$covariance[at, at, drop = FALSE]), m, free, lower.tail = FALSE))
}
short <- sum(qr.resid(qr(design), y)^2)  # Wu-Hausman: the first-stage residuals as further predictors
full <- sum(qr.resid(qr(cbind(design, left)), y)^2)
f <- (short - full) / p / (full / (df - p))
say(c("diagnostics", "wu_hausman", "statistic"), f)
say(c("diagnostics", "wu_hausman", "p_value"), pf(f, p, df - p, lower.tail = FALSE))
if (m > p) {
  sargan <- n * sum(qr.fitted(qr(instruments), rest)^2) / rss
  say(c("diagnostics", "sargan", "statistic"), sargan)
  say(c("diagnostics", "sargan", "df"), m - p)
  say(c("diagnostics", "sargan", "p_value"), pchisq(sargan, m - p, lower.tail = FALSE))
}
