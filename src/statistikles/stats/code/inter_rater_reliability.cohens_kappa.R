levels <- if (is.null(categories)) sort(unique(c(rater1, rater2))) else categories
p <- unclass(prop.table(table(factor(rater1, levels), factor(rater2, levels))))
n <- length(rater1)
k <- length(levels)
rows <- rowSums(p); columns <- colSums(p)
observed <- sum(diag(p)); chance <- sum(rows * columns)
kappa <- (observed - chance) / (1 - chance)
say("estimate", kappa)
say("n", n)
say(c("details", "observed_agreement"), observed)
say(c("details", "chance_agreement"), chance)
# Fleiss, Cohen and Everitt: the error of kappa, and the error when there is no agreement beyond chance.
sums <- outer(columns, rows, "+")
on <- sum(diag(p) * (1 - diag(sums) * (1 - kappa))^2)
off <- (1 - kappa)^2 * (sum(p * sums^2) - sum(diag(p) * diag(sums)^2))
error <- sqrt(on + off - (kappa - chance * (1 - kappa))^2) / ((1 - chance) * sqrt(n))
null <- sqrt(chance + chance^2 - sum(rows * columns * (rows + columns))) / ((1 - chance) * sqrt(n))
say("std_error", error)
if (null > 1e-12) {
  say("statistic", kappa / null)
  say("p_value", 2 * pnorm(-abs(kappa / null)))
  say(c("details", "std_error_null"), null)
}
