# Reference values of McNemar's test from R (mcnemar.test, binom.test, pchisq); run from tests/reference.
library(jsonlite)
cases <- list()
mc <- function(id, b, c) {
  e <- list(statistic = (b - c)^2 / (b + c), p_value = pchisq((b - c)^2 / (b + c), 1, lower.tail = FALSE),
            "also.exact.p_value" = binom.test(b, b + c)$p.value)
  if (b != c) {
    m <- matrix(c(50, c, b, 50), 2)
    plain <- mcnemar.test(m, correct = FALSE); corr <- mcnemar.test(m, correct = TRUE)
    e$statistic <- unname(plain$statistic); e$p_value <- plain$p.value
    e[["also.corrected.statistic"]] <- unname(corr$statistic); e[["also.corrected.p_value"]] <- corr$p.value
    k <- min(b, c)
    e[["also.mid_p.p_value"]] <- 2 * pbinom(k, b + c, 0.5) - dbinom(k, b + c, 0.5)
  } else e[["also.mid_p.p_value"]] <- 1 - dbinom(b, b + c, 0.5)
  ci <- binom.test(b, b + c)$conf.int
  e$conf_low <- ci[1]; e$conf_high <- ci[2]; e$estimate <- b / (b + c)
  cases[[length(cases) + 1]] <<- list(id = id, arguments = list(type = "mcnemar", b = b, c = c), expect = e, rtol = 1e-9,
    source = list(program = "R", version = as.character(getRversion()),
                  command = "mcnemar.test(correct = FALSE / TRUE); binom.test(b, b + c); mid-p by pbinom - dbinom"))
}
mc("classic", 18, 33); mc("one-sided-zero", 0, 6); mc("large", 500, 610); mc("small", 3, 1); mc("tiny-p", 5, 400); mc("equal", 7, 7)
write(toJSON(list(tool = "algebraic_stats", cases = cases), auto_unbox = TRUE, digits = NA, pretty = 1),
      "values/algebraic_stats-mcnemar.json")
