say("min_plus", min(v1 + v2))
say("min_index", which.min(v1 + v2) - 1)
say("max_plus", max(v1 + v2))
say("max_index", which.max(v1 + v2) - 1)
