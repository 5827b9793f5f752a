"""`statistikles report LEDGER --out FILE`: everything a ledger holds, as a report file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from statistikles.surfaces.streams import data_argument, existing_file, print_json, say_written
from statistikles.tools.ledger import Ledger
from statistikles.tools.replay import reopened
from statistikles.tools.workspace import Workspace

__all__ = ["main", "workspace_of"]


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from statistikles.output.reports.build import build_report
    from statistikles.output.reports.write import check_report_path, write_report

    check_report_path(args.out)
    report = build_report(workspace_of(args.ledger, data_argument(args.data)), title=args.title)
    written = write_report(report, args.out)
    if args.json:
        print_json({"report": str(written), "ok": report.audit is None or report.audit.ok})
    say_written(written)
    return 0 if report.audit is None or report.audit.ok else 1


def workspace_of(ledger: str, data: Any) -> Workspace:
    """A saved ledger with the tables it was computed from.

    Raises
    ------
    DataError : the ledger is absent, altered or none, or its tables cannot be found.
    """
    read = Ledger.read(existing_file(ledger))
    workspace = reopened(read, Path(ledger), data)
    read.sources = {**read.sources, **workspace.ledger.sources}
    workspace.ledger = read
    return workspace
