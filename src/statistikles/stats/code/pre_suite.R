if (is.null(contingency_matrix)) {
  ordered <- function(labels) {
    found <- unique(labels)
    values <- suppressWarnings(as.numeric(found))
    if (anyNA(values)) sort(found, method = "radix") else found[order(values)]
  }
  contingency_matrix <- crossed(x, y, ordered(x), ordered(y))
}
counts <- contingency_matrix[rowSums(contingency_matrix) > 0, colSums(contingency_matrix) > 0, drop = FALSE]
n <- sum(counts)
p <- matrix(counts / n, nrow(counts))
r <- rowSums(p)
k <- colSums(p)
across <- function(v) matrix(v, nrow(p), ncol(p), byrow = TRUE)
down <- function(v) matrix(v, nrow(p), ncol(p))
reach <- qnorm(1 - alpha / 2)
# top / bottom, with the delta-method error from the slopes in the cells; nothing where it is not defined.
report <- function(name, v, least = 0) {
  if (v[[2]] <= 1e-15) return()
  value <- min(1, max(least, v[[1]] / v[[2]]))
  slope <- (v[[3]] * v[[2]] - v[[1]] * v[[4]]) / v[[2]]^2
  error <- sqrt(sum(p * (slope - sum(p * slope))^2) / n)
  say(c(name, "estimate"), value)
  if (error >= 1e-12) {
    say(c(name, "std_error"), error)
    say(c(name, "conf_low"), max(least, value - reach * error))
    say(c(name, "conf_high"), min(1, value + reach * error))
  }
  if (least == 0) say(c("error_reduction_percent", name), 100 * v[[1]] / v[[2]])
}
turned <- function(v) lapply(v, function(part) if (is.matrix(part)) t(part) else part)
lambda_parts <- function(p) {
  best <- modal <- 0 * p
  best[cbind(seq_len(nrow(p)), max.col(p, "first"))] <- 1
  modal[, which.max(colSums(p))] <- 1
  list(sum(p * (best - modal)), 1 - sum(p * modal), best - modal, -modal)
}
tau_parts <- function(p) {
  r <- rowSums(p)
  k <- matrix(colSums(p), nrow(p), ncol(p), byrow = TRUE)
  list(sum(p^2 / r) - sum(k[1, ]^2), 1 - sum(k[1, ]^2), 2 * p / r - rowSums(p^2) / r^2 - 2 * k, -2 * k)
}
y_x <- lambda_parts(p)
x_y <- turned(lambda_parts(t(p)))
report("lambda_y_given_x", y_x)
report("lambda_x_given_y", x_y)
report("lambda_symmetric", Map("+", y_x, x_y))
report("tau_y_given_x", tau_parts(p))
report("tau_x_given_y", turned(tau_parts(t(p))))
ratio <- ifelse(p > 0, log(p / outer(r, k)), 0)
shared <- sum(p * ratio)
d_shared <- ifelse(p > 0, ratio - 1, 0)
h_x <- -sum(r * log(r))
h_y <- -sum(k * log(k))
report("u_y_given_x", list(shared, h_y, d_shared, across(-log(k) - 1)))
report("u_x_given_y", list(shared, h_x, d_shared, down(-log(r) - 1)))
report("u_symmetric", list(2 * shared, h_x + h_y, 2 * d_shared, across(-log(k) - 1) + down(-log(r) - 1)))
agree <- differ <- 0 * p  # what lies in the same, and in the opposite order, around each cell
for (i in seq_along(r)) for (j in seq_along(k)) {
  above <- seq_along(r) < i
  below <- seq_along(r) > i
  left <- seq_along(k) < j
  right <- seq_along(k) > j
  agree[i, j] <- sum(p[above, left]) + sum(p[below, right])
  differ[i, j] <- sum(p[above, right]) + sum(p[below, left])
}
score <- sum(p * (agree - differ))
d_score <- 2 * (agree - differ)
free_x <- 1 - sum(r^2)
free_y <- 1 - sum(k^2)
report("gamma", list(score, sum(p * (agree + differ)), d_score, 2 * (agree + differ)), -1)
report("somers_d_y_given_x", list(score, free_x, d_score, down(-2 * r)), -1)
report("somers_d_x_given_y", list(score, free_y, d_score, across(-2 * k)), -1)
report("somers_d_symmetric", list(2 * score, free_x + free_y, 2 * d_score, down(-2 * r) + across(-2 * k)), -1)
both <- sqrt(free_x * free_y)
report("tau_b", list(score, both, d_score, both / 2 * (down(-2 * r) / free_x + across(-2 * k) / free_y)), -1)
m <- min(dim(p))
report("tau_c", list(score, (m - 1) / m, d_score, 0 * p), -1)
test <- suppressWarnings(chisq.test(counts, correct = FALSE))
ends <- chi_noncentrality(test$statistic, test$parameter, 1 - alpha)
say(c("cramers_v", "estimate"), sqrt(test$statistic / n / (m - 1)))
say(c("cramers_v", "conf_low"), sqrt(ends[1] / n / (m - 1)))
say(c("cramers_v", "conf_high"), min(1, sqrt(ends[2] / n / (m - 1))))
say(c("independence", "statistic"), test$statistic)
say(c("independence", "df"), test$parameter)
say(c("independence", "p_value"), test$p.value)
a <- rowSums(counts)
b <- colSums(counts)
variance <- (n * (n - 1) * (2 * n + 5) - sum(a * (a - 1) * (2 * a + 5)) - sum(b * (b - 1) * (2 * b + 5))) / 18 +
  sum(a * (a - 1)) * sum(b * (b - 1)) / (2 * n * (n - 1)) +
  sum(a * (a - 1) * (a - 2)) * sum(b * (b - 1) * (b - 2)) / (9 * n * (n - 1) * (n - 2))
z <- score * n^2 / 2 / sqrt(variance)
say(c("ordinal_association", "statistic"), z)
say(c("ordinal_association", "p_value"), 2 * pnorm(-abs(z)))
say("n", n)
