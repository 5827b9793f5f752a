base <- if (is.null(baseline)) mean(observed) else baseline
e1 <- sum((observed - base)^2); e2 <- sum((observed - predicted)^2)
say("e1", e1)
say("e2", e2)
say("pre", 1 - e2 / e1)
say("r_squared", 1 - e2 / sum((observed - mean(observed))^2))
say("squared_correlation", cor(observed, predicted)^2)
say("n", length(observed))
