"""Pieces of an explanation: clauses in which every number is a citation that code fills in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from statistikles.neural.references import cite, look_up
from statistikles.results.text import interval_decimals

__all__ = ["Record", "category_text", "safe"]


def safe(name: str) -> str:
    """A name from the data as it may stand in a text: on one line, and without anything that looks like a citation."""
    return " ".join(name.split()).replace("{{", "{ {").replace("}}", "} }")


def category_text(category: str) -> str:
    """A category as it is written in the table; in quotes when it holds a figure, which is then no number, or is so
    short that it could be the symbol of a statistic (F, N, U)."""
    quoted = any(ch.isdigit() for ch in category) or len(category) <= 2
    return f"'{safe(category)}'" if quoted else safe(category)


def named_text(name: str) -> str:
    """The name of an estimate; figures in it name groups and are put in quotes: "difference ('0' − '1')"."""
    return re.sub(r"(?<![\w.'])(-?\d+(?:\.\d+)?)(?![\w.'])(?=[^()]*\))", r"'\1'", safe(name))


def plain_method(method: str) -> str:
    """The name of a method without its settings: a number that is no result has no place in an explanation."""
    text = re.sub(r"\s*\([^()]*\d[^()]*\)", "", re.sub(r",\s*p = .*$", "", method))
    text = re.sub(r"\s*\([^()]{36,}\)", "", text)
    text = re.sub(r"\s+(with|from|of|over)\s+\d[\d.,e−-]*\s+\w+", "", text)
    clauses = [c for c in text.split(", ") if not re.search(r"\d", c)]
    return ", ".join(clauses) or method


@dataclass(frozen=True)
class Record:
    """A call that was made, read for the explanation."""

    id: str
    tool: str
    result: Mapping[str, Any]
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def columns(self) -> Iterator[tuple[str, str]]:
        """(argument, column) for the arguments that name one column."""
        for name, value in self.arguments.items():
            column = value.get("column") if isinstance(value, Mapping) else value
            if isinstance(column, str) and name not in ("type", "method", "distribution", "design"):
                yield name, column

    @property
    def failed(self) -> bool:
        """Whether the call was refused."""
        return "error" in self.result

    def value(self, *path: str) -> Any:
        """The value at a path, None when there is none."""
        here: Any = self.result
        for key in path:
            here = here.get(key) if isinstance(here, Mapping) else None
        return here

    def number(self, *path: str, form: str = "") -> str:
        """A citation of the number at a path; empty when there is no number."""
        found = self.value(*path)
        if isinstance(found, bool) or not isinstance(found, int | float):
            return ""
        address = ".".join(path)
        if "{" in address or "}" in address:
            return ""
        return cite(self.id, *path, form=form) if look_up(self.result, address) == found else ""

    def measured(self, *path: str, form: str = "") -> str:
        """A citation of the number at a path with its unit, where the result carries one."""
        number = self.number(*path, form=form)
        here: Any = self.value("units")
        for key in path:
            here = here.get(key) if isinstance(here, Mapping) else None
        return f"{number} {safe(here)}" if number and isinstance(here, str) and here else number

    def number_at(self, *path: str, form: str = "") -> str:
        """A citation of a number inside a list of the result; empty when there is none."""
        found = look_up(self.result, ".".join(path))
        return (
            cite(self.id, *path, form=form)
            if isinstance(found, int | float) and not isinstance(found, bool)
            else ""
        )

    def test(self, *at: str) -> str:
        """'t(17.8) = −1.86, p = .079'."""
        name = self.value(*at, "statistic_name") or "statistic"
        dfs = [c for c in (self.number(*at, "df"), self.number(*at, "df_error")) if c]
        parts = []
        if statistic := self.number(*at, "statistic"):
            parts.append(f"{name}{'(' + ', '.join(dfs) + ')' if dfs else ''} = {statistic}")
        if p := self.number(*at, "p_value"):
            parts.append(f"p {p}")
        return ", ".join(parts)

    def interval(self, *at: str) -> str:
        """'95% CI [1.2, 3.4]', an open side as an infinity sign; empty when there is none."""
        decimals = interval_decimals(self.value(*at, "conf_low"), self.value(*at, "conf_high"))
        form = "" if decimals is None else f".{decimals}f"
        low, high = self.number(*at, "conf_low", form=form), self.number(*at, "conf_high", form=form)
        if not low and not high:
            return ""
        level = self.number(*at, "conf_level", form=".0%") or self.number("conf_level", form=".0%")
        return f"{level + ' ' if level else ''}CI [{low or '−∞'}, {high or '∞'}]"

    def estimate(self, *at: str) -> str:
        """'difference of means (A − B) = 2.3, 95% CI [1.2, 3.4]'."""
        name = self.value(*at, "estimate_name") or self.value(*at, "name")
        number = self.measured(*at, "estimate")
        if not name or not number:
            return ""
        return ", ".join(p for p in (f"{named_text(str(name))} = {number}", self.interval(*at)) if p)

    def effect(self, *at: str) -> str:
        """'Hedges' g = 0.42 (small), 95% CI [0.05, 0.79]'."""
        if not isinstance(self.value(*at, "effect_size"), Mapping):
            return ""
        path = (*at, "effect_size")
        if self.value(*path, "name") == self.value(*at, "estimate_name"):
            return ""
        number = self.number(*path, "estimate")
        if not number:
            return ""
        size = self.value(*path, "magnitude")
        text = f"{self.value(*path, 'name')} = {number}{f' ({size})' if size else ''}"
        return ", ".join(p for p in (text, self.interval(*path)) if p)

    def evidence(self, *at: str) -> str:
        """Test, estimate and effect size in one clause."""
        parts = [p for p in (self.test(*at), self.estimate(*at), self.effect(*at)) if p]
        return "; ".join(parts)

    @property
    def method(self) -> str:
        """What was done."""
        return plain_method(str(self.result.get("method", self.tool)))

    def method_of(self, *at: str) -> str:
        """What was done in a nested test; its own name in the result when it does not say."""
        said = self.value(*at, "method")
        return plain_method(str(said)) if said else at[-1].replace("_", " ")

    def significant(self, *at: str) -> bool | None:
        """Whether the test was significant at its level; None when it says nothing."""
        found = self.value(*at, "significant")
        if isinstance(found, bool):
            return found
        p = self.value(*at, "p_value")
        return p <= 0.05 if isinstance(p, float | int) else None

    def tests(self) -> Iterator[tuple[str, ...]]:
        """Paths of the tests nested in the result, the result itself first."""
        yield from _nested(self.result, ())


def _nested(part: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not isinstance(part, Mapping):
        return
    if isinstance(part.get("p_value"), int | float) and ("statistic" in part or "method" in part):
        yield path
    for key, inner in part.items():
        if key not in ("post_hoc", "details", "undefined"):
            yield from _nested(inner, (*path, str(key)))
