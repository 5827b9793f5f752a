# Prints a number with its address in the result: say("p_value", p), say(c("groups", "a", "mean"), m).
say <- function(address, value) {
  plain <- grepl("^[A-Za-z_][A-Za-z0-9_]*$", address)
  index <- grepl("^\\[[0-9]+\\]$", address)
  part <- ifelse(plain, paste0(".", address), ifelse(index, address, paste0("[\"", address, "\"]")))
  part <- gsub("\n", "\\n", paste0(entry, paste(part, collapse = "")), fixed = TRUE)
  value <- as.numeric(value)
  stopifnot(length(value) == 1)
  shown <- if (is.finite(value)) sprintf("%.17g", value) else "undefined"
  writeLines(enc2utf8(paste(part, "=", shown)), useBytes = TRUE)
}

# A delimited file, every cell as text.
read_table <- function(path, separator = ",") {
  cells <- read.csv(path, sep = separator, colClasses = "character", check.names = FALSE,
                    na.strings = character(0), encoding = "UTF-8", strip.white = TRUE)
  names(cells)[1] <- sub("^\ufeff", "", names(cells)[1])
  cells
}

# A column as text; a missing value is NA.
cell_text <- function(table, column) {
  cells <- trimws(as.character(table[[column]]))
  cells[cells %in% missing_codes] <- NA
  cells
}

# A column as numbers; a missing value is NA.
number <- function(table, column) {
  as.numeric(sub(decimal_mark, ".", cell_text(table, column), fixed = TRUE))
}

# Without the missing values, or the rows of a matrix that have one.
present <- function(v) {
  if (is.matrix(v)) v[complete.cases(v), , drop = FALSE] else v[!is.na(v)]
}

# The values of each group, in this order, without the missing ones.
grouped <- function(values, labels, levels) {
  out <- lapply(levels, function(level) values[which(labels == level & !is.na(values))])
  names(out) <- levels
  out
}

# Each group without its missing values.
each_present <- function(groups) lapply(groups, present)

# Counts of two columns crossed.
crossed <- function(first, second, rows, columns) {
  unclass(table(factor(first, levels = rows), factor(second, levels = columns)))
}

# The numbers that describe one group.
say_group <- function(name, v) {
  say(c("groups", name, "n"), length(v))
  say(c("groups", name, "mean"), mean(v))
  say(c("groups", name, "std_dev"), sd(v))
  say(c("groups", name, "std_error"), sd(v) / sqrt(length(v)))
  say(c("groups", name, "median"), median(v))
  say(c("groups", name, "minimum"), min(v))
  say(c("groups", name, "maximum"), max(v))
}

# The noncentralities whose t distribution leaves (1 - level) / 2 on either side of t.
t_noncentrality <- function(t, df, level) {
  find <- function(p) uniroot(function(d) suppressWarnings(pt(t, df, d)) - p, t + c(-1, 1) * (8 + abs(t)),
                              tol = 1e-13, maxiter = 1e4, extendInt = "downX")$root
  tail <- (1 - level) / 2
  c(find(1 - tail), find(tail))
}

# The factor that makes Hedges' g of Cohen's d.
hedges_factor <- function(df) exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2)

# The noncentralities whose F distribution leaves (1 - level) / 2 on either side of f; zero where there is none.
f_noncentrality <- function(f, df1, df2, level) {
  tail <- (1 - level) / 2
  find <- function(p) {
    if (pf(f, df1, df2) < p) return(0)
    uniroot(function(d) suppressWarnings(pf(f, df1, df2, d)) - p, c(0, 4 * (df1 * f + 10)),
            tol = 1e-12, maxiter = 1e4, extendInt = "downX")$root
  }
  c(find(1 - tail), find(tail))
}

# The alternative as R spells it.
chosen_side <- function(alternative) if (alternative == "two-sided") "two.sided" else alternative

# The quantile of the studentized range; qtukey() itself stops at four digits.
tukey_quantile <- function(p, k, df) {
  uniroot(function(q) ptukey(q, k, df) - p, c(1e-6, 200), tol = 1e-13, maxiter = 1e4)$root
}

# The numbers that describe one group in a test of ranks.
say_ranked <- function(name, v) {
  say(c("groups", name, "n"), length(v))
  say(c("groups", name, "median"), median(v))
  say(c("groups", name, "iqr"), IQR(v))
  say(c("groups", name, "minimum"), min(v))
  say(c("groups", name, "maximum"), max(v))
}

# Fisher's z interval of a correlation; open on one side when the test is one-sided.
fisher_z <- function(r, error, alpha, alternative) {
  q <- qnorm(1 - if (alternative == "two-sided") alpha / 2 else alpha)
  low <- if (alternative == "less") -1 else tanh(atanh(r) - q * error)
  high <- if (alternative == "greater") 1 else tanh(atanh(r) + q * error)
  c(low, high)
}

# The p value of a statistic with a t distribution.
t_tail <- function(t, df, alternative) {
  switch(alternative, "two-sided" = 2 * pt(-abs(t), df), "greater" = pt(t, df, lower.tail = FALSE), "less" = pt(t, df))
}

# The noncentralities whose chi-square distribution leaves (1 - level) / 2 on either side; zero where there is none.
chi_noncentrality <- function(x, df, level) {
  tail <- (1 - level) / 2
  find <- function(p) {
    if (pchisq(x, df) < p) return(0)
    uniroot(function(d) pchisq(x, df, d) - p, c(0, 4 * x + 40), tol = 1e-12, maxiter = 1e4, extendInt = "downX")$root
  }
  c(find(1 - tail), find(tail))
}

# The limits of an interval that a one-sided test leaves open on one side.
say_limits <- function(low, high, alternative) {
  if (alternative != "less") say("conf_low", low)
  if (alternative != "greater") say("conf_high", high)
}

# Where a function of several numbers is largest, by Newton's steps from central differences; and its curvature there.
peak <- function(f, start) {
  point <- start
  k <- length(point)
  derivatives <- function(step) {
    g <- numeric(k)
    h <- matrix(0, k, k)
    at <- function(i, a, j = i, b = 0) {
      v <- point
      v[i] <- v[i] + a * step[i]
      v[j] <- v[j] + b * step[j]
      f(v)
    }
    for (i in seq_len(k)) {
      g[i] <- (8 * (at(i, 1) - at(i, -1)) - (at(i, 2) - at(i, -2))) / (12 * step[i])
      h[i, i] <- (16 * (at(i, 1) + at(i, -1)) - (at(i, 2) + at(i, -2)) - 30 * f(point)) / (12 * step[i]^2)
      for (j in seq_len(i - 1)) {
        corner <- function(w) (at(i, w, j, w) - at(i, w, j, -w) - at(i, -w, j, w) + at(i, -w, j, -w)) / w^2
        h[i, j] <- h[j, i] <- (4 * corner(1) - corner(2)) / (12 * step[i] * step[j])
      }
    }
    list(g = g, h = h)
  }
  size <- pmax(abs(point), 1e-3)
  for (round in 1:60) {
    now <- derivatives(2e-3 * size)
    if (max(eigen(now$h, symmetric = TRUE)$values) >= 0) {  # not yet near the top: uphill
      now$h <- -diag(abs(now$g) / (0.2 * size) + 1e-8, k)
    }
    move <- -solve(now$h, now$g)
    here <- f(point)
    while (!isTRUE(f(point + move) >= here - 1e-11 * abs(here))) move <- move / 2
    point <- point + move
    size <- 1 / sqrt(abs(diag(now$h)))
    if (all(abs(move) < 1e-9 * pmax(abs(point), 1e-3))) break
  }
  list(point = point, curvature = derivatives(3e-2 * size)$h)
}

# The names of p predictors: those given, else x, or x1, x2, ...
predictor_names <- function(given, p) if (!is.null(given)) given else if (p == 1) "x" else paste0("x", seq_len(p))

# Loadings, uniquenesses and discrepancy of the one-factor model of a correlation matrix, by maximum likelihood.
one_factor <- function(r, n = 1e6) {
  k <- nrow(r)
  lower <- 0.005  # the least uniqueness that factanal() allows
  eigen_of <- function(psi) eigen(r / sqrt(outer(psi, psi)), symmetric = TRUE)
  discrepancy <- function(psi) {
    rest <- eigen_of(psi)$values[-1]  # the loadings are at their best for these uniquenesses
    sum(rest - log(rest) - 1)
  }
  psi <- factanal(factors = 1, covmat = r, n.obs = n, lower = lower)$uniquenesses  # its search stops early: a start
  free <- psi > lower * (1 + 1e-6)
  with_free <- function(v) {
    out <- rep(lower, k)
    out[free] <- exp(v)
    out
  }
  psi <- with_free(peak(function(v) -discrepancy(with_free(v)), log(psi[free]))$point)
  first <- eigen_of(psi)
  load <- sqrt(psi * max(first$values[1] - 1, 0)) * first$vectors[, 1]
  list(load = load * sign(sum(load)), psi = psi, f = discrepancy(psi))
}

# Least squares: coefficients, residuals, their HC1 covariance, and (X'WX) inverted.
hc1 <- function(design, y, weights = 1) {
  bread <- chol2inv(qr.R(qr(design * sqrt(weights))))
  b <- qr.coef(qr(design * sqrt(weights)), y * sqrt(weights))
  rest <- as.vector(y - design %*% b)
  list(b = b, rest = rest, bread = bread,
       covariance = nrow(design) / (nrow(design) - ncol(design)) * bread %*% crossprod(design * weights * rest) %*% bread)
}

# The exact p of a sum of signed ranks that may be tied: every pattern of signs, each with the same probability.
tied_signs_p <- function(ranks, observed, alternative) {
  doubled <- round(2 * ranks)
  weights <- 1
  for (rank in doubled) weights <- (c(weights, numeric(rank)) + c(numeric(rank), weights)) / 2
  counted_p(weights, 1, sum(doubled) / 2, round(2 * observed), alternative)
}

# The exact p of the rank sum of the first n1 of ranks that may be tied: every choice of n1 of them.
tied_ranks_p <- function(ranks, n1, alternative) {
  doubled <- round(2 * ranks)
  weights <- matrix(0, n1 + 1, sum(doubled) + 1)
  weights[1, 1] <- 1
  for (rank in doubled) {
    moved <- cbind(matrix(0, n1, rank), weights[seq_len(n1), seq_len(ncol(weights) - rank), drop = FALSE])
    weights[-1, ] <- weights[-1, , drop = FALSE] + moved
    weights <- weights / 2
  }
  n <- length(doubled)
  counted_p(weights[n1 + 1, ], n, n1 * sum(doubled) / n, sum(doubled[seq_len(n1)]), alternative)
}

# The share of the weights of the sums 0, 1, ... on the side of the alternative; two-sided, at least as far from the mean.
counted_p <- function(weights, scale, mean, observed, alternative) {
  sums <- seq_along(weights) - 1
  distance <- function(s) abs(round(2 * scale * (s - mean)))
  hit <- switch(alternative, less = sums <= observed, greater = sums >= observed,
                "two-sided" = distance(sums) >= distance(observed))
  sum(weights[hit]) / sum(weights)
}

# The exact p of the two-sample D with ties: of all ways to split the pooled values, those that reach it.
tied_paths_p <- function(first, second, alternative) {
  m <- length(first)
  n <- length(second)
  pooled <- sort(c(first, second))
  last <- c(pooled[-1] != pooled[-length(pooled)], TRUE)
  gap <- function(i, j) {
    switch(alternative, "two-sided" = abs(i * n - j * m), greater = i * n - j * m, less = j * m - i * n)
  }
  observed <- max(0, sapply(pooled, function(v) gap(sum(first <= v), sum(second <= v))))
  if (observed == 0) return(1)
  # reached[i + 1]: the probability that a split with i of the first among the values so far has reached D.
  reached <- numeric(m + 1)
  for (place in seq_len(m + n)) {
    i <- max(0, place - n):min(m, place)
    from_first <- ifelse(i > 0, c(0, reached)[i + 1], 0)
    reached[i + 1] <- (i * from_first + (place - i) * reached[i + 1]) / place
    if (last[place]) reached[i + 1][gap(i, place - i) >= observed] <- 1
  }
  reached[m + 1]
}
