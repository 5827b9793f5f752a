"""Provenance: every number of a reply is traced to what was computed, to the user's words, or flagged."""
