new <- themes_per_interview
n <- length(new)
at <- function(i) paste0("[", i - 1, "]")
say("n_interviews", n)
say("total_themes", sum(new))
average <- sapply(seq_len(n - window + 1), function(i) mean(new[i:(i + window - 1)]))
below <- which(average < 0.5)
if (length(below)) say("saturation_interview", below[1] + window - 1)
for (i in seq_len(n)) say(c("cumulative", at(i)), sum(new[1:i]))
for (i in seq_along(average)) say(c("moving_average", at(i)), average[i])
say("last_average", average[length(average)])
base <- sum(head(new, base_size))
if (base > 0 && n >= base_size + run_length) {  # Guest, Namey and Chen
  shares <- sapply((base_size + 1):(n - run_length + 1), function(i) sum(new[i:(i + run_length - 1)]) / base)
  say(c("base_run_threshold", "base_themes"), base)
  for (i in seq_along(shares)) say(c("base_run_threshold", "new_information", at(i)), shares[i])
  few <- which(shares <= threshold * (1 + 1e-12))
  if (length(few)) {
    say(c("base_run_threshold", "saturation_interview"), base_size + few[1] - 1)
    say(c("base_run_threshold", "run_end"), base_size + few[1] - 1 + run_length)
  }
}
