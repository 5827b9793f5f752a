p <- p / sum(p); q <- q / sum(q)
divergence <- function(a, b) sum(ifelse(a > 0, a * log2(a / b), 0))
m <- (p + q) / 2
say("divergence_bits", divergence(p, q))
say("divergence_nats", divergence(p, q) * log(2))
say("jensen_shannon_bits", (divergence(p, m) + divergence(q, m)) / 2)
