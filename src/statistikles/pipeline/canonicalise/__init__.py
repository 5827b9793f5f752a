"""Canonicalise, the first stage of stewardship: what was written becomes values, and every doubt becomes a finding."""
