"""The symbolic kernel: one module per family of statistics; numbers in, typed results out."""
