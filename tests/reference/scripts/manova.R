# Reference values of advanced_modeling, type manova. Run from the project root: Rscript tests/reference/scripts/manova.R
suppressPackageStartupMessages(library(jsonlite))
src <- list(program = "R (summary.manova, aov; Box's M and partial eta squared from their definitions)",
            version = as.character(getRversion()), command = "Rscript tests/reference/scripts/manova.R")
one <- function(id, data, group, rtol = 1e-8) {
  keep <- complete.cases(data) & !is.na(group); y <- as.matrix(data[keep, , drop = FALSE]); g <- factor(group[keep]); e <- list()
  put <- function(key, value) e[[key]] <<- unname(value)
  fit <- manova(y ~ g); p <- ncol(y); k <- nlevels(g); n <- nrow(y); s <- min(p, k - 1)
  labels <- c(wilks = "Wilks", pillai = "Pillai", hotelling_lawley = "Hotelling-Lawley", roy = "Roy")
  for (l in names(labels)) { r <- summary(fit, test = labels[[l]])$stats[1, ]; k0 <- paste0("also.", l, ".")
    put(paste0(k0, "estimate"), r[2]); put(paste0(k0, "statistic"), r[3]); put(paste0(k0, "df"), r[4]); put(paste0(k0, "df_error"), r[5]); put(paste0(k0, "p_value"), r[6])
    v <- r[2]; put(paste0(k0, "effect_size.estimate"), switch(l, wilks = 1 - v^(1 / s), pillai = v / s, hotelling_lawley = (v / s) / (1 + v / s), roy = v / (1 + v)))
    if (l == "wilks") { put("statistic", r[3]); put("p_value", r[6]); put("effect_size.estimate", 1 - v^(1 / s)) } }
  ev <- summary(fit)$Eigenvalues[1, ]; for (j in 1:s) put(paste0("details.eigenvalues.", j - 1), ev[j])
  for (v in colnames(y)) { a <- summary(aov(y[, v] ~ g))[[1]]; k0 <- paste0("post_hoc.univariate.", v, ".")
    put(paste0(k0, "statistic"), a[1, 4]); put(paste0(k0, "p_value"), a[1, 5]); put(paste0(k0, "effect_size.estimate"), a[1, 2] / sum(a[, 2])) }
  for (l in levels(g)) { put(paste0("groups.", l, ".n"), sum(g == l)); for (v in colnames(y)) put(paste0("details.means.", l, ".", v), mean(y[g == l, v])) }
  free <- as.numeric(table(g)) - 1
  if (min(free) >= p && min(sapply(split(as.data.frame(y), g), function(d) det(cov(d)))) > 1e-12) {
    S <- lapply(split(as.data.frame(y), g), cov); sp <- Reduce(`+`, Map(`*`, S, free)) / sum(free)
    M <- sum(free) * log(det(sp)) - sum(free * log(sapply(S, det)))
    c1 <- (sum(1 / free) - 1 / sum(free)) * (2 * p^2 + 3 * p - 1) / (6 * (p + 1) * (k - 1)); d <- p * (p + 1) * (k - 1) / 2
    put("details.box_m.box_m", M); put("details.box_m.statistic", M * (1 - c1)); put("details.box_m.df", d)
    put("details.box_m.p_value", pchisq(M * (1 - c1), d, lower.tail = FALSE)) }
  put("n", n); put("n_missing", nrow(data) - n)
  lab <- as.character(group)
  list(id = paste0("manova-", id), arguments = list(type = "manova", x = unname(as.list(data)), group_ids = lab, var_names = names(data)), expect = e, rtol = rtol, atol = 1e-12, source = src)
}
nm <- c("sl", "sw", "pl", "pw"); ir <- setNames(iris[1:4], nm); i <- c(1:12, 51:61, 101:113)
air <- setNames(airquality[airquality$Month %in% c(5, 7, 9), c("Ozone", "Wind", "Temp")], c("ozone", "wind", "temp"))
mon <- airquality$Month[airquality$Month %in% c(5, 7, 9)]
tied <- data.frame(a = c(1, 2, 2, 3, 3, 3, 4, 4, 5, 5), b = c(2, 2, 1, 3, 3, 2, 2, 4, 4, 3))
cases <- list(one("iris", ir[i, ], iris$Species[i], 1e-7), one("two-groups", ir[c(51:62, 101:112), ], factor(iris$Species[c(51:62, 101:112)])),
  one("missing", air, paste0("m", mon)), one("ties-small-groups", tied, c("u", "u", "v", "v", "w", "w", "u", "v", "w", "w")),
  one("mtcars-cylinders", setNames(mtcars[, c("mpg", "hp", "wt", "qsec")], c("mpg", "hp", "wt", "qsec")), paste0("c", mtcars$cyl)))
refuse <- function(id, arguments, code) list(id = paste0("manova-", id), arguments = c(list(type = "manova"), arguments), error_code = code,
  source = list(program = "definition", version = "-", command = "no inverse of E + H, or no degrees of freedom"))
cases <- c(cases, list(refuse("dependent", list(x = list(c(1, 2, 3, 4, 6), c(2, 4, 6, 8, 12)), group_ids = c("a", "a", "b", "b", "b")), "singular"),
  refuse("one-group", list(x = list(1:4, c(2, 1, 4, 3)), group_ids = c("a", "a", "a", "a")), "too_few_groups"),
  refuse("too-few-rows", list(x = list(1:4, c(2, 1, 4, 3), c(1, 1, 2, 5)), group_ids = c("a", "a", "b", "b")), "too_few_values")))
write(toJSON(list(tool = "advanced_modeling", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", null = "null", pretty = 1),
      "tests/reference/values/advanced_modeling-manova.json")
