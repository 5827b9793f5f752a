experts <- ncol(ratings_matrix)
agree <- rowSums(ratings_matrix >= cutoff)
say("s_cvi_average", mean(agree / experts))
say("s_cvi_universal", mean(agree == experts))
say("n_items", nrow(ratings_matrix))
say("n_experts", experts)
if (is.null(item_names)) item_names <- paste0("item", seq_along(agree))
for (i in seq_along(agree)) {
  share <- agree[i] / experts
  chance <- dbinom(agree[i], experts, 0.5)
  say(c("items", item_names[i], "i_cvi"), share)
  say(c("items", item_names[i], "chance"), chance)
  say(c("items", item_names[i], "modified_kappa"), (share - chance) / (1 - chance))
}
