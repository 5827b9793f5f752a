# The numbers that the transcripts expect. Run: Rscript tests/golden/values.R > tests/golden/values.json
weight <- c(61.2, 58.4, 70.1, 66.3, 59.9, 72.5, 64.8, 68.0)
height <- c(171, 165, 182, 178, 169, 185, 174, 180)
arm <- c("control", "control", "drug", "drug", "control", "drug", "control", "drug")
welch <- t.test(weight[arm == "control"], weight[arm == "drug"])
related <- cor.test(weight, height)
values <- list(
  mean = mean(weight), sd = sd(weight), median = median(weight),
  mean_control = mean(weight[arm == "control"]), mean_drug = mean(weight[arm == "drug"]),
  difference = mean(weight[arm == "control"]) - mean(weight[arm == "drug"]),
  t = unname(welch$statistic), df = unname(welch$parameter), p = welch$p.value,
  r = unname(related$estimate), mean_height = mean(height)
)
cat(jsonlite::toJSON(list(program = R.version.string, values = values), auto_unbox = TRUE, digits = 15, pretty = TRUE), "\n")
