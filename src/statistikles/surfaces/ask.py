"""`statistikles ask "QUESTION" --data FILE`: one question, one audited answer."""

from __future__ import annotations

import argparse
from typing import Any

from statistikles.neural import Reply, Session
from statistikles.neural.models import configured_model
from statistikles.surfaces.plots import check_plot, draw_after
from statistikles.surfaces.streams import (
    UsageFault,
    check_ledger,
    console,
    data_argument,
    ledger_fault,
    one_form_of_output,
    print_json,
    print_text,
    say_written,
    tell_faults,
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
    written = _written_beside(args, session, reply)
    return 0 if answered(reply) and written else 1


def _written_beside(args: argparse.Namespace, session: Session, reply: Reply) -> bool:
    """Write what was asked for beside the answer, which stands on the screen; False when something could not be."""

    def draw() -> None:
        if args.plot is not None and not (args.json and args.plot == "-"):
            draw_after(reply.pictures(option=args.plot_style), args.plot)

    def report() -> None:
        if args.report:
            say_written(session.report(args.report))

    return tell_faults(draw, report, lambda: check_ledger(args.ledger))


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
    """The session that the conversation flags describe; its ledger is in memory where the file cannot be written."""
    model = configured_model(args.model)
    data = data_argument(args.data)
    ledger = args.ledger if ledger_fault(args.ledger) is None else None
    return Session(data, model=model, seed=args.seed, ledger=ledger, decisions=args.decide)


def answered(reply: Reply) -> bool:
    """Whether the turn is clean: something computed, nothing flagged. A question not understood is not answered."""
    return reply.audit.ok and any("error" not in record["result"] for record in reply.results)


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
