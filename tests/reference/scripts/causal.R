# Writes values/causal_inference.json: AER::ivreg, lm with sandwich errors, and a regression discontinuity written out.
# Run in tests/reference: Rscript scripts/causal.R
suppressMessages({library(jsonlite); library(AER); library(sandwich); library(lmtest)})
version <- paste(getRversion(), "AER", packageVersion("AER"), "sandwich", packageVersion("sandwich"))
source_of <- function(command) list(program = "R", version = version, command = command)
case <- function(id, arguments, e, command, rtol = 1e-8) list(id = id, arguments = arguments, expect = e, rtol = rtol, source = source_of(command))
refuse <- function(id, arguments, code, why) list(id = id, arguments = arguments, error_code = code, source = source_of(why))
columns <- function(m) lapply(seq_len(ncol(m)), function(j) lapply(m[, j], function(v) if (is.na(v)) NULL else v))

iv <- function(id, y, x, z, w = NULL) {
  all <- cbind(y, x, z, w); ok <- complete.cases(all); p <- ncol(x)
  Y <- y[ok]; X <- x[ok, , drop = FALSE]; Z <- z[ok, , drop = FALSE]; W <- if (is.null(w)) NULL else w[ok, , drop = FALSE]
  fit <- if (is.null(w)) ivreg(Y ~ X | Z) else ivreg(Y ~ X + W | Z + W)
  n <- length(Y); k <- length(coef(fit)); hc1 <- sandwich(fit) * n / (n - k); s <- summary(fit, diagnostics = TRUE); d <- s$diagnostics
  names <- c("intercept", if (p == 1) "x" else paste0("x", 1:p), if (!is.null(w)) paste0("control", seq_len(ncol(w))))
  e <- list(n = n, n_missing = sum(!ok), r_squared = s$r.squared, residual_std_error = s$sigma)
  for (j in seq_len(k)) { a <- paste0("terms.", names[j], "."); t <- coef(fit)[[j]] / sqrt(hc1[j, j])
    e[[paste0(a, "estimate")]] <- coef(fit)[[j]]; e[[paste0(a, "std_error")]] <- sqrt(hc1[j, j]); e[[paste0(a, "p_value")]] <- 2 * pt(-abs(t), n - k)
    e[[paste0("also.classical.", a, "std_error")]] <- s$coefficients[j, 2] }
  slopes <- 2:k; e$statistic <- as.numeric(t(coef(fit)[slopes]) %*% solve(hc1[slopes, slopes]) %*% coef(fit)[slopes]) / length(slopes)
  for (j in 1:p) e[[paste0("diagnostics.first_stage.", names[j + 1], ".statistic")]] <- d[j, "statistic"]
  e[["diagnostics.wu_hausman.statistic"]] <- d["Wu-Hausman", "statistic"]; e[["diagnostics.wu_hausman.p_value"]] <- d["Wu-Hausman", "p-value"]
  if (ncol(z) > p) { e[["diagnostics.sargan.statistic"]] <- d["Sargan", "statistic"]; e[["diagnostics.sargan.p_value"]] <- d["Sargan", "p-value"] } else e["diagnostics.sargan.statistic"] <- list(NULL)
  args <- list(type = "iv", y = columns(cbind(y))[[1]], x = columns(x), z = columns(z)); if (!is.null(w)) args$controls <- columns(w)
  case(id, args, e, "AER::ivreg(y ~ x + w | z + w); sandwich(fit) * n / (n - k); summary(fit, diagnostics = TRUE)")
}
did <- function(id, y, treat, post, cluster = NULL) {
  ok <- complete.cases(y); d <- data.frame(y, treat, post)[ok, ]; fit <- lm(y ~ treat * post, d); n <- nrow(d)
  V <- if (is.null(cluster)) vcovHC(fit, "HC1") else vcovCL(fit, cluster[ok], type = "HC1"); df <- if (is.null(cluster)) n - 4 else length(unique(cluster[ok])) - 1
  b <- coef(fit)[[4]]; se <- sqrt(V[4, 4])
  e <- list(estimate = b, std_error = se, statistic = b / se, df = df, p_value = 2 * pt(-abs(b / se), df), conf_low = b - qt(.975, df) * se,
            "also.classical.std_error" = summary(fit)$coefficients[4, 2], "also.hc3.std_error" = sqrt(vcovHC(fit, "HC3")[4, 4]), "groups.treated_after.mean" = mean(d$y[d$treat == 1 & d$post == 1]), n_missing = sum(!ok))
  args <- list(type = "did", y = columns(cbind(y))[[1]], treat = treat, post = post); if (!is.null(cluster)) args$cluster <- cluster
  case(id, args, e, "lm(y ~ treat * post); vcovHC(fit, 'HC1'), 'HC3'; vcovCL(fit, cluster, type = 'HC1')")
}
ik <- function(x, y) {  # Imbens and Kalyanaraman 2012, section 4.2, step by step (x centred at the threshold)
  N <- length(x); h1 <- 1.84 * sd(x) * N^(-1 / 5); left <- x < 0 & x >= -h1; right <- x >= 0 & x <= h1
  f <- (sum(left) + sum(right)) / (2 * N * h1); s <- c(var(y[left]), var(y[right]))
  m3 <- 6 * coef(lm(y ~ I(x >= 0) + x + I(x^2) + I(x^3)))[[5]]
  m2 <- r <- c(0, 0); for (i in 1:2) { side <- if (i == 1) x < 0 else x >= 0
    h2 <- min(3.56 * (s[i] / (f * m3^2))^(1 / 7) * sum(side)^(-1 / 7), max(abs(x[side]))); inside <- side & abs(x) <= h2
    m2[i] <- 2 * coef(lm(y[inside] ~ x[inside] + I(x[inside]^2)))[[3]]; r[i] <- 2160 * s[i] / (sum(inside) * h2^4) }
  3.4375 * (sum(s) / (f * ((m2[2] - m2[1])^2 + sum(r))))^(1 / 5) * N^(-1 / 5)
}
rdd <- function(id, y, x, threshold, bandwidth = NULL) {
  ok <- complete.cases(x, y); u <- x[ok] - threshold; v <- y[ok]; h <- if (is.null(bandwidth)) ik(u, v) else bandwidth
  one <- function(h) { w <- pmax(0, 1 - abs(u) / h); use <- w > 0; d <- as.numeric(u >= 0)[use]; q <- u[use]; g <- v[use]; W <- w[use]; fit <- lm(g ~ d * q, weights = W)
    se <- sqrt(vcovHC(fit, "HC1")[2, 2]); c(coef(fit)[[2]], se, sum(use)) }
  a <- one(h); b <- one(h / 2); w <- one(2 * h); D <- as.numeric(u >= 0); g <- lm(v ~ D * u); t <- a[1] / a[2]
  e <- list(estimate = a[1], std_error = a[2], statistic = t, df = a[3] - 4, p_value = 2 * pt(-abs(t), a[3] - 4), "details.bandwidth" = h, "details.n_used" = a[3],
            "also.half_bandwidth.estimate" = b[1], "also.double_bandwidth.std_error" = w[2], "also.global_lines.estimate" = coef(g)[[2]], "also.global_lines.std_error" = sqrt(vcovHC(g, "HC1")[2, 2]), n_missing = sum(!ok))
  args <- list(type = "rdd", y = columns(cbind(y))[[1]], x = x, threshold = threshold); if (!is.null(bandwidth)) args$bandwidth <- bandwidth
  case(id, args, e, "lm(y ~ d * x, weights = pmax(0, 1 - |x|/h)), vcovHC 'HC1'; h by Imbens and Kalyanaraman written out in the script")
}
set.seed(21)
n <- 90; u <- rnorm(n); z <- round(cbind(rnorm(n), rnorm(n), rnorm(n)), 2); w <- round(cbind(rnorm(n)), 2)
x1 <- round(z[, 1] + .5 * z[, 2] + .7 * u + rnorm(n), 2); x2 <- round(z[, 3] - .4 * z[, 2] + .5 * u + w[, 1] + rnorm(n), 2)
y <- round(1 + 2 * x1 - x2 + .5 * w[, 1] + 2 * u + (1 + abs(z[, 1])) * rnorm(n), 2); yh <- y; yh[c(2, 50)] <- NA
treat <- rep(0:1, each = 20); post <- rep(c(0, 1), 20); unit <- paste0("u", rep(1:10, each = 4)); dy <- round(3 + treat + .5 * post + 1.5 * treat * post + rnorm(40) * (1 + treat), 1); dyh <- dy; dyh[c(1, 30)] <- NA
rx <- round(runif(150, 20, 80), 1); ry <- round(5 + .1 * rx + .002 * (rx - 50)^2 + 2 * (rx >= 50) + rnorm(150), 2); ryh <- ry; ryh[4] <- NA
cases <- list(iv("iv-just", y, cbind(x1), z[, 1, drop = FALSE]), iv("iv-over-controls", y, cbind(x1), z[, 1:2], w), iv("iv-two-missing", yh, cbind(x1, x2), z, w), iv("iv-weak", y, cbind(x2), z[, 1, drop = FALSE]),
  refuse("iv-under", list(type = "iv", y = y, x = list(x1, x2), z = z[, 1]), "too_few_values", "ivreg: more regressors than instruments"),
  did("did-plain", dy, treat, post), did("did-missing-ties", round(dyh), treat, post), did("did-cluster", dy, treat, post, unit),
  refuse("did-no-control", list(type = "did", y = 1:6, treat = rep(1, 6), post = c(0, 1, 0, 1, 0, 1)), "empty_group", "lm: treat is aliased"),
  rdd("rdd-ik", ry, rx, 50), rdd("rdd-missing-bandwidth", ryh, rx, 50, 12), rdd("rdd-other-threshold", ry, rx, 42.5, 20),
  refuse("rdd-one-side", list(type = "rdd", y = ry, x = rx, threshold = 90), "too_few_values", "no rows above"))
write(toJSON(list(tool = "causal_inference", cases = cases), auto_unbox = TRUE, digits = NA, null = "null", na = "null", pretty = TRUE), "values/causal_inference.json")
