# Writes values/anova.json: reference values of the one-way analysis of variance, from R.
# Run in tests/reference: Rscript scripts/variance.R
library(jsonlite)
source_of <- function(command) list(program = "R", version = as.character(getRversion()), command = command)
minus <- " \u2212 "

hedges <- function(a, b) {
  df <- length(a) + length(b) - 2
  pooled <- (sum((a - mean(a))^2) + sum((b - mean(b))^2)) / df
  exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2) * (mean(a) - mean(b)) / sqrt(pooled)
}
ncp <- function(f, d1, d2, p) {
  if (pf(f, d1, d2) <= p) return(0)
  uniroot(function(l) pf(f, d1, d2, l) - p, c(0, 10 * f * d1 + 50), tol = 1e-13)$root
}

one_way <- function(id, groups, alpha = 0.05) {
  clean <- lapply(groups, function(g) g[!is.na(g)])
  y <- unlist(clean, use.names = FALSE)
  g <- factor(rep(names(clean), lengths(clean)), levels = names(clean))
  fit <- aov(y ~ g)
  table <- summary(fit)[[1]]
  ss <- table[["Sum Sq"]]; df <- table[["Df"]]; ms <- table[["Mean Sq"]]; f <- table[["F value"]][1]
  n <- length(y)
  e <- list()
  e[["statistic"]] <- f; e[["df"]] <- df[1]; e[["df_error"]] <- df[2]; e[["p_value"]] <- table[["Pr(>F)"]][1]
  e[["details.between.sum_sq"]] <- ss[1]; e[["details.within.sum_sq"]] <- ss[2]
  e[["details.between.mean_sq"]] <- ms[1]; e[["details.within.mean_sq"]] <- ms[2]
  e[["effect_size.estimate"]] <- ss[1] / sum(ss)
  e[["effect_sizes.omega_squared.estimate"]] <- (ss[1] - df[1] * ms[2]) / (sum(ss) + ms[2])
  e[["effect_sizes.epsilon_squared.estimate"]] <- (ss[1] - df[1] * ms[2]) / sum(ss)
  e[["effect_sizes.cohens_f.estimate"]] <- sqrt(ss[1] / ss[2])
  low <- ncp(f, df[1], df[2], 1 - alpha / 2); high <- ncp(f, df[1], df[2], alpha / 2)
  e[["effect_size.conf_low"]] <- low / (low + n); e[["effect_size.conf_high"]] <- high / (high + n)
  w <- oneway.test(y ~ g)
  e[["also.welch.statistic"]] <- w$statistic[[1]]; e[["also.welch.df_error"]] <- w$parameter[[2]]
  e[["also.welch.p_value"]] <- w$p.value
  levene <- anova(lm(abs(y - ave(y, g, FUN = median)) ~ g))
  e[["details.homogeneity.statistic"]] <- levene[["F value"]][1]
  e[["details.homogeneity.p_value"]] <- levene[["Pr(>F)"]][1]
  v <- sapply(clean, var); m <- lengths(clean)
  share <- (1 - m / n) * v
  e[["also.brown_forsythe.statistic"]] <- ss[1] / sum(share)
  e[["also.brown_forsythe.df_error"]] <- 1 / sum((share / sum(share))^2 / (m - 1))
  table_case <- list(id = id, arguments = list(groups = groups, alpha = alpha), expect = e, rtol = 1e-8, atol = 1e-11,
    source = source_of("aov(y ~ g); oneway.test(y ~ g); pf(ncp = ) and the formulae in scripts/variance.R"))
  e <- list()
  tukey <- TukeyHSD(fit, conf.level = 1 - alpha)$g
  k <- length(clean)
  for (i in 1:(k - 1)) for (j in (i + 1):k) {
    a <- clean[[i]]; b <- clean[[j]]
    row <- tukey[paste0(names(clean)[j], "-", names(clean)[i]), ]
    pair <- paste0("post_hoc.tukey_hsd.", names(clean)[i], minus, names(clean)[j], ".")
    e[[paste0(pair, "estimate")]] <- -row[["diff"]]
    e[[paste0(pair, "conf_low")]] <- -row[["upr"]]
    e[[paste0(pair, "conf_high")]] <- -row[["lwr"]]
    e[[paste0(pair, "p_value")]] <- row[["p adj"]]
    e[[paste0(pair, "effect_size.estimate")]] <- hedges(a, b)
    pair <- paste0("post_hoc.games_howell.", names(clean)[i], minus, names(clean)[j], ".")
    se2 <- var(a) / length(a) + var(b) / length(b)
    gdf <- se2^2 / ((var(a) / length(a))^2 / (length(a) - 1) + (var(b) / length(b))^2 / (length(b) - 1))
    q <- abs(mean(a) - mean(b)) / sqrt(se2 / 2)
    e[[paste0(pair, "statistic")]] <- q
    e[[paste0(pair, "df")]] <- gdf
    e[[paste0(pair, "p_value")]] <- ptukey(q, k, gdf, lower.tail = FALSE)
    e[[paste0(pair, "conf_low")]] <- mean(a) - mean(b) - qtukey(1 - alpha, k, gdf) * sqrt(se2 / 2)
  }
  # qtukey stops its search at 1e-4, so limits agree to about five digits only
  list(table_case, list(id = paste0(id, "-pairs"), arguments = list(groups = groups, alpha = alpha), expect = e,
    rtol = 2e-5, atol = 1e-8, source = source_of("TukeyHSD(aov(y ~ g)); ptukey, qtukey with Welch's standard errors")))
}

refused <- function(id, groups, code) list(id = id, arguments = list(groups = groups), error_code = code,
  source = source_of("anova(lm(y ~ g)): F is NaN or infinite"))

cases <- c(
  one_way("plant-growth", split(PlantGrowth$weight, PlantGrowth$group)),
  one_way("insect-sprays", lapply(split(InsectSprays$count, InsectSprays$spray), as.numeric)),
  one_way("chick-weights-unequal-sizes", lapply(split(chickwts$weight, chickwts$feed), as.numeric), alpha = 0.01),
  one_way("missing-values", { g <- split(airquality$Ozone, airquality$Month); names(g) <- month.name[5:9]
    lapply(g, as.numeric) }),
  one_way("two-groups-with-ties", split(as.numeric(sleep$extra > 1) + 0.5 * sleep$extra, c("a", "b")[sleep$group])),
  list(refused("constant-groups", list(a = c(1, 1, 1), b = c(2, 2)), "zero_variance")),
  list(refused("single-values", list(a = I(1), b = I(2), c = I(4)), "too_few_values"))
)
write(toJSON(list(tool = "anova", cases = cases), auto_unbox = TRUE, digits = NA, na = "null", pretty = TRUE),
      "values/anova.json")
