"""`statistikles run TOOL`: one tool call, with arguments as JSON or as the tool's own flags."""

from __future__ import annotations

import argparse
from typing import Any

from statistikles.surfaces.flags import given_arguments
from statistikles.surfaces.plots import check_plot, draw_after
from statistikles.surfaces.streams import (
    UsageFault,
    check_ledger,
    console,
    data_argument,
    json_argument,
    ledger_fault,
    one_form_of_output,
    print_error,
    print_json,
    print_text,
    tell_faults,
)
from statistikles.tools.workspace import Workspace

__all__ = ["main"]


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    check_plot(args.plot)
    one_form_of_output(args)
    arguments = _arguments(args)
    ledger = args.ledger if ledger_fault(args.ledger) is None else None
    workspace = Workspace(data_argument(args.data), ledger=ledger, decisions=args.decide)
    entry = workspace.execute(args.tool, arguments)
    result = dict(entry.result)
    if args.json:
        print_json(result)
    if entry.failed:
        print_error(str(result["error"]), str(result.get("hint", "")))
        return 1
    if args.format:
        from statistikles.output.export import export

        print_text(export(entry, args.format))
    elif not args.json:
        from statistikles.output.terminal import draw_result

        draw_result(console(), result, entry.id, args.tool, full=True)

    def draw() -> None:
        if args.plot is not None and not (args.json and args.plot == "-"):
            from statistikles.output.pictures import pictures_of

            draw_after(pictures_of(entry.record(), workspace, option=args.plot_style), args.plot)

    return 0 if tell_faults(draw, lambda: check_ledger(args.ledger)) else 1


def _arguments(args: argparse.Namespace) -> dict[str, Any]:
    arguments: dict[str, Any] = {}
    if args.arguments is not None:
        arguments = json_argument(args.arguments, "--arguments")
        if not isinstance(arguments, dict):
            raise UsageFault("--arguments must be a JSON object of named values.", '{"data": [1, 2, 3]}')
    flags = given_arguments(args.tool, args)
    if twice := sorted(arguments.keys() & flags.keys()):
        raise UsageFault(f"Given twice, in --arguments and as a flag: {', '.join(twice)}.")
    return {**arguments, **flags}
