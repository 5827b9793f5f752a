"""Verdict and direction words as claims of their own: significant, no difference, positive, higher, rises."""

from __future__ import annotations

from .judge import Judge
from .report import Span

__all__ = ["judge_words"]


def judge_words(judge: Judge, reply: str) -> list[Span]:
    """A span per verdict or direction word that the results confirm or contradict."""
    return []
