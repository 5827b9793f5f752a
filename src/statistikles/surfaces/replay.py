"""`statistikles replay LEDGER`: is every number still what it was?"""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.text import Text

from statistikles.surfaces.streams import console, data_argument, existing_file, print_json
from statistikles.tools.replay import Recomputed, ReplayReport, replay

__all__ = ["main"]

_DIFFERENCES_SHOWN = 5


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    report = replay(existing_file(args.ledger), data=data_argument(args.data))
    if args.json:
        print_json(report.to_dict())
    else:
        _draw(console(), report)
    return 0 if report.ok else 1


def _draw(screen: Console, report: ReplayReport) -> None:
    for call in report.calls:
        _draw_call(screen, call)
    for package, (was, now) in report.version_changes.items():
        screen.print(Text(f"computed with {package} {was}, replayed with {now}", style="yellow"))
    if report.cut_short:
        screen.print(
            Text("The file ends in the middle of an entry, which could not be checked.", style="bold red")
        )
    calls = f"{len(report.calls)} call{'s' if len(report.calls) != 1 else ''}"
    if all(call.same for call in report.calls):
        screen.print(
            Text(f"{calls} recomputed, {report.numbers} numbers: every number is the same.", style="green")
        )
    else:
        changed = sum(not call.same for call in report.calls)
        screen.print(Text(f"{calls} recomputed: {changed} not the same.", style="bold red"))


def _draw_call(screen: Console, call: Recomputed) -> None:
    if call.same:
        what = "refused again" if call.refused else f"the same ({call.numbers} numbers)"
        screen.print(Text(f"{call.id}  {call.tool}  {what}"))
        return
    screen.print(Text(f"{call.id}  {call.tool}  NOT THE SAME", style="bold red"))
    for table in call.changed_tables:
        screen.print(Text(f"    the table '{table}' is not the one it was computed from"))
    for change in call.differences[:_DIFFERENCES_SHOWN]:
        screen.print(Text(f"    {change.address}: was {change.was!r}, is {change.now!r}"))
    if len(call.differences) > _DIFFERENCES_SHOWN:
        screen.print(Text(f"    and {len(call.differences) - _DIFFERENCES_SHOWN} more"))
