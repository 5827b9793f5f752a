"""One-way repeated-measures analysis of variance, with Mauchly's test and the corrections of its df."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Annotated

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, ColumnSet, FloatArray, NameList
from statistikles.registry.declare import statistic
from statistikles.results import EffectSize, Quantity, Role, SignificanceTest, Source
from statistikles.stats._adjust import adjust
from statistikles.stats._columns import column_names
from statistikles.stats._distributions import chi2_sf, f_sf, t_isf, t_sf
from statistikles.stats._magnitude import ETA_SQUARED, magnitude
from statistikles.stats._model_bounds import f_noncentrality_interval
from statistikles.stats._one_way import describe_group

__all__ = ["repeated_measures_anova"]

_EPS = float(np.finfo(np.float64).eps)
_TWO = "two conditions have one difference, so there is no sphericity to lack"


@statistic(
    tool="anova",
    subtype="repeated_measures",
    aliases=("within", "within_subjects", "rm"),
    title="Repeated-measures analysis of variance",
    use_when="the same subjects measured under three or more conditions or times, a numeric outcome",
    utterances=(
        "did the score change over the three visits",
        "repeated measures ANOVA",
        "compare week 1, week 2 and week 3 of the same patients",
        "within-subject comparison of several conditions",
        "test of sphericity",
    ),
    refs=(
        "Greenhouse & Geisser 1959, doi:10.1007/BF02289823",
        "Huynh & Feldt 1976, doi:10.3102/10769986001001069",
        "Mauchly 1940, doi:10.1214/aoms/1177731915",
        "Olejnik & Algina 2003, doi:10.1037/1082-989X.8.4.434",
        "Holm 1979, Scandinavian Journal of Statistics 6, 65–70",
    ),
    laws=("shift_invariant", "scale_invariant"),
    oracle="statsmodels.stats.anova:AnovaRM",
    formula="F = (SS_conditions / (k − 1)) / (SS_error / ((k − 1)(n − 1))), with df multiplied by ε",
    equivalents={
        "R": "summary(car::Anova(lm(cbind(x1, x2, x3) ~ 1), idata = data.frame(w = gl(3, 1)), idesign = ~w))",
        "Python": "statsmodels.stats.anova.AnovaRM(long, 'y', 'subject', within=['condition']).fit()",
    },
    example={
        "data": [[8, 7, 6, 7, 9, 5, 8, 6], [5, 6, 4, 6, 7, 5, 6, 4], [4, 5, 5, 3, 6, 4, 5, 3]],
        "var_names": ["week1", "week2", "week3"],
    },
)
def repeated_measures_anova(
    data: Annotated[FloatArray, ColumnSet(min_n=2)],
    *,
    var_names: Annotated[tuple[str, ...], NameList(of=("data",))] | None = None,
    alpha: Alpha = 0.05,
) -> SignificanceTest:
    """Compare conditions measured on the same subjects; Greenhouse-Geisser's correction leads.

    Parameters
    ----------
    data : one column per condition, each with one value per subject, in the same order.
    var_names : names of the conditions in the result.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : F with df corrected by Greenhouse and Geisser's epsilon; `also` holds the uncorrected test
        and Huynh and Feldt's, `details` the variance table and Mauchly's test, `post_hoc` the paired comparisons.

    Raises
    ------
    InputError : fewer than two conditions.
    NotDefined : every subject changes in the same way, so there is no error to compare with.
    """
    n, k = data.shape
    names = column_names(var_names, k)
    unit, ss_conditions, ss_subjects, ss_error, rest = _sums(data)
    df1, df2 = k - 1, (k - 1) * (n - 1)
    f = (ss_conditions / df1) / (ss_error / df2)
    sphericity = _Sphericity(rest, n, k)
    corrected = sphericity.epsilons
    lead = corrected["greenhouse_geisser"]
    tests = {
        "uncorrected": _test("F test without correction (sphericity assumed)", f, df1, df2, 1.0, alpha),
        "huynh_feldt": _test(
            "F test, df corrected by Huynh and Feldt", f, df1, df2, corrected["huynh_feldt"], alpha
        ),
    }
    share = ss_conditions / (ss_conditions + ss_error)
    return SignificanceTest(
        method="Repeated-measures analysis of variance, df corrected by Greenhouse and Geisser",
        statistic_name="F",
        statistic=f,
        df=df1 * lead,
        df_error=df2 * lead,
        p_value=f_sf(f, df1 * lead, df2 * lead),
        alpha=alpha,
        effect_size=_partial_eta(share, f, df1, df2, 1 - alpha),
        effect_sizes={
            "generalized_eta_squared": EffectSize(
                name="generalized η²", estimate=ss_conditions / (ss_conditions + ss_subjects + ss_error)
            )
        },
        n=n,
        groups={name: describe_group(data[:, j]) for j, name in enumerate(names)},
        details={
            "conditions": _row(ss_conditions, df1, unit, f, f_sf(f, df1, df2)),
            "subjects": _row(ss_subjects, n - 1, unit),
            "error": _row(ss_error, df2, unit),
            "epsilon": {name: Quantity(value, Role.RATIO) for name, value in corrected.items()},
            "sphericity": sphericity.test(alpha),
        },
        also=tests,
        post_hoc={"paired_holm": _pairs(data / unit, names, unit, alpha)},
        conventions=(
            (
                "the df corrected by Greenhouse and Geisser's ε lead; the uncorrected test and Huynh and Feldt's "
                "(ε at most 1) stand beside it"
            ),
            "partial η² = SS_conditions / (SS_conditions + SS_error), interval from the noncentral F",
            "pairs: paired t tests, p values adjusted by Holm, intervals not adjusted",
            "Mauchly's test with the second-order approximation of its p value",
        ),
        warnings=()
        if n > k
        else (f"{n} subjects for {k} conditions: Mauchly's test and ε need more subjects than that.",),
    )


def _sums(data: FloatArray) -> tuple[float, float, float, float, FloatArray]:
    """A power of two near the largest value; sums of squares in that unit; what conditions and subjects leave."""
    n, k = data.shape
    if k < 2:
        raise InputError(
            "Repeated measures need at least two conditions.",
            hint="Send one list of values per condition.",
            where="data",
            code="too_few_groups",
        )
    top = float(np.abs(data).max())
    unit = float(np.ldexp(1.0, int(np.frexp(top)[1]))) if top else 1.0
    y = data / unit
    y = y - y.mean()
    y = y - y.mean()
    subjects = y.mean(axis=1, keepdims=True)
    conditions = y.mean(axis=0, keepdims=True)
    ss_conditions = n * float((conditions**2).sum())
    ss_subjects = k * float((subjects**2).sum())
    rest = y - subjects - conditions
    ss_error = float((rest**2).sum())
    if ss_error <= (64 * _EPS * top / unit) ** 2 * n * k:
        raise NotDefined(
            "The F test is undefined: every subject differs between the conditions in the same way, so there is "
            "no error to compare with.",
            hint="Check that the right columns were used.",
            code="zero_variance",
        )
    return unit, ss_conditions, ss_subjects, ss_error, rest


def _row(sum_sq: float, df: int, unit: float, f: float | None = None, p: float | None = None) -> Source:
    scaled = sum_sq * unit * unit
    if not math.isfinite(scaled) or (sum_sq > 0 and scaled == 0):
        reason = "it does not fit a double-precision number; rescale the values"
        return Source(df=df, statistic=f, p_value=p, undefined={"sum_sq": reason, "mean_sq": reason})
    return Source(sum_sq=scaled, df=df, mean_sq=scaled / df, statistic=f, p_value=p)


def _test(method: str, f: float, df1: int, df2: int, epsilon: float, alpha: float) -> SignificanceTest:
    return SignificanceTest(
        method=method,
        statistic_name="F",
        statistic=f,
        df=df1 * epsilon,
        df_error=df2 * epsilon,
        p_value=f_sf(f, df1 * epsilon, df2 * epsilon),
        alpha=alpha,
    )


def _partial_eta(share: float, f: float, df1: int, df2: int, level: float) -> EffectSize:
    bounds = f_noncentrality_interval(f, df1, df2, level)
    size = df1 + df2 + 1
    return EffectSize(
        name="partial η²",
        estimate=share,
        conf_low=None if bounds is None else bounds[0] / (bounds[0] + size),
        conf_high=None if bounds is None else bounds[1] / (bounds[1] + size),
        conf_level=None if bounds is None else level,
        conf_method=None if bounds is None else "noncentral F (sphericity assumed)",
        magnitude=magnitude(share, ETA_SQUARED),
        undefined={}
        if bounds is not None
        else dict.fromkeys(("conf_low", "conf_high"), "F is too large for its noncentrality"),
    )


class _Sphericity:
    """Mauchly's W and the epsilons, from the covariance of orthonormal contrasts."""

    def __init__(self, rest: FloatArray, n: int, k: int) -> None:
        self.n, self.p = n, k - 1
        # The doubly centred residuals lie in the space of contrasts: their covariance has its eigenvalues and a 0.
        scale = float(np.abs(rest).max())
        values = np.linalg.svd(rest / scale, compute_uv=False)[: self.p] ** 2
        self.eigen = values / values.sum()
        self.deficient = values.size < self.p or n - 1 < self.p or bool(values[-1] <= 1e-14 * values[0])

    @property
    def epsilons(self) -> dict[str, float]:
        """Greenhouse and Geisser's, Huynh and Feldt's (at most 1), and the lower bound."""
        p, error = self.p, self.n - 1
        gg = min(1.0, 1.0 / (p * float((self.eigen**2).sum())))
        below = p * (error - p * gg)
        hf = min(1.0, (self.n * p * gg - 2) / below) if below > 0 else 1.0
        return {"greenhouse_geisser": gg, "huynh_feldt": max(hf, gg), "lower_bound": 1 / p}

    def test(self, alpha: float) -> SignificanceTest:
        """Mauchly's test."""
        method = "Mauchly's test of sphericity"
        fields = ("statistic", "df", "p_value", "estimate")
        if self.p < 2 or self.deficient:
            why = (
                _TWO if self.p < 2 else "there are too few subjects, or conditions that depend on each other"
            )
            return SignificanceTest(
                method=method,
                statistic_name="χ²",
                alpha=alpha,
                estimate_name="W",
                undefined=dict.fromkeys(fields, why),
            )
        p, m = self.p, self.n - 1
        log_w = float(np.log(p * self.eigen).sum())
        df = p * (p + 1) / 2 - 1
        rho = 1 - (2 * p * p + p + 2) / (6 * p * m)
        second = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p * p + 3 * p + 2) / (288 * (m * p * rho) ** 2)
        z = -m * rho * log_w
        first, later = chi2_sf(z, df), chi2_sf(z, df + 4)
        return SignificanceTest(
            method=method,
            statistic_name="χ²",
            statistic=z,
            df=df,
            p_value=min(1.0, max(0.0, first + second * (later - first))),
            alpha=alpha,
            estimate_name="W",
            estimate=math.exp(log_w),
        )


def _pairs(y: FloatArray, names: tuple[str, ...], unit: float, alpha: float) -> dict[str, SignificanceTest]:
    """Paired t tests of all pairs of conditions, p values adjusted by Holm."""
    n = y.shape[0]
    found = []
    for i, j in combinations(range(y.shape[1]), 2):
        change = y[:, i] - y[:, j]
        mean = float(change.mean())
        error = float(np.sqrt(((change - mean) ** 2).sum() / (n - 1) / n))
        found.append((f"{names[i]} − {names[j]}", mean, error))
    usable = [at for at, (_, mean, error) in enumerate(found) if error > 4 * _EPS * abs(mean)]
    raw = {at: min(1.0, 2 * t_sf(abs(found[at][1] / found[at][2]), n - 1)) for at in usable}
    adjusted = dict(zip(usable, adjust(np.array([raw[at] for at in usable]), "holm").tolist(), strict=True))
    reach = t_isf(alpha / 2, n - 1)
    out = {}
    for at, (label, mean, error) in enumerate(found):
        same = dict.fromkeys(("statistic", "df", "p_value"), "all subjects have the same difference")
        known = at in adjusted
        out[label] = SignificanceTest(
            method="paired t test, p value adjusted by Holm",
            statistic_name="t",
            alpha=alpha,
            alternative="two-sided",
            estimate_name=f"mean difference ({label})",
            estimate=mean * unit,
            statistic=mean / error if known else None,
            df=n - 1 if known else None,
            p_value=adjusted.get(at),
            std_error=error * unit if known else None,
            conf_low=(mean - reach * error) * unit if known else None,
            conf_high=(mean + reach * error) * unit if known else None,
            conf_level=1 - alpha if known else None,
            conf_method="Student's t, not adjusted" if known else None,
            undefined={} if known else same,
        )
    return out
