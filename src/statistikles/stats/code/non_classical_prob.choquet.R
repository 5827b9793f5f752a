scores <- if (is.null(values)) v1 else unlist(values)
if (is.null(values)) attr(scores, "names") <- if (is.null(names)) paste0("x", seq_along(v1)) else names
set_of <- function(members) paste(sort(members, method = "radix"), collapse = ",")
weight <- unlist(capacity)
attr(weight, "names") <- sapply(strsplit(attr(weight, "names"), ",", fixed = TRUE), function(parts) set_of(trimws(parts)))
ranked <- sort(scores)
steps <- diff(c(0, ranked))
needed <- sapply(seq_along(ranked), function(i) weight[set_of(attr(ranked, "names")[i:length(ranked)])])
say("integral", sum((steps * needed)[steps != 0]))
say("n_criteria", length(scores))
single <- weight[attr(scores, "names")]
if (!anyNA(single) && sum(single) > 0) say("additive_mean", sum(single * scores) / sum(single))
