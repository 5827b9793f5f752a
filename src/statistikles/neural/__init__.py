"""The language side: planner, model back ends and the audited session."""

from __future__ import annotations

from statistikles.neural.backend import Completion, ModelBackend, ToolCall
from statistikles.neural.reply import Reply
from statistikles.neural.scripted import ScriptedModel
from statistikles.neural.session import Session

__all__ = ["Completion", "ModelBackend", "Reply", "ScriptedModel", "Session", "ToolCall"]
