"""Reference values of james_stein: the definition in rational arithmetic.

Run from the project root: python tests/reference/scripts/shrinkage.py
"""

import json
import platform
from fractions import Fraction
from pathlib import Path

SOURCE = {
    "program": "Python fractions (definition: target + max(0, 1 - (p - c) v / S) (x - target); Stein's risk estimate)",
    "version": platform.python_version(),
    "command": "python tests/reference/scripts/shrinkage.py",
}


def case(name, data, variance=1.0, target=None):
    x = [Fraction(repr(float(v))) for v in data if v is not None]
    v, p = Fraction(repr(variance)), len(x)
    lost = 3 if target is None else 2
    centre = sum(x) / p if target is None else Fraction(repr(float(target)))
    s = sum((a - centre) ** 2 for a in x)
    plain = 1 - (p - lost) * v / s
    factor = max(Fraction(0), plain)
    estimates = [centre + factor * (a - centre) for a in x]
    # |estimate - x|^2 - p v + 2 v (trace of d estimate / d x), the trace found by differencing exactly in the factor
    if factor > 0:
        trace = p * factor + (0 if target is not None else 1 - factor) + 2 * (p - lost) * v / s
    else:
        trace = Fraction(0 if target is not None else 1)
    risk = sum((e - a) ** 2 for e, a in zip(estimates, x, strict=True)) - p * v + 2 * v * trace
    expect = {"factor": factor, "factor_plain": plain, "target": centre, "sum_sq": s, "risk_estimate": risk}
    expect |= {f"estimates.{i}": e for i, e in enumerate(estimates)}
    arguments = {"observations": data, "variance": variance}
    if target is not None:
        arguments["grand_mean"] = target
    expect = {k: float(w) for k, w in expect.items()} | {"n_missing": len(data) - len(x)}
    return {
        "id": name,
        "arguments": arguments,
        "expect": expect,
        "rtol": 1e-12,
        "atol": 1e-12,
        "source": SOURCE,
    }


def refusal(name, arguments):
    return {"id": name, "arguments": arguments, "error_code": "too_few_values", "source": SOURCE}


CASES = [
    case("estimated-mean", [0.4, 1.2, -0.7, 2.9, 0.1, 1.8, -1.5, 0.9]),
    case("estimated-mean-variance", [12.1, 14.9, 9.3, 16.2, 11.0], 2.5),
    case("given-target", [0.4, 1.2, -0.7, 2.9, 0.1], 0.5, 0.0),
    case("given-target-missing", [3.1, None, 2.2, 5.9, 4.4], 1.0, 2.5),
    case("positive-part", [0.1, -0.2, 0.05, 0.3, -0.1]),
    case("positive-part-target", [1.1, 0.9, 1.05, 1.0, 0.95], 1.0, 1.0),
    case("ties", [2.0, 2.0, 5.0, 5.0, 8.0, 8.0], 0.25),
    case("three-and-a-target", [1.0, 2.0, 4.0], 0.3, 0.5),
    refusal("two-observations", {"observations": [1.0, 2.0], "grand_mean": 0.0}),
    refusal("three-and-no-target", {"observations": [1.0, 2.0, 4.0]}),
]

if __name__ == "__main__":
    path = Path(__file__).parent.parent / "values" / "james_stein.json"
    path.write_text(json.dumps({"tool": "james_stein", "cases": CASES}, indent=1) + "\n", encoding="utf-8")
