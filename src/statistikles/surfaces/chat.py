"""`statistikles chat`: a conversation with line editing and history, which no failing turn ends."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from statistikles.errors import StatistiklesError
from statistikles.neural import Session
from statistikles.output.reports import REPORT_SUFFIXES
from statistikles.registry.manifest import tool_names
from statistikles.surfaces.ask import ask_on_screen, open_session, reply_json
from statistikles.surfaces.inspect import draw_tables, table_json
from statistikles.surfaces.places import state_folder
from statistikles.surfaces.streams import (
    UsageFault,
    check_ledger,
    console,
    existing_file,
    print_error,
    print_json,
)
from statistikles.surfaces.tools import list_text, tool_text

__all__ = ["Chat", "main"]

_HELP = """\
Ask about your data in plain words, for example: do the species differ in body mass?
  data            the tables and their columns
  data FILE       load a table
  decide WHAT     settle what a finding asks, for example: decide seen:dates=dmy
  show ID         a result in full, for example: show r1
  report FILE     everything so far as a report: FILE.html, FILE.md or FILE.docx
  tools [NAME]    what can be computed
  help            this text
  quit            leave (or Ctrl-D)
"""
_COMMANDS = ("data", "decide", "help", "quit", "report", "show", "tools")
_PROMPT = "> "


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    check_ledger(args.ledger)
    chat = Chat(open_session(args), as_json=args.json)
    if not args.json:
        sys.stdout.write("Ask a question about your data; 'help' says more, 'quit' leaves.\n")
        sys.stdout.flush()
    for line in _prompted() if sys.stdin.isatty() else sys.stdin:
        if not chat.take(line):
            break
    return 0


def _prompted() -> Iterator[str]:
    """What is typed at a terminal, until the input ends."""
    prompt: PromptSession[str] = PromptSession(history=_history(), completer=_completer())
    while True:
        try:
            yield prompt.prompt(_PROMPT)
        except KeyboardInterrupt:  # Ctrl-C drops the line, as in a shell
            continue
        except EOFError:
            return


def _completer() -> WordCompleter:
    return WordCompleter([*_COMMANDS, *(f"tools {name}" for name in tool_names())], sentence=True)


def _history() -> History:
    """History in the state folder; in memory where no file can be kept."""
    path = state_folder() / "history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        if not os.access(path, os.W_OK):
            return InMemoryHistory()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


class Chat:
    """The turns of one conversation."""

    def __init__(self, session: Session, *, as_json: bool = False) -> None:
        self.session = session
        self.as_json = as_json
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help,
            "tools": self._tools,
            "data": self._data,
            "decide": self._decide,
            "show": self._show,
            "report": self._report,
        }

    def take(self, line: str) -> bool:
        """One line of input; False when the conversation is over."""
        text = line.strip()
        if not text:
            return True
        word, _, rest = text.partition(" ")
        if text.casefold() in ("quit", "exit", ":q"):
            return False
        try:
            command = self._commands.get(word.casefold())
            if command is not None and self._is_command(word.casefold(), rest.strip()):
                command(rest.strip())
            else:
                self._ask(text)
        except (StatistiklesError, UsageFault) as error:
            self._failed(error.message, error.hint, error.code)
        except KeyboardInterrupt:
            self._failed("the turn was interrupted.", "", "interrupted")
        except BrokenPipeError:
            raise
        except Exception as error:
            if os.environ.get("STATISTIKLES_DEBUG"):
                import traceback

                traceback.print_exc()
            self._failed(
                f"this turn failed ({type(error).__name__}); the conversation goes on.", "", "internal"
            )
        return True

    @staticmethod
    def _is_command(word: str, rest: str) -> bool:
        """Whether the line is a command and not a question that begins with the same word."""
        if word == "tools":
            return not rest or " " not in rest
        if word == "show":
            return bool(re.fullmatch(r"r\d+", rest))
        if word == "report":
            return rest.strip("'\"").endswith(REPORT_SUFFIXES)
        if word == "decide":
            return bool(re.fullmatch(r".+:\w+=.*", rest))
        if word == "data":
            return not rest or Path(rest.strip("'\"")).exists() or " " not in rest
        return not rest

    def _ask(self, text: str) -> None:
        if self.as_json:
            print_json(reply_json(self.session.ask(text)), lines=True)
        else:
            ask_on_screen(self.session, text)

    def _help(self, _rest: str) -> None:
        self._say(_HELP, {"help": _HELP})

    def _tools(self, rest: str) -> None:
        if rest and rest not in tool_names():
            raise UsageFault(f"Unknown tool: {rest}", "'tools' lists them.", "unknown_tool")
        self._say(tool_text(rest) if rest else list_text(), {"tools": [rest] if rest else tool_names()})

    def _data(self, rest: str) -> None:
        workspace = self.session.workspace
        if rest:
            workspace.add_data(existing_file(rest.strip("'\"")))
        tables = list((workspace.catalog or {}).values())
        if self.as_json:
            print_json({"tables": [table_json(table) for table in tables]}, lines=True)
        elif tables:
            draw_tables(console(), tables)
        else:
            sys.stdout.write("No table is loaded; 'data FILE' loads one.\n")

    def _decide(self, rest: str) -> None:
        self.session.decide(rest)
        self._data("")

    def _report(self, rest: str) -> None:
        path = self.session.report(rest.strip("'\""))
        self._say(f"written: {path}\n", {"report": str(path)})

    def _show(self, rest: str) -> None:
        try:
            entry = self.session.ledger[rest]
        except KeyError:
            raise UsageFault(
                f"There is no result '{rest}' yet.", "Ask a question first.", "unknown_id"
            ) from None
        if self.as_json:
            print_json(entry.record(), lines=True)
            return
        from statistikles.output.terminal import draw_result

        draw_result(console(), entry.result, entry.id, entry.tool, full=True)

    def _say(self, text: str, content: dict[str, object]) -> None:
        if self.as_json:
            print_json(content, lines=True)
        else:
            sys.stdout.write(text)
            sys.stdout.flush()

    def _failed(self, message: str, hint: str, code: str) -> None:
        if self.as_json:
            print_json({"error": message, "code": code, "hint": hint}, lines=True)
        print_error(message, hint)
