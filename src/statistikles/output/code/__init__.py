"""Code that computes the numbers of a ledger again, in R and in Python, as scripts that stand alone."""

LANGUAGES = {"r": "R", "python": "Python"}
