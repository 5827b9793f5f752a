"""A conversation with a model over a workspace: what it is told, which tools it gets, how its calls are checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.errors import ModelError
from statistikles.neural.backend import ModelBackend, profile_of
from statistikles.neural.choosing import Choices, tool_lines
from statistikles.neural.constraints import names_with_digits
from statistikles.neural.fence import fenced
from statistikles.neural.planner.tables import views_of
from statistikles.neural.prompt import system_message
from statistikles.neural.router import CHARACTERS_PER_TOKEN, narrowed
from statistikles.neural.turn import Audit, ModelTurn, Scene, run_turn
from statistikles.registry.manifest import get_tools

if TYPE_CHECKING:
    from statistikles.neural.planner.view import TableView
    from statistikles.neural.streaming import Show
    from statistikles.tools.workspace import Workspace

__all__ = ["Conversation"]

# Shares of a model's context: the schemas of tools, and what is kept of the conversation.
_FOR_TOOLS = 0.35
_FOR_TALK = 0.4
# Without tool calling the tools stand in the text, and fewer serve a small model better.
_CHOSEN_FROM = 0.12
_NUMBER = re.compile(r"\d")


class Conversation:
    """The messages so far. A turn that fails leaves them as they were."""

    def __init__(self, model: ModelBackend, workspace: Workspace) -> None:
        self.model, self.workspace = model, workspace
        self._turns: list[list[dict[str, Any]]] = []
        self._said: list[str] = []
        self._tools = get_tools()

    def take(
        self,
        text: str,
        audit: Audit,
        records: Sequence[Mapping[str, Any]],
        show: Show | None = None,
    ) -> ModelTurn:
        """One turn.

        Raises
        ------
        ModelError : the back end failed.
        """
        views = views_of(self.workspace)
        self._said.append(text)
        try:
            return self._attempt(text, views, audit, records, show, whole=True)
        except ModelError as error:
            if error.code != "context_overflow":
                raise
            # Once more with the least: this question alone, and the few tools it is likeliest to need.
            return self._attempt(text, views, audit, records, show, whole=False)

    def _attempt(
        self,
        text: str,
        views: Sequence[TableView],
        audit: Audit,
        records: Sequence[Mapping[str, Any]],
        show: Show | None,
        *,
        whole: bool,
    ) -> ModelTurn:
        profile = profile_of(self.model)
        head: list[dict[str, Any]] = [{"role": "system", "content": system_message(views)}]
        turn: list[dict[str, Any]] = [{"role": "user", "content": fenced(text, "question")}]
        kept = self._recent(profile.context) if whole else []
        messages = [*head, *kept, *turn]
        before = len(messages) - 1
        done = run_turn(
            self.model,
            messages,
            self._offered(text, views, whole=whole),
            self._execute,
            audit,
            records,
            scene=_scene(views, self._said),
            show=show,
        )
        self._turns.append(messages[before:])
        return done

    def _execute(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        known = [entry.record() for entry in self.workspace.ledger]
        said = "\n".join(self._said)
        return self.workspace.execute_traced(tool, arguments, said, known).record()

    def _offered(self, text: str, views: Sequence[TableView], *, whole: bool) -> list[Mapping[str, Any]]:
        profile = profile_of(self.model)
        if not profile.context and whole:
            return list(self._tools)
        share = _FOR_TOOLS if profile.tools == "native" else _CHOSEN_FROM
        tokens = int((profile.context or 8192) * share) // (1 if whole else 4)
        if profile.tools == "native":
            return narrowed(self._tools, text, views, tokens)
        return narrowed(
            self._tools, text, views, tokens, lambda tool: len(tool_lines([tool])) // CHARACTERS_PER_TOKEN
        )

    def _recent(self, context: int) -> list[dict[str, Any]]:
        """The latest turns that fit."""
        left = context * _FOR_TALK * CHARACTERS_PER_TOKEN if context else float("inf")
        kept: list[dict[str, Any]] = []
        for turn in reversed(self._turns):
            left -= len(json.dumps(turn))
            if left < 0:
                break
            kept = [*turn, *kept]
        return kept


def _scene(views: Sequence[TableView], said: Sequence[str]) -> Scene:
    columns = [c for view in views for c in view.columns]
    levels = [level for c in columns if not c.numeric for level in c.levels]
    choices = Choices(
        tuple(dict.fromkeys(c.name for c in columns)),
        tuple(dict.fromkeys(c.name for c in columns if c.numeric and not c.identifier)),
        tuple(dict.fromkeys(c.name for c in columns if c.groups)),
        typed=any(_NUMBER.search(text) for text in said),
    )
    return Scene(choices, tuple(names_with_digits([*choices.columns, *levels])))
