whole <- if (is.null(values)) c(a, b) else values
two <- function(u, v) if (v == 0) abs(u) else two(v, u %% v)
divisor <- Reduce(two, whole)
say("gcd", abs(divisor))
multiple <- if (any(whole == 0)) 0 else Reduce(function(u, v) u / two(u, v) * v, abs(whole))
if (multiple < 2^53) say("lcm", multiple)  # beyond it doubles are no exact whole numbers
say("n", length(whole))
if (length(whole) == 2) {  # the extended Euclidean algorithm
  r <- whole
  x <- c(1, 0)
  y <- c(0, 1)
  while (r[2] != 0) {
    q <- (r[1] - r[1] %% r[2]) / r[2]
    r <- c(r[2], r[1] %% r[2])
    x <- c(x[2], x[1] - q * x[2])
    y <- c(y[2], y[1] - q * y[2])
  }
  turn <- if (r[1] >= 0) 1 else -1
  say(c("bezout", "[0]"), turn * x[1])
  say(c("bezout", "[1]"), turn * y[1])
}
