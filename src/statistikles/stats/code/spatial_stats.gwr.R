# within 1e-5: the best bandwidth is where a flat curve has its minimum
n <- nrow(x); p <- ncol(x)
named <- c("intercept", if (is.null(var_names)) paste0("x", seq_len(p)) else var_names)
centre <- colMeans(x)
size <- apply(x, 2, sd) * sqrt((n - 1) / n)
design <- cbind(1, sweep(sweep(x, 2, centre), 2, size, "/"))
apart <- as.matrix(dist(coords))
fit_of <- function(h) {  # a weighted regression at every place
  local <- lapply(seq_len(n), function(i) {
    root <- exp(-(apart[i, ] / h)^2 / 4)
    parts <- qr(design * root, tol = 0)
    r <- abs(diag(qr.R(parts)))
    if (min(r) <= 1e-10 * max(r)) return(NULL)
    row <- backsolve(qr.R(parts), t(qr.Q(parts) * root))
    list(b = row %*% y, spread = row %*% t(row), hat = as.vector(design[i, ] %*% row))
  })
  if (any(sapply(local, is.null))) return(NULL)
  hat <- do.call(rbind, lapply(local, function(l) l$hat))
  rss <- sum((y - hat %*% y)^2)
  trace <- sum(diag(hat))
  list(b = t(sapply(local, function(l) l$b)), spread = lapply(local, function(l) l$spread), hat = hat, rss = rss, trace = trace,
       aicc = if (n - 2 > trace) n * log(2 * pi * rss / n) + n * (n + trace) / (n - 2 - trace) else Inf)
}
score <- function(h) {
  found <- fit_of(h)
  if (is.null(found)) Inf else found$aicc
}
if (is.null(bandwidth)) {
  grid <- exp(seq(log(quantile(apart[apart > 0], 0.05)), log(3 * max(apart)), length.out = 24))
  best <- which.min(sapply(grid, score))
  bandwidth <- optimize(score, grid[c(max(1, best - 1), min(24, best + 1))], tol = 1e-12)$minimum
}
fit <- fit_of(bandwidth)
whole <- fit_of(Inf)
back <- diag(c(1, 1 / size))
back[1, -1] <- -centre / size
local <- fit$b %*% t(back)
free <- n - 2 * fit$trace + sum(fit$hat^2)
say("bandwidth", bandwidth)
say("aicc", fit$aicc)
say("aicc_global", whole$aicc)
say("effective_parameters", fit$trace)
say("residual_sum_of_squares", fit$rss)
say("r_squared", 1 - fit$rss / sum((y - mean(y))^2))
for (j in seq_along(named)) {
  say(c("terms", named[j], "global_estimate"), sum(back[j, ] * whole$b[1, ]))
  say(c("terms", named[j], "minimum"), min(local[, j]))
  say(c("terms", named[j], "median"), median(local[, j]))
  say(c("terms", named[j], "maximum"), max(local[, j]))
  for (i in seq_len(n)) say(c("terms", named[j], "local_estimates", paste0("[", i - 1, "]")), local[i, j])
  if (free > 0) {
    errors <- sqrt(fit$rss / free * sapply(fit$spread, function(s) (back %*% s %*% t(back))[j, j]))
    for (i in seq_len(n)) say(c("terms", named[j], "local_std_errors", paste0("[", i - 1, "]")), errors[i])
    say(c("terms", named[j], "share_significant"), mean(abs(local[, j]) > qnorm(1 - alpha / 2) * errors))
  }
}
fitted_values <- as.vector(fit$hat %*% y)
for (i in seq_len(n)) say(c("fitted", paste0("[", i - 1, "]")), fitted_values[i])
say("n", n)
