"""Rendering of results: terminal, HTML, Markdown and JSON."""
