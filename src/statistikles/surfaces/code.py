"""`statistikles code LEDGER`: a script in R or Python that computes the numbers of a ledger again."""

from __future__ import annotations

import argparse
from pathlib import Path

from statistikles.errors import DataError
from statistikles.surfaces.report import workspace_of
from statistikles.surfaces.streams import data_argument, print_json, print_text, say_written

__all__ = ["main"]


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from statistikles.output.code.script import language_of, script

    text = script(workspace_of(args.ledger, data_argument(args.data)), language_of(args.language))
    if args.out:
        try:
            Path(args.out).write_text(text, encoding="utf-8")
        except OSError as error:
            raise DataError(
                f"The script cannot be written: {error.strerror}.",
                hint="Choose another path.",
                where=args.out,
            ) from error
        say_written(Path(args.out))
    if args.json:
        print_json({"language": args.language, "code": text})
    elif not args.out:
        print_text(text)
    return 0
