# within 1e-6: loadings from items are found by a search
if (!is.null(items)) {
  if (!is.list(items)) {
    blocks <- lapply(unique(constructs), function(name) items[, constructs == name, drop = FALSE])
    names(blocks) <- unique(constructs)
    items <- blocks
  }
  kept <- complete.cases(do.call(cbind, items))
  items <- lapply(items, function(block) block[kept, , drop = FALSE])
  loadings <- lapply(items, function(block) {
    r <- cor(block)
    if (ncol(block) > 2) one_factor(r)$load else if (ncol(block) == 2 && r[1, 2] > 0 && r[1, 2] < 1) sqrt(rep(r[1, 2], 2))
  })
  say("n", sum(kept))
}
reliability <- list()
for (name in names(loadings)) {
  load <- loadings[[name]]
  if (is.null(load)) next
  reliability[[name]] <- sum(load)^2 / (sum(load)^2 + sum(1 - load^2))
  say(c("constructs", name, "n_items"), length(load))
  say(c("constructs", name, "ave"), mean(load^2))
  say(c("constructs", name, "root_ave"), sqrt(mean(load^2)))
  say(c("constructs", name, "composite_reliability"), reliability[[name]])
  for (i in seq_along(load)) say(c("constructs", name, "loadings", paste0("[", i - 1, "]")), load[i])
}
named <- names(if (is.null(items)) loadings else items)
pairs <- if (length(named) > 1) combn(length(named), 2, simplify = FALSE) else list()
for (pair in pairs) {
  a <- named[pair[1]]
  b <- named[pair[2]]
  place <- c("pairs", paste(a, "-", b))
  if (is.null(items)) {
    if (is.null(construct_correlations)) next
    say(c(place, "correlation"), construct_correlations[pair[1], pair[2]])
    say(c(place, "squared_correlation"), construct_correlations[pair[1], pair[2]]^2)
  } else {
    across <- cor(items[[a]], items[[b]])
    one <- cor(items[[a]])
    two <- cor(items[[b]])
    r <- sum(across) / sqrt(sum(one) * sum(two))  # of the sums of the standardised items
    say(c(place, "correlation"), r)
    if (!is.null(reliability[[a]]) && !is.null(reliability[[b]])) {
      say(c(place, "latent_correlation"), r / sqrt(reliability[[a]] * reliability[[b]]))
    }
    if (ncol(one) > 1 && ncol(two) > 1) {
      within <- c(mean(abs(one[upper.tri(one)])), mean(abs(two[upper.tri(two)])))
      say(c(place, "htmt"), mean(abs(across)) / sqrt(prod(within)))
    }
  }
}
