# within 1e-6: the peak is found, and its curvature measured, by differences of the likelihood
m <- mean(data); n <- length(data); s <- sqrt(mean((data - m)^2))
positive <- c("scale", "std_dev", "sdlog", "shape", "rate", "mean", "alpha", "beta", "size")
e <- function(names, density, cumulated, start) list(names = names, d = density, p = cumulated, start = start)
family <- switch(distribution,
  normal = e(c("mean", "std_dev"), function(v) dnorm(data, v[1], v[2], log = TRUE), function(x, v) pnorm(x, v[1], v[2]), c(m, s)),
  lognormal = e(c("meanlog", "sdlog"), function(v) dlnorm(data, v[1], v[2], log = TRUE), function(x, v) plnorm(x, v[1], v[2]),
                c(mean(log(data)), sqrt(mean((log(data) - mean(log(data)))^2)))),
  exponential = e("rate", function(v) dexp(data, v, log = TRUE), function(x, v) pexp(x, v), 1 / m),
  gamma = e(c("shape", "scale"), function(v) dgamma(data, v[1], scale = v[2], log = TRUE),
            function(x, v) pgamma(x, v[1], scale = v[2]), c(m^2 / s^2, s^2 / m)),
  weibull = e(c("shape", "scale"), function(v) dweibull(data, v[1], v[2], log = TRUE),
              function(x, v) pweibull(x, v[1], v[2]), c((s / m)^-1.086, m)),
  beta = e(c("alpha", "beta"), function(v) dbeta(data, v[1], v[2], log = TRUE), function(x, v) pbeta(x, v[1], v[2]),
           c(m, 1 - m) * (m * (1 - m) / s^2 - 1)),
  logistic = e(c("location", "scale"), function(v) dlogis(data, v[1], v[2], log = TRUE),
               function(x, v) plogis(x, v[1], v[2]), c(m, s * 0.55)),
  gumbel = e(c("location", "scale"), function(v) -log(v[2]) - (data - v[1]) / v[2] - exp(-(data - v[1]) / v[2]),
             function(x, v) exp(-exp(-(x - v[1]) / v[2])), c(m - 0.45 * s, 0.78 * s)),
  rayleigh = e("scale", function(v) log(data / v^2) - data^2 / (2 * v^2), function(x, v) 1 - exp(-x^2 / (2 * v^2)),
               sqrt(mean(data^2) / 2)),
  inverse_gaussian = e(c("mean", "shape"),
    function(v) (log(v[2] / (2 * pi * data^3)) - v[2] * (data - v[1])^2 / (v[1]^2 * data)) / 2,
    function(x, v) pnorm(sqrt(v[2] / x) * (x / v[1] - 1)) + exp(2 * v[2] / v[1]) * pnorm(-sqrt(v[2] / x) * (x / v[1] + 1)),
    c(m, 1 / mean(1 / data - 1 / m))),
  poisson = e("rate", function(v) dpois(data, v, log = TRUE), function(x, v) ppois(x, v), m),
  geometric = e("probability", function(v) dgeom(data, v, log = TRUE), function(x, v) pgeom(x, v), 1 / (1 + m)),
  negative_binomial = e(c("size", "mean"), function(v) dnbinom(data, size = v[1], mu = v[2], log = TRUE),
                        function(x, v) pnbinom(x, size = v[1], mu = v[2]), c(m^2 / (s^2 - m), m)),
  bernoulli = e("probability", function(v) dbinom(data, 1, v, log = TRUE), function(x, v) pbinom(x, 1, v), m),
  uniform = e(c("minimum", "maximum"), function(v) dunif(data, v[1], v[2], log = TRUE), function(x, v) punif(x, v[1], v[2]), range(data)),
  laplace = e(c("location", "scale"), function(v) -log(2 * v[2]) - abs(data - v[1]) / v[2],
              function(x, v) ifelse(x < v[1], exp((x - v[1]) / v[2]) / 2, 1 - exp((v[1] - x) / v[2]) / 2),
              c(median(data), mean(abs(data - median(data))))),
  pareto = e(c("scale", "shape"), function(v) log(v[2]) + v[2] * log(v[1]) - (v[2] + 1) * log(data),
             function(x, v) 1 - (v[1] / x)^v[2], c(min(data), 1 / mean(log(data / min(data))))))
point <- family$start
if (!distribution %in% c("uniform", "laplace", "pareto")) {  # the others are solved
  found <- peak(function(v) sum(family$d(v)), family$start)
  point <- found$point
  errors <- sqrt(diag(solve(-found$curvature)))
  reach <- c(-1, 1) * qnorm(1 - alpha / 2)
  for (i in seq_along(point)) {
    name <- family$names[i]
    ends <- if (name == "probability") {
      plogis(qlogis(point[i]) + reach * errors[i] / (point[i] * (1 - point[i])))
    } else if (name %in% positive && !(distribution == "normal" && name == "mean")) {
      point[i] * exp(reach * errors[i] / point[i])
    } else point[i] + reach * errors[i]
    say(c("terms", name, "std_error"), errors[i])
    say(c("terms", name, "conf_low"), ends[1])
    say(c("terms", name, "conf_high"), ends[2])
  }
}
for (i in seq_along(point)) say(c("terms", family$names[i], "estimate"), point[i])
total <- sum(family$d(point))
values <- sort(unique(data))
after <- cumsum(table(data)) / n
before <- c(0, after[-length(after)])
counts <- distribution %in% c("poisson", "geometric", "negative_binomial", "bernoulli")
below <- family$p(if (counts) values - 1 else values, point)
say("log_likelihood", total)
say("aic", 2 * length(point) - 2 * total)
say("bic", length(point) * log(n) - 2 * total)
say("n", n)
say(c("diagnostics", "kolmogorov_smirnov", "distance"), max(abs(after - family$p(values, point)), abs(below - before)))
