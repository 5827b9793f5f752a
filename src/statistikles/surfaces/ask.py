"""`statistikles ask "QUESTION" --data FILE`: one question, one audited answer."""

from __future__ import annotations

import argparse
import os
from typing import Any

from statistikles.neural import Reply, Session
from statistikles.surfaces.streams import UsageFault, console, data_argument, print_json

__all__ = ["answered", "main", "open_session", "reply_json"]


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if not args.question.strip():
        raise UsageFault("The question is empty.", 'For example: "Do the three species differ in body mass?"')
    session = open_session(args)
    reply = session.ask(args.question)
    if args.json:
        print_json(reply_json(reply))
    else:
        from statistikles.output.terminal import draw_reply

        draw_reply(console(), reply)
    return 0 if answered(reply) else 1


def open_session(args: argparse.Namespace) -> Session:
    """The session that the conversation flags describe."""
    model = args.model or os.environ.get("STATISTIKLES_MODEL") or None
    return Session(data=data_argument(args.data), model=model, seed=args.seed, ledger=args.ledger)


def answered(reply: Reply) -> bool:
    """Whether the turn is clean: nothing flagged, and something computed or a choice of readings offered."""
    computed = any("error" not in record["result"] for record in reply.results)
    return reply.audit.ok and (computed or bool(reply.offers))


def reply_json(reply: Reply) -> dict[str, Any]:
    """A turn as plain JSON."""
    return {
        "ok": answered(reply),
        "text": reply.text,
        "warning": reply.warning,
        "audit": reply.audit.to_dict(),
        "offers": list(reply.offers),
        "results": [dict(r) for r in reply.results],
    }
