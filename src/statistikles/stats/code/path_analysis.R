# The bootstrap intervals come from numpy's generator, which R does not have; everything else stands here.
equations <- list()
for (item in model_spec) {
  if (!is.list(item) && length(item) == 1) {
    halves <- strsplit(item, "~", fixed = TRUE)[[1]]
    item <- list(trimws(halves[1]), trimws(strsplit(halves[2], "+", fixed = TRUE)[[1]]))
  }
  equations[[item[[1]]]] <- item[[2]]
}
order_of <- character(0)
waiting <- equations
while (length(waiting) > 0) {  # outcomes after their predictors
  ready <- names(waiting)[!sapply(waiting, function(given) any(given %in% names(waiting)))]
  order_of <- c(order_of, ready)
  waiting <- waiting[setdiff(names(waiting), ready)]
}
outside <- setdiff(unique(unlist(equations)), names(equations))
named <- c(outside, order_of)
edges <- do.call(rbind, lapply(order_of, function(o) cbind(o, equations[[o]])))
frame <- as.data.frame(data[named], check.names = FALSE)
n <- nrow(frame)
p <- length(named)
size <- sapply(frame, sd) * sqrt((n - 1) / n)
r <- cor(frame)
b <- matrix(0, p, p, dimnames = list(named, named))
rest <- setNames(rep(1, p), named)
covariance <- matrix(0, nrow(edges), nrow(edges))
for (o in order_of) {
  g <- equations[[o]]
  inverse <- solve(r[g, g, drop = FALSE])
  b[o, g] <- inverse %*% r[g, o]
  rest[o] <- 1 - sum(b[o, g] * r[g, o])
  at <- which(edges[, 1] == o)
  covariance[at, at] <- rest[o] * inverse
}
reach <- qnorm(1 - alpha / 2)
report <- function(address, value, error, factor) {
  say(c(address, "estimate"), value * factor)
  say(c(address, "std_error"), error * factor)
  if (error > 0) {
    say(c(address, "statistic"), value / error)
    say(c(address, "p_value"), 2 * pnorm(-abs(value / error)))
    say(c(address, "conf_low"), (value - reach * error) * factor)
    say(c(address, "conf_high"), (value + reach * error) * factor)
  }
}
for (at in seq_len(nrow(edges))) {
  o <- edges[at, 1]
  g <- edges[at, 2]
  name <- paste(o, "~", g)
  report(c("terms", name), b[o, g], sqrt(covariance[at, at] / n), size[[o]] / size[[g]])
  say(c("terms", name, "standardized"), b[o, g])
  df <- n - length(equations[[o]]) - 1
  plain <- sqrt(covariance[at, at] / df)
  say(c("also", "least_squares", name, "std_error"), plain * size[[o]] / size[[g]])
  say(c("also", "least_squares", name, "statistic"), b[o, g] / plain)
  say(c("also", "least_squares", name, "p_value"), 2 * pt(-abs(b[o, g] / plain), df))
}
for (o in order_of) {
  g <- equations[[o]]
  say(c("details", "equations", o, "r_squared"), 1 - rest[[o]])
  say(c("details", "equations", o, "residual_sd"), size[[o]] * sqrt(rest[[o]]))
  say(c("details", "equations", o, "intercept"), mean(frame[[o]]) - sum(b[o, g] * size[[o]] / size[g] * colMeans(frame[g])))
}
q <- length(outside)
total <- solve(diag(p) - b)
psi <- diag(rest)
psi[seq_len(q), seq_len(q)] <- r[seq_len(q), seq_len(q)]
gaps <- (r - total %*% psi %*% t(total))[lower.tri(r, diag = TRUE)]
known <- p * (p + 1) / 2 - q * (q + 1) / 2
df <- known - nrow(edges) - (p - q)
base_df <- known - (p - q)
log_det <- function(m) if (nrow(m) > 0) as.numeric(determinant(m)$modulus) else 0
inside <- r[seq_len(q), seq_len(q), drop = FALSE]
base <- n * (log_det(inside) - log_det(r))
say(c("details", "fit", "df"), df)
say(c("details", "fit", "baseline_chi_square"), base)
if (df > 0) {
  chi2 <- max(0, n * (sum(log(rest[order_of])) - log_det(r) + log_det(inside)))
  excess <- max(chi2 - df, 0)
  worst <- max(excess, base - base_df)
  say("statistic", chi2)
  say("df", df)
  say("p_value", pchisq(chi2, df, lower.tail = FALSE))
  say(c("details", "fit", "srmr"), sqrt(sum(gaps^2) / (p * (p + 1) / 2)))
  say(c("details", "fit", "cfi"), if (worst > 0) 1 - excess / worst else 1)
  say(c("details", "fit", "tli"), (base / base_df - chi2 / df) / (base / base_df - 1))
  ends <- chi_noncentrality(chi2, df, 0.9)
  say(c("details", "fit", "rmsea"), sqrt(excess / (df * n)))
  say(c("details", "fit", "rmsea_conf_low"), sqrt(ends[1] / (df * n)))
  say(c("details", "fit", "rmsea_conf_high"), sqrt(ends[2] / (df * n)))
}
say("n", n)
paths <- list()
open_paths <- as.list(named)
while (length(open_paths) > 0) {  # over at least one variable in between
  open_paths <- do.call("c", lapply(open_paths, function(path) lapply(edges[edges[, 2] == path[length(path)], 1], function(o) c(path, o))))
  paths <- c(paths, Filter(function(path) length(path) > 2, open_paths))
}
for (path in paths) {
  at <- sapply(seq_along(path)[-1], function(i) which(edges[, 1] == path[i] & edges[, 2] == path[i - 1]))
  values <- b[cbind(edges[at, 1], edges[at, 2])]
  slope <- rep(0, nrow(edges))
  slope[at] <- sapply(seq_along(at), function(i) prod(values[-i]))
  address <- c("details", "indirect_effects", paste(path, collapse = " -> "))
  factor <- size[[path[length(path)]]] / size[[path[1]]]
  report(address, prod(values), sqrt(sum(slope * (covariance %*% slope)) / n), factor)
  say(c(address, "standardized"), prod(values))
}
for (ends in unique(lapply(paths, function(path) path[c(1, length(path))]))) {
  x_name <- ends[1]
  y_name <- ends[2]
  i <- match(y_name, named)
  j <- match(x_name, named)
  slope <- total[i, match(edges[, 1], named)] * total[match(edges[, 2], named), j]
  indirect <- slope - (edges[, 1] == y_name & edges[, 2] == x_name)
  address <- c("details", "total_effects", paste(x_name, "->", y_name))
  factor <- size[[y_name]] / size[[x_name]]
  say(c(address, "direct"), b[i, j] * factor)
  report(c(address, "indirect"), total[i, j] - b[i, j], sqrt(sum(indirect * (covariance %*% indirect)) / n), factor)
  report(c(address, "total"), total[i, j], sqrt(sum(slope * (covariance %*% slope)) / n), factor)
}
