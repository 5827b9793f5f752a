"""Stage `normalise`: z, min-max, robust z, log, Box-Cox, Yeo-Johnson and rank-based scores as new columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError, NotDefined
from statistikles.pipeline.stewardship.steps import Done, added, free_name, said, step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from statistikles.pipeline.tables import Table

__all__ = ["box_cox", "log", "min_max", "rank_normal", "robust_z", "yeo_johnson", "z_score"]

_NORMAL_MAD = 0.6744897501960817
_BASES = {"e": math.e, "2": 2.0, "10": 10.0}


def _values(table: Table, column: str) -> tuple[str, str, NDArray[np.float64]]:
    """The exact name, the engine's name and the present values of a numeric column."""
    name = table.resolve(column)
    values: NDArray[np.float64] = table.numbers(name).compressed()
    if len(values) == 0:
        raise InputError(f"Column '{name}' has no values.", where=name, code="all_missing")
    return name, f"{table.engine_column(name)[0]}::DOUBLE", values


def _no_spread(name: str, what: str) -> NotDefined:
    return NotDefined(
        f"'{name}' cannot be scaled: its {what} is zero.",
        hint="Every value (or most of them) is the same; choose another scaling or leave the column out.",
        where=name,
        code="zero_variance",
    )


def _scaled(
    table: Table, name: str, cell: str, into: str, centre: float, scale: float, how: str, n: int
) -> Done:
    header = free_name(table, into)
    message = f"'{header}' = ('{name}' - {centre:.10g}) / {scale:.10g}, {how} ({n} values)."
    finding = said(f"{how.split(' ')[0]}_scaled".replace("-", "_"), message, "normalise", header, n)
    sql = f"({cell} - {centre!r}) / {scale!r}"
    return added(table, header, sql, finding, {"centre": centre, "scale": scale})


@step
def z_score(
    table: Table, column: str, into: str = "", centre: float | None = None, scale: float | None = None
) -> Done:
    """(x - mean) / SD, with the SD of divisor n - 1; `centre` and `scale` repeat those of an earlier run."""
    from statistikles.stats._numerics import moments

    name, cell, values = _values(table, column)
    found = moments(values)
    spread = scale if scale is not None else found.sd
    if not spread:
        raise _no_spread(name, "standard deviation")
    middle = float(centre) if centre is not None else found.mean
    return _scaled(table, name, cell, into or f"{name}_z", middle, float(spread), "z score", len(values))


@step
def robust_z(
    table: Table, column: str, into: str = "", centre: float | None = None, scale: float | None = None
) -> Done:
    """0.6745 (x - median) / MAD, as in the modified z score of Iglewicz and Hoaglin."""
    import numpy as np

    name, cell, values = _values(table, column)
    middle = float(centre) if centre is not None else float(np.median(values))
    spread = float(scale) if scale is not None else float(np.median(np.abs(values - middle))) / _NORMAL_MAD
    if spread == 0:
        raise _no_spread(name, "median absolute deviation")
    return _scaled(
        table, name, cell, into or f"{name}_robust_z", middle, spread, "robust z score", len(values)
    )


@step
def min_max(
    table: Table, column: str, into: str = "", centre: float | None = None, scale: float | None = None
) -> Done:
    """(x - minimum) / range, from 0 to 1; `centre` is the minimum and `scale` the range of an earlier run."""
    name, cell, values = _values(table, column)
    low = float(centre) if centre is not None else float(values.min())
    spread = float(scale) if scale is not None else float(values.max()) - low
    if spread == 0:
        raise _no_spread(name, "range")
    return _scaled(table, name, cell, into or f"{name}_min_max", low, spread, "min-max scaling", len(values))


@step
def log(table: Table, column: str, base: Any = "e", plus: float = 0.0, into: str = "") -> Done:
    """The logarithm of x + `plus` to base e, 2 or 10; zeros and negative values are refused, never dropped."""
    name, cell, values = _values(table, column)
    if str(base) not in _BASES:
        raise InputError(
            f"The base of a logarithm is e, 2 or 10, not '{base}'.", where="base", code="out_of_range"
        )
    low = int(((values + plus) <= 0).sum())
    if low:
        zeros = int(((values + plus) == 0).sum())
        raise InputError(
            f"'{name}' has {low} value{'s' if low > 1 else ''} without a logarithm ({zeros} zero, {low - zeros} negative).",
            hint="Name a constant to add with 'plus' (it changes the result), or use yeo_johnson or rank_normal.",
            where=name,
            code="not_positive",
        )
    header = free_name(table, into or f"{name}_log{'' if str(base) == 'e' else base}")
    inside = f"({cell} + {float(plus)!r})" if plus else cell
    function = {"e": "ln", "2": "log2", "10": "log10"}[str(base)]
    added_text = f" + {plus:g}" if plus else ""
    message = f"'{header}' is the logarithm to base {base} of '{name}'{added_text} ({len(values)} values)."
    return added(
        table, header, f"{function}({inside})", said("log_scaled", message, "normalise", header, len(values))
    )


def _power(table: Table, column: str, into: str, fixed: float | None, method: str) -> Done:
    """Box-Cox or Yeo-Johnson with an estimated or a given lambda."""
    from statistikles.stats import _power_transforms as powers

    name, cell, values = _values(table, column)
    title = "Box-Cox" if method == "box_cox" else "Yeo-Johnson"
    if method == "box_cox" and bool((values <= 0).any()):
        powers.box_cox_fit(values)  # refuses, and says why
    fitted: dict[str, Any] = {"exponent": fixed}
    how = f"lambda = {fixed} as given"
    exponent = fixed
    if exponent is None:
        fit = powers.box_cox_fit(values) if method == "box_cox" else powers.yeo_johnson_fit(values)
        exponent = fit.exponent
        fitted = {"exponent": exponent, "conf_low": fit.conf_low, "conf_high": fit.conf_high}
        sides = ["none" if s is None else f"{s:.4g}" for s in (fit.conf_low, fit.conf_high)]
        how = f"lambda = {exponent:.6g} by maximum likelihood, 95 % interval [{sides[0]}, {sides[1]}]"
    header = free_name(table, into or f"{name}_{method}")
    message = f"'{header}' is the {title} transformation of '{name}', {how} ({len(values)} values)."
    sql = _box_cox_sql(cell, exponent) if method == "box_cox" else _yeo_johnson_sql(cell, exponent)
    return added(
        table, header, sql, said(f"{method}_scaled", message, "normalise", header, len(values)), fitted
    )


def _box_cox_sql(cell: str, exponent: float) -> str:
    return f"ln({cell})" if exponent == 0 else f"(pow({cell}, {exponent!r}) - 1) / {exponent!r}"


def _yeo_johnson_sql(cell: str, exponent: float) -> str:
    up = _box_cox_sql(f"({cell} + 1)", exponent)
    down = _box_cox_sql(f"(1 - {cell})", 2.0 - exponent)
    return f"CASE WHEN {cell} >= 0 THEN {up} ELSE -({down}) END"


@step
def box_cox(table: Table, column: str, exponent: float | None = None, into: str = "") -> Done:
    """(x^lambda - 1) / lambda with lambda by maximum likelihood; positive values only."""
    return _power(table, column, into, exponent, "box_cox")


@step
def yeo_johnson(table: Table, column: str, exponent: float | None = None, into: str = "") -> Done:
    """The Yeo-Johnson transformation with lambda by maximum likelihood; values of any sign."""
    return _power(table, column, into, exponent, "yeo_johnson")


@step
def rank_normal(table: Table, column: str, into: str = "", offset: float = 0.375) -> Done:
    """Rank-based inverse normal scores (Blom's offset 3/8); equal values share the score of their mean rank."""
    import numpy as np

    from statistikles.stats._power_transforms import rank_normal_scores

    if not 0 <= offset < 1:
        raise InputError(
            "The offset of rank scores lies from 0 to below 1.", where="offset", code="out_of_range"
        )
    name, _, values = _values(table, column)
    whole = table.numbers(name)
    scores = np.zeros(len(whole))
    scores[~np.ma.getmaskarray(whole)] = rank_normal_scores(values, float(offset))
    header = free_name(table, into or f"{name}_rank_normal")
    message = f"'{header}' has the normal scores of the ranks of '{name}' (offset {offset:g}, {len(values)} values)."
    joined = "(SELECT data.*, data.rowid AS r, extra.score FROM data JOIN extra ON data.rowid = extra.place)"
    return added(
        table, header, f"CASE WHEN {table.engine_column(name)[0]} IS NULL THEN NULL ELSE score END",
        said("rank_normal_scaled", message, "normalise", header, len(values)),
        source=joined, extra={"place": np.arange(len(whole)), "score": scores}, order="r",
    )  # fmt: skip
