# Reference values of nonparametric_test: R's own tests, enumeration with combn / expand.grid where R has no exact
# answer (ties, Pratt), and definitions written out. Run from tests/reference: Rscript scripts/rank_tests.R
library(jsonlite)
options(digits = 17, warn = -1)
src <- function(cmd) list(program = "R", version = as.character(getRversion()), command = cmd)
cases <- list()
add <- function(id, arguments, expect, cmd, rtol = 1e-9) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, expect = expect, rtol = rtol, source = src(cmd))
}
refuse <- function(id, arguments, code, cmd) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, error_code = code, source = src(cmd))
}
dash <- function(alternative) sub(".", "-", alternative, fixed = TRUE)

# --- Mann-Whitney -----------------------------------------------------------------------------------
newcombe <- function(a, m, n, level) {  # Newcombe 2006, method 5, by its cubic form
  z <- qnorm(1 - (1 - level) / 2); h <- (m + n) / 2 - 1
  f <- function(x) m * n * (a - x)^2 * (2 - x) * (1 + x) - z^2 * x * (1 - x) * (2 + h + (1 + 2 * h) * x * (1 - x))
  g <- function(x) m * n * x * (2 - x) * (1 + x) - z^2 * (1 - x) * (2 + h + (1 + 2 * h) * x * (1 - x))  # a = 0, x out
  root <- function(f, ends) uniroot(f, ends, tol = 1e-14)$root
  if (a == 0) c(0, root(g, c(0, 1))) else if (a == 1) c(1 - root(g, c(0, 1)), 1) else c(root(f, c(0, a)), root(f, c(a, 1)))
}
mw <- function(id, a, b, alternative = "two.sided", level = 0.95, ja = a, jb = b, exact = NULL, interval = TRUE) {
  w <- wilcox.test(a, b, alternative = alternative, conf.int = TRUE, conf.level = level, exact = exact)
  n <- wilcox.test(a, b, alternative = alternative, exact = FALSE)
  u <- unname(w$statistic); A <- u / (length(a) * length(b)); ci <- newcombe(A, length(a), length(b), level)
  e <- list(statistic = u, "details.u2" = length(a) * length(b) - u, "also.asymptotic.p_value" = n$p.value,
            "effect_size.estimate" = 2 * A - 1, "effect_sizes.vargha_delaney_a.estimate" = A)
  if (interval) {
    e$p_value <- w$p.value
    d <- sort(outer(a, b, "-")); e$estimate <- median(d)
    if (is.finite(w$conf.int[1])) e$conf_low <- w$conf.int[1]
    if (is.finite(w$conf.int[2])) e$conf_high <- w$conf.int[2]
  }
  args <- list(type = "mann_whitney", group1 = ja, group2 = jb, alternative = dash(alternative), alpha = 1 - level)
  add(id, args, e, "wilcox.test(a, b, conf.int = TRUE), and with exact = FALSE; median(outer(a, b, '-'))")
  add(paste0(id, "-effect-interval"), args,
      list("effect_sizes.vargha_delaney_a.conf_low" = ci[1], "effect_sizes.vargha_delaney_a.conf_high" = ci[2],
           "effect_size.conf_low" = 2 * ci[1] - 1), "uniroot on the cubic of Newcombe's method 5", 1e-7)
}
enumerated <- function(a, b, alternative) {
  r <- rank(c(a, b)); m <- length(a); sums <- combn(length(r), m, function(i) sum(r[i])); s <- sum(r[seq_len(m)])
  centre <- m * (length(r) + 1) / 2
  switch(alternative, two.sided = mean(abs(sums - centre) >= abs(s - centre) - 1e-9),
         greater = mean(sums >= s - 1e-9), less = mean(sums <= s + 1e-9))
}
mwties <- function(id, a, b, alternative = "two.sided", ja = a, jb = b) {
  n <- wilcox.test(a, b, alternative = alternative, exact = FALSE)
  add(id, list(type = "mann_whitney", group1 = ja, group2 = jb, alternative = dash(alternative)),
      list(statistic = unname(n$statistic), p_value = enumerated(a, b, alternative),
           "also.asymptotic.p_value" = n$p.value, estimate = median(outer(a, b, "-"))),
      "combn over all rank sums (two-sided: at least as far from the mean); wilcox.test(exact = FALSE)")
}
mw("mw-small", c(1.1, 2.3, 0.7, 3.9, 2.8, 4.4, 1.9), c(3.1, 4.7, 5.2, 2.6, 6.3, 5.9, 4.1, 7.0))
mw("mw-greater", c(9.4, 8.1, 7.7, 10.2, 6.9), c(5.5, 7.1, 8.3, 4.2, 6.1, 3.3), alternative = "greater")
mw("mw-less-90", c(0.8, 1.9, 2.2), c(1.4, 3.1, 5.0, 2.9, 4.4), alternative = "less", level = 0.9)
mw("mw-separated", c(1, 2, 3, 4, 5), c(11, 12, 13, 14, 15))
mw("mw-missing", c(5.1, 4.9, 6.0, 7.3), c(4.1, 3.9, 4.4, 5.5), ja = list(5.1, NULL, 4.9, 6.0, 7.3), jb = c(4.1, 3.9, 4.4, 5.5))
set.seed(11)
mw("mw-50-50", round(rnorm(50), 6), round(rnorm(50, 0.4), 6), exact = TRUE)
mw("mw-large", round(rexp(70), 6), round(rexp(65, 0.8), 6), exact = FALSE, interval = FALSE)
mwties("mw-ties", c(1, 2, 2, 3, 4), c(2, 3, 3, 5, 5, 6))
mwties("mw-ties-greater", c(4, 4, 5, 7, 7), c(3, 4, 4, 5), "greater")
mwties("mw-ties-less-missing", c(1, 1, 2, 3), c(1, 2, 2, 4, 4), "less", ja = list(1, 1, 2, NULL, 3))
mwties("mw-u-at-mean", c(1, 4), c(2, 3))
mwties("mw-sleep", sleep$extra[1:10], sleep$extra[11:20])
mwties("mw-all-but-one-tied", c(1, 1, 1, 1), c(1, 1, 2))
refuse("mw-one-group", list(type = "mann_whitney", group1 = c(1, 2, 3)), "missing_argument", "no second group")

# --- Wilcoxon signed rank ---------------------------------------------------------------------------
signs <- function(r, w, alternative) {
  if (!length(r)) return(1)
  s <- as.matrix(expand.grid(rep(list(0:1), length(r)))) %*% r; centre <- sum(r) / 2
  switch(alternative, two.sided = mean(abs(s - centre) >= abs(w - centre) - 1e-9),
         greater = mean(s >= w - 1e-9), less = mean(s <= w + 1e-9))
}
walsh <- function(d) { m <- outer(d, d, "+") / 2; median(m[!lower.tri(m)]) }
wsr <- function(id, a, b, mu = 0, alternative = "two.sided", ja = a, jb = b) {
  d <- round(a - b - mu, 9)
  nz <- d[d != 0]; r <- rank(abs(nz)); w <- sum(r[nz > 0])
  rp <- rank(abs(d)); wp <- sum(rp[d > 0])
  asym <- wilcox.test(nz, alternative = alternative, exact = FALSE)
  args <- list(type = "wilcoxon", group1 = ja, group2 = jb, mu0 = mu, alternative = dash(alternative))
  e <- list(statistic = w, p_value = signs(r, w, alternative), "details.w_minus" = sum(r) - w,
            "details.n_zeros" = sum(d == 0), "also.asymptotic.p_value" = asym$p.value,
            "also.pratt.statistic" = wp, "also.pratt.p_value" = signs(rp[d != 0], wp, alternative),
            "effect_size.estimate" = (2 * w - sum(r)) / sum(r), estimate = walsh(round(a - b, 9)))
  add(id, args, e, "expand.grid over all signs of rank(abs(d)); wilcox.test(exact = FALSE); median of Walsh averages")
  if (!anyDuplicated(abs(d)) && !any(d == 0)) {
    t <- wilcox.test(d, alternative = alternative, conf.int = TRUE)
    e <- list(p_value = t$p.value, statistic = unname(t$statistic))
    if (is.finite(t$conf.int[1])) e$conf_low <- t$conf.int[1] + mu
    if (is.finite(t$conf.int[2])) e$conf_high <- t$conf.int[2] + mu
    add(paste0(id, "-interval"), args, e, "wilcox.test(d, conf.int = TRUE), exact")
  }
  rb <- (2 * w - sum(r)) / sum(r); v <- sum(r^2) / sum(r)^2
  score <- function(x) (rb - x)^2 - qnorm(0.975)^2 * v * (1 - x^2)
  low <- if (rb == -1) -1 else if (rb == 1) (1 - qnorm(.975)^2 * v) / (1 + qnorm(.975)^2 * v) else uniroot(score, c(-1, rb), tol = 1e-14)$root
  high <- if (rb == 1) 1 else if (rb == -1) -(1 - qnorm(.975)^2 * v) / (1 + qnorm(.975)^2 * v) else uniroot(score, c(rb, 1), tol = 1e-14)$root
  add(paste0(id, "-effect-interval"), args, list("effect_size.conf_low" = low, "effect_size.conf_high" = high),
      "uniroot on (r - x)^2 - z^2 sum(rank^2)/sum(rank)^2 (1 - x^2)", 1e-7)
}
wsr("wilcoxon-plain", c(7.2, 6.1, 8.4, 5.9, 9.3, 6.6, 7.7, 8.8, 5.2), c(6.0, 6.3, 6.9, 5.2, 7.5, 6.9, 5.8, 6.7, 4.1))
wsr("wilcoxon-untied", c(125, 115, 130, 140, 141, 115.5, 140.2, 125.9), c(110, 122, 125.5, 120, 140.4, 124, 123, 137))
wsr("wilcoxon-zeros-ties", c(62, 66, 61, 68, 74, 62, 68, 62, 55, 59), c(71, 71, 69, 61, 75, 62, 77, 72, 62, 65))
wsr("wilcoxon-greater", c(14, 18, 11, 20, 17, 15), c(12, 13, 10, 14, 17.5, 11), alternative = "greater")
wsr("wilcoxon-less-mu", c(1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30),
    c(0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29), mu = 0.5, alternative = "less")
wsr("wilcoxon-missing", c(5, 7, 3, 9, 6), c(4, 4, 5, 2, 6.5), ja = list(5, 7, NULL, 3, 9, 6), jb = c(4, 4, 8, 5, 2, 6.5))
wsr("wilcoxon-one-direction", c(3, 5, 8, 12), c(1, 2, 4, 7))
set.seed(5)
big <- round(rnorm(130, 0.2), 5)
t <- wilcox.test(big, exact = FALSE)
add("wilcoxon-130", list(type = "wilcoxon", group1 = big), list(statistic = unname(t$statistic), p_value = t$p.value,
    estimate = walsh(big)), "wilcox.test(x, exact = FALSE); median of Walsh averages")
refuse("wilcoxon-lengths", list(type = "wilcoxon", group1 = c(1, 2, 3), group2 = c(1, 2)), "length_mismatch", "unequal lengths")

# --- Kruskal-Wallis and Dunn ------------------------------------------------------------------------
ncchi <- function(x, df, p) if (pchisq(x, df) <= p) 0 else uniroot(function(l) pchisq(x, df, l) - p, c(0, 5 * x + 50), tol = 1e-12)$root
kw <- function(id, g, jg = g, level = 0.95) {
  x <- unlist(g, use.names = FALSE); f <- factor(rep(names(g), lengths(g)), levels = names(g))
  k <- kruskal.test(x, f); h <- unname(k$statistic); n <- length(x); df <- length(g) - 1
  r <- rank(x); m <- tapply(r, f, mean); ties <- table(x)
  v <- n * (n + 1) / 12 - sum(ties^3 - ties) / (12 * (n - 1))
  pairs <- combn(names(g), 2, simplify = FALSE)
  z <- sapply(pairs, function(p) (m[[p[1]]] - m[[p[2]]]) / sqrt(v * sum(1 / lengths(g[p]))))
  raw <- 2 * pnorm(-abs(z)); holm <- p.adjust(raw, "holm"); bonf <- p.adjust(raw, "bonferroni")
  e <- list(statistic = h, df = df, p_value = k$p.value, "effect_size.estimate" = h / (n - 1))
  for (i in seq_along(pairs)) {
    at <- paste0("post_hoc.dunn.", pairs[[i]][1], " − ", pairs[[i]][2], ".")
    e[[paste0(at, "statistic")]] <- z[i]; e[[paste0(at, "p_value")]] <- holm[i]
    e[[paste0(at, "details.p_value_bonferroni")]] <- bonf[i]; e[[paste0(at, "details.p_value_unadjusted")]] <- raw[i]
  }
  for (name in names(g)) e[[paste0("groups.", name, ".mean_rank")]] <- m[[name]]
  args <- list(type = "kruskal_wallis", groups = jg)
  add(id, args, e, "kruskal.test; Dunn's z from rank() and its tie-corrected variance, p.adjust")
  low <- (ncchi(h, df, 0.975) + df) / (n - 1); high <- min(1, (ncchi(h, df, 0.025) + df) / (n - 1))
  add(paste0(id, "-effect-interval"), args, list("effect_size.conf_low" = min(low, h / (n - 1)),
      "effect_size.conf_high" = max(high, h / (n - 1))), "uniroot on pchisq(H, df, ncp)", 1e-6)
}
kw("kw-airquality", list(May = airquality$Ozone[airquality$Month == 5 & !is.na(airquality$Ozone)],
   July = airquality$Ozone[airquality$Month == 7 & !is.na(airquality$Ozone)],
   September = airquality$Ozone[airquality$Month == 9 & !is.na(airquality$Ozone)]))
kw("kw-ties", list(a = c(4, 6, 3, 5, 4, 5), b = c(7, 8, 6, 7, 9, 6), c = c(6, 9, 7, 8, 8, 9)))
kw("kw-untied", list(a = c(2.9, 3.0, 2.5, 2.6, 3.2), b = c(3.8, 2.7, 4.0, 2.4), c = c(2.8, 3.4, 3.7, 2.2, 2.0)))
kw("kw-missing", list(a = c(1, 2, 5), b = c(2, 6, 7, 8), c = c(3, 9)), list(a = list(1, NULL, 2, 5), b = c(2, 6, 7, 8), c = c(3, 9)))
kw("kw-plants", split(PlantGrowth$weight, PlantGrowth$group))
refuse("kw-constant", list(type = "kruskal_wallis", groups = list(a = c(1, 1), b = c(1, 1))), "zero_variance", "all tied: kruskal.test gives NaN")

# --- Friedman ---------------------------------------------------------------------------------------
fr <- function(id, m, jm = lapply(seq_len(ncol(m)), function(j) m[, j])) {
  t <- friedman.test(m); q <- unname(t$statistic); n <- nrow(m); k <- ncol(m)
  r <- t(apply(m, 1, rank)); s2 <- sum((r - (k + 1) / 2)^2) / (k - 1); means <- colMeans(r)
  f <- (n - 1) * q / (n * (k - 1) - q)
  pairs <- combn(k, 2, simplify = FALSE)
  z <- sapply(pairs, function(p) (means[p[1]] - means[p[2]]) / sqrt(2 * s2 / n^2))
  raw <- 2 * pnorm(-abs(z)); holm <- p.adjust(raw, "holm")
  e <- list(statistic = q, df = k - 1, p_value = t$p.value, "effect_size.estimate" = q / (n * (k - 1)),
            "also.iman_davenport.statistic" = f, "also.iman_davenport.p_value" = pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE))
  for (i in seq_along(pairs)) {
    at <- paste0("post_hoc.pairs.treatment", pairs[[i]][1], " − treatment", pairs[[i]][2], ".")
    e[[paste0(at, "statistic")]] <- z[i]; e[[paste0(at, "p_value")]] <- holm[i]
    e[[paste0(at, "details.p_value_nemenyi")]] <- ptukey(abs(z[i]) * sqrt(2), k, Inf, lower.tail = FALSE)
  }
  add(id, list(type = "friedman", data = jm), e, "friedman.test; z of mean ranks, p.adjust, ptukey(df = Inf)", 1e-7)
}
rounding <- matrix(c(5.40, 5.50, 5.55, 5.85, 5.70, 5.75, 5.20, 5.60, 5.50, 5.55, 5.50, 5.40, 5.90, 5.85, 5.70, 5.45, 5.55, 5.60,
  5.40, 5.40, 5.35, 5.45, 5.50, 5.35, 5.25, 5.15, 5.00, 5.85, 5.80, 5.70, 5.25, 5.20, 5.10, 5.65, 5.55, 5.45,
  5.60, 5.35, 5.45, 5.05, 5.00, 4.95, 5.50, 5.50, 5.40, 5.45, 5.55, 5.50, 5.55, 5.55, 5.35, 5.45, 5.50, 5.55,
  5.50, 5.45, 5.25, 5.65, 5.60, 5.40, 5.70, 5.65, 5.55, 6.30, 6.30, 6.25), ncol = 3, byrow = TRUE)
fr("friedman-rounding", rounding)
fr("friedman-ties", cbind(c(1, 2, 3, 4, 2, 5), c(1, 3, 3, 5, 2, 6), c(2, 4, 4, 5, 5, 6), c(2, 3, 5, 7, 4, 6)))
miss <- cbind(c(7, 9, 8, 5, 10), c(5, 6, 4, 3, 7), c(4, 7, 5, 2, 8))
fr("friedman-missing", miss, list(list(7, 9, 8, NULL, 5, 10), c(5, 6, 4, 9, 3, 7), c(4, 7, 5, 1, 2, 8)))
fr("friedman-warpbreaks", tapply(warpbreaks$breaks, list(warpbreaks$tension, warpbreaks$wool), mean))
refuse("friedman-tied", list(type = "friedman", data = list(c(1, 2), c(1, 2))), "zero_variance", "tied in every subject")

# --- Cochran's Q ------------------------------------------------------------------------------------
cq <- function(id, m, jm = lapply(seq_len(ncol(m)), function(j) m[, j])) {
  t <- friedman.test(m); k <- ncol(m); n <- nrow(m); C <- colSums(m); R <- rowSums(m)
  q <- (k - 1) * (k * sum(C^2) - sum(C)^2) / (k * sum(C) - sum(R^2))
  stopifnot(all.equal(q, unname(t$statistic)))
  pairs <- combn(k, 2, simplify = FALSE)
  raw <- sapply(pairs, function(p) { b <- sum(m[, p[1]] > m[, p[2]]); c <- sum(m[, p[1]] < m[, p[2]])
    if (b + c == 0) 1 else binom.test(b, b + c)$p.value })
  e <- list(statistic = q, df = k - 1, p_value = t$p.value, "effect_size.estimate" = q / (n * (k - 1)))
  holm <- p.adjust(raw, "holm"); z <- qnorm(1 - 0.05 / 2 / length(pairs))
  for (i in seq_along(pairs)) {
    at <- paste0("post_hoc.mcnemar.treatment", pairs[[i]][1], " − treatment", pairs[[i]][2], ".")
    a <- m[, pairs[[i]][1]]; b <- m[, pairs[[i]][2]]
    p12 <- (sum(a > b) + 1) / (n + 2); p21 <- (sum(a < b) + 1) / (n + 2); se <- sqrt((p12 + p21 - (p12 - p21)^2) / (n + 2))
    e[[paste0(at, "p_value")]] <- holm[i]; e[[paste0(at, "estimate")]] <- mean(a) - mean(b)
    e[[paste0(at, "conf_low")]] <- max(-1, p12 - p21 - z * se); e[[paste0(at, "conf_high")]] <- min(1, p12 - p21 + z * se)
  }
  add(id, list(type = "cochrans_q", data = jm), e, "Q from its definition, equal to friedman.test on 0/1; binom.test, p.adjust; Bonett and Price's interval written out")
}
cq("cochran-plain", cbind(c(1,1,0,1,1,1,0,1,1,1), c(0,1,0,1,0,1,0,1,0,1), c(0,0,0,1,0,1,0,0,0,1)))
cq("cochran-four", cbind(c(0,1,0,0,1,0,1,0,0,1,1,0), c(1,1,0,1,1,0,1,0,1,1,1,0), c(0,1,1,0,1,0,1,1,0,1,0,0), c(1,1,1,1,1,0,1,1,1,1,1,1)))
cq("cochran-missing", cbind(c(1,0,1,1,0), c(0,0,1,0,0), c(1,1,1,0,1)), list(list(1,0,NULL,1,1,0), c(0,0,1,1,0,0), c(1,1,0,1,0,1)))
refuse("cochran-not-binary", list(type = "cochrans_q", data = list(c(0, 1, 2), c(1, 0, 1))), "out_of_range", "values other than 0 and 1")

# --- Kolmogorov-Smirnov -----------------------------------------------------------------------------
dist <- function(a, b, alternative) {
  p <- sort(unique(c(a, b))); g <- ecdf(a)(p) - ecdf(b)(p)
  switch(alternative, two.sided = max(abs(g)), greater = max(0, g), less = max(0, -g))
}
ks <- function(id, a, b, alternative = "two.sided", ja = a, jb = b) {
  d <- dist(a, b, alternative); pooled <- c(a, b); m <- length(a)
  p <- mean(combn(length(pooled), m, function(i) dist(pooled[i], pooled[-i], alternative)) >= d - 1e-9)
  add(id, list(type = "ks_2sample", group1 = ja, group2 = jb, alternative = dash(alternative)),
      list(statistic = d, p_value = p, "effect_size.estimate" = d), "combn over all splits of the pooled values, D from ecdf")
}
ks("ks-untied", c(0.61, 0.29, 0.06, 0.59, 1.73), c(0.96, 1.92, 1.63, 0.84, 2.55, 1.30))
ks("ks-ties", c(1, 2, 2, 3, 5), c(2, 4, 4, 5, 6, 6))
ks("ks-equal", c(1, 2, 3), c(1, 2, 3))
ks("ks-greater", c(1, 2, 2, 4), c(3, 4, 5, 6, 1), "greater")
ks("ks-less-missing", c(1, 2, 2, 4), c(3, 4, 5, 6), "less", ja = list(1, 2, NULL, 2, 4))
set.seed(3); ka <- round(rnorm(40), 5); kb <- round(rnorm(35, 0.5), 5)
t <- ks.test(ka, kb, exact = TRUE)
add("ks-40-35", list(type = "ks_2sample", group1 = ka, group2 = kb), list(statistic = unname(t$statistic), p_value = t$p.value,
    "also.asymptotic.p_value" = ks.test(ka, kb, exact = FALSE)$p.value), "ks.test(exact = TRUE), and FALSE", 1e-8)

# --- Stuart-Maxwell ---------------------------------------------------------------------------------
sm <- function(id, m) {
  k <- nrow(m); d <- (rowSums(m) - colSums(m))[-k]; S <- -(m + t(m)); diag(S) <- rowSums(m) + colSums(m) - 2 * diag(m)
  x <- drop(t(d) %*% solve(S[-k, -k, drop = FALSE]) %*% d); n <- sum(m); b <- mcnemar.test(m, correct = FALSE)
  e <- list(statistic = x, df = k - 1, p_value = pchisq(x, k - 1, lower.tail = FALSE), "effect_size.estimate" = sqrt(x / n),
            "also.bhapkar.statistic" = x / (1 - x / n), "also.bowker.statistic" = unname(b$statistic), "also.bowker.p_value" = b$p.value)
  add(id, list(type = "stuart_maxwell", data = unname(apply(m, 1, as.list, simplify = FALSE))), e,
      "d' solve(S) d written out; mcnemar.test(correct = FALSE) for Bowker")
}
rowsof <- function(...) matrix(c(...), nrow = sqrt(length(c(...))), byrow = TRUE)
sm("stuart-three", rowsof(20, 10, 5, 3, 30, 15, 1, 5, 40))
sm("stuart-vision", rowsof(1520, 266, 124, 66, 234, 1512, 432, 78, 117, 362, 1772, 205, 36, 82, 179, 492))
sm("stuart-two-is-mcnemar", rowsof(30, 12, 5, 40))
sm("stuart-four", rowsof(5, 2, 1, 4, 3, 8, 2, 2, 6, 1, 9, 1, 2, 5, 3, 7))
refuse("stuart-not-square", list(type = "stuart_maxwell", data = list(c(1, 2, 3), c(1, 2, 3))), "shape", "2 x 3 table")

# --- Mood's median ----------------------------------------------------------------------------------
mm <- function(id, g, jg = g) {
  x <- unlist(g, use.names = FALSE); f <- factor(rep(names(g), lengths(g)), levels = names(g)); med <- median(x)
  t <- chisq.test(table(x > med, f), correct = FALSE)
  e <- list(statistic = unname(t$statistic), df = unname(t$parameter), p_value = t$p.value, estimate = med,
            "effect_size.estimate" = sqrt(unname(t$statistic) / length(x)))
  if (length(g) == 2) { y <- chisq.test(table(x > med, f)); e[["also.yates.p_value"]] <- y$p.value }
  kept <- x != med
  e[["also.ties_left_out.statistic"]] <- unname(chisq.test(table(x[kept] > med, f[kept]), correct = FALSE)$statistic)
  add(id, list(type = "mood_median", groups = jg), e, "chisq.test(table(x > median(x), group)), correct = FALSE and TRUE")
}
mm("mood-three", list(a = c(3.1, 4.2, 2.7, 5.0, 3.8, 2.2, 4.4), b = c(4.9, 6.1, 5.3, 4.6, 7.0, 5.8), c = c(3.9, 4.1, 5.2, 3.3, 4.8, 6.2, 2.9)))
mm("mood-two-ties", list(a = c(1, 2, 2, 3, 3, 4, 6), b = c(3, 3, 4, 5, 5, 6)))
mm("mood-missing", list(a = c(1, 4, 6, 2), b = c(5, 7, 8, 3, 9)), list(a = list(1, 4, NULL, 6, 2), b = c(5, 7, 8, 3, 9)))
mm("mood-plants", split(PlantGrowth$weight, PlantGrowth$group))

write_json(list(tool = "nonparametric_test", cases = cases), "values/nonparametric_test.json", digits = NA, auto_unbox = TRUE, null = "null", pretty = 1)
cat(length(cases), "cases\n")
