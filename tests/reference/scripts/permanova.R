# Reference values of permanova: vegan's adonis2 and betadisper, exact p by listing all arrangements.
# Run from tests/reference: Rscript scripts/permanova.R
suppressMessages({library(jsonlite); library(vegan)})
options(digits = 17, warn = -1)
version <- paste0(as.character(getRversion()), ", vegan ", packageVersion("vegan"))
cases <- list()
add <- function(id, arguments, expect, cmd, rtol = 1e-8) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, expect = expect, rtol = rtol,
    source = list(program = "R", version = version, command = cmd))
}
refuse <- function(id, arguments, code, cmd) {
  cases[[length(cases) + 1]] <<- list(id = id, arguments = arguments, error_code = code,
    source = list(program = "R", version = version, command = cmd))
}
rows <- function(d) unname(lapply(seq_len(nrow(d)), function(i) unname(d[i, ])))
one <- function(id, D, g, extra = list()) {
  a <- adonis2(as.dist(D) ~ g, permutations = 9); ms <- a$SumOfSqs[2] / a$Df[2]
  add(id, c(list(distance_matrix = rows(D), group_labels = as.character(g), n_permutations = 99), extra),
      list("sources.group.statistic" = a$F[1], "sources.group.sum_sq" = a$SumOfSqs[1], "sources.group.df" = a$Df[1],
           "sources.group.effect_size.estimate" = a$R2[1], "sources.residual.sum_sq" = a$SumOfSqs[2],
           "sources.residual.df" = a$Df[2], "sources.total.sum_sq" = a$SumOfSqs[3],
           "sources.group.effect_sizes.omega_squared.estimate" = (a$SumOfSqs[1] - a$Df[1] * ms) / (a$SumOfSqs[3] + ms)),
      "adonis2(as.dist(D) ~ g); omega squared from its sums of squares")
  b <- anova(betadisper(as.dist(D), g, type = "centroid"))
  add(paste0(id, "-dispersion"), list(distance_matrix = rows(D), group_labels = as.character(g), n_permutations = 9),
      list("also.dispersion.statistic" = b$F[1], "also.dispersion.p_value" = b$Pr[1], "also.dispersion.df" = b$Df[1]),
      "anova(betadisper(as.dist(D), g, type = 'centroid'))", 1e-6)
}
data(dune); data(dune.env)
bray <- as.matrix(vegdist(dune)); dimnames(bray) <- NULL
one("dune-management", bray, dune.env$Management)
one("dune-use", bray, dune.env$Use)
iris30 <- iris[c(1:10, 51:60, 101:110), ]
one("iris-euclidean", unname(as.matrix(dist(iris30[, 1:4]))), iris30$Species)
many <- function(id, D, f, formula, interaction = FALSE) {
  D <- as.dist(D); env <- as.data.frame(f); environment(formula) <- environment()
  s <- adonis2(formula, data = env, permutations = 9, by = "terms"); k <- nrow(s) - 2
  name <- function(i) sub(":", " × ", rownames(s)[i])
  e <- list("sources.residual.sum_sq" = s$SumOfSqs[k + 1], "sources.residual.df" = s$Df[k + 1])
  for (i in seq_len(k)) {
    at <- paste0("also.sequential.", name(i), ".")
    e[[paste0(at, "sum_sq")]] <- s$SumOfSqs[i]; e[[paste0(at, "statistic")]] <- s$F[i]; e[[paste0(at, "df")]] <- s$Df[i]
    e[[paste0(at, "effect_size.estimate")]] <- s$R2[i]
  }
  m <- adonis2(formula, data = env, permutations = 9, by = "margin")
  for (i in seq_len(nrow(m) - 2)) {
    at <- paste0("sources.", sub(":", " × ", rownames(m)[i]), "."); e[[paste0(at, "sum_sq")]] <- m$SumOfSqs[i]
    e[[paste0(at, "statistic")]] <- m$F[i]
  }
  add(id, list(distance_matrix = rows(as.matrix(D)), factors = lapply(f, as.character), interaction = interaction, n_permutations = 99),
      e, paste("adonis2(", deparse(formula), ") by = 'terms' and 'margin'"))
}
many("dune-two-factors", bray, list(Management = dune.env$Management, Moisture = dune.env$Moisture), D ~ Management + Moisture)
many("dune-interaction", bray, list(Use = dune.env$Use, Manure = factor(dune.env$Manure > 2)), D ~ Use * Manure, TRUE)
set.seed(2); f <- expand.grid(A = c("a1", "a2"), B = c("b1", "b2", "b3"), rep = 1:4)
euclid <- as.matrix(dist(round(matrix(rnorm(24 * 3), 24) + as.numeric(f$A), 3))); dimnames(euclid) <- NULL
many("balanced-two-by-three", euclid, list(A = f$A, B = f$B), D ~ A * B, TRUE)

exact <- function(id, D, g) {  # p over every arrangement of the labels
  n <- length(g); G <- -0.5 * D^2; J <- diag(n) - 1 / n; G <- J %*% G %*% J
  stat <- function(h) { X <- model.matrix(~ factor(h)); H <- X %*% solve(crossprod(X)) %*% t(X); sum(H * G) / (sum(diag(G)) - sum(H * G)) }
  perms <- function(v) if (length(v) == 1) list(v) else do.call(c, lapply(unique(v), function(x) lapply(perms(v[-match(x, v)]), function(p) c(x, p))))
  all <- perms(g); s <- sapply(all, stat)
  add(id, list(distance_matrix = rows(D), group_labels = g), list("sources.group.p_value" = mean(s >= stat(g) - 1e-9),
      "details.n_permutations" = length(all), "details.exact" = TRUE), "all distinct arrangements of the labels, statistic from model.matrix")
}
tied <- matrix(c(0,3,7,2,1, 3,0,5,4,1, 7,5,0,2,6, 2,4,2,0,2, 1,1,6,2,0), 5)
exact("exact-ties", tied, c("C", "C", "G1", "G2", "G2"))
exact("exact-seven", unname(as.matrix(dist(iris[c(1:3, 51:54), 1:4]))), c("s", "s", "s", "v", "v", "v", "v"))
exact("exact-bray", bray[1:8, 1:8], c("x", "x", "y", "y", "x", "y", "y", "x"))
refuse("asymmetric", list(distance_matrix = list(c(0, 1, 2), c(1, 0, 1), c(3, 1, 0)), group_labels = c("a", "a", "b")), "shape", "as.dist would ignore half of it")
refuse("one-level", list(distance_matrix = rows(tied), group_labels = rep("a", 5)), "too_few_groups", "adonis2 stops: factors need two or more levels")
refuse("labels-short", list(distance_matrix = rows(tied), group_labels = c("a", "b", "a")), "length_mismatch", "adonis2 stops: lengths differ")
refuse("no-residual", list(distance_matrix = rows(tied), group_labels = letters[1:5]), "too_few_values", "no residual df")
write_json(list(tool = "permanova", cases = cases), "values/permanova.json", digits = NA, auto_unbox = TRUE, null = "null", pretty = 1)
cat(length(cases), "cases\n")
