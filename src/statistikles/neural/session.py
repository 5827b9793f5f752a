"""The session: one conversation over some tables. Each turn: route, compute, explain, audit."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, ModelError, StatistiklesError
from statistikles.guardrail import audit
from statistikles.neural import observe
from statistikles.neural.backend import ModelBackend
from statistikles.neural.reply import Reply
from statistikles.tools.doubts import doubts_about, told
from statistikles.tools.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from statistikles.guardrail import AuditReport
    from statistikles.guardrail.evidence import Evidence
    from statistikles.neural.conversation import Conversation
    from statistikles.neural.planner.planner import Planner
    from statistikles.neural.streaming import Show
    from statistikles.output.pictures import Picture
    from statistikles.pipeline.stewardship import Inspection
    from statistikles.tools.ledger import Ledger

__all__ = ["Session"]

log = logging.getLogger("statistikles.neural")

_FAULT = (
    "This turn failed inside Statistikles; no number was produced. The session goes on. "
    "Set STATISTIKLES_DEBUG to see the trace."
)


class Session:
    """A conversation about data.

    Parameters
    ----------
    data : a path, a data frame, or {name: either}; None to ask without a table.
    model : None for the built-in planner, the name of a model of the configured server, the path of a GGUF file,
        or a back end with `complete(messages, tools)`.
    seed : start of all random numbers.
    ledger : where the ledger is kept as it grows; in memory only when absent.
    decisions : what was decided about reading the tables, as "COLUMN:KEY=VALUE" texts or {"COLUMN:KEY": VALUE}.
    """

    def __init__(
        self,
        data: Any = None,
        model: Any = None,
        seed: int = 0,
        ledger: str | os.PathLike[str] | None = None,
        decisions: Any = None,
    ) -> None:
        self.model = _backend(model)
        self.seed = seed
        self.workspace = Workspace(data=data, ledger=ledger, decisions=decisions)
        self._said: list[str] = []
        self._turns: list[tuple[str, Reply]] = []
        self._records: list[Mapping[str, Any]] = []
        self._conversation: Conversation | None = None
        self._planner: Planner | None = None
        self._evidence: Evidence | None = None
        self._indexed: set[str] = set()

    @property
    def ledger(self) -> Ledger:
        """Everything computed so far."""
        return self.workspace.ledger

    def ask(self, text: str, *, show: Show | None = None) -> Reply:
        """Answer one question. A turn that fails says so and leaves the session usable.

        Parameters
        ----------
        text : the question.
        show : gets a model's reply piece by piece while it is written, each piece after its audit; None stands
            for "what was shown is withdrawn". The planner's replies are not shown piecewise.
        """
        started, turn = time.perf_counter(), observe.new_id()
        with observe.turn(turn):
            return self._asked(text, show, turn, started)

    def _asked(self, text: str, show: Show | None, turn: str, started: float) -> Reply:
        try:
            reply = self._with_planner(text) if self.model is None else self._with_model(text, show)
        except StatistiklesError as error:
            reply = self._failed(f"{error.message} {error.hint}".strip())
        except Exception as error:  # a failing turn never ends the session
            # The type only, unless asked: a message or trace could carry the user's values into a log.
            debug = bool(os.environ.get("STATISTIKLES_DEBUG"))
            log.error("turn %s failed: %s", turn, type(error).__name__, exc_info=debug)
            reply = self._failed(
                _FAULT if not os.environ.get("STATISTIKLES_DEBUG") else f"{_FAULT} {error!r}"
            )
        self._said.append(text)
        self._turns.append((text, reply))
        self._records += reply.results
        log.info(
            "turn",
            extra={
                "turn": turn,
                "calls": len(reply.results),
                "clean": reply.audit.ok,
                "milliseconds": round(1000 * (time.perf_counter() - started), 1),
            },
        )
        return reply

    def report(self, path: str | os.PathLike[str], *, title: str = "") -> Path:
        """Write everything asked and computed so far as a report; the path of the file.

        Parameters
        ----------
        path : the file; its ending says the kind: .html, .md or .docx.
        title : heading of the report; the question when empty and there is only one.
        """
        from statistikles.output.reports.build import Turn, build_report
        from statistikles.output.reports.write import check_report_path, write_report

        target = check_report_path(path)
        turns = [Turn(question, reply) for question, reply in self._turns]
        return write_report(build_report(self.workspace, turns, title=title), target)

    def run(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run one tool on the session's tables; its record {id, tool, arguments, result}."""
        return self.workspace.execute(tool, arguments).record()

    def picture(self, ident: str, *, option: str = "") -> Picture | None:
        """The picture of a result by its id in the ledger, such as "r1"; None when there is none for it.

        Parameters
        ----------
        ident : the id.
        option : another kind of picture where there is one: "violins" instead of boxes.

        Raises
        ------
        DataError : the ledger has no such entry.
        """
        from statistikles.output.pictures import picture_of

        try:
            record = self.ledger[ident].record()
        except KeyError:
            raise DataError(
                f"There is no result '{ident}'.", hint="Ask a question first.", where=ident, code="unknown_id"
            ) from None
        return picture_of(record, self.workspace, option=option)

    def examine(
        self, *, table: str | None = None, constraints: Mapping[str, Any] | None = None
    ) -> Inspection:
        """Look at a table stage by stage: units, scales, constraints, outliers, missing values, duplicates.

        Parameters
        ----------
        table : which table; the only one when absent.
        constraints : what is declared about it.
        """
        from statistikles.pipeline.references import Catalog
        from statistikles.pipeline.stewardship import examine

        catalog = self.workspace.catalog
        return examine((Catalog() if catalog is None else catalog).table(table), constraints=constraints)

    def decide(self, decisions: Any, *, table: str | None = None) -> dict[str, Any]:
        """Settle what a finding asks, for all that follows; its record {id, tool, arguments, result}.

        Parameters
        ----------
        decisions : such as "seen:dates=dmy", or {"seen:dates": "dmy"}, or a list of such texts.
        table : which table; the only one when absent.
        """
        entry = self.workspace.decide(decisions, table=table)
        self._planner = self._conversation = None  # what they remember is of the table before
        return entry.record()

    def clean(self, steps: Any, *, table: str | None = None) -> dict[str, Any]:
        """Clean a table by a recipe, for all that follows; its record {id, tool, arguments, result}.

        Parameters
        ----------
        steps : a list of steps such as {"step": "drop_missing", "columns": ["age"]}, or a recorded recipe.
        table : which table; the only one when absent.
        """
        entry = self.workspace.clean(steps, table=table)
        self._planner = self._conversation = None  # what they remember is of the table before
        return entry.record()

    def _with_planner(self, text: str) -> Reply:
        from statistikles.neural.planner.planner import Planner

        if self._planner is None:
            self._planner = Planner(self.workspace, seed=self.seed)
        answer = self._planner.answer(text)
        # The planner cites results of its own turn only, so earlier ones are no evidence for what it says.
        report = audit(answer.text, answer.results, text, conversation=list(self._said))
        return self._reply(
            answer.text,
            report,
            answer.results,
            links=answer.links,
            offers=answer.offers,
            reading=answer.reading,
        )

    def _with_model(self, text: str, show: Show | None) -> Reply:
        from statistikles.neural.conversation import Conversation

        assert self.model is not None
        if self._conversation is None:
            self._conversation = Conversation(self.model, self.workspace)
        before = len(self.ledger)
        try:
            turn = self._conversation.take(
                text, lambda written, made: self._audit(written, made, text), self._records, show
            )
        except ModelError as error:
            made = [entry.record() for entry in self.ledger.entries[before:]]
            return self._failed(f"{error.message} {error.hint}".strip(), made)
        return self._reply(turn.text, turn.audit, turn.results, trouble=turn.trouble, links=turn.links)

    def _audit(self, text: str, records: Sequence[Mapping[str, Any]], asked: str) -> AuditReport:
        """Audit against everything computed in the session; each result is indexed once."""
        from statistikles.guardrail.evidence import Evidence

        if self._evidence is None:
            self._evidence = Evidence()
        for record in [*self._records, *records]:
            if record["id"] and record["id"] not in self._indexed:
                self._indexed.add(record["id"])
                self._evidence.add(record["id"], record["result"])
        return audit(text, list(records), asked, conversation=list(self._said), evidence=self._evidence)

    def _reply(
        self,
        text: str,
        report: AuditReport,
        results: Sequence[Mapping[str, Any]],
        trouble: str = "",
        **more: Any,
    ) -> Reply:
        computed = any("error" not in r["result"] for r in results)
        warning = report.warning_block(computed)
        if warning and trouble:
            *lines, last = warning.splitlines()
            why = f"(the model could not be asked to correct itself: {trouble})"
            warning = "\n".join((*lines, why, last))
        doubts = doubts_about(self.workspace.catalog, results) if computed else ()
        return Reply(
            doubts=tuple(told(finding) for finding in doubts),
            text=text,
            warning=warning,
            audit=report,
            results=list(results),
            ledger=self.ledger,
            workspace=self.workspace,
            **more,
        )

    def _failed(self, text: str, results: Sequence[Mapping[str, Any]] = ()) -> Reply:
        return self._reply(text, self._audit(text, results, text), results)


def _backend(model: Any) -> ModelBackend | None:
    """The back end meant by `model`.

    Raises
    ------
    MissingDependency : it is a name, and the client library is not installed.
    ModelError : it has no `complete`.
    """
    if model is None or isinstance(model, ModelBackend):
        return model
    if isinstance(model, str):
        from statistikles.neural.models import open_model

        return open_model(model)
    raise ModelError(
        f"A model must be None, a name, or an object with complete(messages, tools), not {type(model).__name__}.",
        hint="Use ScriptedModel([...]) to try it out.",
        where="model",
    )
