# Sums and products that stay below 2^53, where doubles are exact whole numbers.
add <- function(u, v) if (u >= modulus - v) u - (modulus - v) else u + v
times_mod <- function(u, v) {
  total <- 0
  while (v > 0) {
    if (v %% 2 == 1) total <- add(total, u)
    u <- add(u, u)
    v <- v %/% 2
  }
  total
}
power_mod <- function(u, k) {
  total <- 1 %% modulus
  while (k > 0) {
    if (k %% 2 == 1) total <- times_mod(total, u)
    u <- times_mod(u, u)
    k <- k %/% 2
  }
  total
}
residue <- a %% modulus
say("residue", residue)
say("residue_of_power", power_mod(residue, exponent))
say("additive_inverse", if (residue == 0) 0 else modulus - residue)
r <- c(modulus, residue)  # the extended Euclidean algorithm, kept in residues
x <- c(0, 1 %% modulus)
while (r[2] > 0) {
  q <- (r[1] - r[1] %% r[2]) / r[2]
  less <- times_mod(x[2], q %% modulus)
  x <- c(x[2], if (x[1] >= less) x[1] - less else x[1] + (modulus - less))
  r <- c(r[2], r[1] %% r[2])
}
if (r[1] == 1) say("multiplicative_inverse", x[1])
