"""The error tree of Statistikles: every refusal is typed, says why, and says what to do.

StatistiklesError (code, message, hint, where)
├── InputError         the values given cannot be used: too few, not finite, wrong shape, out of range, unknown name
├── NotDefined         the quantity does not exist for these data: constant values, separation, no convergence
├── DataError          a file, table, column or filter cannot be read or found
├── ProvenanceError    a number handed to a tool has no source
├── ModelError         a language-model back end failed
├── BridgeError        a second engine, prover or store failed
└── MissingDependency  an optional package is not installed (carries the install line)

Callers branch on the class or on `code`, never on the text.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "BridgeError",
    "DataError",
    "InputError",
    "MissingDependency",
    "ModelError",
    "NotDefined",
    "ProvenanceError",
    "StatistiklesError",
    "did_you_mean",
]


class StatistiklesError(Exception):
    """Base of all errors raised on purpose.

    Parameters
    ----------
    message : one clear sentence saying what is wrong.
    hint : what to do about it.
    where : the argument, column, file or address concerned.
    code : a stable machine-readable name of the kind of fault.
    """

    default_code = "error"

    def __init__(self, message: str, *, hint: str = "", where: str = "", code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where
        self.code = code or self.default_code

    def to_dict(self) -> dict[str, str]:
        """The failure as the plain dict that `execute_tool` returns."""
        out = {"error": self.message, "code": self.code, "hint": self.hint}
        if self.where:
            out["where"] = self.where
        return out


class InputError(StatistiklesError):
    """The values given cannot be used as they are."""

    default_code = "invalid_input"


class NotDefined(StatistiklesError):
    """The requested quantity does not exist for these data."""

    default_code = "not_defined"


class DataError(StatistiklesError):
    """A file, table, column or filter cannot be read or found."""

    default_code = "data_error"


class ProvenanceError(StatistiklesError):
    """A number handed to a tool has no source in the data, the user's words or earlier results."""

    default_code = "no_provenance"


class ModelError(StatistiklesError):
    """A language-model back end failed."""

    default_code = "model_error"


class BridgeError(StatistiklesError):
    """A second engine, prover or store failed."""

    default_code = "bridge_error"


class MissingDependency(StatistiklesError):
    """An optional package is not installed."""

    default_code = "missing_dependency"

    def __init__(self, package: str, *, extra: str) -> None:
        super().__init__(
            f"The optional package '{package}' is not installed.",
            hint=f"Install it with: pip install 'statistikles[{extra}]'",
            where=package,
        )


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A phrase naming the closest known names, or the empty string when nothing is close."""
    pool = {k.casefold(): k for k in known}
    close = difflib.get_close_matches(name.casefold(), list(pool), n=3, cutoff=0.6)
    if not close:
        return ""
    return "Did you mean " + " or ".join(f"'{pool[c]}'" for c in close) + "?"
