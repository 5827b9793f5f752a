# Reference values of p_value_adjustment: p.adjust; Šidák from its definition. Run: Rscript scripts/multiplicity.R
library(jsonlite)
options(digits = 17)
cases <- list()
add <- function(id, arguments, expect, cmd, rtol = 1e-10) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, expect = expect, rtol = rtol,
    source = list(program = "R", version = as.character(getRversion()), command = cmd))
}
refuse <- function(id, arguments, code, cmd) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, error_code = code,
    source = list(program = "R", version = as.character(getRversion()), command = cmd))
}
set.seed(20)
samples <- list(
  plain = c(0.01, 0.04, 0.03, 0.005, 0.2),
  ties = c(0.02, 0.02, 0.5, 0.5, 0.001, 0.02, 1, 0),
  tiny = c(1e-200, 3e-17, 0.049, 0.6, 1e-8, 0.051),
  two = c(0.03, 0.04),
  many = round(pbeta(runif(60), 0.4, 1), 6),
  one = 0.03
)
for (name in names(samples)) for (method in c("bonferroni", "holm", "hochberg", "hommel", "bh", "by", "sidak")) {
  p <- samples[[name]]; m <- length(p)
  a <- if (method == "sidak") -expm1(m * log1p(-p)) else p.adjust(p, if (nchar(method) == 2) toupper(method) else method)
  e <- setNames(as.list(a), paste0("rows.", seq_len(m) - 1, ".p_value_adjusted"))
  e$"details.n_significant" <- sum(a <= 0.05)
  cmd <- if (method == "sidak") "-expm1(m * log1p(-p))" else paste0("p.adjust(p, '", method, "')")
  add(paste(method, name, sep = "-"), list(p_values = I(p), method = method), e, cmd)
}
p <- samples$plain
for (method in c("bonferroni", "holm", "hochberg", "hommel", "bh", "by")) {
  a <- p.adjust(p, if (nchar(method) == 2) toupper(method) else method, n = 12)
  add(paste0(method, "-more-tests"), list(p_values = p, method = method, n_tests = 12),
      setNames(as.list(a), paste0("rows.", 0:4, ".p_value_adjusted")), paste0("p.adjust(p, '", method, "', n = 12)"))
}
a <- p.adjust(c(0.01, NA, 0.04), "holm")[c(1, 3)]
add("holm-missing", list(p_values = list(0.01, NULL, 0.04), names = c("a", "b", "c")),
    list("rows.0.p_value_adjusted" = a[1], "rows.1.p_value_adjusted" = a[2], "rows.1.name" = "c", n_missing = 1), "p.adjust with NA")
refuse("above-one", list(p_values = c(0.5, 1.2)), "out_of_range", "not a probability")
refuse("unknown-method", list(p_values = c(0.5, 0.2), method = "tukey"), "unknown_option", "p.adjust stops: 'arg' should be one of")
refuse("fewer-tests", list(p_values = c(0.5, 0.2), n_tests = 1), "out_of_range", "p.adjust stops: n >= length(p)")
write_json(list(tool = "p_value_adjustment", cases = cases), "values/p_value_adjustment.json", digits = NA, auto_unbox = TRUE, null = "null", pretty = 1)
cat(length(cases), "cases\n")
