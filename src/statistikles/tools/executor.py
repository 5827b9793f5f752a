"""The executor: the one way from a tool call to a number. It never raises for what a caller or model sends."""

from __future__ import annotations

import logging
import math
import os
import traceback
from collections.abc import Mapping
from typing import Any

from statistikles.errors import InputError, StatistiklesError
from statistikles.registry.manifest import load
from statistikles.tools.workspace import Workspace

__all__ = ["execute_tool"]

log = logging.getLogger("statistikles.tools")


def execute_tool(
    name: str, arguments: Mapping[str, Any] | None, *, data: Any = None, session: Any = None
) -> dict[str, Any]:
    """Run a tool and return its named numbers, or a failure that says what is wrong.

    Parameters
    ----------
    name : name of the tool.
    arguments : its arguments; vectors are lists of numbers or column references into `data`.
    data : a path, a data frame, or {name: either}; not needed for inline numbers.
    session : a `Session` or `Workspace` whose tables are used and whose ledger records the call.

    Returns
    -------
    dict : plain JSON without NaN or infinity; on failure `error`, `code` and `hint`
        (and `trace` when STATISTIKLES_DEBUG is set).
    """
    given = {} if arguments is None else arguments
    workspace: Workspace | None = None
    try:
        workspace = getattr(session, "workspace", session)
        if workspace is None:
            workspace = Workspace(data=data)
        elif data is not None:
            workspace.add_data(data)
        result, seed = _compute(name, given, workspace)
    except StatistiklesError as error:
        result, seed = _failure(error.to_dict()), None
    except RecursionError:
        result, seed = _failure(_too_deep()), None
    except Exception as error:  # the seam: nothing escapes, and the reader learns that it is our fault
        # The type only: a message or trace could carry the user's values into a log.
        log.error("tool %s failed: %s", _known(name), type(error).__name__)
        result, seed = _failure(_internal(_known(name), error)), None
    if session is not None and isinstance(workspace, Workspace):
        return _recorded(workspace, name, given, result, seed)
    return result


def _recorded(
    workspace: Workspace, name: Any, given: Any, result: dict[str, Any], seed: int | None
) -> dict[str, Any]:
    """The result once the ledger holds it; a number that cannot be recorded is not handed out."""
    try:
        recorded = dict(given) if isinstance(given, Mapping) else {}
        workspace.ledger.append(_known(name), recorded, result, data=workspace.fingerprints(), seed=seed)
    except StatistiklesError as error:
        return _failure(error.to_dict())
    except Exception as error:
        log.error("the call of %s was not recorded: %s", _known(name), type(error).__name__)
        return _failure(
            {
                "error": f"The call of {_known(name)} could not be written to the ledger ({type(error).__name__}).",
                "code": "ledger",
                "hint": "Check that the ledger's file can be written and that the arguments are plain JSON.",
            }
        )
    return result


def _known(name: Any) -> str:
    """The name of a tool as it can be said; one that cannot even be printed is called by its type."""
    try:
        return f"{name}"
    except Exception:
        return f"a name of type {type(name).__name__}"


def _compute(name: str, arguments: Any, workspace: Workspace) -> tuple[dict[str, Any], int | None]:
    from statistikles.registry.declare import choose
    from statistikles.registry.summaries import NeedsValues

    tool = load(_known(name))
    if not isinstance(arguments, Mapping) or not all(isinstance(k, str) for k in arguments):
        raise InputError(
            f"The arguments of {name} must be an object of named values, not {type(arguments).__name__}.",
            hint='Send for example {"data": [1, 2, 3]}.',
        )
    stat, given = choose(tool, arguments)
    try:
        result = stat.run(workspace.resolve(stat, given))
    except NeedsValues:
        result = stat.run(workspace.resolve(stat, given, values=True))
    plain = result.to_dict()
    _require_finite(plain, name)
    if workspace.catalog is not None:
        from statistikles.tools.units import carry_units

        carry_units(stat, given, plain, workspace.catalog)
    return plain, result.seed


def _require_finite(value: Any, where: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise ArithmeticError(f"{where} is not finite")
    if isinstance(value, dict):
        for key, inner in value.items():
            _require_finite(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for inner in value:
            _require_finite(inner, where)


def _failure(fields: dict[str, str]) -> dict[str, Any]:
    if os.environ.get("STATISTIKLES_DEBUG"):
        fields["trace"] = traceback.format_exc()
    return dict(fields)


def _too_deep() -> dict[str, str]:
    return {
        "error": "The arguments are nested too deeply to be read.",
        "code": InputError.default_code,
        "hint": "Send flat lists of numbers, or lists of lists where a table is asked for.",
    }


def _internal(name: str, error: Exception) -> dict[str, str]:
    return {
        "error": f"{name} failed on these values ({type(error).__name__}); no number was produced.",
        "code": "internal",
        "hint": "This is a fault of Statistikles, not of the question. Set STATISTIKLES_DEBUG=1 to see the trace.",
    }
