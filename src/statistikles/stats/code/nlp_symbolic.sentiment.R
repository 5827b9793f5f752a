# Letters made of several signs (combining accents) are not put together, as base R cannot: then compare the Python code.
folded <- function(word) trimws(gsub("\u2019", "'", tolower(word)))
if (is.null(negations)) {
  negations <- strsplit("not no never none nobody nothing neither nor nowhere hardly barely scarcely without cannot", " ")[[1]]
}
turning <- folded(negations)
scores <- unlist(lexicon)
names(scores) <- folded(names(lexicon))
pattern <- "(*UCP)[^\\W_]+(?:'[^\\W_]+)*|[.,;:!?\u2026]"
pieces <- regmatches(folded(text), gregexpr(pattern, enc2utf8(folded(text)), perl = TRUE))[[1]]
recent <- logical(0)
words <- character(0)
turned <- logical(0)
for (piece in pieces) {
  if (grepl("^[.,;:!?\u2026]", piece)) {
    recent <- logical(0)  # a clause ends
    next
  }
  words <- c(words, piece)
  turned <- c(turned, sum(tail(recent, 3)) %% 2 == 1)
  recent <- c(recent, piece %in% turning || grepl("n't$", piece))
}
hit <- words %in% names(scores)
value <- unname(scores[words[hit]])
say("score", sum(value))
say("negation_aware_score", sum(ifelse(turned[hit], -value, value)))
say("mean_per_token", sum(value) / length(words))
if (any(hit)) say("mean_per_match", mean(value))
say("positive_sum", sum(value[value > 0]))
say("negative_sum", sum(value[value < 0]))
say("n_tokens", length(words))
say("n_matched", sum(hit))
say("n_positive", sum(value > 0))
say("n_negative", sum(value < 0))
say("n_negated", sum(turned[hit]))
say("coverage", mean(hit))
for (word in unique(words[hit])) {
  say(c("counts", word), sum(words == word))
  say(c("contributions", word), sum(words == word) * scores[[word]])
}
