# unless: actual, predicted, prevalence
tp <- true_positive; fn <- false_negative; tn <- true_negative; fp <- false_positive
say("n", tp + fn + tn + fp)
share <- function(name, hits, of) {
  say(name, hits / of)
  wilson <- suppressWarnings(prop.test(hits, of, conf.level = 1 - alpha, correct = FALSE))$conf.int
  exact <- binom.test(hits, of, conf.level = 1 - alpha)$conf.int
  say(c("intervals", name, "conf_low"), wilson[1])
  say(c("intervals", name, "conf_high"), wilson[2])
  say(c("intervals", name, "also", "clopper_pearson", "conf_low"), exact[1])
  say(c("intervals", name, "also", "clopper_pearson", "conf_high"), exact[2])
}
share("sensitivity", tp, tp + fn)
share("specificity", tn, tn + fp)
share("ppv", tp, tp + fp)
share("npv", tn, tn + fn)
say("accuracy", (tp + tn) / (tp + fn + tn + fp))
say("youden_j", tp / (tp + fn) + tn / (tn + fp) - 1)
say("f1_score", 2 * tp / (2 * tp + fp + fn))
