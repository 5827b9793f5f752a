"""One-way multivariate analysis of variance: four statistics, their F approximations, effect sizes, Box's M."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, ColumnSet, FloatArray, Labels, NameList
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Description, EffectSize, Quantity, Role, SignificanceTest
from statistikles.stats._columns import centred, column_names, group_index, refuse_constant
from statistikles.stats._distributions import chi2_sf, f_sf
from statistikles.stats._model_bounds import f_noncentrality_interval

__all__ = ["one_way_manova"]

_EPS = float(np.finfo(np.float64).eps)
_INFINITE = "the groups are separated without any variance within them, which makes it infinite"

declare_tool(
    "advanced_modeling",
    title="Multivariate, mixed and ordinal models",
    summary="Models with several outcomes, with grouped (dependent) rows, or with an ordered outcome.",
    chooser="type",
)

Outcomes = Annotated[FloatArray, ColumnSet(min_n=3)]
OutcomeNames = Annotated[tuple[str, ...], NameList(of=("x",))]


@statistic(
    tool="advanced_modeling",
    subtype="manova",
    title="Multivariate analysis of variance",
    use_when="two or more groups are compared on several numeric outcomes at once",
    utterances=(
        "do the species differ in length and width together",
        "manova",
        "multivariate comparison of groups",
        "Wilks lambda",
        "Pillai's trace for several outcomes",
    ),
    refs=(
        "Wilks 1932, doi:10.1093/biomet/24.3-4.471",
        "Pillai 1955, doi:10.1214/aoms/1177728599",
        "Rao 1951, An asymptotic expansion of the distribution of Wilks' criterion",
        "Box 1949, doi:10.1093/biomet/36.3-4.317",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="statsmodels.multivariate.manova:MANOVA",
    formula="Λ = |E|/|E + H|; V = tr(H(H + E)⁻¹); T = tr(HE⁻¹); Roy = largest eigenvalue of HE⁻¹; partial η² = 1 − Λ^(1/s)",
    equivalents={
        "R": "summary(manova(cbind(x1, x2) ~ group), test = 'Wilks')",
        "Python": "statsmodels.multivariate.manova.MANOVA.from_formula('x1 + x2 ~ group', data).mv_test()",
    },
    example={
        "x": [
            [5.1, 4.9, 4.7, 4.6, 7.0, 6.4, 6.9, 5.5, 6.3, 5.8, 7.1, 6.3],
            [3.5, 3.0, 3.2, 3.1, 3.2, 3.2, 3.1, 2.3, 3.3, 2.7, 3.0, 2.9],
        ],
        "group_ids": ["s", "s", "s", "s", "c", "c", "c", "c", "v", "v", "v", "v"],
        "var_names": ["length", "width"],
    },
    aligned=(("x", "group_ids"),),
)
def one_way_manova(
    x: Outcomes, group_ids: Labels, *, var_names: OutcomeNames | None = None, alpha: Alpha = 0.05
) -> SignificanceTest:
    """One-way MANOVA: Wilks' lambda leads; Pillai, Hotelling-Lawley and Roy beside; one ANOVA per outcome.

    Parameters
    ----------
    x : the outcomes, a list of columns.
    group_ids : the group of every row.
    var_names : names of the outcomes in the result.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : Rao's F of Wilks' lambda; `also` holds all four statistics.

    Raises
    ------
    InputError : fewer than two groups, or too few rows for so many outcomes.
    NotDefined : an outcome is constant, or the outcomes are linearly dependent.
    """
    names = column_names(var_names, x.shape[1])
    groups, place = group_index(group_ids)
    refuse_constant(x, names, "MANOVA")
    _refuse_too_few(x.shape[0], x.shape[1], len(groups))
    split = _split(x, place, names)
    tests = _four(split, 1 - alpha, alpha)
    lead = tests["wilks"]
    warnings = list(_cautions(split, lead))
    box = _box_m(x, place, len(groups))
    if box["p_value"] is not None and box["p_value"] < 0.001:
        warnings.append("Box's M speaks against equal covariance matrices: prefer Pillai's trace.")
    return SignificanceTest(
        method=f"One-way multivariate analysis of variance, {len(names)} outcomes in {len(groups)} groups; "
        f"Wilks' lambda with Rao's F ({'exact' if split.exact else 'approximate'})",
        statistic_name="F",
        statistic=lead.statistic,
        df=lead.df,
        df_error=lead.df_error,
        p_value=lead.p_value,
        alternative="the group means differ in some combination of the outcomes",
        alpha=alpha,
        estimate_name="Wilks' lambda",
        estimate=lead.estimate,
        effect_size=lead.effect_size,
        n=x.shape[0],
        groups={g: Description(n=int((place == i).sum())) for i, g in enumerate(groups)},
        details={
            "eigenvalues": None if split.separated else Quantity(split.ratios.tolist(), Role.RATIO),
            "canonical_correlations": Quantity(split.between.tolist(), Role.CORRELATION),
            "means": {g: _means(x[place == i], names) for i, g in enumerate(groups)},
            "box_m": box,
            **({"undefined": {"eigenvalues": _INFINITE}} if split.separated else {}),
        },
        also=tests,
        post_hoc={"univariate": _univariate(x, place, names, alpha)},
        conventions=(
            "F by Rao (Wilks), Pillai and Hotelling-Lawley approximations as in R; Roy's F is an upper bound",
            "partial η² = 1 − Λ^(1/s), V/s, (T/s)/(1 + T/s) and the largest squared canonical correlation",
            "univariate F tests are not adjusted for their number",
            "Box's M with its χ² approximation",
        ),
        warnings=tuple(warnings),
        undefined={k: lead.undefined[k] for k in ("statistic",) if k in lead.undefined},
    )


# Steps ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Split:
    """The variation, as cosines and sines of the canonical angles between groups and outcomes."""

    between: FloatArray  # canonical correlations, largest first
    within: FloatArray  # sqrt(1 - between**2), computed on its own; 0 where there is no variance within
    p: int
    q: int
    df_error: int

    @property
    def s(self) -> int:
        return min(self.p, self.q)

    @property
    def exact(self) -> bool:
        return self.s <= 2

    @property
    def separated(self) -> bool:
        return bool((self.within == 0.0).any())

    @property
    def ratios(self) -> FloatArray:
        """Eigenvalues of H E⁻¹."""
        out: FloatArray = (self.between / self.within) ** 2
        return out


def _refuse_too_few(n: int, p: int, g: int) -> None:
    if g < 2:
        raise InputError(
            "MANOVA needs at least 2 groups; there is 1.",
            hint="Give a label per row that tells the groups apart.",
            where="group_ids",
            code="too_few_groups",
        )
    if n - g < p:
        raise InputError(
            f"MANOVA needs at least {p + g} rows for {p} outcomes in {g} groups; there are {n}.",
            hint="Use fewer outcomes or more rows.",
            where="x",
            code="too_few_values",
        )


def _split(x: FloatArray, place: NDArray[np.int64], names: tuple[str, ...]) -> _Split:
    """QR of the deviations, group means stacked on residuals: the two blocks of Q hold cosines and sines."""
    z = np.ldexp(x, -np.frexp(np.abs(x).max(axis=0))[1])
    z, _ = centred(z)
    spread = np.frexp(np.abs(z).max(axis=0))[1]
    z = np.ldexp(z, -spread)
    size = np.sqrt(np.sum(z * z, axis=0))
    z /= size
    noise = _EPS * math.sqrt(z.shape[0]) * float(np.max(np.ldexp(1.0, -spread) / size))
    n, p = z.shape
    g = int(place.max()) + 1
    counts = np.bincount(place).astype(np.float64)
    means = np.stack([z[place == i].mean(axis=0) for i in range(g)])
    stacked = np.vstack((means * np.sqrt(counts)[:, None], z - means[place]))
    qmat, r = np.linalg.qr(stacked)
    singular = np.linalg.svd(r, compute_uv=False)
    if not float(singular[-1]) > 1e-11 * float(singular[0]):
        raise NotDefined(
            f"MANOVA is undefined: the outcomes {', '.join(names[:6])} are linearly dependent.",
            hint="Leave out outcomes that are sums or multiples of others.",
            where="x",
            code="singular",
        )
    cosines = np.linalg.svd(qmat[:g], compute_uv=False)
    s = min(p, g - 1)
    sines = np.sort(np.linalg.svd(qmat[g:], compute_uv=False))[:s]
    floor = 8 * max(noise, _EPS * p) / float(singular[-1] / singular[0])
    sines = np.where(sines < floor, 0.0, np.minimum(sines, 1.0))
    return _Split(np.minimum(cosines[:s], 1.0), sines, p, g - 1, n - g)


def _four(split: _Split, level: float, alpha: float) -> dict[str, SignificanceTest]:
    p, q, v, s = split.p, split.q, split.df_error, split.s
    m, n = (abs(p - q) - 1) / 2, (v - p - 1) / 2
    log_wilks = -math.inf if split.separated else 2 * float(np.sum(np.log(split.within)))
    theta = split.between**2
    t = math.sqrt((p * p * q * q - 4) / (p * p + q * q - 5)) if p * p + q * q > 5 else 1.0
    df2 = (v + q - (p + q + 1) / 2) * t - (p * q - 2) / 2
    out = {
        "wilks": _test(
            "Wilks' lambda",
            math.exp(log_wilks),
            None if split.separated else math.expm1(-log_wilks / t) * df2 / (p * q),
            (p * q, df2),
            -math.expm1(log_wilks / s),
            (level, alpha, t / s),
        )
    }
    pillai = float(theta.sum())
    spare = float(np.sum(split.within**2))  # s - V, without cancellation
    df1, df2 = s * (2 * m + s + 1), s * (2 * n + s + 1)
    f = None if spare == 0.0 else df2 / df1 * pillai / spare
    out["pillai"] = _test("Pillai's trace", pillai, f, (df1, df2), pillai / s, (level, alpha, 1.0))
    trace = None if split.separated else float(split.ratios.sum())
    df1, df2 = s * (2 * m + s + 1), 2 * (s * n + 1)
    f = None if trace is None else df2 * trace / s / df1
    share = 1.0 if trace is None else trace / s / (1 + trace / s)
    out["hotelling_lawley"] = _test(
        "Hotelling-Lawley trace", trace, f, (df1, df2), share, (level, alpha, None if s > 1 else 1.0)
    )
    root = None if split.separated else float(split.ratios[0])
    df1, df2 = max(p, q), v - max(p, q) + q
    f = None if root is None else root * df2 / df1
    out["roy"] = _test(
        "Roy's largest root", root, f, (df1, df2), float(theta[0]), (level, alpha, None if s > 1 else 1.0)
    )
    return out


def _test(
    name: str,
    value: float | None,
    f: float | None,
    df: tuple[float, float],
    share: float,
    options: tuple[float, float, float | None],
) -> SignificanceTest:
    """One of the four statistics; `options` are level, alpha and the power that links F's share to partial η²."""
    level, alpha, power = options
    undefined = {}
    if value is None:
        undefined["estimate"] = _INFINITE
    p_value: float | None = 0.0
    if not df[1] > 0:
        f, p_value = None, None
        undefined |= dict.fromkeys(("statistic", "p_value"), "too few rows for its F approximation")
    elif f is None or not math.isfinite(f):
        f = None
        undefined["statistic"] = _INFINITE
    else:
        p_value = f_sf(f, *df)
    return SignificanceTest(
        method=f"{name}, F approximation",
        statistic_name="F",
        statistic=f,
        df=df[0],
        df_error=max(df[1], 0.0),
        p_value=p_value,
        alpha=alpha,
        estimate_name=name,
        estimate=value,
        effect_size=_eta(f, df, min(max(share, 0.0), 1.0), level, power),
        undefined=undefined,
    )


def _eta(
    f: float | None, df: tuple[float, float], share: float, level: float, power: float | None
) -> EffectSize:
    """Partial η²; its interval from the noncentral F, carried over by 1 - (1 - η²)**power."""
    bounds = None if f is None or power is None else f_noncentrality_interval(f, *df, level)
    if bounds is None or power is None:
        reason = (
            "its F is a bound or an approximation that gives no interval"
            if f is not None
            else "F is undefined"
        )
        return EffectSize(
            name="partial η²", estimate=share, undefined=dict.fromkeys(("conf_low", "conf_high"), reason)
        )
    total = df[0] + df[1] + 1
    low, high = (-math.expm1(power * math.log(total / (b + total))) for b in bounds)
    return EffectSize(
        name="partial η²",
        estimate=share,
        conf_low=low,
        conf_high=high,
        conf_level=level,
        conf_method="noncentral F of the approximation",
    )


def _means(rows: FloatArray, names: tuple[str, ...]) -> Quantity:
    return Quantity(dict(zip(names, rows.mean(axis=0).tolist(), strict=True)), Role.MEAN)


def _univariate(
    x: FloatArray, place: NDArray[np.int64], names: tuple[str, ...], alpha: float
) -> dict[str, SignificanceTest]:
    """One analysis of variance per outcome."""
    out = {}
    n, g = x.shape[0], int(place.max()) + 1
    for j, name in enumerate(names):
        one = _split(x[:, [j]], place, (name,))
        f = None if one.separated else float(one.ratios[0]) * (n - g) / (g - 1)
        out[name] = SignificanceTest(
            method=f"One-way analysis of variance of {name}",
            statistic_name="F",
            statistic=f,
            df=g - 1,
            df_error=n - g,
            p_value=0.0 if f is None else f_sf(f, g - 1, n - g),
            alpha=alpha,
            effect_size=_eta(f, (g - 1, n - g), float(one.between[0]) ** 2, 1 - alpha, 1.0),
            undefined={"statistic": _INFINITE} if f is None else {},
        )
    return out


def _box_m(x: FloatArray, place: NDArray[np.int64], g: int) -> dict[str, Any]:
    """Box's M test of equal covariance matrices."""
    p = x.shape[1]
    free = np.bincount(place).astype(np.float64) - 1
    keys = ("box_m", "statistic", "df", "p_value")
    if float(free.min()) < p:
        return {
            **dict.fromkeys(keys),
            "undefined": dict.fromkeys(keys, "every group needs more rows than outcomes"),
        }
    z = np.ldexp(x, -np.frexp(np.abs(x).max(axis=0))[1])
    z, _ = centred(z)
    z /= np.abs(z).max(axis=0)
    logs, pooled = [], np.zeros((p, p))
    for i in range(g):
        rows, _ = centred(z[place == i])
        singular = np.linalg.svd(rows, compute_uv=False)
        if not float(singular[-1]) > 1e-11 * float(singular[0]):
            reason = "the covariance matrix of a group is singular"
            return {**dict.fromkeys(keys), "undefined": dict.fromkeys(keys, reason)}
        logs.append(2 * float(np.sum(np.log(singular))) - p * math.log(free[i]))
        pooled += rows.T @ rows
    total = float(free.sum())
    log_pooled = float(np.linalg.slogdet(pooled / total)[1])
    box = max(0.0, total * log_pooled - float(np.dot(free, logs)))
    shrink = (float(np.sum(1 / free)) - 1 / total) * (2 * p * p + 3 * p - 1) / (6 * (p + 1) * (g - 1))
    df = p * (p + 1) * (g - 1) // 2
    statistic = max(0.0, box * (1 - shrink))
    return {"box_m": box, "statistic": statistic, "df": df, "p_value": chi2_sf(statistic, df)}


def _cautions(split: _Split, lead: SignificanceTest) -> tuple[str, ...]:
    said = []
    if split.separated:
        said.append(
            "Some combination of the outcomes has no variance within the groups: Wilks' lambda is 0 and the "
            "groups are separated perfectly (p = 0 as the limit)."
        )
    if split.p == 1:
        said.append("There is only one outcome: this is a one-way analysis of variance.")
    if lead.p_value is None:
        said.append("There are too few rows for the F approximation of Wilks' lambda.")
    return tuple(said)
