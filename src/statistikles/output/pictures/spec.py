"""A picture as pure data: marks on two axes, where every number carries the address it comes from.

Renderers only draw. A position has an address, or follows by a stated rule from numbers that have one; the places
of the layout (of a category, the jitter of a point) follow from their rule alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "WHITE",
    "Area",
    "Axis",
    "Bars",
    "Boxes",
    "Cells",
    "Derivation",
    "Intervals",
    "Legend",
    "Line",
    "Mark",
    "Numbers",
    "Panel",
    "Picture",
    "Points",
    "Provenance",
    "RiskTable",
    "Rule",
    "Said",
    "Shown",
    "TableOfNumbers",
    "TextAt",
]

WHITE = -1  # a colour beside the numbered ones
_MOST_LISTED = 6  # entries named one by one in the line of provenance


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers in order and their source: one address, with `*` for every item of a list or mapping on the way.

    `taken` says which of them, by place, are kept; None means all. Numbers without a source are `derived`.
    """

    values: tuple[float | None, ...]
    source: str = ""
    taken: tuple[int, ...] | None = None
    derived: Derivation | None = None

    def __len__(self) -> int:
        return len(self.values)

    def finite(self) -> list[float]:
        """The values that exist."""
        return [v for v in self.values if v is not None]

    @property
    def layout(self) -> bool:
        """Whether they are places only, which no number of the ledger moves."""
        return self.derived is not None and all(part.layout for part in self.derived.parts)


@dataclass(frozen=True, slots=True)
class Derivation:
    """How positions follow: a rule of `derived.py`, the numbers it takes, its constants, and why these."""

    rule: str
    parts: tuple[Numbers, ...] = ()
    given: tuple[float, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as it is written, and where it comes from: an address, or the one position that follows by a rule."""

    token: str
    value: float
    source: str = ""
    derived: Numbers | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A text on a picture with every number in it accounted for.

    `names` are words of the data or of a method, quoted as they are; those with digits must stand in the ledger.
    """

    text: str
    numbers: tuple[Shown, ...] = ()
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis. `levels` names the categories at 0, 1, 2, ...; `ticks` fixes where numbers or `tick_labels` stand."""

    label: Said
    levels: tuple[Said, ...] = ()
    ticks: Numbers = field(default_factory=lambda: Numbers(()))
    tick_labels: tuple[Said, ...] = ()
    low: float | None = None
    high: float | None = None
    log: bool = False
    percent: bool = False
    reverse: bool = False


@dataclass(frozen=True, slots=True)
class Points:
    """Dots. `hollow` ones are single observations, filled ones are estimates."""

    x: Numbers
    y: Numbers
    colour: int = 0
    hollow: bool = False
    size: float = 1.0
    sign: str = "o"
    sizes: Numbers | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points; `steps` keeps each height until the next point, `keyed` dashes it as in the legend."""

    x: Numbers
    y: Numbers
    colour: int = 0
    steps: bool = False
    keyed: bool = False
    dashed: bool = False
    thin: bool = False
    low: Numbers | None = None
    high: Numbers | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars from zero: between `left` and `right` (a histogram), or around category places; `base` stacks them."""

    left: Numbers
    right: Numbers
    height: Numbers
    base: Numbers | None = None
    colour: int = 0
    sideways: bool = False


@dataclass(frozen=True, slots=True)
class Intervals:
    """From low to high at places, capped; `sideways` along x."""

    at: Numbers
    low: Numbers
    high: Numbers
    colour: int = 0
    sideways: bool = False
    caps: bool = True


@dataclass(frozen=True, slots=True)
class Boxes:
    """Box plots at places."""

    at: Numbers
    whisker_low: Numbers
    q1: Numbers
    median: Numbers
    q3: Numbers
    whisker_high: Numbers
    sideways: bool = False
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Area:
    """A filled shape around a place of a category: from `low` to `high` at every value of the other axis."""

    along: Numbers
    low: Numbers
    high: Numbers
    sideways: bool = False
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line across the picture at one value of an axis."""

    value: Numbers
    across: str  # "x": upright at a value of x; "y": level at a value of y
    label: Said = field(default_factory=lambda: Said(""))
    dashed: bool = True


@dataclass(frozen=True, slots=True)
class Cells:
    """A grid of coloured cells with a text each; colour runs from `low` through the middle to `high`."""

    rows: int
    columns: int
    values: Numbers  # row by row
    texts: tuple[Said, ...]
    low: float = -1.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class TextAt:
    """A text at one place: in a column right of the picture, or where `x` is given, inside it."""

    at: Numbers
    text: Said
    x: Numbers | None = None


@dataclass(frozen=True, slots=True)
class RiskTable:
    """Numbers at risk under a survival curve, one row per group, at the given times."""

    times: Numbers
    rows: tuple[tuple[Said, Numbers], ...]


Mark = Points | Line | Bars | Intervals | Boxes | Area | Rule | Cells | TextAt | RiskTable


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several drawings side by side, on axes that are called the same."""

    title: Said
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Legend:
    """What the colours mean."""

    title: Said
    entries: tuple[tuple[int, Said], ...]
    filled: bool = False


@dataclass(frozen=True, slots=True)
class TableOfNumbers:
    """The numbers of a picture as a table, for those who cannot see it."""

    columns: tuple[Said, ...]
    rows: tuple[tuple[Said, ...], ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """The ledger entries a picture rests on, and the fingerprints of the data, shortened."""

    entries: tuple[str, ...]
    data: tuple[tuple[str, str], ...]

    def line(self) -> str:
        """'Statistikles r1, r2 · penguins 3f2a9c1b'."""
        marks = [f"{name} {mark}" for name, mark in self.data]
        listed = ", ".join(self.entries)
        if len(self.entries) > _MOST_LISTED:
            listed = f"{self.entries[0]} … {self.entries[-1]}"
        return " · ".join(["Statistikles " + listed, *marks])


@dataclass(frozen=True)
class Picture:
    """A picture as data.

    `kind` names the sort of graph, `description` says in words what it shows (for those who cannot see it),
    `notes` what a reader must know to read it: what the intervals are, the rule of the bins, what was left out.
    With `panels` there are no marks of its own.
    """

    kind: str
    title: Said
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    description: Said
    provenance: Provenance
    notes: tuple[Said, ...] = ()
    legend: Legend | None = None
    table: TableOfNumbers | None = None
    panels: tuple[Panel, ...] = ()

    def svg(self) -> str:
        """The picture as SVG text; the same picture gives the same bytes.

        Raises
        ------
        MissingDependency : matplotlib is not installed.
        """
        from statistikles.output.pictures.drawing import draw_svg

        return draw_svg(self)

    def png(self, *, dpi: int = 150) -> bytes:
        """The picture as a PNG image.

        Parameters
        ----------
        dpi : pixels per inch; the picture is about 6.4 inches wide.

        Raises
        ------
        MissingDependency : matplotlib is not installed.
        """
        from statistikles.output.pictures.drawing import draw_png

        return draw_png(self, dpi)

    def html(self, *, page: bool = True) -> str:
        """A self-contained page with the picture, its description and its numbers as a table.

        Parameters
        ----------
        page : a whole page, or only the figure, to be put into one.

        Raises
        ------
        MissingDependency : matplotlib is not installed.
        """
        from statistikles.output.pictures.page import figure_html, page_html

        return page_html([self]) if page else figure_html(self)

    def terminal(self, width: int = 80, *, plain: bool = False, height: int = 16) -> str:
        """The picture in characters; needs nothing but a terminal.

        Parameters
        ----------
        width : characters in a line, at least 40.
        plain : only ASCII signs, for terminals that know no others.
        height : lines of the drawing itself, where it does not follow from the number of categories.
        """
        from statistikles.output.pictures.terminal import draw_text

        return draw_text(self, width, plain=plain, height=height)

    def _repr_html_(self) -> str:
        """The picture as a notebook shows it."""
        return self.html(page=False)

    def to_dict(self) -> dict[str, Any]:
        """What a program needs to know of it: kind, title, description, notes, sources, and its table."""
        rows = [] if self.table is None else [[str(c) for c in row] for row in self.table.rows]
        return {
            "kind": self.kind,
            "title": str(self.title),
            "description": str(self.description),
            "notes": [str(note) for note in self.notes],
            "entries": list(self.provenance.entries),
            "data": dict(self.provenance.data),
            "columns": [] if self.table is None else [str(c) for c in self.table.columns],
            "rows": rows,
        }
