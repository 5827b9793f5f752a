"""Untrusted text on its way to a model: fenced, its own fence tokens made harmless, every digit intact."""

from __future__ import annotations

import re

__all__ = ["CLOSE", "OPEN", "fenced", "neutralised"]

OPEN = "<<<UNTRUSTED"
CLOSE = "UNTRUSTED>>>"

_FENCES = re.compile(r"<{2,}|>{2,}", re.UNICODE)
_MARKERS = re.compile(r"(?i)<\s*(/?)\s*(system|assistant|user|tool|im_start|im_end|s|inst)\b|<\|")
_BRACES = re.compile(r"\{\{|\}\}")


def neutralised(text: str) -> str:
    """The text with everything that could pose as a fence, a role marker or a citation broken up by spaces."""
    text = _FENCES.sub(lambda m: " ".join(m.group()), text)
    text = re.sub(r"(?i)untrusted", lambda m: m.group()[:2] + "·" + m.group()[2:], text)
    text = _MARKERS.sub(lambda m: m.group()[0] + " " + m.group()[1:], text)
    return _BRACES.sub(lambda m: " ".join(m.group()), text)


def fenced(text: str, kind: str) -> str:
    """Text between fences, named by what it is (a question, column names, a caption)."""
    return f"{OPEN} {kind}\n{neutralised(text)}\n{CLOSE}"
