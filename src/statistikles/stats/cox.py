"""Cox proportional-hazards regression with Efron's or Breslow's handling of ties."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Binary,
    Choice,
    Columns,
    FloatArray,
    NameList,
    Vector,
)
from statistikles.registry.declare import statistic
from statistikles.results import Fit, SignificanceTest, Term
from statistikles.stats._distributions import chi2_sf, norm_isf, p_normal

__all__ = ["cox_regression"]

_MAX_ITERATIONS = 50
_LARGEST_LOG = 709.0


@dataclass(frozen=True)
class _Likelihood:
    value: float
    score: FloatArray
    information: FloatArray


@statistic(
    tool="survival_analysis",
    subtype="cox",
    title="Cox proportional-hazards regression",
    use_when="times until an event with censoring, and numeric or 0/1 predictors of the hazard",
    utterances=(
        "hazard ratio of age",
        "Cox regression",
        "which factors predict survival",
        "adjusted survival comparison",
    ),
    refs=(
        "Cox 1972, doi:10.1111/j.2517-6161.1972.tb00899.x",
        "Efron 1977, doi:10.1080/01621459.1977.10480613",
        "Grambsch & Therneau 1994, doi:10.1093/biomet/81.3.515",
    ),
    formula="h(t|x) = h₀(t) exp(x′β); partial likelihood with Efron's correction for ties",
    equivalents={
        "R": "coxph(Surv(times, events) ~ x)",
        "Python": "lifelines.CoxPHFitter().fit(frame, 'times', 'events')",
    },
    example={
        "times": [6, 7, 10, 13, 16, 22, 1, 2, 3, 4, 5, 8],
        "events": [1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1],
        "x": [[0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 1]],
    },
    aligned=(("times", "events", "x"),),
    laws=("order_invariant",),
)
def cox_regression(
    times: Annotated[FloatArray, Vector(min_n=2, low=0.0)],
    events: Binary,
    x: Columns,
    *,
    var_names: Annotated[tuple[str, ...], NameList(of=("x",))] | None = None,
    ties: Annotated[str, Choice(("efron", "breslow"))] = "efron",
    alpha: Alpha = 0.05,
) -> Fit:
    """Cox regression: hazard ratios with intervals, the three overall tests, concordance and a check of the assumption.

    Parameters
    ----------
    times : time until the event or until censoring.
    events : 1 where the event happened, 0 where the time is censored.
    x : one predictor or a list of predictor columns.
    var_names : names of the predictors.
    ties : handling of tied event times.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Fit : terms with log hazard ratios and hazard ratios; the leading test is the likelihood ratio.

    Raises
    ------
    InputError : another number of names than predictors.
    NotDefined : no events, a constant predictor, collinear predictors, or a predictor that separates the events.
    """
    n, p = x.shape
    names = var_names or tuple(f"x{j}" for j in range(1, p + 1))
    if len(names) != p:
        raise InputError(
            f"There are {p} predictors but {len(names)} names.", where="var_names", code="length_mismatch"
        )
    n_events = int(events.sum())
    if n_events == 0:
        raise NotDefined("No event was observed, so hazards cannot be estimated.", code="no_events")
    centre, spread = _centre_and_spread(x)
    for j in np.flatnonzero(spread == 0):
        raise NotDefined(f"The predictor '{names[j]}' is constant.", hint="Leave it out.", code="constant")
    order = np.argsort(-times, kind="stable")
    z, t, d = ((x - centre) / spread)[order], times[order], events[order]
    model = _Partial(t, d, z, ties)
    beta, fit, null = _maximise(model, names)
    coefficients = beta / spread
    errors = np.sqrt(np.diag(np.linalg.inv(fit.information))) / spread
    reach = norm_isf(alpha / 2)
    terms = {
        name: _term(float(b), float(e), reach) for name, b, e in zip(names, coefficients, errors, strict=True)
    }
    ratio = 2 * (fit.value - null.value)
    score = float(null.score @ np.linalg.solve(null.information, null.score))
    wald = float(beta @ fit.information @ beta)
    return Fit(
        method=f"Cox proportional-hazards regression ({ties.capitalize()} ties)",
        terms=terms,
        statistic_name="χ² (likelihood ratio)",
        statistic=max(0.0, ratio),
        df=float(p),
        p_value=chi2_sf(max(0.0, ratio), p),
        alpha=alpha,
        conf_level=1 - alpha,
        log_likelihood=fit.value,
        aic=2 * p - 2 * fit.value,
        n=n,
        details={"n_events": n_events, "log_likelihood_null": null.value},
        diagnostics={
            "concordance": _concordance(times, events, x @ coefficients),
            "proportional_hazards": _proportionality(model, beta, fit, names, alpha),
        },
        also={
            "score_test": _overall("Score (log-rank) test", score, p, alpha),
            "wald_test": _overall("Wald test", wald, p, alpha),
        },
        conventions=(
            f"partial likelihood, {ties.capitalize()} correction for ties",
            "the likelihood-ratio test leads; Wald and score beside it",
            "proportional hazards: scaled Schoenfeld residuals against ranked event times (Grambsch & Therneau 1994)",
        ),
        warnings=(f"Only {n_events / p:.3g} events per predictor; fewer than 10 is thin.",)
        if n_events < 10 * p
        else (),
    )


def _term(estimate: float, error: float, reach: float) -> Term:
    low, high = estimate - reach * error, estimate + reach * error
    ratios = {"hazard_ratio": estimate, "hazard_ratio_low": low, "hazard_ratio_high": high}
    too_large = (
        "one unit of the predictor is so large that the ratio exceeds double precision; rescale the predictor"
    )
    return Term(
        estimate=estimate,
        std_error=error,
        statistic=estimate / error,
        p_value=p_normal(estimate / error),
        conf_low=low,
        conf_high=high,
        undefined={name: too_large for name, log in ratios.items() if log > _LARGEST_LOG},
        **{name: None if log > _LARGEST_LOG else math.exp(log) for name, log in ratios.items()},
    )


def _overall(method: str, value: float, df: int, alpha: float) -> SignificanceTest:
    return SignificanceTest(
        method=method,
        statistic_name="χ²",
        statistic=max(0.0, value),
        df=float(df),
        p_value=chi2_sf(max(0.0, value), df),
        alpha=alpha,
    )


class _Partial:
    """Partial likelihood of data sorted by falling time."""

    def __init__(self, times: FloatArray, events: FloatArray, x: FloatArray, ties: str) -> None:
        self.x, self.efron = x, ties == "efron"
        starts = np.concatenate(([0], np.flatnonzero(np.diff(times)) + 1))
        ends = np.append(starts[1:], len(times))
        # Per distinct event time: rows at risk are [0, end), the deaths are `dead`.
        self.blocks = [
            (int(end), start + np.flatnonzero(events[start:end] == 1))
            for start, end in zip(starts, ends, strict=True)
            if events[start:end].any()
        ]

    def at(self, beta: FloatArray) -> _Likelihood:
        eta = self.x @ beta
        top = float(eta.max())
        weight = np.exp(eta - top)
        wx = weight[:, None] * self.x
        sum0, sum1 = np.cumsum(weight), np.cumsum(wx, axis=0)
        value, score, information = 0.0, np.zeros(len(beta)), np.zeros((len(beta), len(beta)))
        sum2, done = np.zeros_like(information), 0
        for end, dead in self.blocks:
            sum2 = sum2 + wx[done:end].T @ self.x[done:end]
            done = end
            d0, d1 = weight[dead].sum(), wx[dead].sum(axis=0)
            d2 = wx[dead].T @ self.x[dead]
            value += float(eta[dead].sum())
            score += self.x[dead].sum(axis=0)
            for k in range(len(dead)):
                share = k / len(dead) if self.efron else 0.0
                s0 = sum0[end - 1] - share * d0
                mean = (sum1[end - 1] - share * d1) / s0
                value -= math.log(s0) + top
                score -= mean
                information += (sum2 - share * d2) / s0 - np.outer(mean, mean)
        return _Likelihood(value, score, information)

    def schoenfeld(self, beta: FloatArray) -> FloatArray:
        """Residual of each death, in order of falling time: its x minus the mean of those at risk."""
        weight = np.exp(self.x @ beta - float((self.x @ beta).max()))
        wx = weight[:, None] * self.x
        sum0, sum1 = np.cumsum(weight), np.cumsum(wx, axis=0)
        rows = []
        for end, dead in self.blocks:
            shares = np.arange(len(dead)) / len(dead) if self.efron else np.zeros(len(dead))
            d0, d1 = weight[dead].sum(), wx[dead].sum(axis=0)
            means = [(sum1[end - 1] - s * d1) / (sum0[end - 1] - s * d0) for s in shares]
            rows += [self.x[i] - np.mean(means, axis=0) for i in dead]
        return np.array(rows)


def _centre_and_spread(x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Means and standard deviations; the largest deviation is divided out first, so that no square underflows."""
    centre = x.mean(axis=0)
    largest = np.abs(x - centre).max(axis=0)
    spread = largest * ((x - centre) / np.where(largest > 0, largest, 1.0)).std(axis=0)
    return centre, np.where(np.ptp(x, axis=0) == 0, 0.0, spread)


def _maximise(model: _Partial, names: tuple[str, ...]) -> tuple[FloatArray, _Likelihood, _Likelihood]:
    """Newton's method with step halving from zero; (beta, at the maximum, at zero)."""
    beta: FloatArray = np.zeros(len(names))
    null = current = model.at(beta)
    if np.linalg.matrix_rank(
        null.information, tol=1e-10 * max(float(np.trace(null.information)), 1e-300)
    ) < len(names):
        raise NotDefined(
            "The predictors are collinear among those at risk, so their hazard ratios are not defined.",
            hint="Leave out one of the predictors that repeat each other.",
            code="singular",
        )
    for _ in range(_MAX_ITERATIONS):
        try:
            step = np.linalg.solve(current.information, current.score)
        except np.linalg.LinAlgError:
            raise _separated(beta, names) from None
        for _ in range(30):
            trial = model.at(beta + step)
            if math.isfinite(trial.value) and trial.value >= current.value - 1e-12 * abs(current.value):
                break
            step = step / 2
        beta, gain, current = beta + step, trial.value - current.value, trial
        if np.abs(beta).max() > 25:
            raise _separated(beta, names)
        # Newton converges quadratically: one step after the likelihood has settled, the estimate is exact.
        if abs(gain) <= 1e-13 * abs(current.value) + 1e-14 and np.abs(step).max() < 1e-9 * (
            1 + np.abs(beta).max()
        ):
            if np.sqrt(np.diag(np.linalg.inv(current.information))).max() > 1e3:
                raise _separated(beta, names)
            return beta, current, null
    raise _separated(beta, names)


def _separated(beta: FloatArray, names: tuple[str, ...]) -> NotDefined:
    worst = names[int(np.abs(beta).argmax())]
    return NotDefined(
        f"The partial likelihood has no maximum: '{worst}' separates those with an early event from the others, so its "
        "hazard ratio is infinite.",
        hint="Leave the predictor out, merge its levels, or collect more events.",
        code="separation",
    )


def _proportionality(
    model: _Partial, beta: FloatArray, fit: _Likelihood, names: tuple[str, ...], alpha: float
) -> dict[str, Any]:
    residuals = model.schoenfeld(beta)
    deaths = residuals.shape[0]
    if deaths < 3:
        return {}
    covariance = np.linalg.inv(fit.information)
    scaled = deaths * residuals @ covariance
    rank = np.arange(deaths, 0, -1, dtype=float)  # the residuals are in order of falling time
    centred = rank - rank.mean()
    values = (scaled.T @ centred) ** 2 / (deaths * np.diag(covariance) * (centred @ centred))
    return {
        name: SignificanceTest(
            method="Test of proportional hazards (Grambsch–Therneau)",
            statistic_name="χ²",
            statistic=float(v),
            df=1.0,
            p_value=chi2_sf(float(v), 1),
            alpha=alpha,
        )
        for name, v in zip(names, values, strict=True)
    }


def _concordance(times: FloatArray, events: FloatArray, risk: FloatArray) -> float | None:
    """Harrell's C: among usable pairs, the share in which the higher risk fails first; ties in risk count half."""
    concordant = usable = 0.0
    for i in np.flatnonzero(events == 1):
        later = (times > times[i]) | ((times == times[i]) & (events == 0))
        usable += int(later.sum())
        concordant += int((risk[later] < risk[i]).sum()) + 0.5 * int((risk[later] == risk[i]).sum())
    return concordant / usable if usable else None
