# Expected values of the golden questions, from R. Run at the repository root: Rscript tests/golden/expected.R
# Writes tests/golden/expected.json with the versions that produced it.
suppressPackageStartupMessages({library(jsonlite); library(survival)})
p <- read.csv("examples/penguins.csv")
s <- read.csv("examples/sleep.csv")
ti <- read.csv("examples/titanic.csv")
le <- read.csv("examples/leukaemia.csv")
test <- function(t) list(statistic = unname(t$statistic), df = unname(t$parameter), p_value = t$p.value)
fit <- lm(body_mass_g ~ flipper_length_mm + bill_depth_mm, data = p)
one <- summary(aov(body_mass_g ~ species, data = p))[[1]]
ld <- survdiff(Surv(weeks, relapsed) ~ treatment, data = le)
ad <- p[p$species == "Adelie", ]
out <- list(
  two_groups = test(t.test(body_mass_g ~ sex, data = p)),
  three_groups = list(statistic = one[1, 4], df = one[1, 1], df_error = one[2, 1], p_value = one[1, 5]),
  paired = test(t.test(s$extra_sleep_drug_1_h, s$extra_sleep_drug_2_h, paired = TRUE)),
  categories = test(chisq.test(table(ti$sex, ti$survived), correct = FALSE)),
  relation = c(test(cor.test(p$flipper_length_mm, p$body_mass_g)),
               list(estimate = unname(cor(p$flipper_length_mm, p$body_mass_g, use = "complete.obs")))),
  prediction = list(r_squared = summary(fit)$r.squared, flipper = unname(coef(fit)[2]), depth = unname(coef(fit)[3])),
  normality = list(statistic = unname(shapiro.test(p$flipper_length_mm)$statistic),
                   p_value = shapiro.test(p$flipper_length_mm)$p.value),
  by_group = as.list(tapply(p$flipper_length_mm, p$species, mean, na.rm = TRUE)),
  frequencies = as.list(table(p$species)),
  sample_size = list(n_per_group = ceiling(power.t.test(delta = 0.5, power = 0.8, strict = TRUE)$n)),
  fixed_value = test(t.test(p$body_mass_g, mu = 4000)),
  survival = list(statistic = ld$chisq, p_value = pchisq(ld$chisq, 1, lower.tail = FALSE)),
  two_groups_adelie = test(t.test(body_mass_g ~ sex, data = ad)),
  provenance = list(program = R.version.string, survival = as.character(packageVersion("survival")),
                    command = "Rscript tests/golden/expected.R")
)
writeLines(toJSON(out, auto_unbox = TRUE, digits = I(15), pretty = TRUE), "tests/golden/expected.json")
