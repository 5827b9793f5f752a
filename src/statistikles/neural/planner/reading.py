"""One reading of a question: the intent, the columns in their roles, the rows kept, and what was asked of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from statistikles.neural.planner.filters import Condition, joined
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["Reading"]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a question is taken to mean.

    `outcomes` are the columns asked about, `group` divides the rows, `controls` are held constant (or predict),
    `left_out` are predictors that hold no numbers, `unused` what was named and has no part in this reading,
    `strata` repeats the comparison; `source` is the column that a column about its state was made from; `levels` are
    the two or more groups named, `leading` the group asked to be higher, `at`
    the values of the predictors to predict at, `value` a fixed
    value, `wanted` the statistics asked for by name.
    """

    question: str
    intent: Intent
    table: TableView
    outcomes: tuple[ColumnView, ...] = ()
    group: ColumnView | None = None
    controls: tuple[ColumnView, ...] = ()
    left_out: tuple[ColumnView, ...] = ()
    unused: tuple[str, ...] = ()
    strata: ColumnView | None = None
    source: ColumnView | None = None
    levels: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    value: float | None = None
    distribution: str = ""
    leading: str = ""
    wanted: tuple[str, ...] = ()
    numbers: dict[str, float | str] = field(default_factory=dict)
    alpha: float | None = None
    at: tuple[float, ...] = ()
    certainty: float = 1.0

    @property
    def where(self) -> str:
        """The conditions as one expression, empty when all rows count."""
        return joined(self.conditions)

    @property
    def outcome(self) -> ColumnView | None:
        """The first column asked about."""
        return self.outcomes[0] if self.outcomes else None

    @property
    def n_groups(self) -> int:
        """How many groups are compared."""
        if self.levels:
            return len(self.levels)
        return 0 if self.group is None else self.group.n_distinct

    def described(self) -> str:
        """The reading in plain words, for the reader to check."""
        names = [f"'{c.name}'" for c in self.outcomes]
        text = self.intent.value
        if names:
            text += ": " + " and ".join(names)
        if self.group is not None:
            text += f" by '{self.group.name}'"
        if self.strata is not None:
            text += f" within '{self.strata.name}'"
        if self.controls:
            controls = ", ".join(f"'{c.name}'" for c in self.controls)
            text += f" from {controls}" if self.intent is Intent.PREDICT else f" holding {controls} constant"
        if self.conditions:
            text += " where " + " and ".join(c.words for c in self.conditions)
        return text
