# Reference values of anova, types factorial and repeated_measures. Run from the project root: Rscript tests/reference/scripts/factorial.R
suppressPackageStartupMessages({library(jsonlite); library(car)})
src <- list(program = "R (car::Anova types II and III, anova.lm for type I, predict.lm, ptukey, mauchly.test)",
            version = paste(as.character(getRversion()), "car", as.character(packageVersion("car"))),
            command = "Rscript tests/reference/scripts/factorial.R")
eta_bounds <- function(f, d1, d2) {
  n <- d1 + d2 + 1
  at <- function(p) if (pf(f, d1, d2) <= p) 0 else uniroot(function(l) pf(f, d1, d2, l) - p, c(0, 50 + 20 * f * d1), tol = 1e-12)$root
  l <- c(at(.975), at(.025)); l / (l + n)
}
two <- function(id, y, a, b = NULL, cov = NULL, cross = TRUE, rtol = 1e-9) {
  d <- data.frame(y = y, a = factor(as.character(a))); if (!is.null(b)) d$b <- factor(as.character(b))
  if (!is.null(cov)) d <- cbind(d, cov)
  keep <- complete.cases(d); full <- d; d <- droplevels(d[keep, ]); e <- list(); bounds <- list()
  put <- function(key, value) e[[key]] <<- unname(value)
  options(contrasts = c("contr.sum", "contr.poly"))
  rhs <- paste(c(names(cov), if (is.null(b)) "a" else if (cross) "a * b" else "a + b"), collapse = " + ")
  fit <- lm(as.formula(paste("y ~", rhs)), data = d)
  shown <- function(t) sub("^a:b$", "fa × fb", sub("^b$", "fb", sub("^a$", "fa", t)))
  for (type in 2:3) {
    tab <- Anova(fit, type = type); rdf <- fit$df.residual; rss <- deviance(fit)
    for (t in setdiff(rownames(tab), c("(Intercept)", "Residuals"))) {
      k0 <- paste0(if (type == 2) "sources." else "also.type_iii.", shown(t), ".")
      put(paste0(k0, "sum_sq"), tab[t, "Sum Sq"]); put(paste0(k0, "df"), tab[t, "Df"])
      put(paste0(k0, "statistic"), tab[t, "F value"]); put(paste0(k0, "p_value"), pf(tab[t, "F value"], tab[t, "Df"], rdf, lower.tail = FALSE))
      put(paste0(k0, "effect_size.estimate"), tab[t, "Sum Sq"] / (tab[t, "Sum Sq"] + rss))
      if (type == 2) { ci <- eta_bounds(tab[t, "F value"], tab[t, "Df"], rdf)
        if (ci[1] > 0) bounds[[paste0(k0, "effect_size.conf_low")]] <- ci[1]; bounds[[paste0(k0, "effect_size.conf_high")]] <- ci[2] }
    }
  }
  one <- anova(fit); for (t in setdiff(rownames(one), "Residuals")) put(paste0("also.type_i.", shown(t), ".sum_sq"), one[t, "Sum Sq"])
  put("sources.residual.sum_sq", rss); put("sources.residual.df", rdf); put("sources.total.sum_sq", sum((d$y - mean(d$y))^2))
  put("details.r_squared", summary(fit)$r.squared); put("n", nrow(d)); put("n_missing", nrow(full) - nrow(d))
  # adjusted means: all level combinations predicted, covariates at their means, averaged with equal weight
  grid <- expand.grid(c(list(a = levels(d$a)), if (!is.null(b)) list(b = levels(d$b))))
  for (v in names(cov)) grid[[v]] <- mean(d[[v]])
  X <- model.matrix(delete.response(terms(fit)), grid, contrasts.arg = fit$contrasts); V <- vcov(fit)
  for (f in c("a", if (!is.null(b)) "b")) {
    L <- t(sapply(levels(d[[f]]), function(l) colMeans(X[grid[[f]] == l, , drop = FALSE]))); m <- L %*% coef(fit); se <- sqrt(diag(L %*% V %*% t(L)))
    named <- shown(f)
    for (i in seq_along(m)) { k0 <- paste0("details.adjusted_means.", named, ".", levels(d[[f]])[i], ".")
      put(paste0(k0, "mean"), m[i]); put(paste0(k0, "std_error"), se[i]); put(paste0(k0, "conf_low"), m[i] - qt(.975, rdf) * se[i]) }
    k <- nrow(L); for (i in 1:(k - 1)) for (j in (i + 1):k) {
      D <- L[i, ] - L[j, ]; dm <- sum(D * coef(fit)); ds <- sqrt(drop(t(D) %*% V %*% D)); q <- abs(dm) / ds * sqrt(2)
      k0 <- paste0("also.pairs.", named, ".", levels(d[[f]])[i], " − ", levels(d[[f]])[j], ".")
      put(paste0(k0, "estimate"), dm); put(paste0(k0, "std_error"), ds); put(paste0(k0, "statistic"), q)
      pq <- ptukey(q, k, rdf, lower.tail = FALSE); if (pq > 1e-5) bounds[[paste0(k0, "p_value")]] <- pq
      bounds[[paste0(k0, "conf_high")]] <- dm + qtukey(.95, k, rdf) / sqrt(2) * ds }
  }
  args <- list(type = "factorial", y = y, factor_a = as.character(a))
  if (!is.null(b)) args$factor_b <- as.character(b)
  if (!is.null(cov)) args$covariates <- unname(as.list(cov))
  if (!cross) args$interaction <- FALSE
  args$var_names <- I(c("fa", if (!is.null(b)) "fb", names(cov)))
  # pf with a noncentrality, ptukey and qtukey are good to a few digits less, so what rests on them is a case of its own
  list(list(id = paste0("factorial-", id), arguments = args, expect = e, rtol = rtol, atol = 1e-12, source = src),
       list(id = paste0("factorial-", id, "-bounds"), arguments = args, expect = bounds, rtol = 1e-6, atol = 1e-7, source = src))
}
within <- function(id, m, rtol = 1e-9) {
  keep <- complete.cases(m); x <- as.matrix(m[keep, ]); n <- nrow(x); k <- ncol(x); e <- list()
  put <- function(key, value) e[[key]] <<- unname(value)
  fit <- lm(x ~ 1); idata <- data.frame(w = gl(k, 1)); s <- summary(Anova(fit, idata = idata, idesign = ~w, type = 3), multivariate = FALSE)
  u <- s$univariate.tests["w", ]; gg <- if (k > 2) s$pval.adjustments["w", "GG eps"] else 1; hf <- if (k > 2) min(1, s$pval.adjustments["w", "HF eps"]) else 1
  put("statistic", u["F value"]); put("details.conditions.sum_sq", u["Sum Sq"]); put("details.error.sum_sq", u["Error SS"])
  put("details.epsilon.greenhouse_geisser", gg); put("details.epsilon.huynh_feldt", hf)
  put("df", u["num Df"] * gg); put("df_error", u["den Df"] * gg)
  p <- function(eps) pf(u["F value"], u["num Df"] * eps, u["den Df"] * eps, lower.tail = FALSE)
  put("p_value", p(gg)); put("also.uncorrected.p_value", p(1)); put("also.huynh_feldt.p_value", p(hf))
  if (k > 2) { t <- mauchly.test(fit, X = ~1); put("details.sphericity.estimate", t$statistic)
    # p from the second-order approximation written out: mauchly.test has "3 * p" with p = k instead of k - 1 in its last factor
    p0 <- k - 1; m0 <- n - 1; rho <- 1 - (2 * p0^2 + p0 + 2) / (6 * p0 * m0); z <- -m0 * rho * log(t$statistic); f0 <- p0 * (p0 + 1) / 2 - 1
    w2 <- (p0 + 2) * (p0 - 1) * (p0 - 2) * (2 * p0^3 + 6 * p0^2 + 3 * p0 + 2) / (288 * (m0 * p0 * rho)^2)
    put("details.sphericity.statistic", z); put("details.sphericity.p_value", pchisq(z, f0, lower.tail = FALSE) + w2 * (pchisq(z, f0 + 4, lower.tail = FALSE) - pchisq(z, f0, lower.tail = FALSE))) }
  subj <- k * sum((rowMeans(x) - mean(x))^2); put("details.subjects.sum_sq", subj)
  put("effect_size.estimate", u["Sum Sq"] / (u["Sum Sq"] + u["Error SS"]))
  put("effect_sizes.generalized_eta_squared.estimate", u["Sum Sq"] / (u["Sum Sq"] + u["Error SS"] + subj))
  raw <- c(); for (i in 1:(k - 1)) for (j in (i + 1):k) { t <- t.test(x[, i], x[, j], paired = TRUE); l <- paste0(colnames(x)[i], " − ", colnames(x)[j]); raw[l] <- t$p.value
    k0 <- paste0("post_hoc.paired_holm.", l, "."); put(paste0(k0, "estimate"), t$estimate); put(paste0(k0, "statistic"), t$statistic); put(paste0(k0, "conf_low"), t$conf.int[1]) }
  h <- p.adjust(raw, "holm"); for (l in names(h)) put(paste0("post_hoc.paired_holm.", l, ".p_value"), h[l])
  put("n", n); put("n_missing", nrow(m) - n)
  list(id = paste0("repeated-", id), arguments = list(type = "repeated_measures", data = unname(as.list(as.data.frame(m))), var_names = colnames(m)), expect = e, rtol = rtol, atol = 1e-12, source = src)
}
refuse <- function(id, arguments, code) list(id = id, arguments = arguments, error_code = code,
  source = list(program = "definition", version = "-", command = "no F ratio exists, or no such design"))
w <- warpbreaks; un <- w[-c(1, 2, 3, 20, 21, 40), ]; tg <- ToothGrowth; mt <- mtcars
miss <- w; miss$breaks[c(3, 30)] <- NA
wide <- function(v) setNames(as.data.frame(v), paste0("t", seq_len(ncol(v))))
or <- wide(t(matrix(Orange$circumference, 7))[, 1:4]); set.seed(7); sim <- wide(round(matrix(rnorm(60), 12) + outer(rnorm(12), rep(1, 5)) * 2 + rep(c(0, .3, .6, .2, 1), each = 12), 2))
gap <- sim[, 1:4]; gap[2, 3] <- NA
cases <- c(two("warpbreaks", w$breaks, w$wool, w$tension), two("unbalanced", un$breaks, un$wool, un$tension),
  two("additive", un$breaks, un$wool, un$tension, cross = FALSE), two("missing", miss$breaks, miss$wool, miss$tension),
  two("toothgrowth", tg$len, tg$supp, paste0("d", tg$dose)), two("ancova", mt$mpg, paste0("c", mt$cyl), cov = mt["wt"]),
  two("ancova-two-covariates", mt$mpg, paste0("g", mt$am), cov = mt[c("wt", "hp")]),
  two("two-way-covariate", mt$qsec, paste0("g", mt$am), paste0("v", mt$vs), cov = mt["wt"]),
  two("offset", un$breaks / 8 + 1e6, un$wool, un$tension, rtol = 1e-7), two("ties", rep(c(1, 2, 2, 3, 4, 4), 4), rep(c("x", "y"), 12), rep(c("p", "q", "r"), each = 8)),
  list(within("orange", or), within("five", sim), within("three", sim[, 1:3]), within("two", sim[, 1:2]), within("missing", gap), within("offset", sim / 8 + 4096, rtol = 1e-7)), list(
  refuse("factorial-one-factor", list(type = "factorial", y = 1:4, factor_a = c("a", "b", "a", "b")), "missing_argument"),
  refuse("factorial-empty-cell", list(type = "factorial", y = c(1, 2, 4, 3, 5, 7), factor_a = c("a", "a", "a", "b", "b", "b"), factor_b = c("u", "v", "v", "u", "u", "u")), "empty_cell"),
  refuse("factorial-exact", list(type = "factorial", y = c(1, 1, 2, 2, 3, 3, 7, 7), factor_a = rep(c("a", "b"), each = 4), factor_b = c("u", "u", "v", "v", "u", "u", "v", "v")), "zero_variance"),
  refuse("factorial-one-level", list(type = "factorial", y = c(1, 2, 4, 3), factor_a = rep("a", 4), factor_b = c("u", "v", "u", "v")), "too_few_groups"),
  refuse("factorial-same-columns", list(type = "factorial", y = c(1, 2, 4, 3, 5, 9), factor_a = c("a", "a", "a", "b", "b", "b"), covariates = list(c(1, 1, 1, 2, 2, 2))), "singular"),
  refuse("repeated-exact", list(type = "repeated_measures", data = list(c(1, 5, 2), c(2, 6, 3), c(4, 8, 5))), "zero_variance"),
  refuse("repeated-one", list(type = "repeated_measures", data = list(c(1, 5, 2))), "too_few_groups")))
write_json(list(tool = "anova", cases = cases), "tests/reference/values/anova-factorial.json", auto_unbox = TRUE, digits = 17, na = "null", pretty = TRUE)
