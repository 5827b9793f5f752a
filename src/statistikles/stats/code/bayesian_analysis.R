seen <- likelihood[, data_index + 1]
if (is.null(hypotheses)) hypotheses <- paste0("H", seq_along(prior))
evidence <- sum(prior * seen)
say("evidence", evidence)
for (i in seq_along(prior)) say(c("posterior", hypotheses[i]), prior[i] * seen[i] / evidence)
