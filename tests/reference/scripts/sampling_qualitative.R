# Writes values/sampling_design.json and values/qualitative_analysis.json, from R and lavaan.
# Run in tests/reference: Rscript scripts/sampling_qualitative.R
suppressMessages({library(jsonlite); library(lavaan)})
source_of <- function(command) list(program = "R", version = paste(getRversion(), "lavaan", packageVersion("lavaan")), command = command)
case <- function(id, arguments, e, command, rtol = 1e-9) list(id = id, arguments = arguments, expect = e, rtol = rtol, source = source_of(command))
refuse <- function(id, arguments, code, why) list(id = id, arguments = arguments, error_code = code, source = source_of(why))

deff <- function(id, icc, m, n, cv = 0) {
  d <- 1 + ((cv^2 + 1) * m - 1) * icc
  case(id, list(type = "design_effect", icc = icc, cluster_size = m, n = n, cluster_size_cv = cv), list(design_effect = d, deft = sqrt(d), effective_n = n / d), "1 + ((cv^2 + 1) * m - 1) * icc")
}
margin <- function(id, x, n, level = 0.95, N = NULL) {
  p <- x / n; z <- qnorm(1 - (1 - level) / 2); fpc <- if (is.null(N)) 1 else sqrt((N - n) / (N - 1))
  m <- if (is.null(N)) n else n / fpc^2
  w <- suppressWarnings(prop.test(p * m, m, conf.level = level, correct = FALSE)$conf.int); b <- binom.test(x, n, conf.level = level)$conf.int
  centre <- (p * m + z^2 / 2) / (m + z^2)
  e <- list(margin_of_error = z * sqrt(p * (1 - p) / n) * fpc, conf_low = w[1], conf_high = w[2], "intervals.clopper_pearson.conf_low" = b[1],
            "intervals.clopper_pearson.conf_high" = b[2], "intervals.agresti_coull.conf_high" = min(1, centre + z * sqrt(centre * (1 - centre) / (m + z^2))), finite_population_correction = fpc)
  args <- list(type = "margin_of_error", n = n, proportion = p, confidence = level); if (!is.null(N)) args$population <- N
  case(id, args, e, "prop.test(x, n, correct = FALSE); binom.test; qnorm(.975) * sqrt(p * (1 - p) / n * (N - n) / (N - 1))")
}
little <- function(id, d, rows = FALSE) {
  kept <- d[rowSums(!is.na(d)) > 0, ]
  v <- names(kept); pairs <- combn(v, 2, function(p) paste(p, collapse = " ~~ "))
  m <- sem(paste(c(pairs, paste(v, "~ 1")), collapse = "\n"), kept, missing = "fiml", fixed.x = FALSE, em.h1.tol = 1e-12, em.h1.iter.max = 10000)
  s <- lavInspect(m, "sampstat"); mu <- s$mean[v]; S <- s$cov[v, v]
  key <- apply(is.na(kept), 1, paste, collapse = ""); d2 <- 0; df <- -length(v)
  for (k in unique(key)) { g <- as.matrix(kept[key == k, , drop = FALSE]); o <- !is.na(g[1, ]); gap <- colMeans(g[, o, drop = FALSE]) - mu[o]
    d2 <- d2 + nrow(g) * sum(gap * solve(S[o, o], gap)); df <- df + sum(o) }
  n <- nrow(kept)
  e <- list(statistic = d2, df = df, p_value = pchisq(d2, df, lower.tail = FALSE), n = n, "details.n_patterns" = length(unique(key)),
            "details.percent_missing" = 100 * mean(is.na(kept)), "also.unbiased_covariance.statistic" = d2 * (n - 1) / n)
  cell <- function(v) lapply(v, function(u) if (is.na(u)) NULL else u)
  data <- if (rows) lapply(seq_len(nrow(d)), function(i) cell(unlist(unname(d[i, ])))) else lapply(as.list(d), cell)
  case(id, list(type = "missing_data", data = data), e, "lavaan saturated model, missing = 'fiml': EM moments by lavInspect(m, 'sampstat'); Little's d2 written out", 1e-5)
}
saturation <- function(id, x, w, base = 4, run = 2, threshold = 0.05) {
  a <- stats::filter(x, rep(1 / w, w), sides = 1); hit <- which(a < 0.5)
  e <- list(total_themes = sum(x), cumulative = cumsum(x), moving_average = a[!is.na(a)])
  e["saturation_interview"] <- list(if (length(hit)) hit[1] else NULL)
  if (length(x) >= base + run && sum(x[1:base]) > 0) {
    share <- sapply(base:(length(x) - run), function(i) sum(x[(i + 1):(i + run)]) / sum(x[1:base])); e[["base_run_threshold.new_information"]] <- share
    at <- which(share <= threshold); e["base_run_threshold.saturation_interview"] <- list(if (length(at)) base + at[1] - 1 else NULL) }
  vectors <- intersect(names(e), c("cumulative", "moving_average", "base_run_threshold.new_information"))
  for (v in vectors) { for (i in seq_along(e[[v]])) e[[paste0(v, ".", i - 1)]] <- e[[v]][i]; e[[v]] <- NULL }
  case(id, list(themes_per_interview = x, window = w, base_size = base, run_length = run, threshold = threshold), e, "cumsum(x); stats::filter(x, rep(1 / w, w), sides = 1); shares of the runs written out")
}
set.seed(4)
x <- as.data.frame(round(matrix(rnorm(160), 40) + rnorm(40), 2)); names(x) <- c("a", "b", "c", "d")
x$a[sample(40, 6)] <- NA; x$c[x$b > 1] <- NA; x$d[sample(40, 4)] <- NA
y <- x[1:30, 1:3]; y[7, ] <- NA
scases <- list(deff("deff-plain", .05, 20, 400), deff("deff-unequal", .02, 33.5, 670, .6), deff("deff-negative", -.04, 10, 100),
  refuse("deff-impossible", list(type = "design_effect", icc = -.5, cluster_size = 10), "out_of_range", "below -1/(m - 1)"),
  margin("margin-poll", 420, 1000, N = 20000), margin("margin-small-99", 3, 17, .99), margin("margin-zero", 0, 25), margin("margin-all", 12, 12, .9),
  refuse("margin-population", list(type = "margin_of_error", n = 100, population = 50), "out_of_range", "sample above population"),
  little("little-airquality", airquality[, 1:4]), little("little-mar", x), little("little-rows-empty-row", y, TRUE),
  refuse("little-complete", list(type = "missing_data", data = list(c(1, 2), c(2, 3), c(4, 1))), "no_variation", "nothing missing"))
write(toJSON(list(tool = "sampling_design", cases = scases), auto_unbox = TRUE, digits = NA, null = "null", pretty = TRUE), "values/sampling_design.json")
qcases <- list(saturation("typical", c(9, 6, 4, 3, 2, 1, 1, 0, 0, 1, 0, 0), 3), saturation("never", c(5, 4, 4, 3, 3, 3), 2), saturation("short", c(3, 0, 0), 2),
  saturation("other-rule", c(12, 5, 3, 2, 0, 1, 0, 0), 4, 3, 3, 0.1), refuse("window-too-long", list(themes_per_interview = c(3, 1), window = 5), "out_of_range", "no full window"))
write(toJSON(list(tool = "qualitative_analysis", cases = qcases), auto_unbox = TRUE, digits = NA, null = "null", pretty = TRUE), "values/qualitative_analysis.json")
