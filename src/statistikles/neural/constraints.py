"""Forms of text in which a digit can stand only inside a citation: a GBNF grammar and a JSON schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from statistikles.neural.backend import Constraint

__all__ = ["citations_only", "digits_outside", "names_with_digits"]

# What may be written freely: letters of the European alphabets, Greek, Cyrillic and Japanese or Chinese signs, and
# punctuation. A list of what is allowed, because digits also come as superscripts, fractions, circled and in
# other scripts. Quotes and backslashes are left out of the schema: there they would end or escape the string.
_LETTERS = "A-Za-z\\u00C0-\\u024F\\u0370-\\u03FF\\u0400-\\u052F\\u1E00-\\u1FFF\\u3040-\\u30FF\\u4E00-\\u9FFF"
_SIGNS = " !#$%&'()*+,./:;<=>?@_`|~\\u00A0-\\u00B1\\u00B4-\\u00B8\\u00BA\\u00BB\\u00BF"
_SIGNS += "\\u2010-\\u2027\\u2030-\\u205E\\u2190-\\u22FF"
_CITATION = re.compile(r"\{\{[^{}]*\}\}")
_NAME = re.compile(r"[A-Za-z_][\w.]*")
_NAMES_AT_MOST = 60


def names_with_digits(names: Iterable[str]) -> list[str]:
    """The column names and levels that a reply must be able to write although a digit is in them: x1, week_2."""
    found = [n for n in dict.fromkeys(names) if _NAME.fullmatch(n) and any(c.isnumeric() for c in n)]
    return found[:_NAMES_AT_MOST]


def citations_only(addresses: Sequence[str], names: Sequence[str] = ()) -> Constraint:
    """Free text without digits, with citations of these addresses and the names given."""
    return Constraint(_grammar(addresses, names), _schema(addresses, names), _unpack)


def _quoted(text: str) -> str:
    """A GBNF literal."""
    return json.dumps(text, ensure_ascii=True)


def _grammar(addresses: Sequence[str], names: Sequence[str]) -> str:
    pieces = ["text"] + (["citation"] if addresses else []) + (["name"] if names else [])
    # One sign at a time after a first letter: the reply is not empty and does not begin with a brace.
    lines = [
        f"root ::= piece+\npiece ::= {' | '.join(pieces)}",
        f'text ::= [{_LETTERS}{_SIGNS}\\"\\n-]',
    ]
    if addresses:
        lines.append('citation ::= "{{" address "}}"')
        lines.append("address ::= " + " | ".join(_quoted(a) for a in addresses))
    if names:
        lines.append("name ::= " + " | ".join(_quoted(n) for n in names))
    return "\n".join(lines) + "\n"


def _schema(addresses: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    def only(key: str, value: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {key: value},
            "required": [key],
            "additionalProperties": False,
        }

    letters = (_LETTERS + _SIGNS).encode().decode("unicode_escape")
    pieces = [only("text", {"type": "string", "pattern": f"^[{letters}-]*$"})]
    if addresses:
        pieces.append(only("cite", {"type": "string", "enum": list(addresses)}))
    if names:
        pieces.append(only("name", {"type": "string", "enum": list(names)}))
    return only("reply", {"type": "array", "items": {"anyOf": pieces} if len(pieces) > 1 else pieces[0]})


def _unpack(text: str) -> str:
    """The reply in a JSON answer of the schema; the text itself when it is none."""
    try:
        parts = json.loads(text)["reply"]
        return "".join(
            "{{" + str(p["cite"]) + "}}" if "cite" in p else str(p.get("text", p.get("name", "")))
            for p in parts
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return text


def digits_outside(text: str, names: Sequence[str] = ()) -> int:
    """How many numeric signs stand outside citations and the names given."""
    rest = _CITATION.sub(" ", text)
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", rest)
    return sum(c.isnumeric() and not c.isalpha() for c in rest)
