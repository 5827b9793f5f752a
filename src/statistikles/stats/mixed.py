"""Linear mixed model with a random intercept: restricted maximum likelihood, with maximum likelihood beside."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, ColumnSet, FloatArray, Labels, NameList, Vector
from statistikles.registry.declare import statistic
from statistikles.results import EffectSize, Fit, Quantity, Role, SignificanceTest, Term
from statistikles.stats._columns import column_names, fit_or_none, group_index, refuse_constant
from statistikles.stats._distributions import chi2_isf, chi2_sf, norm_isf, p_normal, p_t, t_isf
from statistikles.stats._least_squares import linear_least_squares
from statistikles.stats._random_intercept import Point, Profile, fit_ratio, ratio_interval

__all__ = ["mixed_effects"]

_EFFECT_LIMIT = 2000
_CONVENTIONS = (
    "REML leads; maximum likelihood in `also`",
    "fixed effects: t with Satterthwaite degrees of freedom",
    "the overall χ² compares maximum-likelihood fits with and without the predictors",
    "the random intercept is tested by the REML likelihood ratio, a 50:50 mixture of χ²(0) and χ²(1)",
    "the interval of the ICC is by profile REML likelihood",
    "AIC and BIC count the variance components; BIC uses the number of rows",
)

Response = Annotated[FloatArray, Vector(min_n=4)]
Predictors = Annotated[FloatArray, ColumnSet(min_n=4)]
PredictorNames = Annotated[tuple[str, ...], NameList(of=("x",))]


@statistic(
    tool="advanced_modeling",
    subtype="mixed_effects",
    title="Linear mixed model with a random intercept",
    use_when="a numeric outcome was measured several times within groups (subjects, schools, sites)",
    utterances=(
        "mixed model with random intercept per subject",
        "repeated measures within patients",
        "multilevel regression, pupils within schools",
        "hierarchical linear model",
        "intraclass correlation of a mixed model",
    ),
    refs=(
        "Laird & Ware 1982, doi:10.2307/2529876",
        "Patterson & Thompson 1971, doi:10.1093/biomet/58.3.545",
        "Satterthwaite 1946, doi:10.2307/3002019",
        "Nakagawa & Schielzeth 2013, doi:10.1111/j.2041-210x.2012.00261.x",
    ),
    laws=("order_invariant",),
    oracle="statsmodels.regression.mixed_linear_model:MixedLM",
    formula="y = Xβ + b_group + e; b ~ N(0, τ²), e ~ N(0, σ²); ICC = τ²/(τ² + σ²)",
    equivalents={
        "R": "lmerTest::lmer(y ~ x + (1 | group), REML = TRUE)",
        "Python": "statsmodels.api.MixedLM(y, statsmodels.api.add_constant(x), groups=group).fit(reml=True)",
    },
    example={
        "y": [26.0, 25.0, 29.0, 31.0, 21.5, 22.5, 23.0, 26.5, 23.0, 22.5, 24.0, 27.5, 25.5, 27.5, 26.5, 27.0],
        "x": [8, 10, 12, 14, 8, 10, 12, 14, 8, 10, 12, 14, 8, 10, 12, 14],
        "group_ids": ["M1"] * 4 + ["M2"] * 4 + ["M3"] * 4 + ["M4"] * 4,
        "var_names": ["age"],
    },
    aligned=(("y", "x", "group_ids"),),
)
def mixed_effects(
    y: Response,
    group_ids: Labels,
    x: Predictors | None = None,
    *,
    var_names: PredictorNames | None = None,
    alpha: Alpha = 0.05,
) -> Fit:
    """Random-intercept model by REML: fixed effects, variance components, ICC, predicted group effects; ML beside.

    Parameters
    ----------
    y : the outcome.
    group_ids : the group (subject, school, ...) of every row.
    x : predictors, a list of columns; without them the model has an intercept only.
    var_names : names of the predictors in the result.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Fit : fixed effects with Satterthwaite t tests; the random part in `details`; the ML fit in `also`.

    Raises
    ------
    InputError : fewer than two groups, no group with two rows, or too few rows.
    NotDefined : nothing varies within the groups, or predictors are collinear.
    """
    columns = np.zeros((y.size, 0)) if x is None else x
    names = column_names(var_names, columns.shape[1], reserved=("intercept",)) if x is not None else ()
    groups, place = group_index(group_ids)
    _refuse(y, columns, place, names)
    u, centre_y, unit_y = _standard(y[:, None])
    z, centre, unit = _standard(columns)
    if names:
        linear_least_squares(z, u[:, 0], names=names)  # refuses collinear predictors by name
    profile = Profile.of(np.column_stack((np.ones(y.size), z)), u[:, 0], place)
    if profile.within_rss <= 1e-22 * max(y.size, 1):
        raise NotDefined(
            "The mixed model is undefined: nothing varies within the groups beyond what the predictors say.",
            hint="Without residual variance there is nothing to separate from the group effects.",
            where="y",
            code="zero_variance",
        )
    best = fit_ratio(profile, restricted=True)
    scaling = _Scaling(float(centre_y[0]), float(unit_y[0]), centre, unit)
    df_resid = profile.n - profile.p
    variance = best.rss / df_resid
    log_likelihood = (
        -profile.deviance(best, True) / 2 - float(np.sum(np.log(unit))) - df_resid * math.log(scaling.unit_y)
    )
    terms = _terms(profile, best, variance, scaling, ("intercept", *names), alpha)
    ml, test = _maximum_likelihood(
        profile, y.size, columns.shape[1], place, u[:, 0], scaling, ("intercept", *names), alpha
    )
    random = _random_part(profile, best, variance, scaling, alpha)
    shares = _shares(z @ best.beta[1:], best.ratio * variance, variance)
    undefined = (
        {} if names else dict.fromkeys(("statistic", "df", "p_value"), "there are no predictors to test")
    )
    return Fit(
        method="Linear mixed model with a random intercept per group, restricted maximum likelihood (REML)",
        terms=terms,
        statistic_name="χ²",
        statistic=test[0],
        df=test[1],
        p_value=test[2],
        alpha=alpha,
        conf_level=1 - alpha,
        residual_std_error=math.sqrt(variance) * scaling.unit_y,
        log_likelihood=log_likelihood,
        aic=2 * (profile.p + 2) - 2 * log_likelihood,
        bic=(profile.p + 2) * math.log(y.size) - 2 * log_likelihood,
        effect_size=random.pop("icc"),
        n=int(y.size),
        details={
            **_joined(random, _effects(best, scaling, groups)),
            "n_groups": Quantity(len(groups), Role.COUNT),
            "smallest_group": Quantity(int(profile.sizes.min()), Role.MINIMUM),
            "largest_group": Quantity(int(profile.sizes.max()), Role.MAXIMUM),
            **shares,
        },
        also={"ml": ml},
        undefined=undefined,
        conventions=_CONVENTIONS,
        warnings=_cautions(best, len(groups)),
    )


# Steps ---------------------------------------------------------------------------------------------------


class _Scaling:
    """How standardised values go back to the units of the data."""

    def __init__(self, centre_y: float, unit_y: float, centre: FloatArray, unit: FloatArray) -> None:
        self.centre_y, self.unit_y, self.unit = centre_y, unit_y, unit
        back = np.diag(np.concatenate(([1.0], 1 / unit)))
        back[0, 1:] = -centre / unit
        self.back = back

    def coefficients(self, beta: FloatArray) -> FloatArray:
        """Coefficients in the units of the data."""
        out: FloatArray = self.back @ beta * self.unit_y
        out[0] += self.centre_y
        return out

    @property
    def rows(self) -> FloatArray:
        """Rows of `back` brought to a largest entry of 1, so that their squares stay in range."""
        out: FloatArray = self.back / np.abs(self.back).max(axis=1, keepdims=True)
        return out

    def std_errors(self, inverse: FloatArray, variance: float) -> list[float]:
        """Standard errors in the units of the data."""
        rows, size = self.rows, np.abs(self.back).max(axis=1)
        variances = variance * np.einsum("ij,jk,ik->i", rows, inverse, rows)
        return [float(v) for v in np.sqrt(variances) * size * self.unit_y]

    def variance(self, scaled: float) -> float | None:
        """A variance in the units of the data, None where a double cannot hold it."""
        mantissa, exponent = math.frexp(self.unit_y)
        return fit_or_none(scaled * mantissa * mantissa, 2 * exponent)


def _refuse(y: FloatArray, x: FloatArray, place: Any, names: tuple[str, ...]) -> None:
    g = int(place.max()) + 1
    if g < 2:
        raise InputError(
            "A mixed model needs at least 2 groups; there is 1.",
            hint="Give a label per row that tells the groups apart.",
            where="group_ids",
            code="too_few_groups",
        )
    if g == y.size:
        raise InputError(
            "Every group has a single row: the group effect cannot be told from the residual.",
            hint="At least one group needs two rows or more.",
            where="group_ids",
            code="too_few_values",
        )
    if float(y.min()) == float(y.max()):
        raise NotDefined("The mixed model is undefined: y is constant.", where="y", code="zero_variance")
    if y.size <= x.shape[1] + 2:
        raise InputError(
            f"{y.size} rows cannot determine {x.shape[1] + 3} parameters.",
            hint="Use fewer predictors or more rows.",
            where="y",
            code="too_few_values",
        )
    if x.shape[1]:
        refuse_constant(x, names, "The mixed model")
    counts = np.bincount(place)
    between = 1 + sum(
        bool(np.all(c == (np.bincount(place, weights=c) / counts)[place])) or _constant_within(c, place)
        for c in x.T
    )
    if g <= between:
        raise InputError(
            f"{g} groups cannot determine {between} group-level coefficients and a variance between groups.",
            hint="Use fewer predictors that are constant within groups, or more groups.",
            where="group_ids",
            code="too_few_groups",
        )


def _constant_within(column: FloatArray, place: Any) -> bool:
    order = np.argsort(place, kind="stable")
    same = np.diff(place[order]) == 0
    return bool((np.diff(column[order])[same] == 0).all())


def _standard(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Columns centred and divided by their standard deviation (divisor n)."""
    power = np.exp2(np.frexp(np.abs(x).max(axis=0, initial=0.0))[1] - 1.0)
    scaled = x / power
    centre = scaled.mean(axis=0)
    z = scaled - centre
    rest = z.mean(axis=0)
    z = z - rest
    spread = np.sqrt(np.mean(z * z, axis=0))
    return z / spread, (centre + rest) * power, spread * power


def _terms(
    profile: Profile, best: Point, variance: float, scaling: _Scaling, names: tuple[str, ...], alpha: float
) -> dict[str, Term]:
    """Fixed effects with Satterthwaite's degrees of freedom, from the exact Hessian of the REML deviance."""
    estimates = scaling.coefficients(best.beta)
    # Contrasts of the standardised coefficients: rows of `back`.
    errors = scaling.std_errors(best.inverse, variance)
    freedoms = _satterthwaite(profile, best, variance, scaling.rows)
    out = {}
    for name, b, error, df in zip(names, estimates.tolist(), errors, freedoms, strict=True):
        reach = t_isf(alpha / 2, df) * error
        out[name] = Term(
            estimate=b,
            std_error=error,
            statistic=b / error,
            df=df,
            p_value=p_t(b / error, df),
            conf_low=b - reach,
            conf_high=b + reach,
        )
    return out


def _satterthwaite(profile: Profile, best: Point, variance: float, back: FloatArray) -> list[float]:
    df_resid = float(profile.n - profile.p)
    if best.ratio == 0.0:  # the model is ordinary least squares
        return [df_resid] * back.shape[0]
    h11, h12 = profile.curvature(best, variance)
    hessian = np.array([[h11, h12], [h12, df_resid / variance**2]])
    covariance = 2 * np.linalg.inv(hessian)
    weights = profile.sizes / (1 + best.ratio * profile.sizes)
    x = profile.means[:, : profile.p]
    change = best.inverse @ ((x * (weights**2)[:, None]).T @ x) @ best.inverse
    out = []
    for row in back:
        level, slope = float(row @ best.inverse @ row), float(row @ change @ row)
        gradient = np.array([variance * slope, level])
        out.append(2 * (variance * level) ** 2 / float(gradient @ covariance @ gradient))
    return out


def _random_part(
    profile: Profile, best: Point, variance: float, scaling: _Scaling, alpha: float
) -> dict[str, Any]:
    low, high = ratio_interval(profile, best, chi2_isf(alpha, 1), restricted=True)
    at_zero = profile.deviance(profile.at(0.0), True)
    statistic = max(0.0, at_zero - profile.deviance(best, True))
    return {
        **_components(scaling, best.ratio * variance, variance),
        "random_intercept_sd": Quantity(math.sqrt(best.ratio * variance) * scaling.unit_y, Role.STD_DEV),
        "residual_sd": Quantity(math.sqrt(variance) * scaling.unit_y, Role.STD_DEV),
        "boundary": best.ratio == 0.0,
        "random_intercept_test": SignificanceTest(
            method="REML likelihood ratio against the model without random intercept (χ² mixture at the boundary)",
            statistic_name="χ²",
            statistic=statistic,
            df=1,
            p_value=1.0 if statistic == 0.0 else chi2_sf(statistic, 1) / 2,
            alpha=alpha,
        ),
        "icc": EffectSize(
            name="ICC",
            estimate=best.ratio / (1 + best.ratio),
            conf_low=low / (1 + low),
            conf_high=1.0 if high is None else high / (1 + high),
            conf_level=1 - alpha,
            conf_method="profile REML likelihood",
        ),
    }


def _joined(*parts: dict[str, Any]) -> dict[str, Any]:
    """Parts of a report as one, their reasons for undefined values together."""
    reasons = {k: v for part in parts for k, v in part.pop("undefined", {}).items()}
    out = {k: v for part in parts for k, v in part.items()}
    return out | ({"undefined": reasons} if reasons else {})


def _components(scaling: _Scaling, between: float, residual: float) -> dict[str, Any]:
    values = {
        "random_intercept_variance": scaling.variance(between),
        "residual_variance": scaling.variance(residual),
    }
    out: dict[str, Any] = {k: None if v is None else Quantity(v, Role.VARIANCE) for k, v in values.items()}
    lost = [k for k, v in values.items() if v is None]
    if lost:
        out["undefined"] = dict.fromkeys(lost, "it does not fit a double-precision number; see its root")
    return out


def _maximum_likelihood(
    profile: Profile,
    n: int,
    p: int,
    place: Any,
    u: FloatArray,
    scaling: _Scaling,
    names: tuple[str, ...],
    alpha: float,
) -> tuple[dict[str, Any], tuple[float | None, int | None, float | None]]:
    """The ML fit, and the likelihood-ratio test of all predictors."""
    best = fit_ratio(profile, restricted=False)
    variance = best.rss / n
    log_likelihood = -profile.deviance(best, False) / 2 - n * math.log(scaling.unit_y)
    errors = scaling.std_errors(best.inverse, variance)
    terms = {}
    for name, b, error in zip(names, scaling.coefficients(best.beta).tolist(), errors, strict=True):
        reach = norm_isf(alpha / 2) * error
        terms[name] = Term(
            estimate=b,
            std_error=error,
            statistic=b / error,
            p_value=p_normal(b / error),
            conf_low=b - reach,
            conf_high=b + reach,
        )
    report = {
        "method": "maximum likelihood; Wald z tests and intervals",
        "terms": terms,
        **_components(scaling, best.ratio * variance, variance),
        "icc": Quantity(best.ratio / (1 + best.ratio), Role.PROPORTION),
        "log_likelihood": log_likelihood,
        "aic": 2 * (profile.p + 2) - 2 * log_likelihood,
        "bic": (profile.p + 2) * math.log(n) - 2 * log_likelihood,
    }
    if p == 0:
        return report, (None, None, None)
    empty = Profile.of(np.ones((n, 1)), u, place)
    without = fit_ratio(empty, restricted=False)
    statistic = max(0.0, empty.deviance(without, False) - profile.deviance(best, False))
    return report, (statistic, p, chi2_sf(statistic, p))


def _shares(fixed: FloatArray, between: float, residual: float) -> dict[str, Any]:
    explained = float(np.var(fixed, ddof=1)) if fixed.size > 1 else 0.0
    total = explained + between + residual
    return {
        "r_squared_marginal": Quantity(explained / total, Role.DETERMINATION),
        "r_squared_conditional": Quantity((explained + between) / total, Role.DETERMINATION),
    }


def _effects(best: Point, scaling: _Scaling, groups: tuple[str, ...]) -> dict[str, Any]:
    """Predicted group effects: residual group means, shrunk towards zero."""
    if len(groups) > _EFFECT_LIMIT:
        reason = f"left out for more than {_EFFECT_LIMIT} groups"
        return {"random_effects": None, "undefined": {"random_effects": reason}}
    values = (best.ratio * best.scores * scaling.unit_y).tolist()
    return {"random_effects": Quantity(dict(zip(groups, values, strict=True)), Role.ESTIMATE)}


def _cautions(best: Point, g: int) -> tuple[str, ...]:
    said = []
    if best.ratio == 0.0:
        said.append(
            "The variance between groups is estimated as 0, on its boundary: the fixed effects are those of "
            "ordinary least squares."
        )
    if g < 5:
        said.append(f"With {g} groups the variance between groups is estimated very imprecisely.")
    return tuple(said)
