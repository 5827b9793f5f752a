"""Maximum likelihood of named distributions: estimates, information, log likelihood and distribution function.

Each family is one function from a checked sample to a `Fitted`. The information is the observed one at
the maximum; where a parameter's likelihood is not smooth (the ends of a range) it has none, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import special as sc

from statistikles.errors import NotDefined
from statistikles.stats._numerics import find_root, moments

__all__ = ["CONTINUOUS", "Fitted", "flat"]

Vector = NDArray[np.float64]
Curve = Callable[[Vector], Vector]
_LOG_2PI = math.log(2 * math.pi)


@dataclass(frozen=True)
class Fitted:
    """Estimates by name, standard errors (None with a reason in `irregular`), likelihood and distribution."""

    estimates: Mapping[str, float]
    errors: Mapping[str, float | None]
    log_likelihood: float
    cdf: Curve
    derived: Mapping[str, float] = field(default_factory=dict)
    irregular: str = ""
    information: str = "observed"


def flat(family: str) -> NotDefined:
    """The refusal of a constant sample by families that need spread."""
    return NotDefined(
        f"The {family} likelihood has no maximum for constant data: the spread shrinks to zero.",
        hint="Check that the right column was used.",
        where="data",
        code="zero_variance",
    )


def _inverse(a: float, b: float, c: float) -> tuple[float, float]:
    """Square roots of the diagonal of [[a, b], [b, c]]^-1."""
    det = a * c - b * b
    if not det > 0:
        raise NotDefined(
            "The likelihood is too flat for standard errors.", where="data", code="no_convergence"
        )
    return math.sqrt(c / det), math.sqrt(a / det)


def normal(x: Vector) -> Fitted:
    m = moments(x)
    if not m.ss:
        raise flat("normal")
    n = x.size
    sigma = math.sqrt(m.ss / n)
    return Fitted(
        {"mean": m.mean, "std_dev": sigma},
        {"mean": sigma / math.sqrt(n), "std_dev": sigma / math.sqrt(2 * n)},
        -n / 2 * (_LOG_2PI + 2 * math.log(sigma) + 1),
        lambda v: np.asarray(sc.ndtr((v - m.mean) / sigma)),
        {"variance": m.ss / n, "precision": n / m.ss, "std_dev_unbiased": math.sqrt(m.ss / (n - 1))},
    )


def lognormal(x: Vector) -> Fitted:
    logs = np.log(x)
    inner = normal(logs)
    mu, sigma = inner.estimates["mean"], inner.estimates["std_dev"]
    return Fitted(
        {"meanlog": mu, "sdlog": sigma},
        {"meanlog": inner.errors["mean"], "sdlog": inner.errors["std_dev"]},
        inner.log_likelihood - float(logs.sum()),
        lambda v: np.asarray(sc.ndtr((np.log(np.maximum(v, 5e-324)) - mu) / sigma)),
        {
            "scale": float(np.exp(mu)),
            "geometric_std_dev": float(np.exp(sigma)),
            "mean": float(np.exp(mu + sigma * sigma / 2)),
        },
    )


def exponential(x: Vector) -> Fitted:
    scale = float(x.mean())
    if scale == 0:
        raise flat("exponential")
    return Fitted(
        {"rate": 1 / scale},
        {"rate": 1 / scale / math.sqrt(x.size)},
        -x.size * (math.log(scale) + 1),
        lambda v: -np.expm1(-np.maximum(v, 0) / scale),
        {"scale": scale, "mean": scale, "half_life": scale * math.log(2)},
    )


def gamma(x: Vector) -> Fitted:
    n, mean = x.size, float(x.mean())
    ratio = x / mean
    gap = float(-np.log(ratio).mean())  # log(mean) - mean(log) >= 0
    if not gap > 1e-15:
        raise flat("gamma")

    def score(u: float) -> float:
        k = math.exp(u)
        return _log_minus_digamma(k) - gap

    shape = math.exp(find_root(score, math.log(0.4 / gap) - 4, math.log(1.0 / gap) + 2, rtol=1e-15))
    scale = mean / shape
    errors = _inverse(n * float(sc.polygamma(1, shape)), n / scale, n * shape / scale**2)
    value = n * (-shape * gap - shape - math.log(mean) + gap + shape * math.log(shape) - math.lgamma(shape))
    return Fitted(
        {"shape": shape, "scale": scale},
        {"shape": errors[0], "scale": errors[1]},
        value,
        lambda v: np.asarray(sc.gammainc(shape, np.maximum(v, 0) / scale)),
        {"rate": 1 / scale, "mean": mean, "variance": mean * scale},
    )


def _log_minus_digamma(k: float) -> float:
    """log(k) - digamma(k), by its asymptotic series where the difference would cancel."""
    if k < 50:
        return math.log(k) - float(sc.digamma(k))
    r = 1 / (k * k)
    return 0.5 / k + r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r / 240)))


def weibull(x: Vector) -> Fitted:
    n = x.size
    top = float(x.max())
    logs = np.log(x / top)
    mean_log = float(logs.mean())
    if not -mean_log > 1e-14:
        raise flat("Weibull")

    def score(u: float) -> float:
        k = math.exp(u)
        power = np.exp(k * logs)
        return float(power @ logs / power.sum()) - 1 / k - mean_log

    shape = math.exp(_bracketed(score, -math.log(float(np.std(logs)) + 1e-300)))
    power = np.exp(shape * logs)
    scale = top * float(power.mean()) ** (1 / shape)
    u = logs + math.log(top / scale)
    z = np.exp(shape * u)
    a = n / shape**2 + float((z * u * u).sum())
    errors = _inverse(a, -shape / scale * float((z * u).sum()), n * (shape / scale) ** 2)
    return Fitted(
        {"shape": shape, "scale": scale},
        {"shape": errors[0], "scale": errors[1]},
        n * (math.log(shape) - math.log(scale) - 1) + (shape - 1) * float(u.sum()),
        lambda v: -np.expm1(-np.exp(shape * np.log(np.maximum(v, 5e-324) / scale))),
        {
            "rate": 1 / scale,
            "mean": scale * math.gamma(1 + 1 / shape) if shape > 0.01 else math.inf,
            "median": scale * math.log(2) ** (1 / shape),
        },
    )


def _bracketed(f: Callable[[float], float], start: float) -> float:
    """A root near `start` of a function that changes sign once."""
    low = high = start
    f0 = f(start)
    step = 0.5
    for _ in range(60):
        if f0 == 0:
            return start
        low, high = low - step, high + step
        if f(low) * f0 < 0:
            return find_root(f, low, start, rtol=1e-15)
        if f(high) * f0 < 0:
            return find_root(f, start, high, rtol=1e-15)
        step *= 1.5
    raise NotDefined(
        "The likelihood has no maximum that could be found.", where="data", code="no_convergence"
    )


def beta(x: Vector) -> Fitted:
    n = x.size
    g1, g2 = float(np.log(x).mean()), float(np.log1p(-x).mean())
    mean, var = float(x.mean()), float(x.var())
    if not var > 1e-28:
        raise flat("beta")
    common = max(mean * (1 - mean) / var - 1, 0.1)
    u, v = math.log(mean * common), math.log((1 - mean) * common)
    for _ in range(200):  # Newton in the logarithms, which keeps both parameters positive
        a, b = math.exp(u), math.exp(v)
        d1 = float(sc.digamma(a + b) - sc.digamma(a)) + g1
        d2 = float(sc.digamma(a + b) - sc.digamma(b)) + g2
        t = float(sc.polygamma(1, a + b))
        h11 = a * a * (t - float(sc.polygamma(1, a))) + a * d1
        h22 = b * b * (t - float(sc.polygamma(1, b))) + b * d2
        h12 = a * b * t
        det = h11 * h22 - h12 * h12
        if det > 0 and h11 < 0:
            s1 = -(h22 * a * d1 - h12 * b * d2) / det
            s2 = -(h11 * b * d2 - h12 * a * d1) / det
        else:  # not yet concave: a cautious step uphill
            s1, s2 = 0.3 * math.copysign(1, d1), 0.3 * math.copysign(1, d2)
        factor = min(1.0, 1.0 / max(abs(s1), abs(s2), 1e-300))
        u, v = u + factor * s1, v + factor * s2
        if max(abs(s1), abs(s2)) < 1e-14:
            break
    a, b = math.exp(u), math.exp(v)
    t = float(sc.polygamma(1, a + b))
    errors = _inverse(n * (float(sc.polygamma(1, a)) - t), -n * t, n * (float(sc.polygamma(1, b)) - t))
    return Fitted(
        {"alpha": a, "beta": b},
        {"alpha": errors[0], "beta": errors[1]},
        n * ((a - 1) * g1 + (b - 1) * g2 - float(sc.betaln(a, b))),
        lambda w: np.asarray(sc.betainc(a, b, np.clip(w, 0, 1))),
        {"mean": a / (a + b), "precision": a + b},
    )


def uniform(x: Vector) -> Fitted:
    low, high = float(x.min()), float(x.max())
    if low == high:
        raise flat("uniform")
    return Fitted(
        {"minimum": low, "maximum": high},
        {"minimum": None, "maximum": None},
        -x.size * math.log(high - low),
        lambda v: np.clip((v - low) / (high - low), 0, 1),
        {"mean": low + (high - low) / 2, "width": high - low},
        irregular="the ends of a uniform range have no smooth likelihood, so no information-based error",
    )


def laplace(x: Vector) -> Fitted:
    centre = float(np.median(x))
    scale = float(np.abs(x - centre).mean())
    if scale == 0:
        raise flat("Laplace")
    error = scale / math.sqrt(x.size)
    return Fitted(
        {"location": centre, "scale": scale},
        {"location": error, "scale": error},
        -x.size * (math.log(2 * scale) + 1),
        lambda v: np.where(
            v < centre,
            0.5 * np.exp(-np.abs(v - centre) / scale),
            1 - 0.5 * np.exp(-np.abs(v - centre) / scale),
        ),
        {"std_dev": scale * math.sqrt(2), "rate": 1 / scale},
        information="expected",
    )


def logistic(x: Vector) -> Fitted:
    n = x.size
    centre, spread = float(np.median(x)), float(x.std())
    if spread == 0:
        raise flat("logistic")
    w = (x - centre) / spread
    m, u = 0.0, math.log(0.55)
    for _ in range(200):
        s = math.exp(u)
        z = (w - m) / s
        p = sc.expit(z)
        g = np.array([float((2 * p - 1).sum()) / s, float(((2 * p - 1) * z).sum()) - n])
        q = p * (1 - p)
        h11 = 2 / s**2 * float(q.sum())
        h12 = (2 * float((q * z).sum()) + float((2 * p - 1).sum())) / s
        h22 = 2 * float((q * z * z).sum()) + float(((2 * p - 1) * z).sum())
        step = np.linalg.solve(np.array([[h11, h12], [h12, h22]]), g)
        step *= min(1.0, 0.7 / float(np.abs(step).max(initial=1e-300)))
        m, u = m + float(step[0]), u + float(step[1])
        if float(np.abs(step).max()) < 1e-14:
            break
    s = math.exp(u)
    z = (w - m) / s
    p = sc.expit(z)
    q = p * (1 - p)
    scale, location = s * spread, centre + m * spread
    errors = _inverse(
        2 / scale**2 * float(q.sum()),
        2 / scale**2 * float((q * z).sum()),
        (2 * float((q * z * z).sum()) + n) / scale**2,
    )
    return Fitted(
        {"location": location, "scale": scale},
        {"location": errors[0], "scale": errors[1]},
        float(-z.sum()) - n * math.log(scale) - 2 * float(np.logaddexp(0, -z).sum()),
        lambda v: np.asarray(sc.expit((v - location) / scale)),
        {"std_dev": scale * math.pi / math.sqrt(3), "mean": location},
    )


def gumbel(x: Vector) -> Fitted:
    n = x.size
    low, spread = float(x.min()), float(x.std())
    if spread == 0:
        raise flat("Gumbel")
    w = (x - low) / spread
    mean = float(w.mean())

    def score(u: float) -> float:
        s = math.exp(u)
        e = np.exp(-w / s)
        return s - mean + float(w @ e / e.sum())

    s = math.exp(_bracketed(score, math.log(math.sqrt(6) / math.pi)))
    location = low - spread * s * math.log(float(np.exp(-w / s).mean()))
    scale = s * spread
    z = (x - location) / scale
    e = np.exp(-z)
    errors = _inverse(
        n / scale**2, float((z * e).sum()) / scale**2, (n + float((z * z * e).sum())) / scale**2
    )
    return Fitted(
        {"location": location, "scale": scale},
        {"location": errors[0], "scale": errors[1]},
        -n * math.log(scale) - float(z.sum()) - float(e.sum()),
        lambda v: np.exp(-np.exp(-(v - location) / scale)),
        {"mean": location + scale * float(np.euler_gamma), "std_dev": scale * math.pi / math.sqrt(6)},
    )


def pareto(x: Vector) -> Fitted:
    low = float(x.min())
    total = float(np.log(x / low).sum())
    if not total > 0:
        raise flat("Pareto")
    n = x.size
    shape = n / total
    return Fitted(
        {"scale": low, "shape": shape},
        {"scale": None, "shape": shape / math.sqrt(n)},
        n * (math.log(shape) - math.log(low)) - (shape + 1) * total,
        lambda v: np.where(v < low, 0.0, -np.expm1(-shape * np.log(np.maximum(v, low) / low))),
        {"mean": shape * low / (shape - 1) if shape > 1 else math.inf, "shape_unbiased": (n - 2) / total},
        irregular="the smallest possible value has no smooth likelihood, so no information-based error",
    )


def rayleigh(x: Vector) -> Fitted:
    n = x.size
    sigma = math.sqrt(float((x * x).mean()) / 2)
    return Fitted(
        {"scale": sigma},
        {"scale": sigma / (2 * math.sqrt(n))},
        float(np.log(x).sum()) - 2 * n * math.log(sigma) - n,
        lambda v: -np.expm1(-(np.maximum(v, 0) ** 2) / (2 * sigma * sigma)),
        {"mean": sigma * math.sqrt(math.pi / 2), "mean_square": 2 * sigma * sigma},
    )


def inverse_gaussian(x: Vector) -> Fitted:
    n, mean = x.size, float(x.mean())
    gap = float(((x - mean) ** 2 / x).mean()) / mean**2  # mean(1/x) - 1/mean, without cancellation
    if not gap > 0:
        raise flat("inverse Gaussian")
    shape = 1 / gap

    def cdf(v: Vector) -> Vector:
        v = np.maximum(v, 5e-324)
        r = np.sqrt(shape / v)
        out: Vector = sc.ndtr(r * (v / mean - 1)) + np.exp(
            2 * shape / mean + sc.log_ndtr(-r * (v / mean + 1))
        )
        return np.clip(out, 0, 1)

    return Fitted(
        {"mean": mean, "shape": shape},
        {"mean": math.sqrt(mean**3 / (shape * n)), "shape": shape * math.sqrt(2 / n)},
        n / 2 * (math.log(shape) - _LOG_2PI - 1) - 1.5 * float(np.log(x).sum()),
        cdf,
        {"dispersion": gap, "variance": mean**3 / shape},
    )


CONTINUOUS: dict[str, Callable[[Vector], Fitted]] = {
    "normal": normal,
    "lognormal": lognormal,
    "exponential": exponential,
    "gamma": gamma,
    "weibull": weibull,
    "beta": beta,
    "uniform": uniform,
    "laplace": laplace,
    "logistic": logistic,
    "gumbel": gumbel,
    "pareto": pareto,
    "rayleigh": rayleigh,
    "inverse_gaussian": inverse_gaussian,
}
