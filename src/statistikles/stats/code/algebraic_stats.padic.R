digits <- NULL
rest <- abs(n)
while (rest > 0) {
  digits <- c(digits, rest %% p)
  rest <- (rest - rest %% p) / p
}
if (n == 0) {
  say("norm", 0)
} else {
  valuation <- which(digits > 0)[1] - 1  # how many zeros come first
  say("norm", p^-valuation)
  say("valuation", valuation)
  say("unit", n / p^valuation)
  for (i in seq_along(digits)) say(c("digits", paste0("[", i - 1, "]")), digits[i])
}
