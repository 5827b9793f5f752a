"""The command line: `statistikles COMMAND ...`. Only the command that is used is imported."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from statistikles.surfaces.plots import add_plot_flag
from statistikles.surfaces.sources import add_source_flags
from statistikles.surfaces.streams import UsageFault, prepare_streams, print_error, print_json

__all__ = ["build_parser", "main"]

FAILED, USAGE, INTERRUPTED = 1, 2, 130

_Adder = Callable[[str, str], argparse.ArgumentParser]

_EPILOG = """\
examples:
  statistikles demo
  statistikles ask "Do the three species differ in body mass?" --data examples/penguins.csv
  statistikles inspect examples/penguins.csv
  statistikles run t_test --type independent --group1 5.1,4.9,6.2 --group2 4.0,4.4,3.9
  statistikles audit "The mean is 42.7." --results '{"mean": 42.7333}'

exit codes: 0 clean, 1 flagged, failed or not understood, 2 usage
"""


def build_parser(tool: str | None = None) -> argparse.ArgumentParser:
    """The parser. `tool` adds the flags of that tool to `run`; they come from its declaration."""
    from statistikles import __version__

    parser = argparse.ArgumentParser(
        prog="statistikles",
        description="Ask a question of a table in plain words; every number of the answer is computed and traced.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"statistikles {__version__}")
    machine = _everywhere(argparse.ArgumentParser(add_help=False))
    _everywhere(parser)
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, parents=[machine], allow_abbrev=False)

    ask = command("ask", "Answer one question about a table.")
    ask.add_argument("question", metavar="QUESTION")
    _conversation_flags(ask)
    add_plot_flag(ask)
    _format_flag(ask)
    ask.add_argument(
        "--code",
        choices=("r", "python"),
        help="print the code that computes the numbers, instead of the answer",
    )
    ask.add_argument("--report", metavar="FILE", help="also write a report: FILE.html, FILE.md or FILE.docx")
    chat = command("chat", "A conversation about your data; 'help' inside it says more.")
    _conversation_flags(chat)
    command("demo", "A tour over an example table; needs no network and no model.")
    tools = command("tools", "List the tools, or show one.")
    tools.add_argument("name", nargs="?", metavar="NAME")
    _add_run(command, tool)
    _add_audit(command)
    replay = command("replay", "Recompute a saved ledger and say whether every number is the same.")
    replay.add_argument("ledger", metavar="LEDGER")
    _data_flag(replay)
    report = command("report", "Write a saved ledger as a report: .html, .md or .docx.")
    report.add_argument("ledger", metavar="LEDGER")
    report.add_argument("--out", metavar="FILE", required=True, help="the report; its ending says the kind")
    report.add_argument("--title", metavar="TEXT", default="", help="heading of the report")
    _data_flag(report)
    code = command("code", "Write a saved ledger as a script in R or Python that computes its numbers again.")
    code.add_argument("ledger", metavar="LEDGER")
    code.add_argument("--language", choices=("r", "python"), default="r", help="default: r")
    code.add_argument("--out", metavar="FILE", help="where to write the script (default: standard output)")
    _data_flag(code)
    _add_inspect(command)
    _add_clean(command)
    doctor = command("doctor", "Say what is installed, configured and working.")
    doctor.add_argument("--probe", action="store_true", help="also call the configured model server")
    _add_mcp(command)
    return parser


def _add_inspect(command: _Adder) -> None:
    inspect = command("inspect", "A table on one page: what needs a decision, the columns, the findings.")
    inspect.add_argument("file", metavar="FILE")
    _decide_flag(inspect)
    inspect.add_argument("--html", metavar="FILE", help="also write the page as FILE.html")
    inspect.add_argument(
        "--constraints",
        metavar="FILE",
        help="check what this TOML or JSON file declares about the columns; exit code 1 when it is broken",
    )
    add_source_flags(inspect, settle=False)
    add_plot_flag(inspect, folder=True)


def _add_clean(command: _Adder) -> None:
    clean = command(
        "clean", "Run a recipe of cleaning steps on a table, settle it with another, write the new one."
    )
    clean.add_argument("file", metavar="FILE")
    _decide_flag(clean)
    clean.add_argument(
        "--steps", metavar="RECIPE", help="the recipe: JSON, a JSON or TOML file, or -; needed without --with"
    )
    add_source_flags(clean, settle=True)
    clean.add_argument("--out", metavar="FILE", help="write the new table here (.csv or .tsv)")
    clean.add_argument(
        "--record", metavar="FILE", help="write what was done here; the record is itself a recipe"
    )


def _add_mcp(command: _Adder) -> None:
    mcp = command("mcp", "Serve the tools, the audit and the ledger to any MCP client.")
    mcp.add_argument("--root", metavar="FOLDER", help="folder whose tables may be loaded (default: this one)")
    _data_flag(mcp)
    _decide_flag(mcp)
    mcp.add_argument("--ledger", metavar="FILE", help="keep the record of every computation in this file")
    mcp.add_argument(
        "--http", action="store_true", help="streamable HTTP on loopback instead of standard streams"
    )
    mcp.add_argument("--port", type=int, default=8765, metavar="N", help="port of --http (default: 8765)")


def _everywhere(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    # SUPPRESS: the sub-command's absent flag must not undo the one given before the command.
    parser.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="machine output on standard output"
    )
    parser.add_argument(
        "--debug", action="store_true", default=argparse.SUPPRESS, help="log every step, and show traces"
    )
    return parser


def _data_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        action="append",
        metavar="FILE",
        help="table: CSV, TSV, Excel, Parquet or JSON lines; repeat for several, NAME=FILE to name one",
    )


def _decide_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--decide",
        action="append",
        metavar="COLUMN:KEY=VALUE",
        help="settle what a finding of 'inspect' asks, such as seen:dates=dmy; repeat for several, * is every column",
    )


def _conversation_flags(parser: argparse.ArgumentParser) -> None:
    _data_flag(parser)
    _decide_flag(parser)
    parser.add_argument("--model", metavar="NAME", help="a model of the configured server, or a GGUF file")
    parser.add_argument("--ledger", metavar="FILE", help="keep the record of every computation in this file")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of resampling (default: 0)")


def _format_flag(parser: argparse.ArgumentParser) -> None:
    from statistikles.output import FORMAT_NAMES

    parser.add_argument(
        "--format", choices=FORMAT_NAMES, help="write the results in this form, each with its provenance"
    )


def _add_run(command: _Adder, tool: str | None) -> None:
    run = command("run", "Run one tool; 'run TOOL --help' lists its arguments.")
    run.add_argument("tool", metavar="TOOL")
    run.add_argument("--arguments", metavar="JSON", help="arguments as an object: a literal, a file, or -")
    _data_flag(run)
    _decide_flag(run)
    run.add_argument("--ledger", metavar="FILE", help="record the computation in this file")
    add_plot_flag(run)
    _format_flag(run)
    if tool is not None:
        from statistikles.surfaces.flags import add_tool_flags

        add_tool_flags(run, tool)


def _add_audit(command: _Adder) -> None:
    audit = command(
        "audit", "Trace every number of a text to results; each input is a file, a literal, or -."
    )
    audit.add_argument("reply", metavar="REPLY", help="the text to audit")
    audit.add_argument(
        "--results", metavar="JSON", required=True, help="result(s) it must rest on, or a ledger"
    )
    audit.add_argument(
        "--user", metavar="TEXT", default="", help="what the user said; its numbers are the user's"
    )
    audit.add_argument("--rules", choices=("full", "basic"), default="full")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    prepare_streams()
    words = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in words
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except UsageFault as fault:
        return _failed({"error": fault.message, "code": fault.code, "hint": fault.hint}, USAGE, as_json)
    except KeyboardInterrupt:
        print_error("interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; what is still buffered goes nowhere instead of failing again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        if os.environ.get("STATISTIKLES_DEBUG"):
            raise
        return _failed(_said(error), FAILED, as_json)


def _set_up_logs(*, debug: bool) -> None:
    from statistikles.errors import StatistiklesError
    from statistikles.neural.settings import Settings, read_settings
    from statistikles.surfaces.logs import configure

    try:
        settings = read_settings()
    except StatistiklesError:  # said by whatever needs the settings; help and tools need none
        settings = Settings()
    if debug or settings.debug:
        os.environ["STATISTIKLES_DEBUG"] = "1"
    configure("DEBUG" if debug else settings.log_level)


def _run(words: list[str]) -> int:
    tool = None
    if next((word for word in words if not word.startswith("-")), None) == "run":
        from statistikles.surfaces.flags import joined_negatives, named_tool

        tool = named_tool(words)
        words = joined_negatives(words)
    parser = build_parser(tool)
    args = parser.parse_args(words)
    args.json = getattr(args, "json", False)
    if args.command is None:
        parser.print_help(sys.stderr)
        return USAGE
    _set_up_logs(debug=getattr(args, "debug", False))
    result: int = importlib.import_module(f"statistikles.surfaces.{args.command}").main(args)
    return result


def _said(error: Exception) -> dict[str, str]:
    """An error as a clear sentence."""
    from statistikles.errors import StatistiklesError

    if isinstance(error, StatistiklesError):
        return error.to_dict()
    if isinstance(error, OSError) and error.strerror:
        where = f"'{error.filename}': " if error.filename else ""
        return {
            "error": f"{where}{error.strerror}.",
            "code": "os_error",
            "hint": "Check the path and its permissions.",
        }
    return {
        "error": f"Statistikles failed ({type(error).__name__}); nothing was answered.",
        "code": "internal",
        "hint": "This is a fault of the program. Set STATISTIKLES_DEBUG=1 to see the trace.",
    }


def _failed(failure: dict[str, str], code: int, as_json: bool) -> int:
    if as_json:
        print_json(failure)
    print_error(failure["error"], failure.get("hint", ""))
    return code


if __name__ == "__main__":
    sys.exit(main())
