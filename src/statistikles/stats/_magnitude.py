"""Words for the size of an effect: the conventional cut-offs, each from its source, in one place."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CLIFFS_DELTA",
    "COHENS_D",
    "COHENS_F",
    "COHENS_F2",
    "COHENS_W",
    "CORRELATION",
    "ETA_SQUARED",
    "magnitude",
]

Cuts = tuple[float, float, float]

# Cohen 1988, Statistical Power Analysis for the Behavioral Sciences
COHENS_D: Final[Cuts] = (0.2, 0.5, 0.8)
CORRELATION: Final[Cuts] = (0.1, 0.3, 0.5)
COHENS_W: Final[Cuts] = (0.1, 0.3, 0.5)
COHENS_F: Final[Cuts] = (0.1, 0.25, 0.4)
COHENS_F2: Final[Cuts] = (0.02, 0.15, 0.35)
ETA_SQUARED: Final[Cuts] = (0.01, 0.06, 0.14)
# Romano et al. 2006
CLIFFS_DELTA: Final[Cuts] = (0.147, 0.33, 0.474)


def magnitude(value: float, cuts: Cuts) -> str:
    """Negligible, small, medium or large, by the size of `value` beside three cut-offs."""
    small, medium, large = cuts
    size = abs(value)
    return (
        "negligible" if size < small else "small" if size < medium else "medium" if size < large else "large"
    )
