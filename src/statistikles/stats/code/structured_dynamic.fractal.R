spots <- which(img > 0, arr.ind = TRUE) - 1
sizes <- 2^(0:floor(log2(max(dim(img)) %/% 2)))
counts <- sapply(sizes, function(size) nrow(unique(spots %/% size)))
u <- -log(sizes) - mean(-log(sizes))
v <- log(counts) - mean(log(counts))
slope <- sum(u * v) / sum(u^2)
rss <- sum((v - slope * u)^2)
say("dimension", slope)
if (sd(v) > 0) say("r_squared", 1 - rss / sum(v^2))
df <- length(u) - 2
if (df > 0) {
  error <- sqrt(rss / df / sum(u^2))
  say("std_error", error)
  say("conf_low", slope - qt((1 + conf_level) / 2, df) * error)
  say("conf_high", slope + qt((1 + conf_level) / 2, df) * error)
}
for (i in seq_along(sizes)) {
  say(c("sizes", paste0("[", i - 1, "]")), sizes[i])
  say(c("counts", paste0("[", i - 1, "]")), counts[i])
}
say("n_ones", nrow(spots))
