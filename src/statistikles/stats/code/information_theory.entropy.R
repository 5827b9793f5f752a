if (is.null(p)) p <- table(data)
p <- as.vector(p) / sum(p)
p <- p[p > 0]
say("entropy_bits", -sum(p * log2(p)))
say("entropy_nats", -sum(p * log(p)))
say("perplexity", exp(-sum(p * log(p))))
