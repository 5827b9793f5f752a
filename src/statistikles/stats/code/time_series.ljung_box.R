if (!is.null(max_lag)) {
  test <- Box.test(data, lag = max_lag, type = "Ljung-Box", fitdf = n_fitted)
  say("statistic", test$statistic)
  say("df", test$parameter)
  say("p_value", test$p.value)
  plain <- Box.test(data, lag = max_lag, type = "Box-Pierce", fitdf = n_fitted)
  say(c("also", "box_pierce", "statistic"), plain$statistic)
  say(c("also", "box_pierce", "p_value"), plain$p.value)
}
say("n", length(data))
