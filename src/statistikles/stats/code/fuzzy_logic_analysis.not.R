for (i in seq_along(values)) say(c("complement", paste0("[", i - 1, "]")), 1 - values[i])
