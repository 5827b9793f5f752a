"""Calls that take other ways through a statistic than its example does: options, larger data, files."""

from __future__ import annotations

from typing import Any

from reproduce.cases import computed
from reproduce.comparing import PENGUINS
from statistikles.tools.workspace import Workspace

MASS, BILL, DEPTH = "body_mass_g", "bill_length_mm", "bill_depth_mm"
AIR = [
    112,
    118,
    132,
    129,
    121,
    135,
    148,
    148,
    136,
    119,
    104,
    118,
    115,
    126,
    141,
    135,
    125,
    149,
    170,
    170,
    158,
]
FALLS = [0, 1, 3, 2, 9, 4, 0, 5, 12, 1]
WAITS = [0.8, 1.9, 2.4, 3.1, 0.5, 1.2, 4.4, 2.2, 1.7, 2.9, 0.9, 3.6]
APART = [[0, 3, 4, 7, 8, 9, 3, 5], [3, 0, 2, 6, 7, 8, 4, 5], [4, 2, 0, 5, 6, 7, 3, 6], [7, 6, 5, 0, 2, 3, 6, 2],
         [8, 7, 6, 2, 0, 2, 7, 3], [9, 8, 7, 3, 2, 0, 8, 4], [3, 4, 3, 6, 7, 8, 0, 5], [5, 5, 6, 2, 3, 4, 5, 0]]  # fmt: skip
LINE = [[abs(i - j) + (i * j) % 3 / 4 if i != j else 0 for j in range(18)] for i in range(18)]
SCORES = [[3, 4, 2, 5, 3], [2, 1, 3, 2, 4], [5, 4, 4, 3, 4], [3, 2, 4, 3, 2], [1, 3, 2, 2, 3], [4, 5, 3, 4, 5],
          [2, 2, 3, 4, 1], [4, 3, 5, 3, 4], [3, 4, 3, 2, 2], [5, 3, 4, 5, 4], [2, 3, 1, 3, 3], [4, 4, 5, 3, 5],
          [1, 2, 2, 3, 2], [3, 3, 4, 4, 3], [5, 4, 5, 4, 3], [2, 4, 2, 3, 4]]  # fmt: skip

# Of the penguins.
COLUMNS: list[tuple[str, dict[str, Any]]] = [
    ("bootstrap", {"data": MASS, "statistic": "trimmed_mean", "n_reps": 500, "seed": 7, "alternative": "less"}),
    ("bootstrap", {"data": BILL, "y": DEPTH, "statistic": "correlation", "n_reps": 500}),
    ("nonlinear_regression", {"formula": "a*exp(b*x/100)", "data": {"x": BILL, "mass": MASS}, "response": "mass",
                              "start": {"a": 1000, "b": 1}}),
    ("advanced_modeling", {"type": "mixed_effects", "y": MASS, "x": [BILL, DEPTH], "group_ids": "species"}),
    ("advanced_modeling", {"type": "ordinal_logistic", "y": "year", "x": [BILL, MASS], "levels": ["2007", "2008", "2009"]}),
    ("mle_fit", {"data": MASS, "distribution": "gamma"}),
    ("robust_stats", {"type": "mahalanobis", "x": [BILL, MASS]}),
    ("robust_stats", {"type": "huber", "x": [BILL, DEPTH], "y": MASS}),
    ("robust_stats", {"type": "ransac", "x": [BILL], "y": MASS, "n_trials": 200}),
    ("causal_inference", {"type": "iv", "y": "flipper_length_mm", "x": [MASS], "z": [BILL, DEPTH], "controls": ["year"]}),
    ("causal_inference", {"type": "rdd", "y": MASS, "x": "flipper_length_mm", "threshold": 200}),
    ("path_analysis", {"data": {"b": BILL, "d": DEPTH, "f": "flipper_length_mm", "m": MASS}, "n_reps": 200,
                       "model_spec": [["m", ["f", "b"]], ["f", ["b", "d"]]]}),
    ("pre_suite", {"x": "species", "y": "year"}),
]  # fmt: skip
# With their data in the call.
INLINE: list[tuple[str, dict[str, Any]]] = [
    ("bootstrap", {"data": WAITS, "statistic": "kurtosis", "n_reps": 300}),
    ("advanced_modeling", {"type": "mixed_effects", "y": [1, 2, 3, 4, 2, 3, 1, 4], "group_ids": list("aabbccdd")}),
    *(("mle_fit", {"data": WAITS, "distribution": d}) for d in (
        "normal", "lognormal", "exponential", "weibull", "uniform", "laplace", "logistic", "gumbel", "pareto", "rayleigh",
        "inverse_gaussian")),
    *(("mle_fit", {"data": FALLS, "distribution": d}) for d in ("poisson", "geometric", "negative_binomial")),
    ("mle_fit", {"data": [0.1, 0.3, 0.35, 0.6, 0.22, 0.8, 0.5], "distribution": "beta"}),
    ("mle_fit", {"data": [0, 1, 1, 1, 0, 1, 1], "distribution": "bernoulli"}),
    ("time_series", {"type": "adf", "data": AIR, "trend": "ct"}),
    ("time_series", {"type": "adf", "data": AIR, "trend": "n", "max_lag": 2, "autolag": False}),
    ("time_series", {"type": "kpss", "data": AIR, "trend": "ct", "max_lag": 3}),
    ("time_series", {"type": "stl", "data": AIR, "period": 4, "robust": True}),
    ("measurement_analysis", {"type": "omega", "items": SCORES}),
    ("measurement_analysis", {"type": "item_analysis", "items": SCORES, "max_score": 5, "group_fraction": 0.3}),
    ("sampling_design", {"type": "missing_data", "data": {
        "bill": [v if i % 7 else None for i, v in enumerate(WAITS * 3)],
        "mass": [(v * v + i % 5 if i % 5 else None) for i, v in enumerate(WAITS * 3)],
        "age": [v + (i * i) % 11 for i, v in enumerate(WAITS * 3)]}}),
    ("permanova", {"distance_matrix": APART, "interaction": True,
                   "factors": {"site": list("xxxyyyxy"), "year": list("pqpqpqqq")}}),
    ("permanova", {"distance_matrix": LINE, "group_labels": list("aaabbbccc" * 2), "n_permutations": 199, "seed": 5}),
    ("causal_inference", {"type": "did", "y": [10.2, 11.1, 9.8, 12.0, 14.9, 16.2, 15.1, 15.8, 9.0, 10.3, 9.6, 10.9],
                          "treat": [1] * 8 + [0] * 4, "post": [0] * 4 + [1] * 4 + [0, 0, 1, 1],
                          "cluster": list("abcdabcdefgh")}),
    ("path_analysis", {"data": {"a": WAITS, "b": [v * v + i for i, v in enumerate(WAITS)], "c": list(range(12))},
                       "model_spec": ["b ~ a", "c ~ a + b"], "n_reps": 100}),
    ("validity_assessment", {"type": "ave_htmt", "items": SCORES, "constructs": ["one"] * 3 + ["two"] * 2}),
    ("validity_assessment", {"type": "cvi", "ratings_matrix": SCORES, "cutoff": 4}),
]  # fmt: skip


def of_columns() -> Workspace:
    """Calls that name columns of a file."""
    return computed(Workspace(str(PENGUINS)), COLUMNS)


def inline() -> Workspace:
    """Calls that bring their data."""
    return computed(Workspace(), INLINE)
