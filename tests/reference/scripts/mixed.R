# Reference values of advanced_modeling, type mixed_effects. Run from the project root: Rscript tests/reference/scripts/mixed.R
suppressPackageStartupMessages({library(jsonlite); library(lmerTest)})
src <- list(program = paste0("R lme4 ", packageVersion("lme4"), ", lmerTest ", packageVersion("lmerTest"), " (Satterthwaite)"),
            version = as.character(getRversion()), command = "Rscript tests/reference/scripts/mixed.R")
ctl <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-12, maxfun = 1e5), check.conv.singular = "ignore")
one <- function(id, data, vars, df_rtol = TRUE, rtol = 2e-5) {
  full <- data[complete.cases(data), ]; n <- nrow(full); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  rhs <- if (length(vars)) paste(vars, collapse = " + ") else "1"
  f <- as.formula(paste("y ~", rhs, "+ (1 | g)")); m <- lmer(f, full, control = ctl); ml <- lmer(f, full, REML = FALSE, control = ctl)
  co <- coef(summary(m)); labels <- c("intercept", vars)
  for (j in seq_along(labels)) { k <- paste0("terms.", labels[j], ".")
    put(paste0(k, "estimate"), co[j, 1]); put(paste0(k, "std_error"), co[j, 2]); put(paste0(k, "statistic"), co[j, 4])
    if (df_rtol) { put(paste0(k, "df"), co[j, 3]); put(paste0(k, "p_value"), co[j, 5]) }
    k <- paste0("also.ml.", k); put(paste0(k, "estimate"), fixef(ml)[j]); put(paste0(k, "std_error"), sqrt(vcov(ml)[j, j])) }
  v <- as.data.frame(VarCorr(m))$vcov; put("details.random_intercept_variance", v[1]); put("details.residual_variance", v[2])
  put("effect_size.estimate", v[1] / sum(v)); put("log_likelihood", as.numeric(logLik(m))); put("aic", AIC(m)); put("bic", BIC(m))
  w <- as.data.frame(VarCorr(ml))$vcov; put("also.ml.random_intercept_variance", w[1]); put("also.ml.residual_variance", w[2]); put("also.ml.log_likelihood", as.numeric(logLik(ml)))
  ols <- lm(as.formula(paste("y ~", rhs)), full); lr <- 2 * (as.numeric(logLik(m)) - as.numeric(logLik(ols, REML = TRUE)))
  put("details.random_intercept_test.statistic", max(lr, 0))
  if (lr > 1e-6) put("details.random_intercept_test.p_value", pchisq(lr, 1, lower.tail = FALSE) / 2)
  r <- ranef(m)$g; for (l in rownames(r)) put(paste0("details.random_effects.", l), r[l, 1])
  fx <- var(as.numeric(model.matrix(m) %*% fixef(m))); put("details.r_squared_marginal", fx / (fx + sum(v))); put("details.r_squared_conditional", (fx + v[1]) / (fx + sum(v)))
  if (length(vars)) { m0 <- lmer(y ~ 1 + (1 | g), full, REML = FALSE, control = ctl); x2 <- 2 * as.numeric(logLik(ml) - logLik(m0))
    put("statistic", x2); put("df", length(vars)); put("p_value", pchisq(x2, length(vars), lower.tail = FALSE)) } else { e["statistic"] <- list(NULL) }
  put("n", n); put("n_missing", nrow(data) - n)
  a <- list(type = "mixed_effects", y = data$y, group_ids = as.character(data$g))
  if (length(vars)) { a$x <- unname(lapply(vars, function(x) data[[x]])); a$var_names <- as.list(vars) }
  list(id = paste0("mixed-", id), arguments = a, expect = e, rtol = rtol, atol = 2e-6, source = src)
}
o <- as.data.frame(nlme::Orthodont); o <- data.frame(y = o$distance, age = o$age, female = as.integer(o$Sex == "Female"), g = paste0("s", o$Subject))
s <- data.frame(y = sleepstudy$Reaction, days = sleepstudy$Days, g = paste0("s", sleepstudy$Subject))[1:90, ]
miss <- s[1:60, ]; miss$y[c(3, 17)] <- NA; miss$days[25] <- NA
d <- data.frame(y = Dyestuff$Yield, g = as.character(Dyestuff$Batch)); d2 <- data.frame(y = Dyestuff2$Yield, g = as.character(Dyestuff2$Batch))
p <- data.frame(y = as.numeric(Pastes$strength), g = as.character(Pastes$batch)); p <- p[-c(2, 5, 6, 7, 19, 20), ]
cases <- list(one("orthodont", o, c("age", "female")), one("sleepstudy", s, "days"), one("missing", miss, "days"),
  one("dyestuff", d, character()), one("unbalanced-batches", p, character()), one("boundary", d2, character(), FALSE))
refuse <- function(id, arguments, code) list(id = paste0("mixed-", id), arguments = c(list(type = "mixed_effects"), arguments), error_code = code,
  source = list(program = "definition", version = "-", command = "the parameters are not identified"))
cases <- c(cases, list(refuse("one-group", list(y = c(1, 3, 2, 5, 4), group_ids = rep("a", 5)), "too_few_groups"),
  refuse("single-rows", list(y = c(1, 3, 2, 5, 4), group_ids = letters[1:5]), "too_few_values"),
  refuse("no-residual", list(y = c(1, 1, 2, 2, 5, 5), group_ids = c("a", "a", "b", "b", "c", "c")), "zero_variance"),
  refuse("group-level", list(y = c(1, 3, 2, 5, 4, 2), x = c(0, 0, 0, 1, 1, 1), group_ids = c("a", "a", "a", "b", "b", "b")), "too_few_groups")))
write(toJSON(list(tool = "advanced_modeling", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1),
      "tests/reference/values/advanced_modeling-mixed.json")
