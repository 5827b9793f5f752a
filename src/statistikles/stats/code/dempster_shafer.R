members <- function(label) {
  parts <- trimws(strsplit(label, ",", fixed = TRUE)[[1]])
  sort(unique(parts[parts != ""]), method = "radix")
}
joint <- list()
for (first in names(evidence1)) for (second in names(evidence2)) {
  both <- paste0("set:", paste(intersect(members(first), members(second)), collapse = ","))
  joint[[both]] <- sum(joint[[both]], evidence1[[first]] * evidence2[[second]])
}
conflict <- sum(joint[["set:"]])
joint <- unlist(joint[names(joint) != "set:" & unlist(joint) > 0])
agreement <- sum(joint)
combined <- joint / agreement
focal <- sub("^set:", "", names(combined))
sets <- lapply(focal, members)
space <- if (is.null(frame)) members(paste(c(names(evidence1), names(evidence2)), collapse = ",")) else sort(unique(frame), method = "radix")
say("conflict", conflict)
say("weight_of_conflict", -log(agreement))
say("ignorance", sum(combined[focal == paste(space, collapse = ",")]))
for (i in seq_along(focal)) say(c("mass", focal[i]), combined[i])
for (wanted in unique(c(focal, space))) {
  within <- sapply(sets, function(s) all(s %in% members(wanted)))
  touching <- sapply(sets, function(s) any(s %in% members(wanted)))
  say(c("belief", wanted), sum(combined[within]))
  say(c("plausibility", wanted), sum(combined[touching]))
}
for (member in space) {
  holding <- sapply(sets, function(s) member %in% s)
  say(c("pignistic", member), sum(combined[holding] / lengths(sets)[holding]))
}
