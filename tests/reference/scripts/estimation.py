"""Reference values of mle_fit: the likelihood equations solved with mpmath at 40 digits, from each density's definition.

Run from the project root: python tests/reference/scripts/estimation.py
"""

import json
import random
from pathlib import Path

import mpmath as mp

mp.mp.dps = 40
HERE = Path(__file__).parent.parent / "values" / "mle_fit.json"
SOURCE = {
    "program": "mpmath (root of the score, inverse of minus the Hessian, 40 digits)",
    "version": mp.__version__,
    "command": "python tests/reference/scripts/estimation.py",
}
LOG = mp.log

# name -> (parameters, log density, starting values from a sample)
FAMILIES = {
    "normal": (("mean", "std_dev"), lambda x, m, s: -LOG(s) - LOG(2 * mp.pi) / 2 - ((x - m) / s) ** 2 / 2),
    "lognormal": (
        ("meanlog", "sdlog"),
        lambda x, m, s: -LOG(x * s) - LOG(2 * mp.pi) / 2 - ((LOG(x) - m) / s) ** 2 / 2,
    ),
    "exponential": (("rate",), lambda x, r: LOG(r) - r * x),
    "gamma": (("shape", "scale"), lambda x, k, t: (k - 1) * LOG(x) - x / t - k * LOG(t) - mp.loggamma(k)),
    "weibull": (("shape", "scale"), lambda x, k, t: LOG(k / t) + (k - 1) * LOG(x / t) - (x / t) ** k),
    "beta": (
        ("alpha", "beta"),
        lambda x, a, b: (
            (a - 1) * LOG(x) + (b - 1) * LOG(1 - x) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
        ),
    ),
    "logistic": (
        ("location", "scale"),
        lambda x, m, s: -(x - m) / s - LOG(s) - 2 * LOG(1 + mp.exp(-(x - m) / s)),
    ),
    "gumbel": (("location", "scale"), lambda x, m, s: -LOG(s) - (x - m) / s - mp.exp(-(x - m) / s)),
    "rayleigh": (("scale",), lambda x, s: LOG(x) - 2 * LOG(s) - x**2 / (2 * s**2)),
    "inverse_gaussian": (
        ("mean", "shape"),
        lambda x, m, k: LOG(k / (2 * mp.pi * x**3)) / 2 - k * (x - m) ** 2 / (2 * m**2 * x),
    ),
    "poisson": (("rate",), lambda x, r: x * LOG(r) - r - mp.loggamma(x + 1)),
    "geometric": (("probability",), lambda x, p: LOG(p) + x * LOG(1 - p)),
    "negative_binomial": (
        ("size", "mean"),
        lambda x, r, m: (
            mp.loggamma(x + r)
            - mp.loggamma(r)
            - mp.loggamma(x + 1)
            + r * LOG(r / (r + m))
            + x * LOG(m / (r + m))
        ),
    ),
    "bernoulli": (("probability",), lambda x, p: x * LOG(p) + (1 - x) * LOG(1 - p)),
}


def start(name, x):
    n, mean = len(x), sum(x) / len(x)
    var = sum((v - mean) ** 2 for v in x) / n
    logs = [float(LOG(v)) for v in x] if min(x) > 0 else [0.0]
    ml = sum(logs) / len(logs)
    sl = (sum((v - ml) ** 2 for v in logs) / len(logs)) ** 0.5
    return {
        "normal": (mean, var**0.5),
        "lognormal": (ml, sl),
        "exponential": (1 / mean,),
        "gamma": (mean**2 / var, var / mean),
        "weibull": (1.2 / (sl or 1), float(mp.exp(ml + 0.57 * sl / 1.2))),
        "beta": (mean * (mean * (1 - mean) / var - 1), (1 - mean) * (mean * (1 - mean) / var - 1)),
        "logistic": (mean, 0.55 * var**0.5),
        "gumbel": (mean - 0.45 * var**0.5, 0.78 * var**0.5),
        "rayleigh": ((sum(v * v for v in x) / n / 2) ** 0.5,),
        "inverse_gaussian": (mean, mean**3 / var),
        "poisson": (mean,),
        "geometric": (1 / (1 + mean),),
        "negative_binomial": (mean**2 / max(var - mean, 0.1 * mean), mean),
        "bernoulli": (mean,),
    }[name]


def solve(name, data):
    names, logpdf = FAMILIES[name]
    x = [mp.mpf(repr(float(v))) for v in data if v is not None]

    def loglik(*theta):
        return mp.fsum(logpdf(v, *theta) for v in x)

    k = len(names)

    def derivative(theta, *which):
        return mp.diff(loglik, theta, tuple(sum(int(i == w) for w in which) for i in range(k)))

    def hessian(theta):
        return mp.matrix(k, k) + mp.matrix([[-derivative(theta, i, j) for j in range(k)] for i in range(k)])

    def worth(theta):
        try:
            value = loglik(*theta)
        except (mp.libmp.ComplexResult, ValueError, ZeroDivisionError):
            return mp.mpf("-inf")
        return value if isinstance(value, mp.mpf) else mp.mpf("-inf")

    theta = tuple(mp.mpf(v) for v in start(name, [float(v) for v in x]))
    for _ in range(100):  # Newton's method, halved while it leaves the parameter space or loses likelihood
        slope = mp.matrix([derivative(theta, j) for j in range(k)])
        if mp.norm(slope) < mp.mpf(10) ** -20:
            break
        step = mp.lu_solve(hessian(theta), slope)
        if (step.T * slope)[0] < 0:
            step = slope / mp.norm(slope) * theta[-1] / 4
        best = worth(theta)
        while worth(tuple(t + d for t, d in zip(theta, step, strict=True))) < best - mp.mpf(10) ** -30:
            step /= 2
        theta = tuple(t + d for t, d in zip(theta, step, strict=True))
    assert mp.norm(slope) < mp.mpf(10) ** -15, (name, slope)
    covariance = hessian(theta) ** -1
    value = loglik(*theta)
    expect = {"log_likelihood": float(value), "aic": float(2 * k - 2 * value), "n": len(x)}
    expect["bic"] = float(k * LOG(len(x)) - 2 * value)
    for i, parameter in enumerate(names):
        expect[f"terms.{parameter}.estimate"] = float(theta[i])
        expect[f"terms.{parameter}.std_error"] = float(mp.sqrt(covariance[i, i]))
    return expect


def closed(name, data):
    """Families whose maximum is a definition: range, median, minimum."""
    x = sorted(mp.mpf(repr(float(v))) for v in data)
    n = len(x)
    if name == "uniform":
        value = -n * LOG(x[-1] - x[0])
        expect = {"terms.minimum.estimate": x[0], "terms.maximum.estimate": x[-1]}
    elif name == "laplace":
        centre = (x[(n - 1) // 2] + x[n // 2]) / 2
        b = mp.fsum(abs(v - centre) for v in x) / n
        value = -n * LOG(2 * b) - n
        expect = {
            "terms.location.estimate": centre,
            "terms.scale.estimate": b,
            "terms.scale.std_error": b / mp.sqrt(n),
        }
    else:
        a = n / mp.fsum(LOG(v / x[0]) for v in x)
        value = mp.fsum(LOG(a) + a * LOG(x[0]) - (a + 1) * LOG(v) for v in x)
        expect = {
            "terms.scale.estimate": x[0],
            "terms.shape.estimate": a,
            "terms.shape.std_error": a / mp.sqrt(n),
        }
    expect["log_likelihood"] = value
    return {k: float(v) for k, v in expect.items()}


def samples(name, rng):
    whole = name in ("poisson", "geometric", "negative_binomial")
    for size in (12, 25, 40):
        if name == "bernoulli":
            yield [int(rng.random() < 0.4) for _ in range(size)]
        elif whole:
            yield [int(rng.gammavariate(1.5, 3)) for _ in range(size)]
        elif name == "beta":
            yield [round(rng.betavariate(1.7, 3.1), 4) or 0.01 for _ in range(size)]
        elif name in ("normal", "logistic", "gumbel", "laplace", "uniform"):
            yield [round(rng.gauss(-2, 3), 3) for _ in range(size)]
        else:
            yield [round(rng.gammavariate(2.2, 1.4), 3) + 0.01 for _ in range(size)]


def main():
    rng = random.Random(11)
    cases = []
    for name in [*FAMILIES, "uniform", "laplace", "pareto"]:
        for i, data in enumerate(samples(name, rng), start=1):
            if i == 2:
                data.insert(3, None)
                data.append(data[0])  # a tie and a missing value
            kept = [v for v in data if v is not None]
            expect = solve(name, kept) if name in FAMILIES else closed(name, kept)
            expect["n_missing"] = len(data) - len(kept)
            cases.append(
                {
                    "id": f"{name}-{i}",
                    "arguments": {"data": data, "distribution": name},
                    "expect": expect,
                    "rtol": 1e-10,
                    "atol": 1e-12,
                    "source": SOURCE,
                }
            )
    HERE.write_text(json.dumps({"tool": "mle_fit", "cases": cases}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
