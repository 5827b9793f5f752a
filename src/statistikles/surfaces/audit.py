"""`statistikles audit REPLY --results JSON`: the provenance of every number of a text."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from statistikles.guardrail import audit
from statistikles.surfaces.streams import UsageFault, console, json_argument, print_json, text_argument
from statistikles.tools.ledger import FORMAT, Ledger

__all__ = ["main"]


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if [args.reply, args.results, args.user].count("-") > 1:
        raise UsageFault("Only one of REPLY, --results and --user can come from standard input.")
    reply = text_argument(args.reply, "REPLY")
    user = text_argument(args.user, "--user") if args.user else ""
    report = audit(reply, _results(args.results), user, rules=args.rules)
    if args.json:
        print_json(report.to_dict())
    else:
        from statistikles.output.terminal import draw_audit

        draw_audit(console(), reply, report)
    return 0 if report.ok else 1


def _results(given: str) -> list[Any]:
    """Result dicts or entries; a ledger file gives its entries."""
    if _is_ledger(given):
        return [entry.record() for entry in Ledger.read(given) if not entry.failed]
    results = json_argument(given, "--results")
    if isinstance(results, dict):
        return [results]
    if not isinstance(results, list) or not all(isinstance(r, dict) for r in results):
        raise UsageFault("--results must be a result object or a list of them.", '{"mean": 4.2}')
    return results


def _is_ledger(given: str) -> bool:
    try:
        with Path(given).open(encoding="utf-8") as file:
            first = json.loads(file.readline())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("format") == FORMAT
