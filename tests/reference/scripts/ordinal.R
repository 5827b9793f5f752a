# Reference values of advanced_modeling, type ordinal_logistic. Run from the project root: Rscript tests/reference/scripts/ordinal.R
suppressPackageStartupMessages({library(jsonlite); library(ordinal)})
src <- list(program = paste0("R ordinal ", packageVersion("ordinal"), " clm; MASS ", packageVersion("MASS"), " polr as a check; Brant's test from its definition with glm"),
            version = as.character(getRversion()), command = "Rscript tests/reference/scripts/ordinal.R")
one <- function(id, data, vars, levels = NULL, brant = TRUE, rtol = 1e-6) {
  full <- data[complete.cases(data), ]; n <- nrow(full); e <- list(); put <- function(key, value) e[[key]] <<- unname(value)
  full$f <- factor(full$y, levels = if (is.null(levels)) sort(unique(full$y)) else levels, ordered = TRUE); k <- nlevels(full$f); p <- length(vars)
  rhs <- paste(vars, collapse = " + "); m <- clm(as.formula(paste("f ~", rhs)), data = full, control = clm.control(gradTol = 1e-10, maxIter = 200))
  if (k > 2) { q <- MASS::polr(as.formula(paste("f ~", rhs)), full, Hess = TRUE); stopifnot(max(abs(coef(q) - m$beta)) < 1e-2) }
  s <- coef(summary(m)); lab <- levels(full$f)
  for (j in seq_len(k - 1)) { a <- paste0("details.thresholds.", lab[j], "|", lab[j + 1], "."); put(paste0(a, "estimate"), s[j, 1]); put(paste0(a, "std_error"), s[j, 2]) }
  for (v in vars) { r <- s[v, ]; a <- paste0("terms.", v, "."); put(paste0(a, "estimate"), r[1]); put(paste0(a, "std_error"), r[2]); put(paste0(a, "statistic"), r[3]); put(paste0(a, "p_value"), r[4])
    put(paste0(a, "conf_low"), r[1] - qnorm(.975) * r[2]); put(paste0(a, "conf_high"), r[1] + qnorm(.975) * r[2]); put(paste0(a, "odds_ratio"), exp(r[1])); put(paste0(a, "odds_ratio_high"), exp(r[1] + qnorm(.975) * r[2])) }
  ll <- as.numeric(logLik(m)); ll0 <- as.numeric(logLik(clm(f ~ 1, data = full))); lr <- 2 * (ll - ll0)
  put("log_likelihood", ll); put("aic", AIC(m)); put("bic", BIC(m)); put("statistic", lr); put("df", p); put("p_value", pchisq(lr, p, lower.tail = FALSE))
  put("pseudo_r_squared.mcfadden", 1 - ll / ll0); cs <- 1 - exp(2 * (ll0 - ll) / n); put("pseudo_r_squared.cox_snell", cs); put("pseudo_r_squared.nagelkerke", cs / (1 - exp(2 * ll0 / n)))
  put("n", n); put("n_missing", nrow(data) - n)
  if (brant && k > 2) {
    code <- as.integer(full$f); ctl <- glm.control(epsilon = 1e-14, maxit = 100)
    fits <- lapply(1:(k - 1), function(j) glm(as.formula(paste("I(code > j) ~", rhs)), binomial, cbind(full, code = code), control = ctl))
    X <- model.matrix(fits[[1]]); P <- sapply(fits, fitted); B <- unlist(lapply(fits, function(f) coef(f)[-1])); V <- matrix(0, (k - 1) * p, (k - 1) * p)
    for (a in 1:(k - 1)) for (b in 1:(k - 1)) { w <- P[, max(a, b)] - P[, a] * P[, b]
      blk <- solve(t(X) %*% (X * P[, a] * (1 - P[, a]))) %*% (t(X) %*% (X * w)) %*% solve(t(X) %*% (X * P[, b] * (1 - P[, b])))
      V[(a - 1) * p + 1:p, (b - 1) * p + 1:p] <- blk[-1, -1] }
    D <- do.call(rbind, lapply(1:(k - 2), function(a) { M <- matrix(0, p, (k - 1) * p); M[, 1:p] <- diag(p); M[, a * p + 1:p] <- -diag(p); M }))
    x2 <- drop(t(D %*% B) %*% solve(D %*% V %*% t(D)) %*% (D %*% B)); d <- (k - 2) * p
    put("diagnostics.proportional_odds.statistic", x2); put("diagnostics.proportional_odds.df", d); put("diagnostics.proportional_odds.p_value", pchisq(x2, d, lower.tail = FALSE)) }
  a <- list(type = "ordinal_logistic", y = data$y, x = unname(lapply(vars, function(v) data[[v]])), var_names = as.list(vars)); if (!is.null(levels)) a$levels <- levels
  list(id = paste0("ordinal-", id), arguments = a, expect = e, rtol = rtol, atol = 1e-8, source = src)
}
w <- data.frame(y = as.integer(wine$rating), temp = as.integer(wine$temp == "warm"), contact = as.integer(wine$contact == "yes"))
h <- MASS::housing; h <- h[rep(seq_len(nrow(h)), h$Freq), ]; h <- h[seq(1, nrow(h), 9), ]
h <- data.frame(y = as.character(h$Sat), infl = as.integer(h$Infl), cont = as.integer(h$Cont == "High"))
cars <- data.frame(y = mtcars$gear, mpg = mtcars$mpg); air <- airquality[1:80, ]; air <- data.frame(y = cut(air$Ozone, c(0, 15, 30, 60, 500), labels = FALSE), wind = air$Wind, solar = air$Solar.R)
two <- data.frame(y = mtcars$am, wt = mtcars$wt)
cases <- list(one("wine", w, c("temp", "contact"), brant = FALSE), one("housing-labels", h, c("infl", "cont"), c("Low", "Medium", "High")),
  one("missing", air, c("wind", "solar"), brant = FALSE), one("two-categories", two, "wt"), one("gears", cars, "mpg", brant = FALSE))
refuse <- function(id, arguments, code) list(id = paste0("ordinal-", id), arguments = c(list(type = "ordinal_logistic"), arguments), error_code = code,
  source = list(program = "definition", version = "-", command = "no finite maximum likelihood estimate, or no order"))
cases <- c(cases, list(refuse("separated", list(y = c(1, 1, 2, 2, 3, 3), x = 1:6), "separation"),
  refuse("quasi-separated", list(y = c(1, 1, 2, 2, 2, 3), x = c(1, 2, 2, 3, 4, 4)), "separation"),
  refuse("text-without-order", list(y = c("low", "high", "low", "high"), x = 1:4), "missing_argument"),
  refuse("one-category", list(y = c(1, 1, 1, 1), x = 1:4), "out_of_range"),
  refuse("constant", list(y = c(1, 2, 1, 2), x = c(3, 3, 3, 3)), "zero_variance")))
write(toJSON(list(tool = "advanced_modeling", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1),
      "tests/reference/values/advanced_modeling-ordinal.json")
