"""Calls that take other ways through a statistic than its example does: options, larger data, files."""

from __future__ import annotations

from typing import Any

from reproduce.cases import computed
from reproduce.comparing import PENGUINS, ROOT
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
LINE_WEIGHTS = [[1 if abs(i - j) == 1 or i == j == 0 else 0 for j in range(12)] for i in range(12)]
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
    ("machine_learning", {"type": "rf_proxy", "x": [BILL, MASS, "year"], "y": "species", "n_trees": 30}),
    ("machine_learning", {"type": "rf_proxy", "x": [BILL, DEPTH], "y": MASS, "n_trees": 30}),
    ("advanced_modeling", {"type": "ordinal_logistic", "y": "year", "x": [BILL, DEPTH]}),
    ("bayesian_em", {"data": BILL, "k": 3}),
    ("bootstrap", {"data": MASS, "statistic": "median", "n_reps": 500, "conf_level": 0.9}),
    ("sampling_design", {"type": "missing_data", "data": {"columns": [BILL, MASS, "year"]}}),
    ("validity_assessment", {"type": "ave_htmt", "items": {"columns": [BILL, DEPTH, "flipper_length_mm", MASS]},
                             "constructs": list("aabb")}),
    ("correlation", {"method": "matrix", "data": {"columns": [BILL, MASS, "year"]}, "coefficient": "spearman"}),
    ("machine_learning", {"type": "spline", "x": BILL, "y": MASS, "n_knots": 4}),
    ("nlp_symbolic", {"type": "topic_modeling", "x": [BILL, MASS, DEPTH], "k": 2}),
    ("bayesian_em", {"data": "flipper_length_mm", "n_starts": 3}),
    ("signal_processing", {"type": "ica", "x": [BILL, MASS, DEPTH]}),
    ("structured_dynamic", {"type": "hurst", "data": MASS}),
]  # fmt: skip
RATED, RATED_AGAIN = [3, 1, 4, 4, 2, 5, 3, 3, 1, 2], [2, 1, 5, 2, 1, 3, 1, 4, 1, 1]
# Exact p values where ranks are tied, on each side, and approximate ones of the same data.
TIED: list[tuple[str, dict[str, Any]]] = [
    ("nonparametric_test", {"type": kind, "group1": RATED, "group2": second, **more})
    for kind, second in (("wilcoxon", RATED_AGAIN), ("mann_whitney", RATED_AGAIN[:7]), ("ks_2sample", RATED_AGAIN[:7]))
    for more in ({}, {"alternative": "less"}, {"alternative": "greater"}, {"method": "asymptotic"})
] + [
    ("nonparametric_test", {"type": "wilcoxon", "group1": RATED, "mu0": 2}),
    ("nonparametric_test", {"type": "wilcoxon", "group1": RATED, "group2": RATED}),
    ("nonparametric_test", {"type": "mann_whitney", "group1": RATED * 5, "group2": RATED_AGAIN * 4}),
    ("nonparametric_test", {"type": "mann_whitney", "group1": [2, 2, 2], "group2": [2, 2]}),
    ("nonparametric_test", {"type": "ks_2sample", "group1": [2, 2, 2], "group2": [2, 2]}),
    ("correlation", {"method": "kendall", "x": RATED, "y": RATED_AGAIN}),
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
    ("qualitative_analysis", {"themes_per_interview": [5, 4, 4, 3, 2, 3, 2], "base_size": 3}),
    ("spatial_stats", {"type": "morans_i", "x": WAITS, "w": LINE_WEIGHTS, "row_standardize": True, "seed": 4}),
    ("spatial_stats", {"type": "gwr", "y": WAITS, "x": [[v * v - i / 2 for i, v in enumerate(WAITS)]], "bandwidth": 4,
                       "coords": [[i, i * i % 5] for i in range(12)]}),
    ("functional_data", {"x": SCORES}),
    ("time_series", {"type": "dtw", "data": WAITS, "target": AIR[:10], "window": 3}),
    ("structured_dynamic", {"type": "centrality", "adj": [
        [0, 1, 0, 0, 0], [0, 0, 1, 1, 0], [1, 0, 0, 1, 0], [0, 0, 0, 0, 1], [1, 0, 0, 0, 1]]}),
    ("structured_dynamic", {"type": "fractal", "img": [[(i * j + i) % 3 // 2 for j in range(19)] for i in range(11)]}),
    ("complexity_analysis", {"max_size": 500, "seed": 3}),
    ("nlp_symbolic", {"type": "sentiment", "lexicon": {"Good": 2, "don't": 1, "caf\u00e9": 0.5, "bad": -1},
                      "negations": ["never", "not"], "text":
        "I DON'T think it\u2019s good; never bad, never good. Caf\u00e9 caf\u00e9! Nothing was not bad"}),
    ("dempster_shafer", {"evidence1": {"A": 0.6, "B,A": 0.4}, "evidence2": {"B": 0.5, "A,B": 0.5},
                         "frame": ["A", "B", "Z"]}),
    ("fuzzy_logic_analysis", {"operation": "inference", "inputs": {"t": 3, "u": 1}, "rules": [
        {"if": {"t": {"center": 2, "width": 3, "shape": "triangular"}, "u": {"center": 0, "width": 2, "shape": "bell"}},
         "then": {"center": 5, "width": 2, "shape": "trapezoid"}},
        {"if": {"u": {"center": 1, "width": 1, "shape": "sigmoid"}},
         "then": {"center": 9, "width": 1, "shape": "triangular"}}]}),
    ("unconventional_frameworks", {"type": "rough_set", "target": [0, 2, 3, 4],
                                   "features": [["a", 1], ["a", 2], ["a", 1], ["b", 1], [None, 1], [None, 1]]}),
    ("non_classical_prob", {"type": "bell_test", "correlations": [0.68, -0.71, 0.69, 0.72], "n": [50]}),
    ("non_classical_prob", {"type": "choquet", "v1": [-0.5, 2, 1], "capacity": {
        "x1": 0.2, "x2": 0.3, "x3": 0.1, "x2, x3": 0.5, "x1,x2,x3": 1}}),
    ("non_classical_prob", {"type": "tropical_eigenvalue", "matrix": [[None, 2, 1], [3, None, 4], [None, None, 0.5]]}),
    ("representation_stats", {"type": "interval_overlap", "interval_a": [0, 2], "interval_b": [2, 3]}),
    ("algebraic_stats", {"type": "padic", "n": -9007199254740990, "p": 7}),
    ("algebraic_stats", {"type": "modular", "a": -9007199254740881, "modulus": 9007199254740880, "exponent": 12345}),
    ("algebraic_stats", {"type": "gcd", "a": -240, "b": 46}),
]  # fmt: skip


def of_columns() -> Workspace:
    """Calls that name columns of a file."""
    return computed(Workspace(str(PENGUINS)), COLUMNS)


def inline() -> Workspace:
    """Calls that bring their data."""
    return computed(Workspace(), INLINE)


def tied() -> Workspace:
    """Tests of ranks with ties; the first is the file of the examples."""
    workspace = Workspace(str(ROOT / "examples" / "sleep.csv"))
    names = {"group1": "extra_sleep_drug_1_h", "group2": "extra_sleep_drug_2_h"}
    return computed(workspace, [("nonparametric_test", {"type": "wilcoxon", **names}), *TIED])
