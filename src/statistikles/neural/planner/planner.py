"""The planner: a question about the loaded tables to calls, an explanation, or an offer of readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from statistikles.neural.planner.calls import CALLS
from statistikles.neural.planner.explain import explain
from statistikles.neural.planner.filters import Condition, quoted
from statistikles.neural.planner.followup import followed_up, opens_follow_up
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.languages import in_english
from statistikles.neural.planner.method import Row, matching
from statistikles.neural.planner.offers import offer
from statistikles.neural.planner.parts import carried, parts_of, with_columns
from statistikles.neural.planner.preparing import Prepared, prepare
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.tables import views_of
from statistikles.neural.planner.understand import readings_of, understand
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
# Several columns asked about in one of these ways are answered one after the other.
_ONE_BY_ONE = (Intent.DESCRIBE, Intent.FREQUENCIES, Intent.MISSING, Intent.OUTLIERS, Intent.NORMALITY)


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
        self._prepared: tuple[str, int, Prepared] | None = None

    def answer(self, text: str) -> Answer:
        """One question, answered or met with an offer of readings."""
        views = self._tables()
        asked = in_english(text, [c.name for view in views for c in view.columns])
        if asked != text:
            answer = self.answer(asked)
            return replace(answer, text=f"{answer.text}\n\nRead as: {safe(asked)}")
        if (
            self._last is not None
            and self._last.intent in (Intent.SAMPLE_SIZE, Intent.POWER)
            and opens_follow_up(text)
        ):
            return Answer(
                "That does not apply to the planning of a study, which uses no rows of a table; nothing was computed.",
                [],
            )
        if (both := self._several_parts(text, views)) is not None:
            return both
        readings = self._readings(text, views)
        for reading in readings:
            if reading.certainty < SURE:
                break
            row = self._row(reading)
            if row is not None:
                self._last = reading
                return self._answer_each(reading, row)
            if matching(reading):
                text = f"I understood: {safe(reading.described())}. No tool gives this yet, so nothing was computed."
                return Answer(text, [], reading=safe(reading.described()))
        offers = offer(text, readings, views, self._runnable)
        return Answer(offers.text, [], offers=offers.questions, reading=offers.understood)

    def _several_parts(self, text: str, views: Sequence[TableView]) -> Answer | None:
        """Several questions in one text, each answered by its leading method alone; None when it is one question."""
        found: list[tuple[Reading, Row]] = []
        absorbed = False
        for view in views:
            mine, taken_in = self._parts_on(text, view)
            if len(mine) > len(found):
                found, absorbed = mine, taken_in
        if len(found) < 2 and not absorbed:
            return None
        self._last = found[0][0]
        single = [(one, row) for reading, row in found for one in _one_by_one(reading)]
        return _together(
            [self._compute(one, replace(row, beside=(), checks=())) for one, row in single[:MAX_CALLS]]
        )

    def _answer_each(self, reading: Reading, row: Row) -> Answer:
        """The answer; of several columns asked about alike, one by one."""
        single = _one_by_one(reading)
        if len(single) < 2:
            return self._compute(reading, row)
        return _together([self._compute(one, replace(row, beside=(), checks=())) for one in single])

    def _parts_on(self, text: str, view: TableView) -> tuple[list[tuple[Reading, Row]], bool]:
        """The parts of a text that are certain on one table, and whether one was taken into the part before."""
        whole = self._prepare(text, view)
        absorbed = False
        found: list[tuple[Reading, Row]] = []
        for part in parts_of(whole.text):
            last = found[-1][0] if found else None
            reading = _sure(readings_of(replace(whole, text=part)))
            if reading is None and last is not None:
                reading = _sure(readings_of(replace(whole, text=with_columns(part, last))))
            if reading is None:
                continue
            if last is not None:
                reading = carried(reading, part, last)
            if last is not None and reading.outcome is not None and reading.outcome == last.group:
                # 'In which year was it the lowest?' asks about what the groups were described for.
                found[-1] = (replace(last, question=f"{last.question} {part}"), found[-1][1])
                absorbed = True
                continue
            row = self._row(reading)
            if row is not None and all(_same_numbers(reading, r) is False for r, _ in found):
                found.append((reading, row))
        return found[:MAX_CALLS], absorbed

    def _tables(self) -> list[TableView]:
        if self._views is None or len(self._views) != len(self._workspace.catalog or ()):
            self._views = views_of(self._workspace)
        return self._views

    def _readings(self, text: str, views: Sequence[TableView]) -> list[Reading]:
        tables = list(views) or [TableView("", 0, ())]
        if self._last is not None and (again := followed_up(text, self._last)) is not None:
            return [again]
        found = [r for view in tables for r in readings_of(self._prepare(text, view))]
        return sorted(found, key=lambda r: -r.certainty)

    def _prepare(self, text: str, view: TableView) -> Prepared:
        """The question after its instructions; the last one is kept, because its parts and its whole are both read."""
        if self._prepared is None or self._prepared[:2] != (text, id(view)):
            self._prepared = (text, id(view), prepare(text, view))
        return self._prepared[2]

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
            takes = manifest()["tools"][tool]["schema"]["parameters"]["properties"]
            if self._seed and "seed" in takes:
                arguments["seed"] = self._seed
            if reading.alpha is not None and "alpha" in takes:
                arguments.setdefault("alpha", reading.alpha)
            record = self._workspace.execute(tool, arguments).record()
            if name == row.lead and (again := _without_empty_groups(reading, record)) is not None:
                return self._compute(again, row)
            if name != row.lead and "error" in record["result"]:
                # What stands beside the answer may be undefined without the answer being so.
                records.append(record)
                continue
            records.append(record)
            made[name] = Record(record["id"], tool, record["result"], record["arguments"])
        filled = fill(explain(reading, row, made), records)
        return Answer(filled.text, records, filled.links, reading=safe(reading.described()))


def _one_by_one(reading: Reading) -> list[Reading]:
    """A reading for each of several columns asked about alike; the reading itself when it is about one thing."""
    if reading.intent not in _ONE_BY_ONE or not 1 < len(reading.outcomes) <= MAX_CALLS:
        return [reading]
    single = [replace(reading, outcomes=(c,), unused=()) for c in reading.outcomes]
    single[-1] = replace(single[-1], unused=reading.unused)
    return single


def _sure(readings: Sequence[Reading]) -> Reading | None:
    """The first reading, when it is certain enough for a part of a text."""
    return readings[0] if readings and readings[0].certainty >= SURE_OF_A_PART else None


def _without_empty_groups(reading: Reading, record: Mapping[str, Any]) -> Reading | None:
    """The reading on the rows that hold a value, when a group without any made the call fail."""
    outcome = reading.outcome
    if reading.group is None or outcome is None or not outcome.n_missing or outcome.formula:
        return None
    if "0 usable values" not in str(record["result"].get("error", "")):
        return None
    here = Condition(outcome.name, f"{quoted(outcome.name)} IS NOT NULL", f"{outcome.name} is present")
    return None if here in reading.conditions else replace(reading, conditions=(*reading.conditions, here))


def _same_numbers(one: Reading, other: Reading) -> bool:
    """Whether two readings would be answered by the same numbers."""
    return (one.intent, one.outcomes, one.group, one.conditions) == (
        other.intent,
        other.outcomes,
        other.group,
        other.conditions,
    )


def _together(answers: Sequence[Answer]) -> Answer:
    """Several answers as one, in order."""
    links: list[tuple[int, int, str]] = []
    text = ""
    for answer in answers:
        text += "\n\n" if text else ""
        links += [(start + len(text), end + len(text), address) for start, end, address in answer.links]
        text += answer.text
    records = [record for a in answers for record in a.results]
    return Answer(text, records, tuple(links), reading="; ".join(a.reading for a in answers))
