"""Statistikles: a statistics assistant in which no number is ever produced by the language model."""
