"""The roles a number can play in a result, and the key names that carry them: the one vocabulary of the house.

A *role* says what a number is (a p value, a mean, a count). The result shapes bind each of their fields to
a role; the guardrail uses the same table to tell a mean from a standard deviation in any nested JSON; output
uses it to format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

__all__ = ["ROLE_BOUNDS", "FieldRole", "Role", "role_of_key"]


class Role(StrEnum):
    """What a number is."""

    P_VALUE = "p value"
    STATISTIC = "test statistic"
    DF = "degrees of freedom"
    ESTIMATE = "estimate"
    STD_ERROR = "standard error"
    CONF_BOUND = "confidence bound"
    CONF_LEVEL = "confidence level"
    ALPHA = "significance level"
    EFFECT_SIZE = "effect size"
    CORRELATION = "correlation"
    COUNT = "count"
    MEAN = "mean"
    MEDIAN = "median"
    MODE = "mode"
    STD_DEV = "standard deviation"
    VARIANCE = "variance"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    QUANTILE = "quantile"
    RANGE = "range"
    SHAPE = "shape"
    PROPORTION = "proportion"
    PERCENT = "percentage"
    PROBABILITY = "probability"
    RATIO = "ratio"
    COEFFICIENT = "coefficient"
    INTERCEPT = "intercept"
    DETERMINATION = "coefficient of determination"
    SUM_OF_SQUARES = "sum of squares"
    MEAN_SQUARE = "mean square"
    RESIDUAL = "residual"
    INFORMATION = "information criterion"
    LIKELIHOOD = "log likelihood"
    BAYES_FACTOR = "Bayes factor"
    POWER = "power"
    RANK = "rank"
    WEIGHT = "weight"
    DISTANCE = "distance"
    TIME = "time"
    INDEX = "index"
    PARAMETER = "parameter"
    SEED = "seed"
    VALUE = "value"

    @property
    def called(self) -> str:
        """With its article: 'an effect size', 'a count'."""
        return f"{'an' if self.value[0] in 'aeiou' else 'a'} {self.value}"


# Closed bounds that hold whatever the data; a result type enforces them.
ROLE_BOUNDS: dict[Role, tuple[float, float]] = {
    Role.P_VALUE: (0.0, 1.0),
    Role.CORRELATION: (-1.0, 1.0),
    Role.PROPORTION: (0.0, 1.0),
    Role.PROBABILITY: (0.0, 1.0),
    Role.CONF_LEVEL: (0.0, 1.0),
    Role.ALPHA: (0.0, 1.0),
    Role.POWER: (0.0, 1.0),
    Role.COUNT: (0.0, float("inf")),
    Role.DF: (0.0, float("inf")),
    Role.STD_DEV: (0.0, float("inf")),
    Role.VARIANCE: (0.0, float("inf")),
    Role.STD_ERROR: (0.0, float("inf")),
    Role.SUM_OF_SQUARES: (0.0, float("inf")),
    Role.MEAN_SQUARE: (0.0, float("inf")),
}


@dataclass(frozen=True, slots=True)
class FieldRole:
    """The role bound to a field, with the symbol a paper would print."""

    role: Role
    symbol: str = ""


# Exact key names (lower case) of our own results and of the common spellings of other software.
_KEYS: dict[Role, str] = {
    Role.P_VALUE: (
        "p_value p pvalue pval p_val p_unc p_corr p_adj p_adjusted p_value_adjusted sig "
        "significance pr_gt_f p_two_sided p_one_sided p_exact p_asymptotic p_permutation p_holm "
        "p_bonferroni asymp_sig pr pr(>f) pr(>|t|) pr(>|z|) pr(>chisq) prob_f"
    ),
    Role.STATISTIC: (
        "statistic t f u w h q z chi2 chi_square chi_squared x2 t_statistic t_stat f_statistic "
        "f_stat z_score u_statistic w_statistic h_statistic test_statistic tstat fstat chisq "
        "ks_statistic d_statistic g wald t_value f_value z_value fvalue tvalue zvalue fval tval zval "
        "stat lambda_wilks pillai_trace "
        "hotelling_lawley roy_root durbin_watson"
    ),
    Role.DF: (
        "df dof df1 df2 df_between df_within df_error df_num df_denom df_resid df_model ddof1 ddof2 "
        "degrees_of_freedom"
    ),
    Role.ESTIMATE: (
        "estimate est point_estimate mean_difference mean_diff difference diff md hodges_lehmann "
        "bias cronbach_alpha standardized_alpha alpha_if_dropped"
    ),
    Role.STD_ERROR: "erreur_type standardfehler std_error se sem standard_error stderr std_err bse robust_se se_mean",
    Role.CONF_BOUND: (
        "conf_low conf_high ci_low ci_high ci_lower ci_upper lower upper lo hi lower_ci upper_ci ci "
        "confidence_interval conf_int ci95 ci_95 interval lcl ucl lwr upr lower_bound upper_bound "
        "ic ic95 ic_95 ki ki95 ki_95 loa_lower loa_upper ci95_low ci95_high prediction_low prediction_high pi_low pi_high "
        "hdi_low hdi_high eti_low eti_high hdi hpd eti cri credible_interval"
    ),
    Role.CONF_LEVEL: "conf_level confidence_level confidence level cred_level ci_level",
    Role.ALPHA: "alpha significance_level",
    Role.EFFECT_SIZE: (
        "effect_size cohens_d cohen_d d cohens_dz cohens_ds dz d_z hedges_g glass_delta eta_squared "
        "eta2 partial_eta_squared partial_eta_sq np2 omega_squared omega2 epsilon_squared cohens_f "
        "cohens_f2 cohens_h cohens_w f2 cramers_v cramer_v v phi rank_biserial "
        "rank_biserial_correlation cliffs_delta common_language cles vargha_delaney_a kendalls_w"
    ),
    Role.CORRELATION: (
        "r rho tau pearson_r r_s spearman_rho kendall_tau correlation corr multiple_r r_squared_signed"
    ),
    Role.COUNT: (
        "n n_total ntotal n_obs nobs count n_missing n_groups n1 n2 k size sample_size n_valid "
        "n_pairs n_ties n_zeros n_dropped n_events events n_at_risk frequency observed n_per_group "
        "total_n n_subjects n_unique n_levels n_outliers"
    ),
    Role.MEAN: (
        "moyenne mittelwert mean average avg mean_x mean_y grand_mean mean_a mean_b m trimmed_mean geometric_mean "
        "harmonic_mean winsorised_mean power_mean"
    ),
    Role.MEDIAN: "mediane médiane median med mdn md50 q2 p50 pseudomedian median_survival",
    Role.MODE: "mode modes",
    Role.STD_DEV: (
        "ecart_type écart_type standardabweichung "
        "std_dev sd std stdev standard_deviation sd_diff pooled_sd residual_sd field_sd sigma mad rmse"
    ),
    Role.VARIANCE: "variance var sigma2 tau2 residual_variance",
    Role.MINIMUM: "minimum min shortest smallest lowest",
    Role.MAXIMUM: "maximum max longest largest highest",
    Role.QUANTILE: "q1 q3 p25 p75 quantile percentile quartile lower_quartile upper_quartile",
    Role.RANGE: "range iqr interquartile_range",
    Role.SHAPE: "skewness kurtosis skew excess_kurtosis cv coefficient_of_variation",
    Role.PROPORTION: (
        "variance_explained explained_variance explained_variance_ratio explained "
        "cumulative_variance proportion prop relative_frequency cumulative_proportion share rate "
        "fraction prevalence sensitivity specificity ppv npv accuracy"
    ),
    Role.PERCENT: "percent percentage pct i2_percent cumulative_percent",
    Role.PROBABILITY: "probability prob posterior prior survival hazard membership belief plausibility",
    Role.RATIO: (
        "fold_change fold ratio odds_ratio or risk_ratio rr hazard_ratio hr irr rate_ratio variance_ratio vif tolerance"
    ),
    Role.COEFFICIENT: "coefficient coef slope beta b coefficients std_beta",
    Role.INTERCEPT: "intercept const constant",
    Role.DETERMINATION: (
        "r_squared r2 rsquared rsq r_sq adj_r_squared adj_r2 r_squared_adj adjusted_r_squared pseudo_r2"
    ),
    Role.SUM_OF_SQUARES: "sum_sq ss sum_of_squares ss_between ss_within ss_total rss tss",
    Role.MEAN_SQUARE: "mean_sq ms mean_square mse ms_between ms_within",
    Role.RESIDUAL: "residual residuals studentized_residual standardized_residual",
    Role.INFORMATION: "aic bic aicc dic waic",
    Role.LIKELIHOOD: "log_likelihood loglik llf log_lik deviance",
    Role.BAYES_FACTOR: "bayes_factor bf bf10 bf01 log10_bf10",
    Role.POWER: "power",
    Role.DISTANCE: "cooks_d cook_d cooks_distance distance mahalanobis leverage dffits",
    Role.SEED: "seed",
}
# Heads that decide what a longer key is, whatever follows: `sd_difference` is a standard deviation.
_HEADS = frozenset({"se", "sd", "std", "sem", "var", "n", "num", "min", "max", "corr", "cor"})
_QUANTILE_KEY = re.compile(r"[qp]\d{2}\Z")
# Tails that make a bound of whatever they follow: `hr_low`.
_BOUND_TAILS = frozenset(
    {"low", "high", "lwr", "upr", "lo", "hi", "lower", "upper", "ll", "ul", "lb", "ub", "lcl", "ucl"}
)
# Chances of a thing, no p values of a test.
_SHARES = frozenset(
    {
        "p_bar",
        "p_hat",
        "p_pooled",
        "p_pool",
        "p_correct",
        "p_success",
        "p_hit",
        "p_yes",
        "p_pass",
        "p_win",
        "p_event",
        "p_response",
        "p_heads",
        "p_true",
    }
)
# Measures of a fit, whatever is done with them over folds or models: `rmse_mean` is an error, no mean.
_FIT_MEASURES = frozenset({"rmse", "mae", "mse", "auc", "r2", "brier", "accuracy", "loglik", "aic", "bic"})
# Values at risk, not variances; the probability stands behind.
_AT_RISK = re.compile(r"c?var_?9\d(?:_?\d)?\Z")
_SIZED = re.compile(r"n\d+\Z")
_CHANCES = ("p_gt", "p_lt", "p_over", "p_above", "p_below", "p_under", "p_exceed", "p_at_least", "p_within")
_ROLE_OF_KEY: dict[str, Role] = {key: role for role, keys in _KEYS.items() for key in keys.split()}
_LONGEST_NAME = 200  # what is longer is a text in the place of a name


@lru_cache(maxsize=4096)
def role_of_key(key: str) -> Role:
    """The role a key name carries, `Role.VALUE` when it says nothing.

    The whole key decides first, then its longest known tail and head (`tree_height_mean` is a mean,
    `p_value_holm` a p value).
    """
    if len(key) > _LONGEST_NAME:
        return Role.VALUE
    name = key.strip().casefold().replace("-", "_").replace(" ", "_")
    if name in _ROLE_OF_KEY:
        return _ROLE_OF_KEY[name]
    if _QUANTILE_KEY.match(name):
        return Role.MEDIAN if name[1:] == "50" else Role.QUANTILE
    if name.endswith("s") and name[:-1] in _ROLE_OF_KEY:
        return _ROLE_OF_KEY[name[:-1]]
    if name in {"p0", "p1", "p2", "p_0", "p_1", "p_2"}:
        return Role.PROPORTION  # the rates a design compares
    if _AT_RISK.match(name):
        return Role.VALUE
    head, at, _ = name.partition("_at_")
    if at and role_of_key(head) is not Role.VALUE:
        return role_of_key(head)  # `power_at_n` holds powers
    if name.startswith(("var_9", "var9")):
        return Role.VALUE  # a value at risk
    if name.startswith(_CHANCES):
        return Role.PROPORTION
    if name in _SHARES or name.startswith(("p_bar", "p_hat", "pbar", "phat")):
        return Role.PROPORTION
    parts = [part if part in _ROLE_OF_KEY else part.strip("0123456789%") or part for part in name.split("_")]
    if not {"p", "pval", "pvalue"}.isdisjoint(parts):
        return Role.P_VALUE
    if parts[-1] in _BOUND_TAILS and len(parts) > 1 and role_of_key("_".join(parts[:-1])) is not Role.VALUE:
        return Role.CONF_BOUND
    if parts[0] in _FIT_MEASURES and parts[1:] == ["mean"]:
        return _ROLE_OF_KEY.get(parts[0], Role.VALUE)
    behind = "_".join(parts[:-1])
    # `mean_wait_min` counts minutes, and `power_n16` is a power.
    counts_what = len(parts) > 1 and (parts[-1] == "min" or _SIZED.match(name.rsplit("_", 1)[-1]))
    if counts_what and role_of_key(behind) is not Role.VALUE:
        return role_of_key(behind)
    if parts[0] in _HEADS and len(parts) > 1:
        return _ROLE_OF_KEY[parts[0]]
    for cut in range(1, len(parts)):
        tail = "_".join(parts[cut:])
        if (
            tail in {"t", "z"}
            and name[-1] == tail
            and role_of_key("_".join(parts[:cut])) is not Role.CONF_BOUND
        ):
            return Role.STATISTIC  # `alpha_t`, `fisher_z`
        if len(tail) == 1 and (tail != "n" or name[-1].isdigit()):
            continue  # `recipe_b` is a name, no coefficient, and `power_n16` a power
        if (role := _ROLE_OF_KEY.get(tail) or _ROLE_OF_KEY.get(tail.removesuffix("s"))) is not None:
            return role
    for cut in range(len(parts) - 1, 0, -1):
        head = "_".join(parts[:cut])
        if len(head) == 1 and head not in {"n", "k"}:
            continue
        if (role := _ROLE_OF_KEY.get(head) or _ROLE_OF_KEY.get(head.removesuffix("s"))) is not None:
            return role
    return Role.VALUE
