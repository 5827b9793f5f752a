start <- max(interval_a[1], interval_b[1])
end <- min(interval_a[2], interval_b[2])
overlap <- max(0, end - start)
union_length <- diff(interval_a) + diff(interval_b) - overlap
shorter <- min(diff(interval_a), diff(interval_b))
say("overlap", overlap)
say("gap", max(0, start - end))
if (union_length > 0) say("jaccard", overlap / union_length)
if (shorter > 0) say("overlap_coefficient", overlap / shorter)
if (start <= end) {
  say(c("intersection", "[0]"), start)
  say(c("intersection", "[1]"), end)
}
say(c("hull", "[0]"), min(interval_a, interval_b))
say(c("hull", "[1]"), max(interval_a, interval_b))
