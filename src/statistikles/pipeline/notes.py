"""Findings about a table as data: what was seen while loading and what was done about it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Note"]


@dataclass(frozen=True, slots=True)
class Note:
    """One finding: a stable code, a sentence, and where it applies (empty: the whole table)."""

    code: str
    message: str
    column: str = ""
    count: int = 0

    def to_dict(self) -> dict[str, str | int]:
        """The finding as a plain dict."""
        out: dict[str, str | int] = {"code": self.code, "message": self.message}
        if self.column:
            out["column"] = self.column
        if self.count:
            out["count"] = self.count
        return out
