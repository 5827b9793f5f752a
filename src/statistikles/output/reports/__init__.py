"""Report files: a whole analysis as one HTML page, Markdown text or Word document."""

REPORT_SUFFIXES = (".html", ".md", ".docx")
