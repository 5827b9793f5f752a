x <- observations
target <- if (is.null(grand_mean)) mean(x) else grand_mean
s <- sum((x - target)^2)
factor <- max(0, 1 - (length(x) - if (is.null(grand_mean)) 3 else 2) * variance / s)
say("target", target)
say("sum_sq", s)
say("factor", factor)
for (i in seq_along(x)) say(c("estimates", paste0("[", i - 1, "]")), target + factor * (x[i] - target))
