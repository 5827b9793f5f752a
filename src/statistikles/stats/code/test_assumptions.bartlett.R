test <- bartlett.test(groups)
say("statistic", test$statistic)
say("df", test$parameter)
say("p_value", test$p.value)
say("n", sum(lengths(groups)))
for (name in names(groups)) {
  say_group(name, groups[[name]])
  say(c("details", "variances", name), var(groups[[name]]))
}
