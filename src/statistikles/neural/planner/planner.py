"""The planner: a question about the loaded tables to calls, an explanation, or an offer of readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from statistikles.neural.planner.calls import CALLS
from statistikles.neural.planner.explain import explain
from statistikles.neural.planner.followup import followed_up, opens_follow_up
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.method import Row, matching
from statistikles.neural.planner.offers import offer
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.tables import views_of
from statistikles.neural.planner.understand import questions_of, understand
from statistikles.neural.planner.view import TableView
from statistikles.neural.planner.writing import Record, safe
from statistikles.neural.references import fill
from statistikles.registry.manifest import manifest, tool_names

if TYPE_CHECKING:
    from statistikles.tools.workspace import Workspace

__all__ = ["MAX_CALLS", "SURE", "Answer", "Planner"]

MAX_CALLS = 4
# Below this certainty nothing is computed; the readings are offered instead.
SURE = 0.8
# A second question in the same text is answered only when it is this certain.
SURE_OF_A_PART = 1.2


@dataclass(frozen=True)
class Answer:
    """What the planner hands to the session."""

    text: str
    results: list[Mapping[str, Any]]
    links: tuple[tuple[int, int, str], ...] = ()
    offers: tuple[str, ...] = ()
    reading: str = ""


class Planner:
    """Answers questions about a workspace's tables by rules, without a language model."""

    def __init__(self, workspace: Workspace, *, seed: int = 0) -> None:
        self._workspace = workspace
        self._seed = seed
        self._views: list[TableView] | None = None
        self._last: Reading | None = None

    def answer(self, text: str) -> Answer:
        """One question, answered or met with an offer of readings."""
        views = self._tables()
        if (
            self._last is not None
            and self._last.intent in (Intent.SAMPLE_SIZE, Intent.POWER)
            and opens_follow_up(text)
        ):
            return Answer(
                "That does not apply to the planning of a study, which uses no rows of a table; nothing was computed.",
                [],
            )
        if (both := self._two_parts(text, views)) is not None:
            return both
        readings = self._readings(text, views)
        for reading in readings:
            if reading.certainty < SURE:
                break
            row = self._row(reading)
            if row is not None:
                self._last = reading
                return self._compute(reading, row)
            if matching(reading):
                text = f"I understood: {safe(reading.described())}. No tool gives this yet, so nothing was computed."
                return Answer(text, [], reading=safe(reading.described()))
        offers = offer(text, readings, views, self._runnable)
        return Answer(offers.text, [], offers=offers.questions, reading=offers.understood)

    def _two_parts(self, text: str, views: Sequence[TableView]) -> Answer | None:
        """Two questions in one text, each answered by its leading method alone; None when it is one question."""
        parts = questions_of(text)
        found: list[tuple[Reading, Row]] = []
        for part in parts:
            readings = [r for view in views for r in understand(part, view)]
            reading = max(readings, key=lambda r: r.certainty, default=None)
            row = self._row(reading) if reading is not None and reading.certainty >= SURE_OF_A_PART else None
            if reading is None or row is None:
                continue
            if all((reading.intent, reading.outcomes) != (r.intent, r.outcomes) for r, _ in found):
                found.append((reading, row))
        if len(found) != 2:
            return None
        self._last = found[0][0]
        answers = [self._compute(reading, replace(row, beside=(), checks=())) for reading, row in found]
        text = "\n\n".join(a.text for a in answers)
        offset = len(answers[0].text) + 2
        moved = tuple((start + offset, end + offset, address) for start, end, address in answers[1].links)
        return Answer(
            text,
            [record for a in answers for record in a.results],
            (*answers[0].links, *moved),
            reading="; ".join(a.reading for a in answers),
        )

    def _tables(self) -> list[TableView]:
        if self._views is None or len(self._views) != len(self._workspace.catalog or ()):
            self._views = views_of(self._workspace)
        return self._views

    def _readings(self, text: str, views: Sequence[TableView]) -> list[Reading]:
        tables = list(views) or [TableView("", 0, ())]
        if self._last is not None and (again := followed_up(text, self._last)) is not None:
            return [again]
        found = [r for view in tables for r in understand(text, view)]
        return sorted(found, key=lambda r: -r.certainty)

    def _row(self, reading: Reading) -> Row | None:
        """The first row of the decision table that fits and whose leading tool is there."""
        tools = set(tool_names())
        for row in matching(reading):
            if CALLS[row.lead](reading)[0] in tools:
                return row
        return None

    def _runnable(self, question: str) -> bool:
        """Whether a question would be answered rather than met with another offer."""
        found = [r for view in self._tables() for r in understand(question, view)]
        best = max(found, key=lambda r: r.certainty, default=None)
        return best is not None and best.certainty >= SURE and self._row(best) is not None

    def _compute(self, reading: Reading, row: Row) -> Answer:
        tools = set(tool_names())
        made: dict[str, Record] = {}
        records: list[Mapping[str, Any]] = []
        for name in row.calls[:MAX_CALLS]:
            tool, arguments = CALLS[name](reading)
            if tool not in tools:
                continue
            if self._seed and "seed" in manifest()["tools"][tool]["schema"]["parameters"]["properties"]:
                arguments["seed"] = self._seed
            record = self._workspace.execute(tool, arguments).record()
            if name != row.lead and "error" in record["result"]:
                # What stands beside the answer may be undefined without the answer being so.
                records.append(record)
                continue
            records.append(record)
            made[name] = Record(record["id"], tool, record["result"], record["arguments"])
        filled = fill(explain(reading, row, made), records)
        return Answer(filled.text, records, filled.links, reading=safe(reading.described()))
