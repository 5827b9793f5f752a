# within 1e-6: the peak of the likelihood is found, and its curvature measured, by differences
if (is.null(levels)) levels <- as.character(sort(as.numeric(unique(y))))
seen <- if (is.numeric(y)) as.character(y) else y
levels <- levels[levels %in% seen]
var_names <- predictor_names(var_names, ncol(x))
code <- match(seen, levels)
k <- length(levels); n <- nrow(x); p <- ncol(x)
centre <- colMeans(x)
unit <- apply(x, 2, sd)
z <- scale(x)
start <- MASS::polr(factor(code) ~ z)  # its search stops early: a start
log_likelihood <- function(v) {
  cuts <- c(-Inf, v[seq_len(k - 1)], Inf)
  eta <- z %*% v[k - 1 + seq_len(p)]
  sum(log(plogis(cuts[code + 1] - eta) - plogis(cuts[code] - eta)))
}
found <- peak(function(v) suppressWarnings(log_likelihood(v)), c(start$zeta, coef(start)))
back <- diag(k - 1 + p)  # from standardised predictors to those of the data
slopes <- k - 1 + seq_len(p)
back[seq_len(k - 1), slopes] <- rep(centre / unit, each = k - 1)
back[slopes, slopes] <- diag(1 / unit, p)
estimates <- as.vector(back %*% found$point)
errors <- sqrt(diag(back %*% solve(-found$curvature) %*% t(back)))
reach <- qnorm(1 - alpha / 2)
for (i in seq_along(estimates)) {
  place <- if (i < k) c("details", "thresholds", paste0(levels[i], "|", levels[i + 1])) else c("terms", var_names[i - k + 1])
  say(c(place, "estimate"), estimates[i])
  say(c(place, "std_error"), errors[i])
  say(c(place, "statistic"), estimates[i] / errors[i])
  say(c(place, "p_value"), 2 * pnorm(-abs(estimates[i] / errors[i])))
  say(c(place, "conf_low"), estimates[i] - reach * errors[i])
  say(c(place, "conf_high"), estimates[i] + reach * errors[i])
  if (i >= k) {
    say(c(place, "odds_ratio"), exp(estimates[i]))
    say(c(place, "odds_ratio_low"), exp(estimates[i] - reach * errors[i]))
    say(c(place, "odds_ratio_high"), exp(estimates[i] + reach * errors[i]))
  }
}
counts <- tabulate(code)
full <- log_likelihood(found$point)
null <- sum(counts * log(counts / n))
say("statistic", 2 * (full - null))
say("df", p)
say("p_value", pchisq(2 * (full - null), p, lower.tail = FALSE))
say(c("pseudo_r_squared", "mcfadden"), 1 - full / null)
say(c("pseudo_r_squared", "cox_snell"), 1 - exp(2 * (null - full) / n))
say(c("pseudo_r_squared", "nagelkerke"), (1 - exp(2 * (null - full) / n)) / (1 - exp(2 * null / n)))
say("log_likelihood", full)
say("aic", 2 * (p + k - 1) - 2 * full)
say("bic", (p + k - 1) * log(n) - 2 * full)
say("n", n)
say(c("details", "null_log_likelihood"), null)
if (k > 2) {  # Brant: are the slopes of the binary regressions of y > j the same?
  fits <- lapply(seq_len(k - 1), function(j) suppressWarnings(glm((code > j) ~ z, family = binomial, epsilon = 1e-14, maxit = 100)))
  if (all(sapply(fits, function(f) max(abs(coef(f)))) < 20)) {  # otherwise one of them is separated
    design <- cbind(1, z)
    chance <- sapply(fits, fitted)
    inverse <- lapply(seq_len(k - 1), function(j) solve(crossprod(design, chance[, j] * (1 - chance[, j]) * design)))
    block <- function(i, j) {
      weight <- chance[, max(i, j)] - chance[, i] * chance[, j]
      (inverse[[i]] %*% crossprod(design, weight * design) %*% inverse[[j]])[-1, -1, drop = FALSE]
    }
    covariance <- do.call(rbind, lapply(seq_len(k - 1), function(i) do.call(cbind, lapply(seq_len(k - 1), function(j) block(i, j)))))
    contrast <- cbind(do.call(rbind, rep(list(diag(p)), k - 2)), -diag((k - 2) * p))
    gaps <- contrast %*% unlist(lapply(fits, function(f) coef(f)[-1]))
    wald <- sum(gaps * solve(contrast %*% covariance %*% t(contrast), gaps))
    say(c("diagnostics", "proportional_odds", "statistic"), wald)
    say(c("diagnostics", "proportional_odds", "df"), (k - 2) * p)
    say(c("diagnostics", "proportional_odds", "p_value"), pchisq(wald, (k - 2) * p, lower.tail = FALSE))
  }
}
