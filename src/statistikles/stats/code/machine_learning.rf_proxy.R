# The forest is made of scikit-learn's trees on samples from numpy's generator, which R does not have: what stands here
# are the correlations beside it. randomForest::randomForest() grows another forest, with other numbers.
outcome <- suppressWarnings(as.numeric(y))
classes <- task == "classification" || anyNA(outcome)
if (classes) outcome <- as.numeric(factor(y, levels = if (anyNA(outcome)) unique(y) else unique(y)[order(as.numeric(unique(y)))]))
named <- predictor_names(var_names, ncol(x))
say("n", nrow(x))
say("n_predictors", ncol(x))
for (j in seq_along(named)) {
  if ((!classes || length(unique(y)) == 2) && sd(x[, j]) > 0) say(c("abs_r", named[j]), abs(cor(x[, j], outcome)))
}
