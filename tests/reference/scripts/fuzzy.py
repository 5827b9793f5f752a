"""Reference values of fuzzy logic: 50-digit arithmetic from the definitions; the centroid by adaptive quadrature."""

from __future__ import annotations

from typing import Any

import mpmath as mp
from _write import Cases

mp.mp.dps = 30
cases = Cases("fuzzy_logic_analysis", "mpmath", mp.__version__)


def gauss(x: Any, c: Any, w: Any) -> Any:
    return mp.exp(-((x - c) ** 2) / (2 * w**2))


def triangle(x: Any, c: Any, w: Any) -> Any:
    return max(mp.mpf(0), 1 - abs(x - c) / w)


for case_id, x, c, w in (("warm", "22", "25", "4"), ("centre", "3", "3", "0.5"), ("far", "100", "0", "10")):
    a, b, s = mp.mpf(x), mp.mpf(c), mp.mpf(w)
    cases.add(
        f"membership-{case_id}",
        {"operation": "membership", "value": float(x), "center": float(c), "width": float(w)},
        {
            "membership": float(gauss(a, b, s)),
            "also.triangular": float(triangle(a, b, s)),
            "also.trapezoid": float(min(mp.mpf(1), max(mp.mpf(0), 2 * (1 - abs(a - b) / s)))),
            "also.bell": float(1 / (1 + abs((a - b) / s) ** 4)),
            "also.sigmoid": float(1 / (1 + mp.exp(-(a - b) / s))),
        },
        "exp(-(x-c)^2/(2 w^2)); max(0, 1-|x-c|/w); ...",
        1e-12,
    )
for case_id, values in (
    ("three", ["0.7", "0.4", "0.9"]),
    ("with-one", ["1", "0.3"]),
    ("with-zero", ["0", "0.6", "0.8"]),
):
    v = [mp.mpf(x) for x in values]
    floats = [float(x) for x in values]
    cases.add(
        f"and-{case_id}",
        {"operation": "and", "values": floats},
        {
            "membership": float(min(v)),
            "also.product": float(mp.fprod(v)),
            "also.lukasiewicz": float(max(mp.mpf(0), sum(v) - (len(v) - 1))),
        },
        "min, product, max(0, sum - (n-1))",
        1e-12,
    )
    cases.add(
        f"or-{case_id}",
        {"operation": "or", "values": floats},
        {
            "membership": float(max(v)),
            "also.probabilistic_sum": float(1 - mp.fprod(1 - x for x in v)),
            "also.lukasiewicz": float(min(mp.mpf(1), sum(v))),
        },
        "max, 1 - prod(1-x), min(1, sum)",
        1e-12,
    )
    cases.add(
        f"not-{case_id}",
        {"operation": "not", "values": floats},
        {f"complement.{i}": float(1 - x) for i, x in enumerate(v)},
        "1 - x",
        1e-12,
    )


def inference(case_id: str, x: float, rules: list[tuple[tuple[float, float], tuple[float, float]]]) -> None:
    """One input, Gaussian sets; aggregated set integrated piecewise between the crossings found on a fine mesh."""
    firing = [gauss(mp.mpf(x), mp.mpf(c), mp.mpf(w)) for (c, w), _ in rules]
    low = min(c - 4 * w for _, (c, w) in rules)
    high = max(c + 4 * w for _, (c, w) in rules)

    def level(y: Any) -> Any:
        return max(
            min(s, gauss(y, mp.mpf(c), mp.mpf(w))) for s, (_, (c, w)) in zip(firing, rules, strict=True)
        )

    mesh = [mp.mpf(low) + (mp.mpf(high) - low) * i / 400 for i in range(401)]
    area = mp.quad(level, mesh, maxdegree=5)
    moment = mp.quad(lambda y: y * level(y), mesh, maxdegree=5)
    cases.add(
        f"inference-{case_id}",
        {
            "operation": "inference",
            "inputs": {"x": x},
            "rules": [
                {"if": {"x": {"center": c, "width": w}}, "then": {"center": d, "width": v}}
                for (c, w), (d, v) in rules
            ],
        },
        {
            "output": float(moment / area),
            "sugeno": float(sum(s * d for s, (_, (d, _)) in zip(firing, rules, strict=True)) / sum(firing)),
            "firing.0": float(firing[0]),
        },
        "centroid of max(min(firing, set)) by quadrature",
        1e-6,
    )


inference("heater", 22.0, [((15, 6), (20, 15)), ((30, 6), (80, 15))])
inference("one-rule", 5.0, [((5, 1), (10, 2))])
inference("three-rules", 0.3, [((0, 0.5), (1, 0.2)), ((0.5, 0.5), (2, 0.3)), ((1, 0.5), (3, 0.2))])
cases.refuse("width", {"value": 1, "center": 1, "width": 0}, "out_of_range", "width must be positive")
cases.refuse("degree", {"operation": "and", "values": [1.2]}, "out_of_range", "degrees lie in 0..1")
cases.write()
