# unless: scores
fit <- prcomp(x, center = TRUE, scale. = scale)
k <- if (is.null(n_components)) sum(fit$sdev^2 > 1e-12 * fit$sdev[1]^2) else n_components
share <- fit$sdev^2 / sum(fit$sdev^2)
if (is.null(var_names)) var_names <- paste0("x", seq_len(ncol(x)))
say("n", nrow(x))
say("total_variance", sum(fit$sdev^2))
for (i in seq_len(k)) {
  place <- paste0("[", i - 1, "]")
  say(c("eigenvalues", place), fit$sdev[i]^2)
  say(c("std_devs", place), fit$sdev[i])
  say(c("proportion_explained", place), share[i])
  say(c("cumulative_proportion", place), sum(share[1:i]))
  loading <- fit$rotation[, i]
  loading <- loading * sign(loading[which.max(abs(loading))])  # the largest is positive
  for (j in seq_along(loading)) say(c("loadings", paste0("PC", i), var_names[j]), loading[j])
}
