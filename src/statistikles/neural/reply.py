"""What a turn hands back: the reply, what the audit found in it, and every call made for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from statistikles.guardrail import AuditReport
    from statistikles.output.pictures import Picture
    from statistikles.tools.ledger import Ledger
    from statistikles.tools.workspace import Workspace

__all__ = ["Reply"]


@dataclass(frozen=True)
class Reply:
    """One turn's answer.

    `text` is the reply as it was written; `warning` the visible block when the audit flagged something, else "".
    `results` lists every call of the turn, failed ones included, as {id, tool, arguments, result}. `offers`
    are questions to choose from when the planner was unsure. `reading` says how the question was understood.
    `doubts` are the problems of the columns that were used which nobody has decided about; they come before the text.
    """

    text: str
    warning: str
    audit: AuditReport
    results: list[Mapping[str, Any]]
    ledger: Ledger
    offers: tuple[str, ...] = ()
    reading: str = ""
    doubts: tuple[str, ...] = ()
    links: tuple[tuple[int, int, str], ...] = field(default=(), repr=False)
    workspace: Workspace | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return "\n\n".join(part for part in (*self.doubts, self.text, self.warning) if part)

    def _repr_html_(self) -> str:
        """The reply as a notebook shows it, with its leading picture where pictures can be drawn."""
        from importlib.util import find_spec

        from statistikles.output.html import to_html

        shown = self.pictures()[:1] if find_spec("matplotlib") is not None else []
        return to_html(self) + "".join(picture.html(page=False) for picture in shown)

    def pictures(self, *, option: str = "") -> list[Picture]:
        """The pictures of this turn's results, the leading one first; what they need is computed into the ledger.

        Parameters
        ----------
        option : another kind of picture where there is one: "violins" instead of boxes.
        """
        from statistikles.output.pictures import pictures_of_turn

        if self.workspace is None:
            return []
        return pictures_of_turn(self.results, self.workspace, option=option)

    def code(self, language: str = "python") -> str:
        """A script in "r" or "python" that computes the numbers of this reply again, each printed with its address."""
        from statistikles.output.code.script import language_of, script
        from statistikles.tools.workspace import Workspace

        chosen = language_of(language)
        workspace = self.workspace if self.workspace is not None else Workspace()
        ids = {str(record["id"]) for record in self.results}
        return script(workspace, chosen, [entry for entry in self.ledger if entry.id in ids])

    def export(self, format: str = "text") -> str:
        """The reply and its results as text, markdown, html, latex, csv or json, with their provenance."""
        from statistikles.output.export import export

        return export(self, format)

    @property
    def ok(self) -> bool:
        """Whether the audit flagged nothing."""
        return self.audit.ok
