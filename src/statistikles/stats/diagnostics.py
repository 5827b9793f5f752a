"""Accuracy of a diagnostic test or classifier against the truth: sensitivity, specificity and their kin."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, Any

from statistikles.errors import InputError
from statistikles.registry.arguments import Alpha, Count, Label, Labels, ScalarNumber
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, Estimate, Measures, Quantity
from statistikles.results.roles import Role
from statistikles.stats._discrete import clopper_pearson
from statistikles.stats._distributions import norm_isf
from statistikles.stats._tables import count_labels, label_text
from statistikles.stats._two_by_two import two_by_two_effects, wilson_bounds

__all__ = ["diagnostic_accuracy"]

declare_tool(
    "diagnostic_metrics",
    title="Diagnostic accuracy",
    summary="Sensitivity, specificity, predictive values, likelihood ratios, F1, MCC and kappa of a 2 x 2 table.",
)

_MOST = 2**50
_EMPTY = {
    "sensitivity": "there is no diseased (positive) case",
    "specificity": "there is no healthy (negative) case",
    "ppv": "no case was tested positive",
    "npv": "no case was tested negative",
}


@statistic(
    tool="diagnostic_metrics",
    title="Diagnostic accuracy",
    use_when="counts of true and false positives and negatives of a test or classifier",
    utterances=(
        "sensitivity and specificity of the test",
        "how accurate is the screening test",
        "positive predictive value",
        "confusion matrix metrics",
        "likelihood ratio of a positive test",
        "F1 score and MCC of a classifier",
    ),
    refs=(
        "Wilson 1927, doi:10.1080/01621459.1927.10502953",
        "Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404",
        "Youden 1950, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
        "Simel, Samsa & Matchar 1991, doi:10.1016/0895-4356(91)90128-V",
        "Glas et al. 2003, doi:10.1016/S0895-4356(03)00177-X",
        "Cohen 1960, doi:10.1177/001316446002000104",
        "Chicco & Jurman 2020, doi:10.1186/s12864-019-6413-7",
    ),
    oracle="sklearn.metrics:matthews_corrcoef",
    formula="sensitivity = TP/(TP + FN), specificity = TN/(TN + FP), PPV = TP/(TP + FP), NPV = TN/(TN + FN)",
    equivalents={
        "R": "binom.test(TP, TP + FN); prop.test(TP, TP + FN, correct = FALSE)",
        "Python": "sklearn.metrics.classification_report(actual, predicted)",
    },
    example={"true_positive": 90, "false_negative": 10, "true_negative": 160, "false_positive": 40},
    aligned=(("actual", "predicted"),),
)
def diagnostic_accuracy(
    true_positive: Count | None = None,
    false_negative: Count | None = None,
    true_negative: Count | None = None,
    false_positive: Count | None = None,
    *,
    actual: Labels | None = None,
    predicted: Labels | None = None,
    positive: Label | None = None,
    prevalence: Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True, open_high=True)]
    | None = None,
    alpha: Alpha = 0.05,
) -> Measures:
    """Accuracy measures of a 2 x 2 table of test result by truth, with Wilson and Clopper-Pearson intervals.

    Parameters
    ----------
    true_positive : diseased cases tested positive.
    false_negative : diseased cases tested negative.
    true_negative : healthy cases tested negative.
    false_positive : healthy cases tested positive.
    actual : the true class of each case, instead of the four counts.
    predicted : the class the test gave, matched with actual row by row.
    positive : the label that means positive in actual and predicted (1, "yes", "true" or "positive" by default).
    prevalence : a known prevalence, for predictive values in another population.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Measures : each measure, and its interval under `intervals`.

    Raises
    ------
    InputError : a count is missing, or all are zero.
    """
    tp, fn, tn, fp = _cells(
        (true_positive, false_negative, true_negative, false_positive), actual, predicted, positive
    )
    level = 1 - alpha
    n = tp + fn + tn + fp
    proportions = {
        "sensitivity": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "accuracy": (tp + tn, n),
        "prevalence": (tp + fn, n),
    }
    values: dict[str, Any] = {name: k / m if m else None for name, (k, m) in proportions.items()}
    undefined = {name: _EMPTY[name] for name, value in values.items() if value is None}
    intervals: dict[str, Any] = {
        name: _proportion(name, k, m, level) for name, (k, m) in proportions.items() if m
    }
    for name, measure in _comparisons(tp, fn, tn, fp, level).items():
        values[name] = measure.estimate
        if measure.estimate is None:
            undefined[name] = measure.undefined["estimate"]
        intervals[name] = measure
    _add_agreement(values, undefined, intervals, (tp, fn, tn, fp), level)
    if prevalence is not None:
        _add_adjusted(values, undefined, prevalence)
    quantities: dict[str, Any] = {
        "true_positive": Quantity(tp, Role.COUNT),
        "false_negative": Quantity(fn, Role.COUNT),
        "true_negative": Quantity(tn, Role.COUNT),
        "false_positive": Quantity(fp, Role.COUNT),
        "n": n,
        **{name: Quantity(value, _ROLES.get(name)) for name, value in values.items()},
        "intervals": intervals,
    }
    return Measures(
        method="Diagnostic accuracy of a 2 x 2 table",
        quantities=quantities,
        undefined=undefined,
        conventions=(
            f"intervals at {100 * level:g}%: Wilson leads, Clopper–Pearson (exact) beside it",
            "likelihood ratios and the diagnostic odds ratio: log method; Youden's J: Newcombe's hybrid score",
            "predictive values hold at the prevalence of these data"
            + (" (and, adjusted, at the prevalence given)" if prevalence is not None else ""),
        ),
    )


_ROLES = {
    "youden_j": Role.EFFECT_SIZE,
    "f1_score": Role.PROPORTION,
    "balanced_accuracy": Role.PROPORTION,
    "mcc": Role.CORRELATION,
    "cohens_kappa": Role.EFFECT_SIZE,
    "ppv_adjusted": Role.PROPORTION,
    "npv_adjusted": Role.PROPORTION,
}


def _cells(
    counts: tuple[int | None, ...], actual: Any, predicted: Any, positive: Any
) -> tuple[int, int, int, int]:
    names = ("true_positive", "false_negative", "true_negative", "false_positive")
    if actual is not None or predicted is not None:
        if any(c is not None for c in counts):
            raise InputError("Give the four counts, or 'actual' and 'predicted', not both.", where="actual")
        if actual is None or predicted is None:
            absent = "actual" if actual is None else "predicted"
            raise InputError(
                f"'{absent}' is needed beside the other list of labels.",
                where=absent,
                code="missing_argument",
            )
        return _from_labels(actual, predicted, positive)
    for name, value in zip(names, counts, strict=True):
        if value is None:
            raise InputError(
                f"Argument '{name}' is needed: give the four counts, or 'actual' and 'predicted'.",
                hint="Send 0 when there were none.",
                where=name,
                code="missing_argument",
            )
    tp, fn, tn, fp = (int(c) for c in counts if c is not None)
    if not 0 < tp + fn + tn + fp <= _MOST:
        raise InputError(
            "The four counts must add up to a positive total that a double holds exactly.",
            where="true_positive",
            code="out_of_range",
        )
    return tp, fn, tn, fp


def _from_labels(actual: Any, predicted: Any, positive: Any) -> tuple[int, int, int, int]:
    truth, given = [label_text(v) for v in actual], [label_text(v) for v in predicted]
    labels = list(count_labels(actual) | count_labels(predicted))
    if len(labels) > 2:
        raise InputError(
            f"'actual' and 'predicted' hold {len(labels)} classes ({', '.join(labels[:5])}); two are needed.",
            where="actual",
            code="shape",
        )
    if positive is None:
        known = [
            label
            for label in labels
            if label.casefold() in ("1", "true", "yes", "positive", "pos", "diseased")
        ]
        if len(known) != 1:
            raise InputError(
                f"Which label means positive? The labels are: {', '.join(labels)}.",
                hint="Send it as 'positive'.",
                where="positive",
                code="missing_argument",
            )
        chosen = known[0]
    else:
        chosen = label_text(positive)
        if chosen not in labels:
            raise InputError(
                f"The label '{chosen}' occurs in neither list; there are: {', '.join(labels)}.",
                where="positive",
            )
    cells = [0, 0, 0, 0]
    for t, g in zip(truth, given, strict=True):
        cells[(0 if g == chosen else 1) if t == chosen else (3 if g == chosen else 2)] += 1
    return cells[0], cells[1], cells[2], cells[3]


def _proportion(name: str, k: int, m: int, level: float) -> Estimate:
    low, high = wilson_bounds(k, m, level)
    exact_low, exact_high = clopper_pearson(k, m, level)
    shared: dict[str, Any] = {"name": name, "estimate": k / m, "conf_level": level, "n": m}
    exact = Estimate(
        method="Clopper–Pearson interval",
        conf_low=exact_low,
        conf_high=exact_high,
        conf_method="exact",
        **shared,
    )
    return Estimate(
        method="Wilson score interval",
        conf_low=low,
        conf_high=high,
        conf_method="Wilson",
        also={"clopper_pearson": exact},
        **shared,
    )


def _comparisons(tp: int, fn: int, tn: int, fp: int, level: float) -> dict[str, EffectSize]:
    """Measures that compare the diseased with the healthy; undefined without one of these groups."""
    names = {
        "positive_likelihood_ratio": "LR+ (sensitivity / (1 − specificity))",
        "negative_likelihood_ratio": "LR− ((1 − sensitivity) / specificity)",
        "diagnostic_odds_ratio": "diagnostic odds ratio",
        "youden_j": "Youden's J",
        "mcc": "Matthews correlation coefficient",
    }
    if tp + fn == 0 or tn + fp == 0:
        reason = _EMPTY["sensitivity" if tp + fn == 0 else "specificity"]
        return {key: EffectSize(name=name, undefined={"estimate": reason}) for key, name in names.items()}
    upper = two_by_two_effects(tp, fn, fp, tn, level)
    lower = two_by_two_effects(fn, tp, tn, fp, level)
    found = {
        "positive_likelihood_ratio": upper["risk_ratio"],
        "negative_likelihood_ratio": lower["risk_ratio"],
        "diagnostic_odds_ratio": upper["odds_ratio"],
        "youden_j": upper["risk_difference"],
        "mcc": upper["phi"],
    }
    return {key: replace(found[key], name=name) for key, name in names.items()}


def _add_agreement(
    values: dict[str, Any],
    undefined: dict[str, str],
    intervals: dict[str, Any],
    cells: tuple[int, int, int, int],
    level: float,
) -> None:
    """F1, balanced accuracy and kappa, with intervals where they have one."""
    tp, fn, _, fp = cells
    errors = fp + fn
    if tp + errors:
        values["f1_score"] = 2 * tp / (2 * tp + errors)
        low, high = (2 * b / (1 + b) for b in wilson_bounds(tp, tp + errors, level))
        intervals["f1_score"] = EffectSize(
            name="F1 score",
            estimate=values["f1_score"],
            conf_low=low,
            conf_high=high,
            conf_level=level,
            conf_method="Wilson interval of TP/(TP + FP + FN), transformed",
        )
    else:
        values["f1_score"], undefined["f1_score"] = None, "no case is positive or was tested positive"
    if values["sensitivity"] is None or values["specificity"] is None:
        values["balanced_accuracy"] = None
        undefined["balanced_accuracy"] = "sensitivity or specificity is undefined"
    else:
        values["balanced_accuracy"] = (values["sensitivity"] + values["specificity"]) / 2
    kappa = _kappa(cells, level)
    values["cohens_kappa"] = kappa.estimate
    intervals["cohens_kappa"] = kappa
    if kappa.estimate is None:
        undefined["cohens_kappa"] = kappa.undefined["estimate"]


def _kappa(cells: tuple[int, int, int, int], level: float) -> EffectSize:
    """Cohen's kappa of test and truth with the large-sample error of Fleiss, Cohen and Everitt (1969)."""
    tp, fn, tn, fp = cells
    n = sum(cells)
    chance2 = (tp + fn) * (tp + fp) + (tn + fp) * (tn + fn)
    if chance2 == n * n:
        return EffectSize(
            name="Cohen's κ",
            undefined={"estimate": "test and truth are constant, so chance agreement is complete"},
        )
    kappa = (n * (tp + tn) - chance2) / (n * n - chance2)
    chance = chance2 / n**2
    p = [[tp / n, fn / n], [fp / n, tn / n]]
    rows = [sum(r) for r in p]
    columns = [p[0][j] + p[1][j] for j in range(2)]
    spread = sum(p[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in range(2))
    spread += (1 - kappa) ** 2 * sum(p[i][1 - i] * (columns[i] + rows[1 - i]) ** 2 for i in range(2))
    spread -= (kappa - chance * (1 - kappa)) ** 2
    error = math.sqrt(max(0.0, spread) / n) / (1 - chance)
    reach = norm_isf((1 - level) / 2) * error
    return EffectSize(
        name="Cohen's κ",
        estimate=kappa,
        std_error=error,
        conf_low=max(-1.0, kappa - reach),
        conf_high=min(1.0, kappa + reach),
        conf_level=level,
        conf_method="normal, large-sample standard error, kept within −1 to 1",
    )


def _add_adjusted(values: dict[str, Any], undefined: dict[str, str], prevalence: float) -> None:
    """Predictive values at another prevalence, by Bayes' rule."""
    sensitivity, specificity = values["sensitivity"], values["specificity"]
    for name in ("ppv_adjusted", "npv_adjusted"):
        values[name] = None
        undefined[name] = "sensitivity or specificity is undefined"
    if sensitivity is None or specificity is None:
        return
    hits, alarms = sensitivity * prevalence, (1 - specificity) * (1 - prevalence)
    misses, clears = (1 - sensitivity) * prevalence, specificity * (1 - prevalence)
    for name, part, whole in (
        ("ppv_adjusted", hits, hits + alarms),
        ("npv_adjusted", clears, clears + misses),
    ):
        if whole > 0:
            values[name] = part / whole
            del undefined[name]
        else:
            undefined[name] = "no case would be tested that way"
