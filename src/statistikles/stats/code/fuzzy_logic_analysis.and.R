say("membership", min(values))
