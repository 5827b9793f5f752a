"""Columns taken together where the rows are: cross-products, and what a linear fit asks of the rows afterwards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from statistikles.pipeline.pushdown import Pushdown, exponent_of, grid_mean, not_finite, number
from statistikles.registry.summaries import NeedsValues
from statistikles.stats._sums import JointSums, PowerSums, Residuals, SampleSums, Weighted

__all__ = ["joint_sums"]


def joint_sums(
    push: Pushdown, values: Sequence[str], condition: str, parameters: Sequence[Any], names: Sequence[str]
) -> JointSums:
    """Means and centred cross-products of some columns over the rows in which none is missing.

    Raises
    ------
    NeedsValues : no row is complete, or a range is extreme.
    """
    complete = " AND ".join([condition, *(f"{v} IS NOT NULL" for v in values)])
    bounds = ", ".join(f"min({v}), max({v}), avg({v})" for v in values)
    bound = tuple(parameters)
    [(total,)] = push.runner.ask(f"SELECT count(*) FROM data WHERE {condition}", bound)  # noqa: S608
    [(n, *ends)] = push.runner.ask(f"SELECT count(*), {bounds} FROM data WHERE {complete}", bound)  # noqa: S608
    if not n:
        raise NeedsValues("empty")
    low, high = tuple(float(v) for v in ends[0::3]), tuple(float(v) for v in ends[1::3])
    for name, a, b in zip(names, low, high, strict=True):
        if not (math.isfinite(a) and math.isfinite(b)):
            raise not_finite(name)
    engine = _Joint(push, list(values), complete, bound, list(names), int(n), low, high)
    pivots = [grid_mean(a, b, m) for a, b, m in zip(low, high, ends[2::3], strict=True)]
    means, cross = engine.products(pivots)
    return JointSums(int(n), int(total) - int(n), low, high, means, cross, engine)


@dataclass
class _Joint:
    """The engine behind joint sums; deviations z are scaled to at most 1 by powers of two."""

    push: Pushdown
    values: list[str]
    condition: str
    parameters: tuple[Any, ...]
    names: list[str]
    n: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    pivots: list[float] = field(default_factory=list)
    units: list[int] = field(default_factory=list)
    columns: dict[int, SampleSums] = field(default_factory=dict)
    fit: dict[str, Any] = field(default_factory=dict)

    def _z(self) -> str:
        """The derived table of scaled deviations z0, z1, ... of the complete rows."""
        terms = (
            f"({v} - {number(m)}) * {number(2.0**-e)} AS z{j}"
            for j, (v, m, e) in enumerate(zip(self.values, self.pivots, self.units, strict=True))
        )
        place = ", rowid AS r" if self.push.dialect.ordered else ""
        return f"(SELECT {', '.join(terms)}{place} FROM data WHERE {self.condition}) AS z"  # noqa: S608

    def _ask(
        self, terms: Sequence[str], plain: Sequence[str], source: str
    ) -> tuple[list[Fraction], list[Any]]:
        """The exact sums of some terms, and some other aggregates, over a derived table."""
        sums = [sql for term in terms for sql in self.push.dialect.total(term)]
        rows = self.push.runner.ask(f"SELECT {', '.join([*sums, *plain])} FROM {source}", self.parameters)  # noqa: S608
        return self.push.dialect.read(rows[0][: len(sums)]), list(rows[0][len(sums) :])

    def _recentre(self, pivots: Sequence[float]) -> None:
        self.pivots = list(pivots)
        self.units = [exponent_of(a, b, m) for a, b, m in zip(self.low, self.high, pivots, strict=True)]

    def products(
        self, pivots: Sequence[float]
    ) -> tuple[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]]:
        """Means and centred cross-products, from sums about rough means; afterwards z is about the means."""
        k = len(self.values)
        self._recentre(pivots)
        pairs = [(i, j) for i in range(k) for j in range(i, k)]
        terms = [*(f"z{j}" for j in range(k)), *(f"z{i} * z{j}" for i, j in pairs)]
        sums, _ = self._ask(terms, [], self._z())
        unit = [Fraction(2) ** e for e in self.units]
        first = [s * u for s, u in zip(sums[:k], unit, strict=True)]
        cross = [[Fraction(0)] * k for _ in range(k)]
        for (i, j), s in zip(pairs, sums[k:], strict=True):
            if self.low[i] < self.high[i] and self.low[j] < self.high[j]:
                cross[i][j] = cross[j][i] = s * unit[i] * unit[j] - first[i] * first[j] / self.n
        exact = tuple(Fraction(m) + s / self.n for m, s in zip(self.pivots, first, strict=True))
        self._recentre([min(max(float(m), a), b) for m, a, b in zip(exact, self.low, self.high, strict=True)])
        return exact, tuple(tuple(row) for row in cross)

    def column(self, j: int) -> SampleSums:
        """One column over the complete rows."""
        if j not in self.columns:
            self.columns[j] = self.push.sample(self.values[j], self.condition, self.parameters, self.names[j])
        return self.columns[j]

    def difference(self, i: int, j: int) -> SampleSums:
        """The differences of two columns."""
        value = f"({self.values[i]} - {self.values[j]})"
        return self.push.sample(value, self.condition, self.parameters, f"{self.names[i]} - {self.names[j]}")

    # --- a fit of the last column on the others ------------------------------------------------------------

    def _fitted(self, slopes: Sequence[float], factor: Sequence[Sequence[float]]) -> None:
        """The derived table with residual e (scaled to at most 1) and leverage h of each row."""
        p = len(self.values) - 1
        scaled = [math.ldexp(b, self.units[j] - self.units[p]) for j, b in enumerate(slopes)]
        e = f"z{p}{''.join(f' - {number(b)} * z{j}' for j, b in enumerate(scaled))}"
        [(low, high)] = self.push.runner.ask(
            f"SELECT min(e), max(e) FROM (SELECT {e} AS e FROM {self._z()}) AS f",  # noqa: S608
            self.parameters,
        )
        reach = exponent_of(float(low), float(high), 0.0)
        e = f"({e}) * {number(2.0**-reach)}"
        halves = []
        for row in factor:
            inner = " + ".join(
                f"{number(math.ldexp(f, self.units[j]))} * z{j}" for j, f in enumerate(row) if f != 0.0
            )
            halves.append(f"({inner}) * ({inner})")
        h = " + ".join([number(1.0 / self.n), *halves])
        source = f"(SELECT *, {e} AS e, {h} AS h FROM {self._z()}) AS f"  # noqa: S608
        free = "nullif(1 - h, 0)"
        more = f", e * e / {free} AS q, e * e * h / ({free} * {free}) AS c"
        self.fit = {
            "source": f"(SELECT *{more} FROM {source}) AS d",  # noqa: S608
            "steps": f"(SELECT e, lag(e) OVER () AS before FROM {source}) AS d",  # noqa: S608
            "unit": Fraction(2) ** (reach + self.units[p]),
        }

    def residuals(
        self, slopes: Sequence[float], factor: Sequence[Sequence[float]], high_leverage: float
    ) -> Residuals:
        """Residuals of the last column on the others (deviations from means), and leverage by `factor`."""
        self._fitted(slopes, factor)
        p, ordered = len(slopes), self.push.dialect.ordered
        terms = ["e", "e * e", "e * e * e", "(e * e) * (e * e)"]
        terms += [f"e * z{j}" for j in range(p)] + [f"e * e * z{j}" for j in range(p)]
        plain = [
            "min(e)",
            "max(e)",
            "max(h)",
            f"sum(CASE WHEN h > {number(high_leverage)} THEN 1 ELSE 0 END)",
            "max(CASE WHEN e >= 0 THEN q END)",
            "max(CASE WHEN e < 0 THEN q END)",
            "max(c)",
        ]
        sums, (low, high, h_max, n_high, q_plus, q_minus, c_max) = self._ask(terms, plain, self.fit["source"])
        u = self.fit["unit"]
        steps = None
        if ordered:
            [whole], _ = self._ask(["(e - before) * (e - before) * 0.25"], [], self.fit["steps"])
            steps = whole * 4 * u * u
        columns = [Fraction(2) ** e for e in self.units[:p]]
        self.fit["raw"] = (h_max, q_plus, q_minus, c_max)
        square = float(u * u)
        return Residuals(
            PowerSums(
                self.n,
                float(u) * low,
                float(u) * high,
                0.0,
                *(s * u ** (k + 1) for k, s in enumerate(sums[:4])),
            ),
            tuple(s * u * c for s, c in zip(sums[4 : 4 + p], columns, strict=True)),
            tuple(s * u * u * c for s, c in zip(sums[4 + p : 4 + 2 * p], columns, strict=True)),
            steps,
            float(h_max),
            int(n_high),
            square * (q_plus or 0.0),
            square * (q_minus or 0.0),
            square * (c_max or 0.0),
        )

    def weighted(self, leverage_max: float, cook_limit: float) -> Weighted:
        """The look after that of the residuals: what needs to know how large leverage becomes."""
        p = len(self.values) - 1
        reach = math.frexp(1.0 / (1.0 - leverage_max))[1]
        u = self.fit["unit"]
        w = f"(e / (1 - h) * {number(2.0**-reach)})"
        names = ["", *(f" * z{j}" for j in range(p))]
        pairs = [(i, j) for i in range(p + 1) for j in range(i, p + 1)]
        terms = [f"{w} * {w}{names[i]}{names[j]}" for i, j in pairs]
        plain = [f"sum(CASE WHEN c > {number(cook_limit / float(u * u))} THEN 1 ELSE 0 END)"]
        if self.push.dialect.ordered:
            h_max, q_plus, q_minus, c_max = self.fit["raw"]
            plain += [
                f"min(CASE WHEN h = {number(h_max)} THEN r END)",
                f"min(CASE WHEN e >= 0 AND q = {number(q_plus or 0.0)} THEN r END)",
                f"min(CASE WHEN e < 0 AND q = {number(q_minus or 0.0)} THEN r END)",
                f"min(CASE WHEN c = {number(c_max or 0.0)} THEN r END)",
            ]
        sums, (n_cook, *rows) = self._ask(terms, plain, self.fit["source"])
        unit = [Fraction(1), *(Fraction(2) ** e for e in self.units[:p])]
        scale = (u * Fraction(2) ** reach) ** 2
        meat = [[Fraction(0)] * (p + 1) for _ in range(p + 1)]
        for (i, j), s in zip(pairs, sums, strict=True):
            meat[i][j] = meat[j][i] = s * scale * unit[i] * unit[j]
        found = self._places(rows)
        return Weighted(
            tuple(tuple(row) for row in meat),
            int(n_cook),
            found,
        )

    def _places(self, rows: Sequence[int | None]) -> tuple[int, int, int, int] | None:
        """Row numbers of the engine as numbers among the complete rows, from 1."""
        if not rows:
            return None
        asked = ", ".join(f"sum(CASE WHEN rowid <= {int(r or 0)} THEN 1 ELSE 0 END)" for r in rows)
        [found] = self.push.runner.ask(
            f"SELECT {asked} FROM data WHERE {self.condition}",  # noqa: S608
            self.parameters,
        )
        a, b, c, d = (int(v) for v in found)
        return a, b, c, d
