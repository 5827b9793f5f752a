"""Data stewardship: sources, tables, column references and filters."""
