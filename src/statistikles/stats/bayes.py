"""Bayesian updating of discrete hypotheses, the BIC Bayes factor of nested regressions, and credible intervals."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    ConfLevel,
    FloatArray,
    MatrixOf,
    NameList,
    Sample,
    ScalarNumber,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Estimate, Measures, Quantity, Role
from statistikles.stats._numerics import moments, quantiles

__all__ = ["bayes_factor_bic", "bayes_update", "credible_interval"]

_JEFFREYS = "Jeffreys 1961, Theory of Probability, 3rd ed., appendix B"

# Evidence for the favoured model by its Bayes factor (Jeffreys 1961, appendix B; half-units of log10).
_EVIDENCE = ((0.5, "barely worth mentioning"), (1.0, "substantial"), (1.5, "strong"), (2.0, "very strong"))

declare_tool(
    "bayesian_analysis",
    title="Bayes' theorem for discrete hypotheses",
    summary="Updates prior probabilities of hypotheses with the likelihood of what was observed.",
)
declare_tool(
    "bayes_factor",
    title="BIC Bayes factor of two nested regressions",
    summary="Compares a full with a reduced regression model through their R², by the BIC approximation.",
)
declare_tool(
    "credible_intervals",
    title="Credible intervals from posterior samples",
    summary="Equal-tailed and highest-density intervals of posterior samples.",
)


@statistic(
    tool="bayesian_analysis",
    title="Bayes' theorem",
    use_when="a few exclusive hypotheses with prior probabilities, and the likelihood of each possible observation",
    utterances=(
        "update my prior with this evidence",
        "posterior probability of a hypothesis",
        "what is the chance of disease after a positive test",
        "apply Bayes' rule",
    ),
    refs=("Bayes 1763, doi:10.1098/rstl.1763.0053",),
    formula="P(H|D) = P(D|H) P(H) / Σ P(D|Hᵢ) P(Hᵢ)",
    equivalents={
        "R": "prior * likelihood / sum(prior * likelihood)",
        "Python": "w = prior * like; w / w.sum()",
    },
    example={"prior": [0.01, 0.99], "likelihood": [[0.9, 0.1], [0.05, 0.95]], "data_index": 0},
)
def bayes_update(
    prior: Annotated[FloatArray, Vector(min_n=2, low=0.0, high=1.0)],
    likelihood: Annotated[FloatArray, MatrixOf(low=0.0, high=1.0)],
    *,
    data_index: Annotated[int, ScalarNumber(low=0, whole=True)] = 0,
    hypotheses: Annotated[tuple[str, ...], NameList()] | None = None,
) -> Measures:
    """Posterior probabilities of exclusive, exhaustive hypotheses after one observation.

    Parameters
    ----------
    prior : prior probability of each hypothesis; they must sum to 1.
    likelihood : rows = hypotheses, columns = possible observations; P(observation | hypothesis).
    data_index : which column was observed, counted from 0.
    hypotheses : names of the hypotheses.

    Returns
    -------
    Measures : posterior by hypothesis, the evidence P(data), and the factor by which each probability changed.

    Raises
    ------
    InputError : probabilities outside 0..1, a prior that does not sum to 1, rows and prior of different length.
    NotDefined : the observation is impossible under every hypothesis with a positive prior.
    """
    if not math.isclose(total := math.fsum(prior), 1.0, rel_tol=0, abs_tol=1e-8):
        raise InputError(
            f"The prior probabilities sum to {total:.6g}; they must sum to 1.",
            hint="Divide each by their sum, if they were meant as weights.",
            where="prior",
        )
    if likelihood.shape[0] != prior.shape[0]:
        raise InputError(
            f"There are {prior.shape[0]} hypotheses but {likelihood.shape[0]} rows of likelihoods.",
            hint="Give one row of likelihoods per hypothesis.",
            where="likelihood",
            code="length_mismatch",
        )
    if data_index >= likelihood.shape[1]:
        raise InputError(
            f"data_index {data_index} is beyond the {likelihood.shape[1]} possible observations (counted from 0).",
            where="data_index",
            code="out_of_range",
        )
    rows = [math.fsum(row) for row in likelihood]
    if any(s > 1 + 1e-8 for s in rows):
        raise InputError(
            "A row of likelihoods sums to more than 1.",
            hint="Each row holds the probabilities of the possible observations under one hypothesis.",
            where="likelihood",
        )
    names = _names(hypotheses, prior.shape[0])
    column = likelihood[:, data_index]
    joint = prior * column
    evidence = math.fsum(joint)
    if evidence <= 0:
        raise NotDefined(
            "The observation has probability zero under every hypothesis with a positive prior.",
            hint="Check the likelihoods, or give some hypothesis that allows it a positive prior.",
            code="impossible_data",
        )
    posterior = joint / evidence
    return Measures(
        method="Bayes' theorem for discrete hypotheses",
        quantities={
            "posterior": Quantity(dict(zip(names, posterior, strict=True)), Role.PROBABILITY),
            "prior": Quantity(dict(zip(names, prior, strict=True)), Role.PROBABILITY),
            "likelihood": Quantity(dict(zip(names, column, strict=True)), Role.PROBABILITY),
            "evidence": Quantity(evidence, Role.PROBABILITY),
            "update_factor": Quantity(dict(zip(names, column / evidence, strict=True)), Role.RATIO),
            "most_probable": names[int(np.argmax(posterior))],
        },
        conventions=("hypotheses are taken as exclusive and exhaustive", "data_index counts from 0"),
        warnings=()
        if all(abs(s - 1) <= 1e-8 for s in rows)
        else ("Some rows of likelihoods sum to less than 1: observations not listed are possible.",),
    )


def _names(given: tuple[str, ...] | None, n: int) -> tuple[str, ...]:
    if given is None:
        return tuple(f"H{i}" for i in range(1, n + 1))
    if len(given) != n:
        raise InputError(f"There are {n} hypotheses but {len(given)} names.", where="hypotheses")
    return given


@statistic(
    tool="bayes_factor",
    title="BIC Bayes factor of nested regressions",
    use_when="two nested linear regressions on the same data, of which R² and the numbers of parameters are known",
    utterances=(
        "bayes factor from R squared",
        "is the full model better than the reduced model",
        "BF10 of a regression",
        "evidence for adding predictors",
    ),
    refs=(
        "Wagenmakers 2007, doi:10.3758/BF03194105",
        "Kass & Raftery 1995, doi:10.1080/01621459.1995.10476572",
        _JEFFREYS,
    ),
    formula="BF10 = exp((BIC0 − BIC1)/2), BIC = n log(1 − R²) + p log n",
    equivalents={
        "R": "exp((BIC(reduced) - BIC(full)) / 2)",
        "Python": "np.exp((reduced.bic - full.bic) / 2)",
    },
    example={"r_squared_full": 0.35, "r_squared_reduced": 0.20, "n": 60, "p_full": 4, "p_reduced": 2},
)
def bayes_factor_bic(
    r_squared_full: Annotated[float, ScalarNumber(low=0, high=1, open_high=True)],
    r_squared_reduced: Annotated[float, ScalarNumber(low=0, high=1, open_high=True)],
    n: Annotated[int, ScalarNumber(low=2, whole=True)],
    p_full: Annotated[int, ScalarNumber(low=0, whole=True)],
    p_reduced: Annotated[int, ScalarNumber(low=0, whole=True)],
) -> Measures:
    """Bayes factor of a full against a reduced linear regression, by the BIC approximation.

    Parameters
    ----------
    r_squared_full : R² of the full model, below 1.
    r_squared_reduced : R² of the reduced model; it cannot exceed the full model's.
    n : number of observations.
    p_full : number of parameters of the full model.
    p_reduced : number of parameters of the reduced model, counted in the same way.

    Returns
    -------
    Measures : BF10, BF01, their log10 (kept when BF10 itself overflows), both BIC, posterior model probabilities
        at even prior odds, and the evidence label.

    Raises
    ------
    InputError : models that cannot be nested, or more parameters than observations.
    """
    if p_reduced >= p_full:
        raise InputError(
            f"The reduced model must have fewer parameters than the full one ({p_reduced} and {p_full}).",
            where="p_reduced",
            code="not_nested",
        )
    if r_squared_reduced > r_squared_full:
        raise InputError(
            "R² of the reduced model exceeds that of the full model, which is impossible for nested models.",
            hint="Check that r_squared_full and r_squared_reduced are not swapped.",
            where="r_squared_reduced",
            code="not_nested",
        )
    if p_full >= n:
        raise InputError(f"With n = {n}, the full model must have fewer than {n} parameters.", where="p_full")
    bic_full = n * math.log1p(-r_squared_full) + p_full * math.log(n)
    bic_reduced = n * math.log1p(-r_squared_reduced) + p_reduced * math.log(n)
    log_bf = (bic_reduced - bic_full) / 2
    log10_bf = log_bf / math.log(10)
    undefined = {}
    if abs(log_bf) > 709:
        too_far = "it is beyond the range of double precision; log10_bf10 holds it"
        undefined = {"bf10": too_far, "bf01": too_far}
    label = next((name for limit, name in _EVIDENCE if abs(log10_bf) < limit), "decisive")
    return Measures(
        method="Bayes factor of nested regressions by the BIC approximation",
        quantities={
            "bf10": Quantity(None if undefined else math.exp(log_bf), Role.BAYES_FACTOR),
            "bf01": Quantity(None if undefined else math.exp(-log_bf), Role.BAYES_FACTOR),
            "log10_bf10": Quantity(log10_bf, Role.BAYES_FACTOR),
            "bic_full": Quantity(bic_full, Role.INFORMATION),
            "bic_reduced": Quantity(bic_reduced, Role.INFORMATION),
            "probability_full": Quantity(_logistic(log_bf), Role.PROBABILITY),
            "probability_reduced": Quantity(_logistic(-log_bf), Role.PROBABILITY),
            "favours": "full" if log_bf > 0 else "reduced" if log_bf < 0 else "neither",
            "evidence": label,
        },
        undefined=undefined,
        conventions=(
            "unit-information prior implied by BIC",
            "posterior model probabilities at even prior odds",
            "labels after Jeffreys (1961)",
        ),
    )


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(max(x, -745.0)) / (1 + math.exp(max(x, -745.0)))


@statistic(
    tool="credible_intervals",
    title="Credible interval",
    use_when="samples from a posterior distribution of one quantity",
    utterances=(
        "credible interval from these posterior draws",
        "highest density interval",
        "HDI of the samples",
        "summarise MCMC samples",
    ),
    refs=(
        "Hyndman 1996, doi:10.1080/00031305.1996.10474359",
        "Hyndman & Fan 1996, doi:10.1080/00031305.1996.10473566",
    ),
    formula="ETI: type-7 quantiles at (1 ∓ level)/2; HDI: shortest interval that holds ⌊level·n⌋ + 1 of the sorted draws",
    equivalents={
        "R": "quantile(x, c(.025, .975)); HDInterval::hdi(x)",
        "Python": "np.quantile(x, [.025, .975])",
    },
    example={"samples": [0.1, 0.4, 0.35, 0.8, 0.55, 0.62, 0.47, 0.5, 0.71, 0.29], "conf_level": 0.8},
    laws=("order_invariant",),
)
def credible_interval(samples: Sample, *, conf_level: ConfLevel = 0.95) -> Estimate:
    """Equal-tailed interval (leads) and highest-density interval of posterior samples.

    Parameters
    ----------
    samples : independent draws (or a thinned chain) from the posterior.
    conf_level : posterior probability the interval holds; also accepted as level.

    Returns
    -------
    Estimate : posterior mean with the equal-tailed interval; `also.hdi` is the highest-density interval.

    Raises
    ------
    InputError : fewer than two samples.
    """
    m = moments(samples)
    tail = (1 - conf_level) / 2
    low, median, high = quantiles(samples, [tail, 0.5, 1 - tail], kind=7)
    hdi_low, hdi_high = _shortest(np.sort(samples), conf_level)
    warnings: tuple[str, ...] = ()
    if samples.shape[0] * tail < 5:
        warnings = (
            f"Few draws lie beyond the interval ({samples.shape[0]} in all); its ends are uncertain.",
        )
    return Estimate(
        method="Credible intervals from posterior samples",
        name="posterior mean",
        estimate=m.mean,
        conf_low=low,
        conf_high=high,
        conf_level=conf_level,
        conf_method="equal-tailed, type-7 quantiles",
        n=m.n,
        also={
            "median": median,
            "std_dev": m.sd,
            "hdi": {"conf_low": hdi_low, "conf_high": hdi_high, "width": hdi_high - hdi_low},
        },
        conventions=("the equal-tailed interval leads; the highest-density interval assumes one mode",),
        warnings=warnings,
    )


def _shortest(ordered: FloatArray, level: float) -> tuple[float, float]:
    """The shortest interval between order statistics that are floor(level n) apart; the first of equals."""
    n = ordered.shape[0]
    span = min(n - 1, math.floor(level * n + 1e-12))
    widths = ordered[span:] - ordered[: n - span]
    start = int(np.argmin(widths))
    return float(ordered[start]), float(ordered[start + span])
