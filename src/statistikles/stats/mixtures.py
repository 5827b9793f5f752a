"""Mixture of normal distributions of one variable, fitted by expectation-maximisation."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Components, FloatArray, ScalarNumber, Seed, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._columns import fit_or_none
from statistikles.stats._em import FLOOR, MixtureFit, fit_mixture, responsibilities
from statistikles.stats._numerics import moments

__all__ = ["normal_mixture"]

_LIST_LIMIT = 10_000
_TRACE_LIMIT = 500

declare_tool(
    "bayesian_em",
    title="Normal mixture by EM",
    summary="Splits one numeric variable into a few normal components (latent groups).",
)

Values = Annotated[FloatArray, Vector(min_n=2)]
Starts = Annotated[int, ScalarNumber(low=0.0, high=200.0, whole=True, limit=True)]


@statistic(
    tool="bayesian_em",
    title="Normal mixture by expectation-maximisation",
    use_when="one numeric variable seems to come from several hidden groups (more than one peak)",
    utterances=(
        "is this distribution a mixture of two normals",
        "Gaussian mixture model",
        "find hidden subgroups in one variable",
        "EM algorithm with three components",
        "bimodal distribution, estimate both peaks",
    ),
    refs=(
        "Dempster, Laird & Rubin 1977, Maximum likelihood from incomplete data via the EM algorithm",
        "McLachlan & Peel 2000, doi:10.1002/0471721182",
        "Varadhan & Roland 2008, Simple and globally convergent methods for accelerating EM",
        "Arthur & Vassilvitskii 2007, k-means++: the advantages of careful seeding",
    ),
    oracle="sklearn.mixture:GaussianMixture",
    formula="f(x) = Σ w_j N(x; m_j, s_j²); r_ij = w_j N(x_i; m_j, s_j²)/f(x_i)",
    equivalents={
        "R": "mclust::Mclust(x, G = k, modelNames = 'V')",
        "Python": "sklearn.mixture.GaussianMixture(k, n_init=10, random_state=0).fit(x.reshape(-1, 1))",
    },
    example={
        "data": [1.8, 2.1, 2.4, 1.9, 2.2, 2.0, 2.6, 1.7, 4.9, 5.3, 5.1, 4.8, 5.6, 5.0, 4.7, 5.2],
        "k": 2,
    },
)
def normal_mixture(data: Values, k: Components = 2, *, n_starts: Starts = 10, seed: Seed = 0) -> Measures:
    """Maximum-likelihood mixture of k normal distributions with their own variances.

    Parameters
    ----------
    data : the values.
    k : number of components, at most 20.
    n_starts : number of random (k-means++) starts besides the one by quantiles.
    seed : seed of the random starts.

    Returns
    -------
    Measures : components sorted by mean, log likelihood with its path, AIC and BIC, who belongs where.

    Raises
    ------
    InputError : more components than values.
    NotDefined : constant values, or fewer different values than components.
    """
    n = int(data.size)
    if k > n:
        raise InputError(
            f"{k} components cannot be fitted to {n} values.",
            hint="Use fewer components than values.",
            where="k",
            code="out_of_range",
        )
    distinct = int(np.unique(data).size)
    if distinct < max(k, 2):
        raise NotDefined(
            f"The mixture is undefined: there {'is' if distinct == 1 else 'are'} only {distinct} different "
            f"value{'s' if distinct != 1 else ''} for {k} component{'s' if k != 1 else ''}.",
            hint="Use fewer components.",
            where="data",
            code="zero_variance",
        )
    power = int(np.frexp(np.abs(data).max())[1])
    z = np.ldexp(data, -power)
    m = moments(z)
    spread = math.sqrt(float(np.mean((z - m.mean) ** 2)))
    if not spread > 0.0:
        raise NotDefined("The spread of the values is lost in rounding.", where="data", code="zero_variance")
    u = (z - m.mean) / spread
    fit = fit_mixture(u, k, n_starts=n_starts, seed=seed)
    shift = n * (math.log(spread) + power * math.log(2))
    parts, undefined = _components(fit, m.mean, spread, power)
    r, _ = responsibilities(u, fit.weights, fit.means, fit.variances)
    belonging, reasons = _belonging(r)
    log_likelihood = fit.log_likelihood - shift
    n_parameters = 3 * k - 1
    single = -0.5 * n * (math.log(2 * math.pi) + 1) - shift
    return Measures(
        method=f"Mixture of {k} normal distribution{'s' if k != 1 else ''} with unequal variances, "
        "maximum likelihood by EM",
        quantities={
            "n": Quantity(n, Role.COUNT),
            "k": Quantity(k, Role.COUNT),
            **parts,
            "log_likelihood": Quantity(log_likelihood, Role.LIKELIHOOD),
            "n_parameters": Quantity(n_parameters, Role.COUNT),
            "aic": Quantity(2 * n_parameters - 2 * log_likelihood, Role.INFORMATION),
            "bic": Quantity(n_parameters * math.log(n) - 2 * log_likelihood, Role.INFORMATION),
            "bic_single_normal": Quantity(2 * math.log(n) - 2 * single, Role.INFORMATION),
            **belonging,
            "log_likelihood_trace": Quantity([v - shift for v in _thinned(fit.trace)], Role.LIKELIHOOD),
            "n_iterations": Quantity(len(fit.trace), Role.COUNT),
            "converged": fit.converged,
        },
        undefined=undefined | reasons,
        seed=seed,
        conventions=(
            "components are sorted by their means; variances have divisor n",
            f"no variance below {FLOOR:g} of the variance of the data",
            "AIC = 2p − 2LL and BIC = p·log n − 2LL with p = 3k − 1: smaller is better",
            "converged: the log likelihood changes by less than 1e-12 of itself per step (1e-10 above 2000 values)",
            "best of one start by quantiles and the seeded k-means++ starts, tried on 5000 values when there are more",
        ),
        warnings=_cautions(fit, r),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _components(
    fit: MixtureFit, mean: float, spread: float, power: int
) -> tuple[dict[str, Any], dict[str, str]]:
    """The components in the units of the data."""
    means = [math.ldexp(mean + spread * v, power) for v in fit.means.tolist()]
    deviations = [math.ldexp(spread * math.sqrt(v), power) for v in fit.variances.tolist()]
    variances = [fit_or_none(spread * spread * v, 2 * power) for v in fit.variances.tolist()]
    lost = None in variances
    out = {
        "weights": Quantity(fit.weights.tolist(), Role.PROPORTION),
        "means": Quantity(means, Role.MEAN),
        "std_devs": Quantity(deviations, Role.STD_DEV),
        "variances": None if lost else Quantity(variances, Role.VARIANCE),
    }
    return out, {"variances": "they do not fit a double-precision number; see std_devs"} if lost else {}


def _belonging(r: FloatArray) -> tuple[dict[str, Any], dict[str, str]]:
    """How clearly the values belong to the components."""
    n, k = r.shape
    best = r.max(axis=1)
    positive = np.where(r > 0, r, 1.0)
    entropy = -float(np.sum(r * np.log(positive)))
    assigned = r.argmax(axis=1)
    out: dict[str, Any] = {
        "n_assigned": Quantity(np.bincount(assigned, minlength=k).tolist(), Role.COUNT),
        "mean_responsibility": Quantity(min(1.0, float(best.mean())), Role.PROBABILITY),
        "smallest_responsibility": Quantity(min(1.0, float(best.min())), Role.PROBABILITY),
        "separation": Quantity(1 - entropy / (n * math.log(k)), Role.PROPORTION) if k > 1 else None,
        "assignments": Quantity(assigned.tolist(), Role.INDEX) if n <= _LIST_LIMIT else None,
    }
    reasons = {}
    if k == 1:
        reasons["separation"] = "there is one component only"
    if n > _LIST_LIMIT:
        reasons["assignments"] = f"not listed for more than {_LIST_LIMIT} values"
    return out, reasons


def _thinned(trace: tuple[float, ...]) -> list[float]:
    """The path of the log likelihood, evenly thinned when long, with its end."""
    step = -(-len(trace) // _TRACE_LIMIT)
    kept = list(trace[::step])
    return kept if kept[-1] == trace[-1] else [*kept, trace[-1]]


def _cautions(fit: MixtureFit, r: FloatArray) -> tuple[str, ...]:
    said = []
    if not fit.converged:
        said.append(
            "EM was stopped before the log likelihood had settled: the components overlap too much to be told apart well."
        )
    if float(fit.variances.min()) <= FLOOR * (1 + 1e-9):
        said.append(
            "A component has collapsed onto almost equal values (its variance is at the floor): the likelihood "
            "has no meaningful maximum there. Use fewer components."
        )
    if float(r.sum(axis=0).min()) < 2.0 and r.shape[1] > 1:
        said.append("A component has fewer than two values' worth of weight.")
    return tuple(said)
