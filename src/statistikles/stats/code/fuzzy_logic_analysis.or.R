say("membership", max(values))
