say("membership", exp(-(value - center)^2 / (2 * width^2)))
say(c("also", "triangular"), max(0, 1 - abs(value - center) / width))
