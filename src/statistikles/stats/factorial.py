"""Factorial analysis of variance and of covariance: types II, III and I, adjusted means and their pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated

import numpy as np

from statistikles.errors import NotDefined
from statistikles.registry.arguments import Alpha, ColumnSet, FloatArray, Labels, NameList, Switch, Vector
from statistikles.registry.declare import statistic
from statistikles.results import EffectSize, SignificanceTest, Source, VarianceTable
from statistikles.stats._adjusted_means import AdjustedMeans
from statistikles.stats._distributions import f_sf
from statistikles.stats._factorial_design import RESIDUAL, TOTAL, Design, build_design
from statistikles.stats._levene import levene_of_medians
from statistikles.stats._magnitude import ETA_SQUARED, magnitude
from statistikles.stats._model_bounds import f_noncentrality_interval
from statistikles.stats._one_way import describe_group
from statistikles.stats._partial_sums import Explained, LinearModel

__all__ = ["factorial_anova"]

_EPS = float(np.finfo(np.float64).eps)


@statistic(
    tool="anova",
    subtype="factorial",
    aliases=("two_way", "ancova", "two-way", "factorial_anova"),
    title="Factorial analysis of variance and covariance",
    use_when="a numeric outcome by two grouping columns, or by one or two with numeric covariates held constant",
    utterances=(
        "two-way ANOVA of yield by variety and fertiliser",
        "do sex and treatment interact in their effect on the score",
        "is there an interaction between the two factors",
        "compare the groups controlling for age",
        "ANCOVA",
        "difference between groups adjusted for a covariate",
    ),
    refs=(
        "Yates 1934, doi:10.1080/01621459.1934.10502686",
        "Langsrud 2003, doi:10.1023/A:1023260610025",
        "Kramer 1956, doi:10.2307/3001469",
        "Steiger 2004, doi:10.1037/1082-989X.9.2.164",
    ),
    laws=("order_invariant",),
    oracle="statsmodels.stats.anova:anova_lm",
    formula="F = (SS of a term after others / df) / (residual SS / residual df)",
    equivalents={
        "R": "car::Anova(lm(y ~ a * b, contrasts = list(a = contr.sum, b = contr.sum)), type = 2)",
        "Python": "statsmodels.stats.anova.anova_lm(ols('y ~ C(a, Sum) * C(b, Sum)', data).fit(), typ=2)",
    },
    example={
        "y": [26, 30, 54, 25, 70, 52, 18, 21, 29, 17, 12, 18, 36, 21, 24, 18, 10, 43],
        "factor_a": ["A"] * 9 + ["B"] * 9,
        "factor_b": ["L", "L", "L", "M", "M", "M", "H", "H", "H"] * 2,
        "var_names": ["wool", "tension"],
    },
    aligned=(("y", "factor_a", "factor_b", "covariates"),),
)
def factorial_anova(
    y: Annotated[FloatArray, Vector(min_n=3)],
    factor_a: Labels,
    *,
    factor_b: Labels | None = None,
    covariates: Annotated[FloatArray, ColumnSet(min_n=3)] | None = None,
    interaction: Switch = True,
    var_names: Annotated[tuple[str, ...], NameList(of=("factor_a", "factor_b", "covariates"), one_each=False)]
    | None = None,
    alpha: Alpha = 0.05,
    graph: Switch = False,
) -> VarianceTable:
    """Two-way analysis of variance, or one or two factors with covariates (analysis of covariance).

    Parameters
    ----------
    y : the numeric outcome.
    factor_a : the group of every row.
    factor_b : a second grouping of the rows.
    covariates : numeric columns held constant.
    interaction : include the interaction of the two factors.
    var_names : names of the factors, then of the covariates, for the result.
    alpha : significance level; intervals have confidence 1 - alpha.
    graph : list the means of the model for every combination of levels with intervals, for an interaction plot.

    Returns
    -------
    VarianceTable : type II leads (each term after the others that do not contain it); `also` has types III and I
        and the pairs of adjusted means; `details` has the adjusted means, the cells and Levene's test.

    Raises
    ------
    InputError : one factor and no covariate, a factor with one level, or an interaction with empty cells.
    NotDefined : no residual degrees of freedom, a term that adds nothing, or no variation to compare with.
    """
    design = build_design(factor_a, factor_b, covariates, var_names, interaction)
    unit = float(np.ldexp(1.0, int(np.frexp(np.abs(y).max())[1]))) if np.any(y) else 1.0
    model = LinearModel(y / unit, design.columns)
    residual = _residual(model, y / unit, design)
    types = {
        "II": [design.not_containing(t) for t in design.columns],
        "III": [[o for o in design.columns if o != t] for t in design.columns],
        "I": [list(design.columns)[:i] for i in range(len(design.columns))],
    }
    tables = {
        kind: {
            term: _source(model.explained(term, after), residual, unit, 1 - alpha)
            for term, after in zip(design.columns, order, strict=True)
        }
        for kind, order in types.items()
    }
    _refuse_empty_terms(tables["III"], design)
    total = float(model.response @ model.response)
    rest = {
        RESIDUAL: _plain(residual.sum_sq, residual.df, unit),
        TOTAL: _plain(total, model.n - 1, unit, mean_square=False),
    }
    adjusted = AdjustedMeans(design, y, residual, unit, alpha)
    cells = design.cells(y)
    levene = levene_of_medians(cells, alpha, over="cells")
    return VarianceTable(
        method=design.title,
        sources={**tables["II"], **rest},
        sum_of_squares_type="II",
        alpha=alpha,
        n=model.n,
        details={
            "r_squared": max(0.0, 1 - residual.sum_sq / total),
            "residual_std_dev": math.sqrt(residual.sum_sq / residual.df) * unit,
            "adjusted_means": adjusted.means(),
            "cells": {name: describe_group(values) for name, values in cells.items()},
            "homogeneity": levene,
            **({"graph": adjusted.cells()} if graph else {}),
        },
        also={
            "type_iii": {**tables["III"], RESIDUAL: rest[RESIDUAL]},
            "type_i": {**tables["I"], RESIDUAL: rest[RESIDUAL]},
            "pairs": adjusted.pairs(),
        },
        warnings=_cautions(design, cells, levene, tables),
        conventions=(
            (
                "type II sums of squares lead: each term after all that do not contain it; beside them type III "
                "(sum-to-zero coding, each after all others) and type I (in the order covariates, factors, interaction)"
            ),
            "partial η² = SS / (SS + residual SS), its interval from the noncentral F",
            (
                "adjusted means: equal weight for every level of the other factor, covariates at their means; "
                "pairs by Tukey and Kramer"
            ),
        ),
    )


# The table -----------------------------------------------------------------------------------------------


def _residual(model: LinearModel, y: FloatArray, design: Design) -> Explained:
    residual = model.residual()
    if residual.df < 1:
        raise NotDefined(
            "No degrees of freedom are left for the residual.",
            hint="Give more rows per combination of levels, or leave the interaction out.",
            code="too_few_values",
        )
    noise = (64 * _EPS * float(np.abs(y).max())) ** 2 * model.n
    if residual.sum_sq <= noise:
        raise NotDefined(
            f"The F tests are undefined: {' and '.join(design.columns)} explain the outcome exactly, "
            "so there is no variation left to compare with.",
            hint="Check that the right columns were used.",
            code="zero_variance",
        )
    return residual


def _refuse_empty_terms(table: Mapping[str, Source], design: Design) -> None:
    lost = [t for t, source in table.items() if (source.df or 0) < design.columns[t].shape[1]]
    if lost:
        raise NotDefined(
            f"The term {lost[0]} cannot be told apart from the others: the columns say the same.",
            hint="Leave one of them out.",
            code="singular",
        )


def _plain(sum_sq: float, df: int, unit: float, *, mean_square: bool = True) -> Source:
    scale = unit * unit
    if not math.isfinite(sum_sq * scale) or (sum_sq > 0 and sum_sq * scale == 0):
        reason = "it does not fit a double-precision number; rescale the values"
        fields = ("sum_sq", "mean_sq") if mean_square else ("sum_sq",)
        return Source(df=df, undefined=dict.fromkeys(fields, reason))
    return Source(sum_sq=sum_sq * scale, df=df, mean_sq=sum_sq * scale / df if mean_square else None)


def _source(found: Explained, residual: Explained, unit: float, level: float) -> Source:
    if found.df == 0:
        return Source(df=0, undefined={"statistic": "the term adds nothing to those before it"})
    f = (found.sum_sq / found.df) / (residual.sum_sq / residual.df)
    share = found.sum_sq / (found.sum_sq + residual.sum_sq)
    bounds = f_noncentrality_interval(f, found.df, residual.df, level)
    n = found.df + residual.df + 1
    # Noncentrality / (noncentrality + n) is the share of variance it stands for (Steiger 2004).
    eta = EffectSize(
        name="partial η²",
        estimate=share,
        conf_low=None if bounds is None else bounds[0] / (bounds[0] + n),
        conf_high=None if bounds is None else bounds[1] / (bounds[1] + n),
        conf_level=None if bounds is None else level,
        conf_method=None if bounds is None else "noncentral F",
        magnitude=magnitude(share, ETA_SQUARED),
    )
    plain = _plain(found.sum_sq, found.df, unit)
    return Source(
        sum_sq=plain.sum_sq,
        df=found.df,
        mean_sq=plain.mean_sq,
        statistic=f,
        p_value=f_sf(f, found.df, residual.df),
        effect_size=eta,
        undefined=plain.undefined,
    )


# Checks --------------------------------------------------------------------------------------------------


def _cautions(
    design: Design,
    cells: Mapping[str, FloatArray],
    levene: SignificanceTest,
    tables: Mapping[str, Mapping[str, Source]],
) -> tuple[str, ...]:
    out = []
    single = [name for name, values in cells.items() if values.size == 1]
    if single:
        out.append(f"Single values in {len(single)} of {len(cells)} cells, such as '{single[0]}'.")
    if levene.p_value is not None and levene.p_value < 0.05:
        out.append("The variances of the cells differ (Levene's test): the F tests assume equal variances.")
    p = tables["II"][design.crossed].p_value if design.crossed else None
    if p is not None and p < 0.05:
        out.append(
            "The interaction is significant: the effect of one factor depends on the level of the other, so "
            "read the cells before the main effects."
        )
    return tuple(out)
