"""`statistikles ask "QUESTION" --data FILE`: one question, one audited answer."""

from __future__ import annotations

import argparse
from typing import Any

from statistikles.neural import Reply, Session
from statistikles.neural.models import configured_model
from statistikles.surfaces.plots import check_plot, draw_after
from statistikles.surfaces.streams import (
    UsageFault,
    console,
    data_argument,
    one_form_of_output,
    print_json,
    print_text,
    say_written,
)

__all__ = ["answered", "ask_on_screen", "main", "open_session", "reply_json"]


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if not args.question.strip():
        raise UsageFault("The question is empty.", 'For example: "Do the three species differ in body mass?"')
    check_plot(args.plot)
    one_form_of_output(args)
    if args.report:
        from statistikles.output.reports.write import check_report_path

        check_report_path(args.report)
    session = open_session(args)
    if args.json:
        reply = session.ask(args.question)
        print_json(reply_json(reply))
    elif args.code:
        reply = session.ask(args.question)
        print_text(reply.code(args.code))
    elif args.format:
        reply = session.ask(args.question)
        print_text(reply.export(args.format))
    else:
        reply = ask_on_screen(session, args.question)
    if args.plot is not None and not (args.json and args.plot == "-"):
        draw_after(reply.pictures(option=args.plot_style), args.plot)
    if args.report:
        say_written(session.report(args.report))
    return 0 if answered(reply) else 1


def ask_on_screen(session: Session, question: str) -> Reply:
    """One turn drawn on the terminal; a model's reply appears while it is written, as far as it is audited."""
    from statistikles.output.terminal import draw_reply

    screen = console()
    if session.model is None or not screen.is_terminal:
        reply = session.ask(question)
        draw_reply(screen, reply)
        return reply
    written: list[str] = []

    def show(piece: str | None) -> None:
        # None: the model takes back what it wrote, and the reply begins anew.
        text = "\n\n[corrected]\n\n" if piece is None else piece
        written.append(text)
        screen.print(text, end="", soft_wrap=True)

    reply = session.ask(question, show=show)
    if written:
        screen.print()
    draw_reply(screen, reply, text=not written)
    return reply


def open_session(args: argparse.Namespace) -> Session:
    """The session that the conversation flags describe."""
    model = configured_model(args.model)
    data = data_argument(args.data)
    return Session(data, model=model, seed=args.seed, ledger=args.ledger, decisions=args.decide)


def answered(reply: Reply) -> bool:
    """Whether the turn is clean: nothing flagged, and something computed or a choice of readings offered."""
    computed = any("error" not in record["result"] for record in reply.results)
    return reply.audit.ok and (computed or bool(reply.offers))


def reply_json(reply: Reply) -> dict[str, Any]:
    """A turn as plain JSON."""
    return {
        "ok": answered(reply),
        "text": reply.text,
        "doubts": list(reply.doubts),
        "warning": reply.warning,
        "audit": reply.audit.to_dict(),
        "offers": list(reply.offers),
        "results": [dict(r) for r in reply.results],
    }
