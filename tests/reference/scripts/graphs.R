# Reference values of what statistics list for pictures: descriptive_statistics (detail graph, shape), regression (cases, a
# grid of predictions), kaplan_meier (at), logistic_regression (roc), partial correlation, rdd, factorial anova,
# nonlinear_regression and mle_fit (graph), mantel_haenszel strata. Run from the project root: Rscript tests/reference/scripts/graphs.R
# Needs the packages jsonlite, ggplot2, survival, pROC and sandwich.
suppressPackageStartupMessages({library(jsonlite); library(ggplot2); library(survival); library(pROC); library(sandwich)})
cases <- list()
add <- function(id, arguments, expect, command, package = "stats", rtol = 1e-7, atol = 0) {
  version <- paste0("R ", getRversion(), if (package == "stats") "" else paste0(", ", package, " ", packageVersion(package)))
  case <- list(id = id, arguments = arguments, expect = lapply(expect, unname), rtol = rtol,
               source = list(program = if (package == "stats") "R" else paste("R", package), version = version, command = command))
  if (atol > 0) case$atol <- atol
  cases[[length(cases) + 1]] <<- case
}
save <- function(tool, name) {
  write(toJSON(list(tool = tool, cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = 1),
        file.path("tests/reference/values", paste0(name, ".json")))
  cases <<- list()
}
rows <- function(prefix, frame, which = seq_len(nrow(frame))) {
  out <- list()
  for (i in which) for (key in names(frame)) out[[paste(prefix, i - 1, key, sep = ".")]] <- frame[i, key]
  out
}

# Samples -----------------------------------------------------------------------------------------------------
nice <- function(w) { p <- 10^floor(log10(w)); s <- c(1, 2, 2.5, 5, 10); s[which.min(abs(log(w / (s * p))))] * p }
histogram <- function(id, x) {
  step <- nice(2 * IQR(x) / length(x)^(1 / 3)); first <- floor(min(x) / step) * step
  edges <- first + step * 0:ceiling((max(x) - first) / step)
  if (max(x) >= edges[length(edges)]) edges <- c(edges, edges[length(edges)] + step)
  h <- hist(x, breaks = edges, right = FALSE, include.lowest = FALSE, plot = FALSE)
  e <- list("graph.histogram.bin_width" = step, "graph.histogram.n_below" = 0, "graph.histogram.n_above" = 0)
  e <- c(e, rows("graph.histogram.bins", data.frame(low = head(edges, -1), high = edges[-1], count = h$counts)))
  add(id, list(data = x, detail = "graph"), e,
      "nclass.FD's width 2 IQR n^(-1/3) rounded to 1, 2, 2.5, 5 times a power of ten; hist(x, breaks, right = FALSE)$counts")
}
histogram("histogram-faithful", faithful$waiting)
histogram("histogram-eruptions", faithful$eruptions)
histogram("histogram-precip", as.numeric(precip))
box <- function(id, groups, prefix = function(g) paste0("graph.groups.", g, ".")) {
  e <- list()
  for (g in names(groups)) {
    d <- layer_data(ggplot(data.frame(y = groups[[g]]), aes(0, y)) + geom_boxplot())
    k <- prefix(g)
    for (p in list(c("whisker_low", "ymin"), c("q1", "lower"), c("median", "middle"), c("q3", "upper"), c("whisker_high", "ymax")))
      e[[paste0(k, p[1])]] <- d[[p[2]]]
    far <- sort(d$outliers[[1]]); e[[paste0(k, "n_outside")]] <- length(far); e[[paste0(k, "n")]] <- length(groups[[g]])
    for (i in seq_along(far)) e[[paste0(k, "outside.", i - 1)]] <- far[i]
  }
  e
}
sprays <- split(InsectSprays$count, InsectSprays$spray); chicks <- split(chickwts$weight, as.character(chickwts$feed))
add("boxes-sprays", list(groups = sprays, detail = "graph"), box("", sprays), "layer_data(ggplot(d, aes(0, y)) + geom_boxplot())", "ggplot2")
add("boxes-chicks", list(groups = chicks, detail = "graph"), box("", chicks), "layer_data(ggplot(d, aes(0, y)) + geom_boxplot())", "ggplot2")
add("box-rivers", list(data = as.numeric(rivers), detail = "graph"), box("", list(x = as.numeric(rivers)), function(g) "graph.box."),
    "layer_data(ggplot(d, aes(0, y)) + geom_boxplot())", "ggplot2")
normal <- function(x, k, level = 0.95) {
  n <- length(x); p <- ppoints(n, a = if (n <= 10) 3 / 8 else 1 / 2); q <- qqnorm(x, plot.it = FALSE)
  z <- sort(q$x); slope <- diff(quantile(x, c(.25, .75), names = FALSE)) / diff(qnorm(c(.25, .75)))
  line <- quantile(x, .25, names = FALSE) - slope * qnorm(.25) + slope * z
  se <- slope / dnorm(z) * sqrt(p * (1 - p) / n); r <- qnorm(1 - (1 - level) / 2)
  c(setNames(list(slope, n), paste0(k, c("quantiles.slope", "quantiles.n"))),
    rows(paste0(k, "quantiles.points"), data.frame(theoretical = z, value = sort(x), line = line, conf_low = line - r * se, conf_high = line + r * se)))
}
words <- "qqnorm(x), qqline through the quartiles (type 7); band as in car::qqPlot: slope / dnorm(z) * sqrt(p (1 - p) / n)"
add("quantiles-sleep", list(data = sleep$extra, detail = "graph"), normal(sleep$extra, "graph."), words, atol = 1e-12)
add("quantiles-nine", list(data = women$height[1:9]^2, detail = "graph"), normal(women$height[1:9]^2, "graph."), words, atol = 1e-12)
curve_of <- function(x, k) {
  at <- seq(min(x), max(x), length.out = 65); h <- bw.nrd0(x)
  c(setNames(list(h), paste0(k, "density.bandwidth")),
    rows(paste0(k, "density.points"), data.frame(at = at, density = sapply(at, function(a) mean(dnorm((a - x) / h)) / h))))
}
both <- list()
for (g in names(chicks)) both <- c(both, normal(chicks[[g]], paste0("graph.groups.", g, ".")), curve_of(chicks[[g]], paste0("graph.groups.", g, ".")))
add("shape-chicks", list(groups = chicks, detail = "shape"), both, paste0(words, "; mean(dnorm((at - x) / bw.nrd0(x))) / bw.nrd0(x)"), atol = 1e-12)
add("shape-rivers", list(data = as.numeric(rivers), detail = "shape"), curve_of(as.numeric(rivers), "graph."), "mean(dnorm((at - x) / bw.nrd0(x))) / bw.nrd0(x)")
save("descriptive_statistics", "descriptive_statistics-graph")

# Regression --------------------------------------------------------------------------------------------------
f <- lm(mpg ~ wt + hp, mtcars)
add("cases", list(x = list(mtcars$wt, mtcars$hp), y = mtcars$mpg, cases = 50),
    rows("details.cases", data.frame(row = 1:32, fitted = fitted(f), residual = residuals(f))), "fitted(lm(mpg ~ wt + hp)); residuals()", atol = 1e-11)
x <- quakes$mag; y <- quakes$stations; f <- lm(y ~ x)
kept <- sort(unique(c(round(seq(0, 999, length.out = 20)) + 1, order(-abs(residuals(f)))[1:20])))
add("cases-of-many", list(x = x, y = y, cases = 20),
    rows("details.cases", data.frame(row = kept, fitted = fitted(f)[kept], residual = residuals(f)[kept])),
    "20 evenly spaced rows and the 20 largest of abs(residuals(lm(stations ~ mag, quakes)))", atol = 1e-10)
f <- lm(dist ~ speed, cars); grid <- 4 + 21 * 0:40 / 40; p <- predict(f, data.frame(speed = grid), interval = "confidence")
add("fitted-line-of-a-picture", list(x = cars$speed, y = cars$dist, predict_at = grid),
    rows("details.predictions", data.frame(at = grid, predicted = p[, 1], conf_low = p[, 2], conf_high = p[, 3])),
    "predict(lm(dist ~ speed, cars), interval = 'confidence')")
save("regression", "regression-graph")

# Survival ----------------------------------------------------------------------------------------------------
risk <- function(id, t, d, g, at) {
  e <- list()
  for (k in sort(unique(g))) {
    f <- survfit(Surv(t[g == k], d[g == k]) ~ 1); s <- summary(f, times = at, extend = TRUE)
    e <- c(e, rows(paste0("groups.", k, ".at"), data.frame(time = at, n_at_risk = s$n.risk, n_events = cumsum(s$n.event), survival = s$surv)))
    full <- summary(f, times = f$time, censored = TRUE); lost <- full$n.censor > 0
    cens <- data.frame(time = f$time, n_censored = f$n.censor, survival = f$surv)[f$n.censor > 0, ]
    if (nrow(cens)) e <- c(e, rows(paste0("groups.", k, ".censored"), cens))
  }
  add(id, list(type = "kaplan_meier", times = t, events = d, groups = g, at = at), e,
      "summary(survfit(Surv(t, d) ~ 1), times = at, extend = TRUE); survfit()$n.censor", "survival")
}
risk("at-aml", aml$time, aml$status, ifelse(aml$x == "Maintained", "m", "n"), c(0, 5, 9, 13, 20, 45, 50, 161))
l <- lung[1:90, ]; risk("at-lung", l$time, l$status - 1, ifelse(l$sex == 1, "men", "women"), c(0, 100, 310, 500, 1000, 1022))
save("survival_analysis", "survival_analysis-at")

# Logistic regression -----------------------------------------------------------------------------------------
curve <- function(id, formula, data, vars) {
  f <- glm(formula, binomial, data, control = list(epsilon = 1e-14, maxit = 100)); y <- f$y; p <- round(fitted(f), 12)
  r <- roc(y, p, quiet = TRUE, direction = "<"); o <- order(-r$thresholds)
  found <- data.frame(false_positive_rate = 1 - r$specificities[o], true_positive_rate = r$sensitivities[o])
  e <- rows("details.roc", found); e[["effect_size.estimate"]] <- as.numeric(auc(r))
  x <- lapply(vars, function(v) data[[v]]); if (length(x) == 1) x <- x[[1]]
  add(id, list(x = x, y = unname(y), roc = TRUE), e, "roc(y, fitted(glm(..., binomial))); auc()", "pROC", 1e-10, 1e-12)
}
curve("roc-mtcars", am ~ wt, mtcars, "wt")
curve("roc-ties", am ~ gear, transform(mtcars, gear = pmin(cyl, 6)), "gear")
k <- rpart::kyphosis; k$k <- as.integer(k$Kyphosis == "present"); curve("roc-kyphosis", k ~ Age + Number + Start, k, c("Age", "Number", "Start"))
save("logistic_regression", "logistic_regression-roc")

# Partial correlation -----------------------------------------------------------------------------------------
added <- function(id, x, y, z) {
  z <- as.data.frame(z); f <- lm(y ~ x + ., data.frame(z, x = x, y = y)); a <- residuals(lm(x ~ ., data.frame(z, x = x)))
  b <- residuals(lm(y ~ ., data.frame(z, y = y))); ci <- confint(f)["x", ]; s <- coef(f)["x"]
  e <- list("details.graph.slope" = s, "details.graph.std_error" = sqrt(vcov(f)["x", "x"]), "details.graph.conf_low" = ci[1], "details.graph.conf_high" = ci[2])
  e <- c(e, rows("details.graph.points", data.frame(row = seq_along(x), x_residual = a, y_residual = b)),
         rows("details.graph.line", data.frame(at = range(a), fitted = s * range(a))))
  add(id, list(method = "partial", x = x, y = y, covariates = unname(as.list(z)), graph = TRUE), e,
      "residuals(lm(x ~ z)); residuals(lm(y ~ z)); coef and confint of x in lm(y ~ x + z)", atol = 1e-10)
}
added("added-variable-one", mtcars$wt, mtcars$mpg, mtcars["hp"])
added("added-variable-two", stackloss$Air.Flow, stackloss$stack.loss, stackloss[c("Water.Temp", "Acid.Conc.")])
save("correlation", "correlation-graph")

# Regression discontinuity ------------------------------------------------------------------------------------
jump <- function(id, x, y, cut, h) {
  d <- data.frame(x = x - cut, y = y, t = as.numeric(x >= cut)); w <- 1 - abs(d$x) / h; near <- w > 1e-12
  f <- lm(y ~ t * x, d[near, ], weights = w[near]); v <- vcovHC(f, "HC1"); q <- qt(.975, f$df.residual); e <- list()
  for (side in c("below", "above")) {
    s <- d[d$t == (side == "above"), ]; far <- if (side == "above") min(max(s$x), h) else max(min(s$x), -h)
    g <- if (side == "above") seq(0, far, length.out = 21) else seq(far, 0, length.out = 21)
    m <- model.matrix(~ t * x, data.frame(x = g, t = as.numeric(side == "above"))); fit <- drop(m %*% coef(f)); se <- sqrt(diag(m %*% v %*% t(m)))
    e <- c(e, rows(paste0("details.graph.", side, ".line"), data.frame(at = cut + g, fitted = fit, conf_low = fit - q * se, conf_high = fit + q * se)))
    k <- max(2, min(20, floor(sqrt(nrow(s))))); b <- pmin(floor(abs(s$x) / (max(abs(s$x)) / k)), k - 1); if (side == "below") b <- -b
    bins <- data.frame(n = as.integer(table(b)), mean_x = as.numeric(tapply(s$x, b, mean)) + cut, mean_y = as.numeric(tapply(s$y, b, mean)))
    e <- c(e, rows(paste0("details.graph.", side, ".bins"), bins))
  }
  add(id, list(type = "rdd", x = x, y = y, threshold = cut, bandwidth = h, graph = TRUE), e,
      "lm(y ~ t * x, weights = triangular); vcovHC(f, 'HC1'); tapply of bins from the threshold", "sandwich", 1e-8)
}
jump("lines-airquality", airquality$Temp, airquality$Wind, 78.5, 12)
set.seed(5); rx <- round(runif(120, -1, 1), 3); jump("lines-made", rx, round(rx + 0.8 * (rx >= 0.1) + rnorm(120, 0, .3), 3), 0.1, 0.45)
save("causal_inference", "causal_inference-graph")

# Factorial analysis of variance ------------------------------------------------------------------------------
cells <- function(id, f, data, a, b, more = list(), extra = data.frame()) {
  e <- list()
  for (i in unique(as.character(data[[a]]))) for (j in unique(as.character(data[[b]]))) {
    new <- setNames(data.frame(i, j), c(a, b)); if (ncol(extra)) new <- cbind(new, extra)
    p <- predict(f, new, se.fit = TRUE, interval = "confidence"); k <- paste("details.graph.cells", i, j, sep = ".")
    e[[paste0(k, ".mean")]] <- p$fit[1]; e[[paste0(k, ".std_error")]] <- p$se.fit; e[[paste0(k, ".conf_low")]] <- p$fit[2]
    e[[paste0(k, ".conf_high")]] <- p$fit[3]; e[[paste0(k, ".n")]] <- sum(data[[a]] == i & data[[b]] == j)
  }
  arguments <- c(list(type = "factorial", y = data[[all.vars(formula(f))[1]]], factor_a = as.character(data[[a]]), factor_b = as.character(data[[b]]), graph = TRUE), more)
  add(id, arguments, e, "predict(lm(...), cells, se.fit = TRUE, interval = 'confidence')")
}
cells("cells-warpbreaks", lm(breaks ~ wool * tension, warpbreaks), warpbreaks, "wool", "tension")
cells("cells-additive", lm(breaks ~ wool + tension, warpbreaks), warpbreaks, "wool", "tension", list(interaction = FALSE))
m <- transform(mtcars, cyl = paste0("c", cyl), am = paste0("a", am))
cells("cells-covariate", lm(mpg ~ cyl * am + wt, m), m, "cyl", "am", list(covariates = list(m$wt)), data.frame(wt = mean(m$wt)))
save("anova", "anova-graph")

# Nonlinear regression ----------------------------------------------------------------------------------------
pu <- Puromycin[1:12, ]; fit <- nls(rate ~ vm * conc / (k + conc), pu, start = list(vm = 200, k = 0.05))
curve_at <- function(b, x) b[1] * x / (b[2] + x); slopes <- function(b, x) cbind(x / (b[2] + x), -b[1] * x / (b[2] + x)^2)
b <- unname(coef(fit)); for (i in 1:6) b <- b + qr.solve(slopes(b, pu$conc), pu$rate - curve_at(b, pu$conc))  # Gauss-Newton, to the end
r <- pu$rate - curve_at(b, pu$conc); s2 <- sum(r^2) / 10; v <- s2 * solve(crossprod(slopes(b, pu$conc)))
g <- seq(0.02, 1.1, length.out = 101); h <- curve_at(b, g); grad <- slopes(b, g); se <- sqrt(diag(grad %*% v %*% t(grad))); q <- qt(.975, 10)
add("curve-puromycin", list(formula = "vm*conc/(k+conc)", data = list(conc = Puromycin$conc[1:12], rate = Puromycin$rate[1:12]), response = "rate",
                            start = list(vm = 200, k = 0.05), graph = TRUE),
    c(rows("details.graph.curve", data.frame(at = g, fitted = h, conf_low = h - q * se, conf_high = h + q * se)),
      rows("details.graph.cases", data.frame(row = 1:12, fitted = pu$rate - r, residual = r))),
    "nls(rate ~ vm * conc / (k + conc)) and six further Gauss-Newton steps; the gradient times the covariance (delta method)", rtol = 1e-9, atol = 1e-9)
save("nonlinear_regression", "nonlinear_regression-graph")

# Strata of Mantel and Haenszel -------------------------------------------------------------------------------
woolf <- function(t) { r <- t[1, 1] * t[2, 2] / (t[1, 2] * t[2, 1]); se <- sqrt(sum(1 / t)); c(r, r * exp(c(-1, 1) * qnorm(.975) * se)) }
ucb <- lapply(1:6, function(i) UCBAdmissions[, , i]); e <- list()
for (i in 1:6) { v <- woolf(ucb[[i]]); for (j in 1:3) e[[paste0("details.strata.", LETTERS[i], ".", c("estimate", "conf_low", "conf_high")[j])]] <- v[j] }
add("strata-admissions", list(type = "mantel_haenszel", tables = lapply(ucb, function(t) unname(split(t, row(t)))), names = as.list(LETTERS[1:6])), e,
    "odds ratio and Woolf's interval exp(log OR -+ qnorm(.975) sqrt(sum(1 / counts))) of UCBAdmissions by department")
save("chi_square", "chi_square-strata")

# Fitted distributions over a histogram -----------------------------------------------------------------------
fitted_counts <- function(id, x, distribution, cdf, words, whole = FALSE) {
  step <- nice(2 * IQR(x) / length(x)^(1 / 3)); if (whole) step <- max(1, floor(step)); shift <- if (whole && step == 1) 0.5 else 0
  first <- floor((min(x) + shift) / step) * step - shift; edges <- first + step * 0:floor((max(x) - first) / step + 1)
  ends <- if (whole) ceiling(edges) - 1 else edges; k <- length(edges)
  add(id, list(data = x, distribution = distribution, graph = TRUE),
      rows("details.graph", data.frame(low = edges[-k], high = edges[-1], expected = length(x) * diff(cdf(ends)))), words)
}
e <- as.numeric(faithful$eruptions); w <- c(23, 261, 87, 7, 120, 14, 62, 47, 225, 71, 246, 21, 42, 20, 5, 12, 120, 11, 3, 14, 71, 11, 14, 11, 16, 90, 1, 16, 52, 95)
q <- as.numeric(discoveries); m <- mean(e); s <- sqrt(mean((e - m)^2))
fitted_counts("expected-normal", e, "normal", function(v) pnorm(v, m, s), "n * diff(pnorm(breaks, mean(x), sqrt(mean((x - mean(x))^2))))")
fitted_counts("expected-exponential", w + 0.5, "exponential", function(v) pexp(v, 1 / mean(w + 0.5)), "n * diff(pexp(breaks, 1 / mean(x)))")
fitted_counts("expected-uniform", e, "uniform", function(v) punif(v, min(e), max(e)), "n * diff(punif(breaks, min(x), max(x)))")
fitted_counts("expected-poisson", q, "poisson", function(v) ppois(v, mean(q)), "n * diff(ppois(last whole number below each break, mean(x)))", TRUE)
save("mle_fit", "mle_fit-graph")
