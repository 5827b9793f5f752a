# unless: ma_type
means <- stats::filter(data, rep(1 / window, window), sides = 1)
means <- means[!is.na(means)]
for (i in seq_along(means)) say(c("values", paste0("[", i - 1, "]")), means[i])
