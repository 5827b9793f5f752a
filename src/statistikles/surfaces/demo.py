"""`statistikles demo`: a tour over the example table, without network or model."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from statistikles.guardrail import audit
from statistikles.neural import Session
from statistikles.surfaces.ask import answered, reply_json
from statistikles.surfaces.places import example_table
from statistikles.surfaces.streams import console, print_json

__all__ = ["INVENTED", "QUESTIONS", "main"]

QUESTIONS = (
    "Do the three species differ in body mass?",
    "Is flipper length related to body mass?",
    "Are species and island associated?",
)
# A sentence as a language model might write it; no computation stands behind it.
INVENTED = "The effect was clear, r = 0.93, p = .017, in 4127 birds."

_WELCOME = """\
Three questions about 344 penguins (Palmer Archipelago, CC0), each answered by computation.
Beside each number stands its address in the record of what was computed.
"""
_GUARD = """\

Now a sentence with no computation behind it. The audit flags what it cannot trace:
"""
_FAREWELL = """
Your own table:   statistikles ask "YOUR QUESTION" --data FILE
A conversation:   statistikles chat --data FILE
"""


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    session = Session(data={"penguins": str(example_table())})
    if args.json:
        return _machine(session)
    from statistikles.output.terminal import draw_audit, draw_reply

    screen = console()
    sys.stdout.write(_WELCOME)
    clean = True
    entries: list[Any] = []
    for question in QUESTIONS:
        screen.print()
        screen.rule(question)
        reply = session.ask(question)
        draw_reply(screen, reply)
        clean &= answered(reply)
        entries += reply.results
    screen.print(_GUARD, end="")
    report = audit(INVENTED, entries)
    draw_audit(screen, INVENTED, report)
    screen.print(_FAREWELL, end="")
    return 0 if clean and not report.ok else 1


def _machine(session: Session) -> int:
    replies = [session.ask(question) for question in QUESTIONS]
    report = audit(INVENTED, [r for reply in replies for r in reply.results])
    turns = [{"question": q, **reply_json(r)} for q, r in zip(QUESTIONS, replies, strict=True)]
    print_json({"turns": turns, "invented": {"text": INVENTED, "audit": report.to_dict()}})
    return 0 if all(map(answered, replies)) and not report.ok else 1
