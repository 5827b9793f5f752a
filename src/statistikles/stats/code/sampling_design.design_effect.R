# unless: cluster_size_cv
deff <- 1 + (cluster_size - 1) * icc
say("design_effect", deff)
say("deft", sqrt(deff))
if (!is.null(n)) say("effective_n", n / deff)
