if (is.null(dim(data))) {
  for (i in seq_along(data)) say(c("clr", paste0("[", i - 1, "]")), log(data[i]) - mean(log(data)))
  say("geometric_mean", exp(mean(log(data))))
}
