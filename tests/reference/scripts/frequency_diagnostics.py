"""Reference values of frequency tables and diagnostic accuracy, from pandas, scikit-learn and statsmodels.

Run in tests/reference: python scripts/frequency_diagnostics.py
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pandas as pd
import sklearn
import statsmodels
from _write import Cases
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

Z = 1.959963984540054  # scipy.stats.norm.ppf(0.975)


def frequency(cases: Cases, case_id: str, data: Any, tokens: list[Any], **more: Any) -> None:
    """Counts by pandas, intervals by statsmodels."""
    counts = pd.Series(tokens).dropna().value_counts()
    table = sorted(counts.items(), key=lambda e: (-e[1], e[0]))
    if more.get("order") == "value":
        table.sort(key=lambda e: e[0])
    n = int(counts.sum())
    expect: dict[str, Any] = {"n": n, "details.n_unique": len(table), "details.mode_count": int(counts.max())}
    modes = sorted(v for v, c in counts.items() if c == counts.max())
    for i, mode in enumerate(modes):
        expect[f"details.modes.{i}"] = mode
    running = 0
    for i, (value, count) in enumerate(table):
        running += int(count)
        low, high = proportion_confint(count, n, method="wilson")
        expect |= {
            f"rows.{i}.value": value,
            f"rows.{i}.count": int(count),
            f"rows.{i}.proportion": count / n,
            f"rows.{i}.cumulative_proportion": running / n,
            f"rows.{i}.conf_low": float(low),
            f"rows.{i}.conf_high": float(high),
        }
    if None in tokens:
        expect["n_missing"] = sum(t is None for t in tokens)
    cases.add(
        case_id,
        {"data": data, **more},
        expect,
        "pandas.Series(data).value_counts(); statsmodels proportion_confint(method='wilson')",
    )


def diagnostic(cases: Cases, case_id: str, tp: int, fn: int, tn: int, fp: int, labels: bool = False) -> None:
    """Scores by scikit-learn, intervals and kappa by statsmodels."""
    actual = [1] * (tp + fn) + [0] * (tn + fp)
    predicted = [1] * tp + [0] * fn + [0] * tn + [1] * fp
    kappa = cohens_kappa(np.array([[tp, fn], [fp, tn]]))
    sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
    expect: dict[str, Any] = {
        "sensitivity": metrics.recall_score(actual, predicted),
        "specificity": metrics.recall_score(actual, predicted, pos_label=0),
        "ppv": metrics.precision_score(actual, predicted),
        "npv": metrics.precision_score(actual, predicted, pos_label=0),
        "accuracy": metrics.accuracy_score(actual, predicted),
        "balanced_accuracy": metrics.balanced_accuracy_score(actual, predicted),
        "f1_score": metrics.f1_score(actual, predicted),
        "mcc": metrics.matthews_corrcoef(actual, predicted),
        "cohens_kappa": metrics.cohen_kappa_score(actual, predicted),
        "intervals.cohens_kappa.std_error": float(kappa.std_kappa),
        "youden_j": sensitivity + specificity - 1,
        "positive_likelihood_ratio": sensitivity / (1 - specificity),
        "negative_likelihood_ratio": (1 - sensitivity) / specificity,
        "diagnostic_odds_ratio": tp * tn / (fp * fn),
    }
    for name, k, m in (
        ("sensitivity", tp, tp + fn),
        ("specificity", tn, tn + fp),
        ("ppv", tp, tp + fp),
        ("npv", tn, tn + fn),
        ("accuracy", tp + tn, tp + fn + tn + fp),
    ):
        low, high = proportion_confint(k, m, method="wilson")
        exact_low, exact_high = proportion_confint(k, m, method="beta")
        expect[f"intervals.{name}.conf_low"] = float(low)
        expect[f"intervals.{name}.conf_high"] = float(high)
        expect[f"intervals.{name}.also.clopper_pearson.conf_low"] = float(exact_low)
        expect[f"intervals.{name}.also.clopper_pearson.conf_high"] = float(exact_high)
    low, high = confint_proportions_2indep(tp, tp + fn, fp, fp + tn, method="newcomb", compare="diff")
    expect["intervals.youden_j.conf_low"], expect["intervals.youden_j.conf_high"] = float(low), float(high)
    low, high = confint_proportions_2indep(tp, tp + fn, fp, fp + tn, method="log", compare="ratio")
    expect["intervals.positive_likelihood_ratio.conf_low"] = float(low)
    expect["intervals.positive_likelihood_ratio.conf_high"] = float(high)
    error = math.sqrt(1 / tp + 1 / fn + 1 / tn + 1 / fp)
    expect["intervals.diagnostic_odds_ratio.conf_high"] = tp * tn / (fp * fn) * math.exp(Z * error)
    arguments: dict[str, Any] = {
        "true_positive": tp, "false_negative": fn, "true_negative": tn, "false_positive": fp
    }  # fmt: skip
    if labels:
        arguments = {"actual": [*actual, None, 1], "predicted": [*predicted, 1, None]}
        expect["n_missing"] = 2
    cases.add(
        case_id,
        arguments,
        expect,
        "sklearn.metrics on the expanded cases; statsmodels proportion_confint, confint_proportions_2indep, cohens_kappa",
    )


def main() -> None:
    """Write both files."""
    cases = Cases(
        "frequency_analysis", "pandas and statsmodels", f"{pd.__version__} and {statsmodels.__version__}"
    )
    words = "the cat sat on the mat and the dog sat on the cat"
    frequency(
        cases,
        "labels-with-missing",
        ["b", "a", None, "b", "c", "a", "b"],
        ["b", "a", None, "b", "c", "a", "b"],
    )
    frequency(cases, "numbers-tied-modes", [3, 1, 2, 3, 1, 5], [3, 1, 2, 3, 1, 5])
    frequency(cases, "by-value", [10, 2, 2, 33, 10, 10], [10, 2, 2, 33, 10, 10], order="value")
    frequency(cases, "words-of-a-text", words.title() + ".", re.findall(r"\w+", words))
    frequency(cases, "characters", "Abba cab", list("abbacab"), unit="characters")
    cases.refuse(
        "empty-text", {"data": " ... "}, "too_few_values", "pandas.Series([]).value_counts() is empty"
    )
    cases.write()

    cases = Cases(
        "diagnostic_metrics",
        "scikit-learn and statsmodels",
        f"{sklearn.__version__} and {statsmodels.__version__}",
    )
    diagnostic(cases, "screening", 90, 10, 160, 40)
    diagnostic(cases, "rare-disease", 18, 2, 9700, 280)
    diagnostic(cases, "worse-than-chance", 4, 11, 6, 13)
    diagnostic(cases, "labels-with-missing", 7, 3, 12, 2, labels=True)
    cases.refuse(
        "nothing-counted",
        {"true_positive": 0, "false_negative": 0, "true_negative": 0, "false_positive": 0},
        "out_of_range",
        "every measure is 0/0",
    )
    cases.write()


if __name__ == "__main__":
    main()
