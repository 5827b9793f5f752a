"""Design of samples: design effect of clusters, margin of error of a proportion, and Little's test of missing data."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    ConfLevel,
    Count,
    FloatArray,
    Fraction,
    ScalarNumber,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role, SignificanceTest
from statistikles.stats._distributions import beta_ppf, chi2_sf, norm_isf
from statistikles.stats._incomplete import IncompleteData
from statistikles.stats._normal_em import Pattern, missing_patterns, normal_em
from statistikles.stats._two_by_two import wilson_bounds

__all__ = ["design_effect", "littles_mcar_test", "margin_of_error"]

declare_tool(
    "sampling_design",
    title="Sampling design",
    summary="Design effect of cluster samples, margin of error of a proportion, and tests of missing data.",
    chooser="type",
)


@statistic(
    tool="sampling_design",
    subtype="design_effect",
    title="Design effect of a cluster sample",
    use_when="subjects are sampled in clusters (schools, clinics) and the loss of precision is asked for",
    utterances=(
        "design effect with intraclass correlation .05 and 20 per cluster",
        "effective sample size of a cluster sample",
        "how much does clustering cost",
    ),
    refs=("Kish 1965, Survey sampling",),
    formula="deff = 1 + (m − 1)·ICC; unequal sizes: 1 + ((cv² + 1)m − 1)·ICC",
    equivalents={"R": "1 + (m - 1) * icc", "Python": "1 + (m - 1) * icc"},
    example={"icc": 0.05, "cluster_size": 20, "n": 400},
    aliases=("deff",),
)
def design_effect(
    icc: Annotated[float, ScalarNumber(low=-1.0, high=1.0)],
    cluster_size: Annotated[float, ScalarNumber(low=1.0)],
    *,
    n: Count | None = None,
    cluster_size_cv: Annotated[float, ScalarNumber(low=0.0)] = 0.0,
) -> Measures:
    """Design effect of clustering, and the effective sample size.

    Parameters
    ----------
    icc : intraclass correlation within clusters.
    cluster_size : (mean) number of subjects per cluster.
    n : total number of subjects, for the effective sample size.
    cluster_size_cv : coefficient of variation of the cluster sizes, 0 when all are equal.

    Returns
    -------
    Measures : design effect, its root, and the effective sample size.

    Raises
    ------
    InputError : an intraclass correlation lower than clusters of this size allow.
    """
    deff = 1 + ((cluster_size_cv**2 + 1) * cluster_size - 1) * icc
    if not math.isfinite(deff) or deff < -1e-12:
        raise InputError(
            f"An intraclass correlation of {icc:g} is not possible (or not usable) with clusters of {cluster_size:g}.",
            hint="It cannot be below −1/(cluster size − 1).",
            where="icc",
            code="out_of_range",
        )
    deff = max(deff, 0.0)
    values: dict[str, Any] = {
        "design_effect": Quantity(deff, Role.RATIO),
        "deft": Quantity(math.sqrt(deff), Role.RATIO),
        "icc": Quantity(icc, Role.CORRELATION),
        "cluster_size": Quantity(cluster_size, Role.COUNT),
    }
    undefined = {}
    if n is not None:
        values["n"] = Quantity(n, Role.COUNT)
        values["effective_n"] = None if deff == 0 else Quantity(n / deff, Role.COUNT)
        if deff == 0:
            undefined["effective_n"] = "the design effect is zero, so it is infinite"
    return Measures(
        method="Design effect (Kish)",
        quantities=values,
        undefined=undefined,
        conventions=("deft, the root of the design effect, multiplies standard errors",),
    )


@statistic(
    tool="sampling_design",
    subtype="margin_of_error",
    title="Margin of error of a proportion",
    use_when="the precision of a percentage from a survey of n people is asked for",
    utterances=(
        "margin of error of a survey of 1000 people",
        "confidence interval of a percentage",
        "how precise is a poll",
        "Wilson interval of a proportion",
    ),
    refs=(
        "Wilson 1927, doi:10.1080/01621459.1927.10502953",
        "Clopper & Pearson 1934, The use of confidence or fiducial limits",
        "Agresti & Coull 1998, Approximate is better than 'exact' for interval estimation of binomial proportions",
    ),
    formula="Wald: z·sqrt(p(1 − p)/n)·sqrt((N − n)/(N − 1)); Wilson: (p + z²/2n ± z·sqrt(p(1−p)/n + z²/4n²))/(1 + z²/n)",
    equivalents={
        "R": "prop.test(x, n, correct = FALSE)$conf.int; binom.test(x, n)$conf.int",
        "Python": "statsmodels.stats.proportion.proportion_confint(x, n, method='wilson')",
    },
    example={"n": 1000, "proportion": 0.42, "population": 20000},
    aliases=("moe",),
)
def margin_of_error(
    n: Annotated[int, ScalarNumber(low=1.0, high=1e15, whole=True)],
    proportion: Fraction = 0.5,
    *,
    conf_level: ConfLevel = 0.95,
    population: Annotated[int, ScalarNumber(low=1.0, high=1e18, whole=True)] | None = None,
) -> Measures:
    """Margin of error and intervals of a proportion: Wald, Wilson (leads), Agresti-Coull, Clopper-Pearson.

    Parameters
    ----------
    n : number of people asked.
    proportion : observed (or planned) proportion; 0.5 is the widest case.
    conf_level : confidence of the intervals.
    population : size of the population, for the finite population correction.

    Returns
    -------
    Measures : Wald's margin of error; `conf_low` and `conf_high` are Wilson's; all four intervals named.

    Raises
    ------
    InputError : a sample larger than the population.
    """
    if population is not None and n > population:
        raise InputError(
            f"A sample of {n} cannot come from a population of {population}.",
            where="population",
            code="out_of_range",
        )
    z = norm_isf((1 - conf_level) / 2)
    fpc = 1.0 if population is None or population == 1 else math.sqrt((population - n) / (population - 1))
    if population == n:
        fpc = 0.0
    error = math.sqrt(proportion * (1 - proportion) / n) * fpc
    intervals = _intervals(n, proportion, conf_level, fpc, z * error)
    wilson = intervals["wilson"]
    return Measures(
        method="Margin of error of a proportion",
        quantities={
            "estimate": Quantity(proportion, Role.PROPORTION),
            "margin_of_error": Quantity(z * error, Role.VALUE),
            "std_error": Quantity(error, Role.STD_ERROR),
            "conf_low": Quantity(wilson["conf_low"], Role.CONF_BOUND),
            "conf_high": Quantity(wilson["conf_high"], Role.CONF_BOUND),
            "conf_level": Quantity(conf_level, Role.CONF_LEVEL),
            "conf_method": "Wilson",
            "finite_population_correction": Quantity(fpc, Role.RATIO),
            "n": Quantity(n, Role.COUNT),
            "intervals": intervals,
        },
        conventions=(
            "margin_of_error is Wald's half-width z·SE, as surveys print it; Wilson's interval leads",
            "finite population: Wald's error times the correction, the others with n divided by its square",
            "Clopper-Pearson without finite population correction",
        ),
        warnings=_wald_caution(n, proportion),
    )


def _intervals(n: int, p: float, level: float, fpc: float, half: float) -> dict[str, dict[str, float]]:
    z = norm_isf((1 - level) / 2)
    x = p * n
    tail = (1 - level) / 2
    exact = {
        "conf_low": 0.0 if x == 0 else beta_ppf(tail, x, n - x + 1),
        "conf_high": 1.0 if x == n else beta_ppf(1 - tail, x + 1, n - x),
    }
    if fpc == 0:  # everybody was asked
        whole = {"conf_low": p, "conf_high": p}
        return {"wilson": whole, "wald": whole, "agresti_coull": whole, "clopper_pearson": exact}
    size = n / fpc**2
    low, high = wilson_bounds(p * size, size, level)
    centre = (p * size + z * z / 2) / (size + z * z)
    reach = z * math.sqrt(centre * (1 - centre) / (size + z * z))
    return {
        "wilson": {"conf_low": min(low, p), "conf_high": max(high, p)},
        "wald": {"conf_low": p - half, "conf_high": p + half},
        "agresti_coull": {"conf_low": max(0.0, centre - reach), "conf_high": min(1.0, centre + reach)},
        "clopper_pearson": exact,
    }


def _wald_caution(n: int, p: float) -> tuple[str, ...]:
    if min(n * p, n * (1 - p)) < 5:
        return ("Fewer than 5 expected on one side: Wald's margin is unreliable, use Wilson's interval.",)
    return ()


@statistic(
    tool="sampling_design",
    subtype="missing_data",
    title="Little's test of data missing completely at random",
    use_when="several numeric variables have missing values and it is asked whether they are missing at random",
    utterances=(
        "are the values missing completely at random",
        "Little's MCAR test",
        "patterns of missing data",
        "is the missingness random",
    ),
    refs=("Little 1988, doi:10.1080/01621459.1988.10478722",),
    formula="d² = Σⱼ nⱼ(ȳⱼ − μ̂ⱼ)'Σ̂ⱼ⁻¹(ȳⱼ − μ̂ⱼ), df = Σ kⱼ − k",
    equivalents={
        "R": "naniar::mcar_test(data)",
        "Python": "pyampute.exploration.mcar_statistical_tests.MCARTest",
    },
    example={
        "data": {
            "age": [25, 41, None, 37, 52, 29, 46, 33, None, 38, 44, 27],
            "income": [2.1, None, 2.8, 3.0, None, 2.2, 3.4, 2.6, 2.5, 3.1, None, 2.0],
            "score": [5.0, 6.1, 5.5, None, 7.0, 4.8, 6.6, 5.2, 5.9, 5.6, 6.4, 4.9],
        }
    },
    aliases=("mcar", "little", "missing"),
)
def littles_mcar_test(data: Annotated[Any, IncompleteData()], *, alpha: Alpha = 0.05) -> SignificanceTest:
    """Little's test of whether values are missing completely at random, with the patterns of missing values.

    Parameters
    ----------
    data : {name: column}, or rows; null marks a missing value.
    alpha : significance level.

    Returns
    -------
    SignificanceTest : chi-square of the pattern means against the EM estimates; patterns under details.

    Raises
    ------
    NotDefined : nothing is missing, or only one pattern occurs, or a variable is constant.
    """
    names, matrix = data
    missing = np.ma.getmaskarray(matrix)
    empty = missing.all(axis=1)
    values, missing = np.ma.getdata(matrix)[~empty], missing[~empty]
    standard = _standardised(names, values, missing)
    patterns = missing_patterns(standard, missing)
    n, k = standard.shape
    df = sum(int(p.observed.sum()) for p in patterns) - k
    if not missing.any() or df < 1:
        raise NotDefined(
            "Little's test is undefined: "
            + ("no value is missing." if not missing.any() else "only one pattern occurs."),
            hint="It compares the means of rows with different missing values.",
            where="data",
            code="no_variation",
        )
    mean, covariance, steps = normal_em(patterns, np.zeros(k), np.ones(k))
    statistic_ = math.fsum(_distance(p, mean, covariance) for p in patterns)
    return SignificanceTest(
        method="Little's MCAR test (EM estimates)",
        statistic_name="χ²",
        statistic=statistic_,
        df=df,
        p_value=chi2_sf(statistic_, df),
        alpha=alpha,
        n=n,
        details={
            "n_patterns": len(patterns),
            "n_complete": int((~missing.any(axis=1)).sum()),
            "n_empty_rows": int(empty.sum()),
            "percent_missing": 100 * float(missing.mean()),
            "em_steps": steps,
            "patterns": [_pattern_row(p, names) for p in patterns],
            "variables": {
                name: {"n_missing": int(missing[:, j].sum()), "percent_missing": 100 * float(missing[:, j].mean())}
                for j, name in enumerate(names)
            },
        },
        also={
            "unbiased_covariance": {
                "statistic": statistic_ * (n - 1) / n,
                "df": df,
                "p_value": chi2_sf(statistic_ * (n - 1) / n, df),
            }
        },
        conventions=(
            "maximum-likelihood covariance (divisor n) leads; divisor n − 1 beside",
            "assumes multivariate normal data; a large p does not prove that values are missing at random",
        ),
        warnings=("Fewer than 20 rows: the chi-square approximation is rough.",) if n < 20 else (),
    )  # fmt: skip


def _standardised(names: tuple[str, ...], values: FloatArray, missing: NDArray[np.bool_]) -> FloatArray:
    """Columns with observed mean 0 and SD 1; the test does not depend on units."""
    if len(names) < 2 or len(values) < 3:
        raise InputError(
            f"{len(names)} variables with {len(values)} rows that hold a value are too few for the test.",
            hint="Give at least two variables and three rows.",
            where="data",
            code="too_few_values",
        )
    out: FloatArray = np.zeros(values.shape)
    for j, name in enumerate(names):
        seen = values[~missing[:, j], j]
        if seen.size < 2 or float(seen.min()) == float(seen.max()):
            raise NotDefined(
                f"Variable '{name}' does not vary (or was hardly observed).",
                hint="Leave it out.",
                where="data",
                code="zero_variance",
            )
        scaled = np.ldexp(seen, -math.frexp(float(np.abs(seen).max()))[1])
        moved = scaled - scaled[0]
        moved = moved / float(np.abs(moved).max())
        moved = moved - moved.mean()
        out[~missing[:, j], j] = moved / math.sqrt(float(moved @ moved) / seen.size)
    together = (~missing).T.astype(np.float64) @ (~missing).astype(np.float64)
    if bool((together < 1).any()):
        i, j = (int(v) for v in np.argwhere(together < 1)[0])
        raise NotDefined(
            f"'{names[i]}' and '{names[j]}' are never observed together, so their covariance is unknown.",
            hint="Leave one of them out.",
            where="data",
            code="not_identified",
        )
    return out


def _distance(p: Pattern, mean: FloatArray, covariance: FloatArray) -> float:
    gap = p.mean - mean[p.observed]
    return p.n * float(gap @ np.linalg.solve(covariance[np.ix_(p.observed, p.observed)], gap))


def _pattern_row(p: Pattern, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "n": p.n,
        "missing": [name for name, seen in zip(names, p.observed, strict=True) if not seen],
        "observed": [name for name, seen in zip(names, p.observed, strict=True) if seen],
    }
