"""Explanations of relations: associations of numbers and of categories, and predictions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from statistikles.neural.planner.asked import decimals
from statistikles.neural.planner.method import Row
from statistikles.neural.planner.phrasing import (
    Made,
    Paragraphs,
    beside,
    inside,
    kept,
    names,
    significance,
)
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.view import ColumnView
from statistikles.neural.planner.writing import Record, category_text, safe

__all__ = ["associate", "predict"]


def associate(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    first, second = names(reading)[:2]
    held = ""
    if reading.controls:
        held = " with " + ", ".join(safe(c.name) for c in reading.controls) + " held constant"
    if reading.strata is not None:
        held = f" within the levels of {safe(reading.strata.name)}"
    answer = significance(
        reading,
        lead,
        f"{first} and {second} are {_sign(reading, lead)}associated{held}{kept(reading)}",
        f"There is no evidence of an association between {first} and {second}{held}{kept(reading)}",
    )
    p = lead.number("p_value")
    shares = _yes_shares(reading, lead)
    out = [
        f"{answer}{f' (p {p})' if p else ''}. {shares}".strip(),
        "" if shares else _shares(reading, lead),
        f"Evidence: {lead.method}: {lead.evidence()}.",
    ]
    if rounded := _rounded(reading, lead):
        out.insert(1, rounded)
    out += [inside(lead), beside(row, made, lead.significant())]
    return out


def _rounded(reading: Reading, record: Record) -> str:
    """The coefficient and its p to the places that were asked for."""
    places = decimals(reading.question)
    if places is None:
        return ""
    at = ("details", "rounded")
    estimate = record.number(*at, "estimate", form=f".{places}f")
    return f"Rounded as asked: {record.value('estimate_name')} = {estimate}." if estimate else ""


def _sign(reading: Reading, record: Record) -> str:
    """'positively ' or 'negatively ' for a correlation of numbers."""
    estimate = record.value("estimate")
    if reading.strata is not None or record.tool != "correlation" or not isinstance(estimate, int | float):
        return ""
    return "positively " if estimate > 0 else "negatively "


def _yes_shares(reading: Reading, record: Record) -> str:
    """For a yes-or-no column: its share of yes in each row of a small cross table, the highest first."""
    rows = record.value("details", "row_proportions")
    if (
        not isinstance(rows, Mapping)
        or len(rows) > 6
        or len(reading.outcomes) < 2
        or not reading.outcomes[1].yes_or_no
    ):
        return ""
    second = reading.outcomes[1]
    yes = next((lv for lv in second.levels if lv.casefold() in ("yes", "1", "true", "y")), None)
    shares = {row: record.value("details", "row_proportions", row, yes) for row in rows} if yes else {}
    if not shares or not all(isinstance(v, int | float) for v in shares.values()):
        return ""
    order = sorted(shares, key=lambda row: -float(shares[row]))
    listed = [
        f"{category_text(row)} {record.number('details', 'row_proportions', row, str(yes), form='.1%')}"
        for row in order
    ]
    return f"Share with {safe(second.name)} {category_text(str(yes))}: {', '.join(listed)}."


def _shares(reading: Reading, record: Record) -> str:
    """What share of each row of a cross table falls into each column."""
    first, second = names(reading)[:2]
    rows = record.value("details", "row_proportions")
    if not isinstance(rows, Mapping) or len(rows) > 8:
        return ""
    lines = []
    for row in rows:
        cells = rows[row]
        if not isinstance(cells, Mapping) or len(cells) > 6:
            return ""
        shares = [
            f"{second} {category_text(column)} {record.number('details', 'row_proportions', row, column, form='.1%')}"
            for column in cells
        ]
        n = record.number("groups", row, "n")
        lines.append(f"- {first} {category_text(row)}{f' (n {n})' if n else ''}: {', '.join(shares)}")
    return "\n".join(lines)


def predict(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    fit = []
    for label, key in (("R²", "r_squared"), ("adjusted R²", "adj_r_squared")):
        if number := lead.number(key, form=".3f"):
            fit.append(f"{label} = {number}")
    if spread := lead.number("residual_std_error"):
        fit.append(f"residual standard error {spread}")
    if test := lead.test():
        fit.append(test)
    named = ", ".join(safe(c.name) for c in reading.controls)
    return [
        _predicted(reading, lead),
        f"{names(reading)[0]} modelled from {named}{kept(reading)}.\n" + "\n".join(_slopes(reading, lead)),
        _left_out(reading),
        f"Fit: {', '.join(fit)}." if fit else "",
        _held_out(lead),
        _terms(lead),
    ]


_ERRORS = (
    ("root mean squared error", "rmse"),
    ("mean squared error", "mse"),
    ("mean absolute error", "mae"),
    ("R²", "r_squared"),
)


def _held_out(record: Record) -> str:
    """How well the fit to the other rows predicts the rows held out."""
    at = ("details", "holdout")
    if not record.number(*at, "n_test"):
        return ""
    errors = ", ".join(f"{label} {n}" for label, key in _ERRORS if (n := record.number(*at, key)))
    seed = record.number(*at, "seed", form="d")
    return (
        f"Held out: {record.number(*at, 'n_test')} rows by the split of seed {seed}; fitted to the other "
        f"{record.number(*at, 'n_train')}, the model predicts them with {errors}. The fit above uses all rows."
    )


def _predicted(reading: Reading, record: Record) -> str:
    """The prediction at the values asked for, with both of its intervals."""
    at = ("details", "predictions", "0")
    number = record.number_at(*at, "predicted")
    if not reading.at or not number:
        return ""
    low, high = record.number_at(*at, "prediction_low"), record.number_at(*at, "prediction_high")
    interval = f", with a prediction interval from {low} to {high} for a single row" if low and high else ""
    return f"At these values the predicted {names(reading)[0]} is {number}{interval}."


def _left_out(reading: Reading) -> str:
    """What was named as a predictor and could not be one."""
    if not reading.left_out:
        return ""
    listed = " and ".join(safe(c.name) for c in reading.left_out)
    return (
        f"Not in the model: {listed}. A predictor has to be numeric; recode a category as columns of zeros and ones, "
        f"or ask whether {names(reading)[0]} differs between its groups."
    )


def _near_one(ratio: Any) -> str:
    """The form of a ratio so near one that two decimals would hide what it says."""
    if not isinstance(ratio, float) or not 0 < abs(ratio - 1) < 0.01:
        return ""
    return f".{min(6, 1 - math.floor(math.log10(abs(ratio - 1))))}f"


def _slopes(reading: Reading, record: Record) -> list[str]:
    """What each predictor says, in words."""
    outcome = names(reading)[0]
    others = ", the other predictors being equal" if len(reading.controls) > 1 else ""
    lines = []
    for column in reading.controls:
        at = ("terms", column.name)
        name = safe(column.name)
        estimate, p = record.measured(*at, "estimate"), record.number(*at, "p_value")
        each = f"Each additional unit of {name}"
        if column.against:
            each = f"{name}, against {category_text(column.against)},"
        if odds := record.number(*at, "odds_ratio", form=_near_one(record.value(*at, "odds_ratio"))):
            lines.append(f"- {each} goes with odds of {outcome} multiplied by {odds}{others} (p {p}).")
        elif estimate and (record.value(*at, "p_value") or 0) <= (record.value("alpha") or 0.05):
            lines.append(f"- {each} goes with {estimate} in {outcome}{others} (p {p}).")
        elif estimate:
            lines.append(
                f"- There is no evidence that {name}{_against(column)} goes with {outcome}{others} (p {p})."
            )
    return lines


def _against(column: ColumnView) -> str:
    return f" (against {category_text(column.against)})" if column.against else ""


def _terms(record: Record) -> str:
    terms = record.value("terms")
    if not isinstance(terms, Mapping):
        return ""
    lines = []
    for term in list(terms)[:14]:
        at = ("terms", term)
        parts = [f"coefficient {record.number(*at, 'estimate')}"]
        if bounds := record.interval(*at):
            parts.append(bounds)
        if odds := record.number(*at, "odds_ratio", form=_near_one(record.value(*at, "odds_ratio"))):
            parts.append(f"odds ratio {odds}")
        statistic = record.number(*at, "statistic")
        df = record.number(*at, "df")
        if statistic:
            parts.append(f"{'t' if df else 'z'}{f'({df})' if df else ''} = {statistic}")
        if p := record.number(*at, "p_value"):
            parts.append(f"p {p}")
        lines.append(f"- {safe(term)}: {', '.join(parts)}")
    return "Coefficients:\n" + "\n".join(lines)
