n <- length(series_x)
rows <- (lag + 1):n
past <- function(v) sapply(seq_len(lag), function(k) v[rows - k])
y <- series_y[rows]
restricted <- lm(y ~ past(series_y)); full <- lm(y ~ past(series_y) + past(series_x))
test <- anova(restricted, full)
say("statistic", test$F[2])
say("df", test$Df[2])
say("df_error", test$Res.Df[2])
say("p_value", test[["Pr(>F)"]][2])
say(c("details", "n_used"), length(rows))
