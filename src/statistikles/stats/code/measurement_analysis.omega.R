# within 1e-6: the peak of the likelihood is found by differences
n <- nrow(items); k <- ncol(items)
r <- cor(items)
found <- one_factor(r)
load <- found$load
psi <- found$psi
f <- found$f
free <- psi > 0.005 * (1 + 1e-6)
size <- apply(items, 2, sd) * sqrt((n - 1) / n)
omega_of <- function(load, psi) sum(load)^2 / (sum(load)^2 + sum(psi))
omega <- omega_of(load * size, psi * size^2)
say("estimate", omega)
say("omega_standardized", omega_of(load, psi))
say("cronbach_alpha", k / (k - 1) * (1 - sum(diag(cov(items))) / sum(cov(items))))
say("n", n)
say("n_items", k)
if (all(free)) {  # standard errors from the expected information
  inverse <- solve(outer(load, load) + diag(psi))
  u <- as.vector(inverse %*% load)
  cross <- 2 * inverse * rep(u, each = k)
  top <- 2 * (outer(u, u) + inverse * sum(load * u))
  covariance <- 2 / n * solve(rbind(cbind(top, cross), cbind(t(cross), inverse^2)))
  total <- sum(load * size)
  unique <- sum(psi * size^2)
  change <- c(2 * total * unique * size, -total^2 * size^2) / (total^2 + unique)^2
  error <- sqrt(sum(change * (covariance %*% change)))
  reach <- qnorm((1 + conf_level) / 2) * error
  say("std_error", error)
  say("conf_low", max(0, omega - reach))
  say("conf_high", min(1, omega + reach))
}
if (is.null(item_names)) item_names <- paste0("item", seq_len(k))
for (j in seq_len(k)) {
  say(c("items", item_names[j], "loading_standardized"), load[j])
  say(c("items", item_names[j], "uniqueness"), psi[j])
  say(c("items", item_names[j], "communality"), 1 - psi[j])
  say(c("items", item_names[j], "loading"), load[j] * size[j])
  if (all(free)) {
    z <- load[j] / sqrt(covariance[j, j])
    say(c("items", item_names[j], "loading_std_error"), load[j] / z * size[j])
    say(c("items", item_names[j], "statistic"), z)
    say(c("items", item_names[j], "p_value"), 2 * pnorm(-abs(z)))
  }
}
chi2 <- n * f
df <- k * (k - 3) / 2
base <- -n * as.numeric(determinant(r)$modulus)
base_df <- k * (k - 1) / 2
gaps <- (r - outer(load, load) - diag(psi))[lower.tri(r, diag = TRUE)]
say(c("fit", "df"), df)
say(c("fit", "baseline_chi_square"), base)
say(c("fit", "srmr"), sqrt(sum(gaps^2) / (k * (k + 1) / 2)))
if (df > 0) {
  say(c("fit", "chi_square"), chi2)
  excess <- max(chi2 - df, 0)
  worst <- max(excess, base - base_df)
  say(c("fit", "cfi"), if (worst > 0) 1 - excess / worst else 1)
  say(c("fit", "tli"), (base / base_df - chi2 / df) / (base / base_df - 1))
  say(c("fit", "p_value"), pchisq(chi2, df, lower.tail = FALSE))
  say(c("fit", "rmsea"), sqrt(excess / (df * n)))
  ends <- chi_noncentrality(chi2, df, 0.9)
  say(c("fit", "rmsea_conf_low"), sqrt(ends[1] / (df * n)))
  say(c("fit", "rmsea_conf_high"), sqrt(ends[2] / (df * n)))
  say(c("fit", "p_close"), pchisq(chi2, df, 0.05^2 * n * df, lower.tail = FALSE))
  factor <- n - 1 - (2 * k + 5) / 6 - 2 / 3
  say(c("fit", "bartlett", "chi_square"), factor * f)
  say(c("fit", "bartlett", "p_value"), pchisq(factor * f, df, lower.tail = FALSE))
}
