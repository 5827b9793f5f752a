"""A reply shown while it is written: sentence by sentence, each only after the text up to it passed the audit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.neural.references import fill

if TYPE_CHECKING:
    from statistikles.guardrail import AuditReport

__all__ = ["AuditedStream", "Show"]

# Gets the next piece of audited text; None says that what was shown is withdrawn and the reply begins anew.
Show = Callable[[str | None], None]

_SENTENCE = re.compile(r"[.!?][)\]\"'*_]*\s+(?=\S)|\n+(?=\S)")


class AuditedStream:
    """Passes on what a model writes as far as it is audited.

    Parameters
    ----------
    show : gets the text.
    audit : audits a text against the records of the turn.
    records : the records of the turn; grows by what is called.
    earlier : records of earlier turns.
    """

    def __init__(
        self,
        show: Show,
        audit: Callable[[str, Sequence[Mapping[str, Any]]], AuditReport],
        records: Sequence[Mapping[str, Any]],
        earlier: Sequence[Mapping[str, Any]],
    ) -> None:
        self._show, self._audit = show, audit
        self._records, self._earlier = records, earlier
        self.shown = ""
        self._written = ""
        self._looked = 0
        self._stopped = False

    def begin(self) -> None:
        """A new request: what comes now is a new text."""
        self._written, self._looked, self._stopped = "", 0, False

    def take(self, piece: str) -> None:
        """A piece of text as the model writes it."""
        self._written += piece
        if self._stopped:
            return
        ends = [m.end() for m in _SENTENCE.finditer(self._written, self._looked)]
        if not ends:
            return
        self._looked = ends[-1]
        filled = fill(self._written[: self._looked], [*self._earlier, *self._records])
        if filled.unknown or not self._audit(filled.text, self._records).ok:
            self._stopped = True  # the rest is shown when the turn is over, with its warning
            return
        self._advance(filled.text)

    def finish(self, text: str) -> None:
        """The reply as it stands after the audit: what is missing is shown, the whole when it differs."""
        self._advance(text)

    def _advance(self, text: str) -> None:
        if not text.startswith(self.shown):
            self._show(None)
            self.shown = ""
        if len(text) > len(self.shown):
            self._show(text[len(self.shown) :])
        self.shown = text
