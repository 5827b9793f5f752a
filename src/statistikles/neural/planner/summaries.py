"""Templates for what is not a test: summaries, counts, missing values, outliers and the planning of studies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from statistikles.neural.planner.asked import decimals
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.special import SUPERLATIVE
from statistikles.neural.planner.writing import Record, category_text, safe

__all__ = [
    "counted",
    "described",
    "described_groups",
    "extreme_rows",
    "missing",
    "missing_in_table",
    "outliers_apart",
    "outlying",
    "planned",
    "rows_kept",
]

# What each statistic asked for is called and where it stands; the first is what the answer leads with.
_ASKED: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "mean": (("mean", ("mean",)), ("median", ("median",))),
    "median": (("median", ("median",)), ("mean", ("mean",))),
    "range": (("range", ("range",)), ("minimum", ("minimum",)), ("maximum", ("maximum",))),
    "quartiles": (
        ("minimum", ("minimum",)),
        ("lower quartile", ("q1",)),
        ("median", ("median",)),
        ("upper quartile", ("q3",)),
        ("maximum", ("maximum",)),
    ),
    "skewness": (("skewness", ("skewness",)), ("excess kurtosis", ("excess_kurtosis",))),
    "kurtosis": (("excess kurtosis", ("excess_kurtosis",)), ("skewness", ("skewness",))),
    "std_dev": (("standard deviation", ("std_dev",)), ("variance", ("variance",)), ("range", ("range",))),
    "variance": (("variance", ("variance",)), ("standard deviation", ("std_dev",)), ("range", ("range",))),
    "iqr": (("interquartile range", ("iqr",)), ("lower quartile", ("q1",)), ("upper quartile", ("q3",))),
    "minimum": (("minimum", ("minimum",)), ("maximum", ("maximum",))),
    "maximum": (("maximum", ("maximum",)), ("minimum", ("minimum",))),
    "cv": (
        ("coefficient of variation", ("cv",)),
        ("standard deviation", ("std_dev",)),
        ("mean", ("mean",)),
    ),
    "sum": (("sum", ("sum",)), ("mean", ("mean",))),
}
_OVERVIEW = (
    ("n", ("n",)),
    ("mean", ("mean",)),
    ("SD", ("std_dev",)),
    ("median", ("median",)),
    ("lower quartile", ("q1",)),
    ("upper quartile", ("q3",)),
    ("minimum", ("minimum",)),
    ("maximum", ("maximum",)),
    ("skewness", ("skewness",)),
)
_ROWS_SHOWN = 12


def _kept(reading: Reading) -> str:
    return (
        " (rows where " + " and ".join(safe(c.words) for c in reading.conditions) + ")"
        if reading.conditions
        else ""
    )


def described(reading: Reading, record: Record) -> str:
    """One numeric column: what was asked first, then an overview."""
    name = safe(reading.outcomes[0].name) if reading.outcomes else "these values"
    lines: list[str] = []
    shown: set[tuple[str, ...]] = set()
    for asked in reading.wanted:
        for label, path in _ASKED.get(asked, ()):
            number = _as_asked(reading, record, path)
            if path in shown or not number:
                continue
            shown.add(path)
            lines.append(f"{label} {number}")
    out: list[str] = []
    if "mode" in reading.wanted:
        out.append(_mode(name, record))
    for place, row in enumerate(record.value("quantiles") or ()):
        if isinstance(row, Mapping) and "quantile" in row:
            at = ("quantiles", str(place))
            share = record.number_at(*at, "probability", form=".0%")
            out.append(
                f"{share} of the values of {name} lie at or below {record.number_at(*at, 'quantile')}."
            )
    if lines:
        out.append(f"{name}{_kept(reading)}: {', '.join(lines)}.")
    for asked, key in (("skewness", "skewness"), ("kurtosis", "excess_kurtosis")):
        if asked in reading.wanted and (reason := record.value("undefined", key)):
            out.append(f"The {asked} of {name} is undefined: {reason}.")
    lead = f"{name}{_kept(reading)}" if not out else "In full"
    out.append(f"{lead}:\n" + "\n".join(_overview(record)))
    return "\n\n".join(out)


def _as_asked(reading: Reading, record: Record, path: tuple[str, ...]) -> str:
    """A number to the places after the point that were asked for, else as it is."""
    places = decimals(reading.question)
    asked = record.number("rounded", *path, form=f".{places}f") if places is not None else ""
    return asked or record.measured(*path)


def _overview(record: Record) -> list[str]:
    lines = []
    for label, path in _OVERVIEW:
        if number := record.measured(*path):
            bounds = record.interval() if path == ("mean",) else ""
            lines.append(f"- {label} {number}{', ' + bounds if bounds else ''}")
    return lines


def _mode(name: str, record: Record) -> str:
    modes = record.value("modes")
    if isinstance(modes, Sequence) and modes and not isinstance(modes, str):
        listed = ", ".join(record.number_at("modes", str(i)) for i in range(min(len(modes), 5)))
        times = record.number("mode_count")
        return f"The most frequent value of {name} is {listed}, which occurs {times} times."
    reason = record.value("undefined", "modes")
    return f"{name} has no mode: {reason}." if reason else ""


def described_groups(reading: Reading, record: Record) -> str:
    """A numeric column within each group."""
    name = safe(reading.outcomes[0].name)
    group = safe(reading.group.name) if reading.group is not None else "group"
    groups = record.value("groups")
    lines = []
    wanted = [
        w
        for w in ("mean", "median", "std_dev", "variance", "minimum", "maximum", "iqr")
        if w in reading.wanted
    ]
    if {"minimum", "maximum"} & set(wanted) and {"mean", "median"} & set(wanted):
        wanted = [w for w in wanted if w not in ("minimum", "maximum")]  # 'the highest mean' is no maximum
    # Of very many groups only what was asked for is listed.
    many = isinstance(groups, Mapping) and len(groups) > 2 * _ROWS_SHOWN and wanted
    order = wanted if many else [*wanted, *(k for k in ("mean", "std_dev", "median", "n") if k not in wanted)]
    ranked, said = _ranked(reading, record, next((w for w in wanted if w in ("mean", "median")), "mean"))
    labels = {"std_dev": "SD", "iqr": "interquartile range"}
    for level in ranked[:_ROWS_SHOWN]:
        parts = [f"{labels.get(k, k)} {n}" for k in order if (n := record.measured("groups", level, k))]
        lines.append(f"- {category_text(level)}: {', '.join(parts)}")
    if len(reading.outcomes) > 1 and reading.group is None:
        text = f"{said}Each column{_kept(reading)}:\n" + "\n".join(lines)
    else:
        text = f"{said}{name} within each {group}{_kept(reading)}:\n" + "\n".join(lines)
    if isinstance(groups, Mapping) and len(groups) > _ROWS_SHOWN:
        text += "\n- further groups are in the full result"
    return text


_LOWEST = re.compile(
    r"\b(lowest|least|smallest|lightest|youngest|shortest|poorest|cheapest|worst|coldest|coolest|slowest|weakest|driest|"
    r"narrowest|fewest|bottom)\b",
    re.IGNORECASE,
)


def _ranked(reading: Reading, record: Record, key: str) -> tuple[list[str], str]:
    """The groups in order of a measure, and which comes first, where the question asks for the first."""
    groups = record.value("groups")
    names = list(groups) if isinstance(groups, Mapping) else []
    match = SUPERLATIVE.search(reading.question)
    values = {n: record.value("groups", n, key) for n in names}
    if match is None or not all(isinstance(v, int | float) for v in values.values()) or not names:
        return names, ""
    low = _LOWEST.search(reading.question) is not None
    names.sort(key=lambda n: values[n] if low else -values[n])
    outcome = safe(reading.outcomes[0].name)
    first = f"The {key} of {outcome} is {'lowest' if low else 'highest'} in {category_text(names[0])}"
    return names, f"{first} ({record.number('groups', names[0], key)}).\n\n"


def counted(reading: Reading, record: Record) -> str:
    """Counts and shares of the values of a column."""
    name = safe(reading.outcomes[0].name)
    rows = record.value("rows")
    if not isinstance(rows, Sequence) or not rows:
        return f"{name}: {record.method}."
    lines = []
    order = sorted(range(len(rows)), key=lambda i: -float(_count_of(rows[i]) or 0))
    for place in order[:_ROWS_SHOWN]:
        row = rows[place]
        value = next((str(row[k]) for k in ("value", "category", "label", "level") if k in row), "")
        count = record.number_at("rows", str(place), "count") or record.number_at("rows", str(place), "n")
        share = record.number_at("rows", str(place), _share_key(row), form=".1%")
        lines.append(f"- {category_text(value)}: {count}{f' ({share})' if share else ''}")
    first = order[0]
    value = next(
        (str(rows[first][k]) for k in ("value", "category", "label", "level") if k in rows[first]), ""
    )
    head = f"{name}{_kept(reading)}: {record.number('n')} values."
    if "mode" in reading.wanted:
        head = f"The most frequent value of {name} is {category_text(value)}. " + head
    if re.search(
        r"\b(unique|distinct|different|how many (?:\w+ )?(?:types|kinds|"
        r"categories))\b",
        reading.question,
        re.IGNORECASE,
    ):
        different = record.number("details", "n_unique")
        head += f" They are {different} different ones." if different else ""
    more = "\n- rarer values are in the full result" if len(rows) > _ROWS_SHOWN else ""
    return f"{head}\n" + "\n".join(lines) + more


def extreme_rows(reading: Reading, record: Record, held: Record | None) -> str:
    """The largest or smallest value, and the rows that hold it."""
    name = safe(reading.outcomes[0].name)
    key = "minimum" if "minimum" in reading.wanted else "maximum"
    rows = held.value("rows") if held is not None and not held.failed else None
    labels = [category_text(str(r.get("value"))) for r in rows[:5]] if isinstance(rows, Sequence) else []
    who = f", held by {' and '.join(labels)}" if labels else ""
    lines = "\n".join(_overview(record))
    return f"The {key} of {name} is {record.number(key)}{who}.\n\nAll values of {name}:\n{lines}"


def rows_kept(reading: Reading, record: Record) -> str:
    """How many rows satisfy a condition."""
    what = " and ".join(safe(c.words) for c in reading.conditions)
    if not what:
        return f"There are {record.number('n')} rows."
    return f"{record.number('n')} rows satisfy the condition {what}."


def _count_of(row: Mapping[str, Any]) -> Any:
    return row.get("count", row.get("n", 0))


def _share_key(row: Mapping[str, Any]) -> str:
    return next((k for k in ("proportion", "relative", "relative_frequency", "share") if k in row), "")


def missing(reading: Reading, record: Record) -> str:
    """Missing values of a column, and their share of the rows."""
    name = safe(reading.outcomes[0].name.removeprefix("values of ")) if reading.outcomes else "this column"
    rows = record.value("rows")
    found = {str(r.get("value")): i for i, r in enumerate(rows)} if isinstance(rows, Sequence) else {}
    if "missing" not in found:
        return f"No value of {name}{_kept(reading)} is missing: {record.number('n')} values are present."
    at = ("rows", str(found["missing"]))
    share = record.number_at(*at, "proportion", form=".2%")
    count = record.number_at(*at, "count")
    said = f"{name}{_kept(reading)}: {count} values are missing, {share} of {record.number('n')} rows"
    if "present" in found:
        said += f"; {record.number_at('rows', str(found['present']), 'count')} are present"
    return said + "."


def missing_in_table(record: Record) -> str:
    """Missing values of all columns together."""
    return (
        f"In all columns together {record.number('sum')} values are missing, over {record.number('n')} rows."
    )


_RULES = (
    ("iqr", "further than {} interquartile ranges from the quartiles", r"\b(iqr|interquartile|tukey|fence)"),
    ("z", "further than {} standard deviations from the mean", r"\b(z[- ]?scores?|standard deviations?)"),
    ("modified_z", "beyond a modified z of {}", r"\b(modified|robust|mad)\b"),
)


def outlying(reading: Reading, record: Record, summary: Record | None) -> str:
    """What the named rules for outliers found; the rule asked for leads, the interquartile rule otherwise."""
    name = safe(reading.outcomes[0].name)
    asked = reading.question.casefold()
    rules = sorted(_RULES, key=lambda rule: re.search(rule[2], asked) is None)
    lines = []
    for key, words, _ in rules:
        at = ("details", key)
        if count := record.number(*at, "n_outliers"):
            rule = words.format(record.number(*at, "threshold"))
            lines.append(f"- {count} values are {rule}{_fences(record, at)}")
    out = [f"Outliers in {name}{_kept(reading)}:", *lines, _most_extreme(record)]
    if summary is not None and not summary.failed:
        parts = [f"{label} {n}" for label, key in _SPREAD if (n := summary.number(key))]
        out.append(f"For comparison, all values: {', '.join(parts)}.")
    return "\n".join(out)


def _most_extreme(record: Record) -> str:
    """The test of the value farthest out."""
    statistic = f"{record.value('statistic_name')} = {record.number('statistic')}"
    return f"Test: {record.method}: {statistic}, p {record.number('p_value')}."


def outliers_apart(reading: Reading, lead: Record, record: Record | None) -> str:
    """How many values the rule for outliers sets apart."""
    formula = reading.outcomes[0].formula
    key, factor = ("z", "3") if "_z(" in formula else ("iqr", "1.5")
    source = safe(reading.source.name) if reading.source is not None else "the column"
    if record is None or record.failed or not formula.endswith(f" {factor})"):
        return f"Values summarised: {lead.number('n')}."
    count = record.number("details", key, "n_outliers")
    words = next(rule[1] for rule in _RULES if rule[0] == key)
    said = words.format(record.number("details", key, "threshold"))
    return f"{count} values of {source} are {said}{_fences(record, ('details', key))}." if count else ""


_SPREAD = (
    ("mean", "mean"),
    ("SD", "std_dev"),
    ("median", "median"),
    ("minimum", "minimum"),
    ("maximum", "maximum"),
)


def _fences(record: Record, at: tuple[str, ...]) -> str:
    low, high = record.number(*at, "lower_fence"), record.number(*at, "upper_fence")
    return f" (below {low} or above {high})" if low and high else ""


def planned(reading: Reading, record: Record) -> str:
    """Sample size or power of a study."""
    parts = []
    per_group, total, n = record.number("n_per_group"), record.number("n_total"), record.number("n")
    power = record.number("achieved_power", form=".3f") or record.number("power", form=".3f")
    size = record.number("effect_size")
    what = record.value("effect_size_name") or "effect size"
    if reading.intent is Intent.SAMPLE_SIZE:
        if per_group:
            parts.append(
                f"You need {per_group} participants per group" + (f", {total} in all" if total else "") + "."
            )
        else:
            parts.append(f"You need {total or n} participants.")
    else:
        solved = record.value("solved_for")
        if solved == "n":
            parts.append(f"You need {per_group or n} participants per group.")
        elif solved == "effect_size":
            parts.append(f"The smallest effect such a study detects is {what} = {size}.")
        else:
            parts.append(f"The power is {power}.")
    level = record.number("alpha", form=".2f")
    parts.append(f"Assumed: {what} = {size}, alpha = {level}, power {record.number('power') or power}.")
    if power and reading.intent is Intent.SAMPLE_SIZE:
        parts.append(f"With whole participants the power is {power}.")
    return " ".join(parts)
