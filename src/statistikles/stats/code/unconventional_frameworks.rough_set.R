keys <- sapply(features, function(item) paste(deparse(item), collapse = ""))
n <- length(keys)
chosen <- (seq_len(n) - 1) %in% target
lower <- which(ave(as.numeric(chosen), keys, FUN = min) == 1)
upper <- which(ave(as.numeric(chosen), keys, FUN = max) == 1)
report <- function(name, found) {
  for (place in seq_along(found)) say(c(name, paste0("[", place - 1, "]")), found[place] - 1)
}
report("lower", lower)
report("upper", upper)
report("boundary", setdiff(upper, lower))
if (length(upper)) {
  say("accuracy", length(lower) / length(upper))
  say("roughness", 1 - length(lower) / length(upper))
}
say("quality", length(lower) / n)
say("n", n)
say("n_classes", length(unique(keys)))
say("n_lower", length(lower))
say("n_upper", length(upper))
