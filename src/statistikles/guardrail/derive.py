"""Arithmetic over computed numbers that the sentence's words announce, done again here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .claims import Claim

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["Deriver"]


class Deriver:
    """Tries the arithmetic that the words around a figure announce."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def count(self, claim: Claim) -> tuple[str, str] | None:
        """(reason, source) when a stated condition holds for just so many members."""
        return None

    def figure(self, claim: Claim) -> tuple[str, str] | None:
        """(reason, source) when announced arithmetic over results gives the figure."""
        return None
