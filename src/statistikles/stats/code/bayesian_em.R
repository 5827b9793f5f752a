# within 1e-4: EM creeps towards the peak, and both stop when the log likelihood hardly changes.
n <- length(data)
m <- mean(data)
spread <- sqrt(mean((data - m)^2))
u <- (data - m) / spread
joint <- function(s) matrix(sapply(seq_len(k), function(j) s$weights[j] * dnorm(u, s$means[j], sqrt(s$variances[j]))), n)
maximise <- function(r) {
  size <- pmax(colSums(r), 1e-300)
  means <- colSums(r * u) / size
  list(weights = size / sum(size), means = means, variances = pmax(colSums(r * outer(u, means, "-")^2) / size, 1e-6))
}
run <- function(centres) {  # the EM algorithm from components around these centres
  r <- diag(k)[max.col(-abs(outer(u, centres, "-")), "first"), , drop = FALSE]
  state <- maximise(r + 1e-3 / k)
  state$variances <- pmax(state$variances, 1e-3)
  before <- -Inf
  for (round in 1:20000) {
    f <- joint(state)
    now <- sum(log(rowSums(f)))
    if (abs(now - before) <= 1e-14 * max(1, abs(now))) break
    before <- now
    state <- maximise(f / rowSums(f))
  }
  list(now = now, state = state)
}
set.seed(seed)
starts <- list(sort(u)[floor((seq_len(k) - 0.5) / k * n) + 1])
for (i in seq_len(n_starts)) {  # k-means++
  centres <- sample(u, 1)
  while (length(centres) < k) {
    apart <- apply(outer(u, centres, "-")^2, 1, min)
    centres <- c(centres, if (sum(apart) > 0) sample(u, 1, prob = apart) else centres[1])
  }
  starts[[i + 1]] <- sort(centres)
}
runs <- lapply(starts, run)
peaks <- sapply(runs, function(one) one$now)
best <- runs[[which.max(sapply(runs, function(one) round(one$now, 6)))]]
ranked <- order(best$state$means, best$state$variances)
state <- lapply(best$state, function(v) v[ranked])
if (diff(range(peaks)) < 1e-5 * abs(max(peaks))) {
  for (j in seq_len(k)) {
    at <- paste0("[", j - 1, "]")
    say(c("weights", at), state$weights[j])
    say(c("means", at), m + spread * state$means[j])
    say(c("std_devs", at), spread * sqrt(state$variances[j]))
    say(c("variances", at), spread^2 * state$variances[j])
  }
  total <- best$now - n * log(spread)
  say("log_likelihood", total)
  say("aic", 2 * (3 * k - 1) - 2 * total)
  say("bic", (3 * k - 1) * log(n) - 2 * total)
  f <- joint(state)
  r <- f / rowSums(f)
  say("mean_responsibility", mean(apply(r, 1, max)))
  if (k > 1) say("separation", 1 + sum(r * log(ifelse(r > 0, r, 1))) / (n * log(k)))
}
say("bic_single_normal", 2 * log(n) + n * (log(2 * pi) + 1) + 2 * n * log(spread))
say("n", n)
