"""The seam between language and numbers: schemas, executor and ledger."""
