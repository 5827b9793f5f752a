"""Rendering of results: terminal, Markdown, HTML, LaTeX, CSV and JSON; report files; code that computes them again."""

FORMAT_NAMES = ("text", "markdown", "html", "latex", "csv", "json")
