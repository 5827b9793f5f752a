"""Thematic saturation of interviews: new themes, moving average, and the base, run and threshold rule."""

from __future__ import annotations

from typing import Annotated, Any

from statistikles.errors import InputError
from statistikles.registry.arguments import Alpha, FloatArray, ScalarNumber, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["thematic_saturation"]

_STOP = 0.5  # new themes per interview below which a window counts as saturated
Length = Annotated[int, ScalarNumber(low=1.0, whole=True)]

declare_tool(
    "qualitative_analysis",
    title="Thematic saturation",
    summary="When further interviews stop bringing new themes: moving average, and base, run and threshold.",
)


@statistic(
    tool="qualitative_analysis",
    title="Thematic saturation",
    use_when="new themes were counted per interview and it is asked whether more interviews are needed",
    utterances=(
        "have we reached saturation",
        "thematic saturation of the interviews",
        "how many interviews are enough",
        "do new interviews still bring new themes",
    ),
    refs=("Guest, Namey & Chen 2020, doi:10.1371/journal.pone.0232076",),
    formula="moving average: mean new themes of the last w interviews; new information = new themes of a run / base themes",
    equivalents={
        "R": "stats::filter(x, rep(1/w, w), sides = 1)",
        "Python": "pandas.Series(x).rolling(w).mean()",
    },
    example={"themes_per_interview": [9, 6, 4, 3, 2, 1, 1, 0, 0, 1, 0, 0], "window": 3},
)
def thematic_saturation(
    themes_per_interview: Annotated[FloatArray, Vector(min_n=1, low=0.0, high=1e9, whole=True)],
    *,
    window: Length = 3,
    base_size: Length = 4,
    run_length: Length = 2,
    threshold: Alpha = 0.05,
) -> Measures:
    """Cumulative themes, trailing moving average of new themes, and Guest, Namey and Chen's saturation rule.

    Parameters
    ----------
    themes_per_interview : number of new themes in each interview, in order.
    window : interviews in the trailing moving average.
    base_size : interviews that form the base of the rule of Guest, Namey and Chen.
    run_length : interviews in a run of that rule.
    threshold : share of new information at or below which that rule speaks of saturation.

    Returns
    -------
    Measures : the interview at which the first full window averages below 0.5 new themes, and the rule beside it.

    Raises
    ------
    InputError : a window longer than the series.
    """
    new = [int(v) for v in themes_per_interview]
    n = len(new)
    if window > n:
        raise InputError(
            f"The window of {window} is longer than the {n} interviews.",
            hint="Use a shorter window.",
            where="window",
            code="out_of_range",
        )
    cumulative = [sum(new[: i + 1]) for i in range(n)]
    average = [sum(new[i - window + 1 : i + 1]) / window for i in range(window - 1, n)]
    first = next((i + window for i, v in enumerate(average) if v < _STOP), None)
    reason = f"no full window of {window} interviews averages below {_STOP:g} new themes"
    return Measures(
        method="Thematic saturation",
        quantities={
            "n_interviews": Quantity(n, Role.COUNT),
            "total_themes": Quantity(cumulative[-1], Role.COUNT),
            "saturation_interview": None if first is None else Quantity(first, Role.INDEX),
            "saturated": first is not None,
            "window": Quantity(window, Role.COUNT),
            "cumulative": cumulative,
            "moving_average": average,
            "last_average": Quantity(average[-1], Role.MEAN),
            "base_run_threshold": _rule(new, base_size, run_length, threshold),
        },
        undefined={} if first is not None else {"saturation_interview": reason},
        conventions=(
            "interviews are counted from 1; a trailing window ends at its interview; only full windows count",
            f"saturation_interview: last interview of the first window with a mean below {_STOP:g}",
            "base, run and threshold: runs follow the base and overlap; share = new themes of the run / base themes",
        ),
    )


def _rule(new: list[int], base: int, run: int, threshold: float) -> dict[str, Any]:
    """New information of every run after the base; saturation at the first at or below the threshold."""
    out: dict[str, Any] = {"base_size": base, "run_length": run, "threshold": threshold}
    keys = ("new_information", "saturation_interview", "run_end")
    themes = sum(new[:base])
    if len(new) < base + run or themes == 0:
        reason = (
            "the base holds no themes"
            if len(new) >= base + run
            else "too few interviews for a base and a run"
        )
        return out | dict.fromkeys(keys) | {"saturated": False, "undefined": dict.fromkeys(keys, reason)}
    shares = [sum(new[i : i + run]) / themes for i in range(base, len(new) - run + 1)]
    out |= {"base_themes": themes, "new_information": shares}
    first = next((i for i, v in enumerate(shares) if v <= threshold * (1 + 1e-12)), None)
    if first is None:
        reason = f"every run brings more than {threshold:g} of the base themes"
        undefined = dict.fromkeys(keys[1:], reason)
        return out | dict.fromkeys(keys[1:]) | {"saturated": False, "undefined": undefined}
    return out | {"saturation_interview": base + first, "run_end": base + first + run, "saturated": True}
