degree <- function(fuzzy, v) {
  d <- (v - fuzzy$center) / fuzzy$width
  switch(if (is.null(fuzzy$shape)) "gaussian" else fuzzy$shape,
         gaussian = exp(-d^2 / 2), triangular = pmax(0, 1 - abs(d)), trapezoid = pmin(1, pmax(0, 2 * (1 - abs(d)))),
         bell = 1 / (1 + d^4), sigmoid = 1 / (1 + exp(-pmin(700, pmax(-700, d)))))
}
firing <- sapply(rules, function(rule) min(sapply(names(rule[["if"]]), function(name) degree(rule[["if"]][[name]], inputs[[name]]))))
ends <- lapply(rules, function(rule) rule$then)
low <- min(sapply(ends, function(e) e$center - 4 * e$width))
high <- max(sapply(ends, function(e) e$center + 4 * e$width))
points <- seq(low, high, length.out = 4001)
height <- do.call(pmax, lapply(seq_along(ends), function(i) pmin(firing[i], degree(ends[[i]], points))))
weights <- c(1, rep(c(4, 2), 1999), 4, 1)  # Simpson's rule
areas <- c(0, cumsum((height[-1] + height[-4001]) / 2 * diff(points)))
top <- points[height >= max(height) * (1 - 1e-9)]
say("output", sum(weights * height * points) / sum(weights * height))
say("sugeno", sum(firing * sapply(ends, function(e) e$center)) / sum(firing))
kept <- !duplicated(areas)
say("bisector", approx(areas[kept], points[kept], areas[4001] / 2)$y)
say("mean_of_maxima", (top[1] + top[length(top)]) / 2)
for (i in seq_along(firing)) say(c("firing", paste0("[", i - 1, "]")), firing[i])
say("n_rules", length(rules))
