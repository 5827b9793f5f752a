"""The registry: the single declaration of every capability, and what is derived from it."""
