"""What a turn with a model costs beside the model and the computation. Run: python benchmarks/model_seam.py"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from statistikles import ScriptedModel, Session, get_tools
from statistikles.neural.profiles import Profile
from statistikles.tools.workspace import Workspace

DATA = Path(__file__).parents[1] / "examples" / "penguins.csv"
CALL = {"tool": "anova", "arguments": {"groups": {"column": "body_mass_g", "by": "species"}}}
REPLY = (
    "Yes, body mass differs between the species: F({{r%d.df}}, {{r%d.df_error}}) = {{r%d.statistic}}, p {{r%d.p_value}}. "
    "Gentoo penguins have a mean of {{r%d.groups.Gentoo.mean:.1f}} (SD {{r%d.groups.Gentoo.std_dev:.1f}})."
)
LIMIT_MS = 20.0


def measured(turns: int, profile: Profile) -> list[float]:
    """Milliseconds of each turn, the computation left out."""
    steps = [s for i in range(1, turns + 1) for s in (CALL, REPLY % ((i,) * 6))]
    session = Session(data=str(DATA), model=ScriptedModel(steps, profile))
    computing = 0.0
    execute = Workspace.execute

    def timed(self: Workspace, tool: str, arguments: Mapping[str, Any]) -> Any:
        nonlocal computing
        started = time.perf_counter()
        try:
            return execute(self, tool, arguments)
        finally:
            computing += time.perf_counter() - started

    Workspace.execute = timed  # type: ignore[method-assign]
    out = []
    try:
        for _ in range(turns):
            computing, started = 0.0, time.perf_counter()
            reply = session.ask("Do the species differ in body mass?")
            out.append(1000 * (time.perf_counter() - started - computing))
            assert reply.ok, reply.warning
    finally:
        Workspace.execute = execute  # type: ignore[method-assign]
    return out


def main() -> int:
    """Print the figures; 1 when the limit is passed."""
    worst = 0.0
    for name, profile in {
        "every tool": Profile(context=0),
        "tools narrowed to 8k": Profile(context=8192),
    }.items():
        times = measured(12, profile)[2:]  # the first turns load what a process loads once
        middle = statistics.median(times)
        worst = max(worst, middle)
        print(
            f"{name}: {len(get_tools())} tools, median {middle:.1f} ms, from {min(times):.1f} to {max(times):.1f} ms"
        )
    return int(worst > LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())
