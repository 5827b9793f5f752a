# unless: n_tests
adjusted <- if (method == "sidak") 1 - (1 - p_values)^length(p_values) else p.adjust(p_values, if (method %in% c("bh", "by")) toupper(method) else method)
for (i in seq_along(adjusted)) {
  say(c("details", "p_values_adjusted", paste0("[", i - 1, "]")), adjusted[i])
  say(c("rows", paste0("[", i - 1, "]"), "p_value"), p_values[i])
}
say("n", length(p_values))
