"""Readings to tool calls: each named call builds the arguments of one tool from the columns of a reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from statistikles.neural.planner.asked import decimals, percentiles
from statistikles.neural.planner.filters import equals, quoted
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.view import ColumnView

__all__ = ["CALLS", "Call"]

Call = tuple[str, dict[str, Any]]


def _where(r: Reading) -> str:
    parts = [c.expression for c in r.conditions]
    if r.levels and r.group is not None:
        parts.append(" OR ".join(equals(r.group, level) for level in r.levels))
    if r.intent in (Intent.SAME_DISTRIBUTION, Intent.VARIANCES) and r.group is None and len(r.outcomes) == 2:
        # Columns of the same rows are compared on the rows that have both.
        parts += [f"{quoted(c.name)} IS NOT NULL" for c in r.outcomes if any(o.n_missing for o in r.outcomes)]
    return " AND ".join(f"({p})" if len(parts) > 1 else p for p in parts)


def _reference(r: Reading, **fields: Any) -> dict[str, Any]:
    out = dict(fields)
    if where := _where(r):
        out["where"] = where
    if r.table.shared:
        out["table"] = r.table.name
    if define := _definitions(r, [*fields.values(), where]):
        out["define"] = define
    return out


def _definitions(r: Reading, used: Sequence[Any]) -> dict[str, str]:
    """The formulas of the defined columns that a reference uses, also those that a formula or the filter names."""
    texts = [str(name) for field in used for name in (field if isinstance(field, list) else [field])]
    out: dict[str, str] = {}
    for column in reversed(r.table.columns):
        if not column.formula:
            continue
        if column.name in texts or any(quoted(column.name) in text for text in (*texts, *out.values())):
            out[column.name] = column.formula
    return out


def _vector(r: Reading, column: ColumnView) -> Any:
    reference = _reference(r, column=column.name)
    return reference if len(reference) > 1 else column.name


def _groups(r: Reading) -> Any:
    """The outcome divided by the grouping column, or the columns asked about side by side."""
    if r.group is not None and r.outcome is not None:
        return _reference(r, column=r.outcome.name, by=r.group.name)
    return [_vector(r, c) for c in r.outcomes]


def _crossed(r: Reading) -> dict[str, Any]:
    return _reference(r, column=r.outcomes[0].name, by=r.outcomes[1].name)


def _pair(r: Reading, first: str, second: str) -> dict[str, Any]:
    return {first: _vector(r, r.outcomes[0]), second: _vector(r, r.outcomes[1])}


def _named(r: Reading, **arguments: Any) -> dict[str, Any]:
    if r.alpha is not None:
        arguments["alpha"] = r.alpha
    return arguments


def _correlation(method: str) -> Callable[[Reading], Call]:
    def build(r: Reading) -> Call:
        arguments = _named(r, method=method, **_pair(r, "x", "y"))
        if method == "partial":
            arguments["covariates"] = [_vector(r, c) for c in r.controls]
        return "correlation", _rounding(r, arguments) if method == "pearson" else arguments

    return build


def _regression(tool: str) -> Callable[[Reading], Call]:
    def build(r: Reading) -> Call:
        assert r.outcome is not None
        names = [c.name for c in r.controls]
        arguments = {"x": [_vector(r, c) for c in r.controls], "y": _vector(r, r.outcome)}
        if tool == "regression":
            arguments["var_names"] = names
            arguments |= r.numbers
            if r.at:
                arguments["predict_at"] = [[value] for value in r.at]
        return tool, _named(r, **arguments)

    return build


def _of_groups(tool: str, subtype: str = "") -> Callable[[Reading], Call]:
    def build(r: Reading) -> Call:
        kind = {"type": subtype} if subtype else {}
        return tool, _named(r, **kind, groups=_groups(r))

    return build


def _of_pair(
    tool: str, subtype: str, first: str = "group1", second: str = "group2"
) -> Callable[[Reading], Call]:
    return lambda r: (tool, _named(r, type=subtype, **_pair(r, first, second)))


def _of_one(tool: str, subtype: str = "") -> Callable[[Reading], Call]:
    def build(r: Reading) -> Call:
        assert r.outcome is not None
        kind = {"type": subtype} if subtype else {}
        return tool, {**kind, "data": _vector(r, r.outcome)}

    return build


def _frequencies(r: Reading) -> Call:
    # A bare name would be read as a text whose words are counted.
    assert r.outcome is not None
    return "frequency_analysis", {"data": _reference(r, column=r.outcome.name)}


def _fit(name: str = "") -> Callable[[Reading], Call]:
    def build(r: Reading) -> Call:
        assert r.outcome is not None
        return "test_assumptions", {
            "type": "distribution",
            "data": _vector(r, r.outcome),
            "distribution": name or r.distribution,
        }

    return build


def _outliers_of_all(r: Reading) -> Call:
    assert r.source is not None
    return "test_assumptions", {"type": "outliers", "data": _vector(r, r.source)}


def _factorial(r: Reading) -> Call:
    assert r.outcome is not None and r.group is not None
    arguments: dict[str, Any] = {
        "type": "factorial",
        "y": _vector(r, r.outcome),
        "factor_a": _vector(r, r.group),
    }
    names = [r.group.name]
    if r.strata is not None:
        arguments["factor_b"] = _vector(r, r.strata)
        names.append(r.strata.name)
    if r.controls:
        arguments["covariates"] = [_vector(r, c) for c in r.controls]
        names += [c.name for c in r.controls]
    return "anova", _named(r, **arguments, var_names=names)


def _one_sample(r: Reading) -> Call:
    assert r.outcome is not None
    return "t_test", _named(r, type="one_sample", group1=_vector(r, r.outcome), mu0=r.value)


def _stratified(r: Reading) -> Call:
    assert r.strata is not None
    return "chi_square", _named(r, type="mantel_haenszel", **_pair(r, "x", "y"), strata=_vector(r, r.strata))


def _independence(r: Reading) -> Call:
    return "chi_square", _named(r, type="independence", observed=_crossed(r))


_SIZES: Mapping[str, Mapping[str, float]] = {
    # Cohen (1988): conventional small, medium and large effects of each design.
    "means": {"small": 0.2, "medium": 0.5, "large": 0.8},
    "proportions": {"small": 0.2, "medium": 0.5, "large": 0.8},
    "correlation": {"small": 0.1, "medium": 0.3, "large": 0.5},
    "regression": {"small": 0.02, "medium": 0.15, "large": 0.35},
    "anova": {"small": 0.1, "medium": 0.25, "large": 0.4},
}


def _study(r: Reading) -> dict[str, Any]:
    given = dict(r.numbers)
    design = str(given.get("design", "means"))
    word = given.pop("size_word", None)
    if word is not None and "effect_size" not in given:
        given["effect_size"] = _SIZES[design][str(word)]
    return given


def _sample_size(r: Reading) -> Call:
    given = {"design": "means", **_study(r)}
    given.pop("n", None)
    if given["design"] == "regression":
        given.setdefault("n_predictors", 1)
    return "sample_size_calculator", given


def _power(r: Reading) -> Call:
    given = _study(r)
    return "power_analysis", {k: v for k, v in given.items() if k in ("effect_size", "n", "alpha", "power")}


def _survival(subtype: str) -> Callable[[Reading], Call]:
    def build(r: Reading) -> Call:
        arguments: dict[str, Any] = {"type": subtype, **_pair(r, "times", "events")}
        if r.group is not None:
            arguments["groups"] = _vector(r, r.group)
        return "survival_analysis", arguments

    return build


def _items(tool: str) -> Callable[[Reading], Call]:
    return lambda r: (tool, {"items": _reference(r, columns=[c.name for c in r.outcomes])})


def _series(subtype: str) -> Callable[[Reading], Call]:
    return _of_one("time_series", subtype)


def _describe(r: Reading) -> Call:
    assert r.outcome is not None
    wanted = percentiles(r.question)
    more = {"quantiles": list(wanted)} if wanted else {}
    return "descriptive_statistics", _rounding(r, {"data": _vector(r, r.outcome), **more})


def _describe_groups(r: Reading) -> Call:
    return "descriptive_statistics", _rounding(r, {"groups": _groups(r)})


def _matrix(r: Reading) -> Call:
    arguments: dict[str, Any] = {
        "method": "matrix",
        "data": {c.name: _reference(r, column=c.name) for c in r.outcomes},
    }
    if "spearman" in r.question.casefold():
        arguments["coefficient"] = "spearman"
    if r.source is not None:
        arguments["target"] = r.source.name
    return "correlation", _rounding(r, _named(r, **arguments))


def _rows_at_the_extreme(r: Reading) -> Call:
    assert r.source is not None
    made = next(c for c in reversed(r.table.columns) if c.name == "extreme")
    where = equals(made, "yes")
    return "frequency_analysis", {
        "data": {"column": r.source.name, "where": where, "define": {made.name: made.formula}}
    }


def _describe_columns(r: Reading) -> Call:
    columns = {c.name: _reference(r, column=c.name) for c in r.outcomes}
    return "descriptive_statistics", _rounding(r, {"groups": columns})


def _rounding(r: Reading, arguments: dict[str, Any]) -> dict[str, Any]:
    if (places := decimals(r.question)) is not None:
        arguments["decimals"] = places
    return arguments


CALLS: Mapping[str, Callable[[Reading], Call]] = {
    "normality of groups": _of_groups("test_assumptions", "normality"),
    "normality": _of_one("test_assumptions", "normality"),
    "levene": _of_groups("test_assumptions", "levene"),
    "bartlett": _of_groups("test_assumptions", "bartlett"),
    "outliers of all": _outliers_of_all,
    "outliers": _of_one("test_assumptions", "outliers"),
    "KS normal": _fit("normal"),
    "KS named": _fit(),
    "t independent": _of_groups("t_test", "independent"),
    "t paired": _of_pair("t_test", "paired"),
    "t one sample": _one_sample,
    "ancova": _factorial,
    "two-way": _factorial,
    "anova": _of_groups("anova"),
    "Mann-Whitney": _of_groups("nonparametric_test", "mann_whitney"),
    "Wilcoxon": _of_pair("nonparametric_test", "wilcoxon"),
    "Kruskal-Wallis": _of_groups("nonparametric_test", "kruskal_wallis"),
    "KS two samples": _of_pair("nonparametric_test", "ks_2sample"),
    "KS groups": _of_groups("nonparametric_test", "ks_2sample"),
    "Pearson": _correlation("pearson"),
    "Spearman": _correlation("spearman"),
    "Kendall": _correlation("kendall"),
    "partial": _correlation("partial"),
    "matrix": _matrix,
    "chi-square": _independence,
    "Mantel-Haenszel": _stratified,
    "regression": _regression("regression"),
    "logistic": _regression("logistic_regression"),
    "describe": _describe,
    "describe groups": _describe_groups,
    "describe columns": _describe_columns,
    "rows at the extreme": _rows_at_the_extreme,
    "frequencies": _frequencies,
    "sample size": _sample_size,
    "power": _power,
    "Kaplan-Meier": _survival("kaplan_meier"),
    "log-rank": _survival("log_rank"),
    "kappa": _of_pair("inter_rater_reliability", "cohens_kappa", "rater1", "rater2"),
    "Bland-Altman": _of_pair("inter_rater_reliability", "bland_altman", "rater1", "rater2"),
    "Cronbach": _items("reliability_analysis"),
    "autocorrelation": _series("acf"),
}
