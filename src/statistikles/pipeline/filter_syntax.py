"""The grammar of row filters: text -> tokens -> tree. Knows nothing of tables or of the engine.

or      := and ("or" and)*
and     := not ("and" not)*
not     := "not" not | test
test    := sum (compare sum | ["not"] "in" "(" item, ... ")" | ["not"] "between" sum "and" sum
                | "is" ["not"] ("null" | "missing"))?
sum     := product (("+" | "-") product)*
product := unary (("*" | "/") unary)*
unary   := ("-" | "+") unary | value | "(" or ")"
value   := number | 'text' | true | false | name | "name" | `name` | [name]

A definition of a new column is the same grammar with calls of known functions: value := ... | word "(" or, ... ")"
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TypeAlias

from statistikles.errors import DataError

__all__ = [
    "Between",
    "Binary",
    "Call",
    "Compare",
    "Constant",
    "FilterError",
    "InList",
    "IsMissing",
    "Junction",
    "Name",
    "Negate",
    "Node",
    "Not",
    "parse",
]

_MAX_LENGTH = 10_000
_MAX_DEPTH = 50
_KEYWORDS = frozenset({"and", "or", "not", "in", "between", "is", "null", "missing", "true", "false"})
_COMPARISONS = {
    "=": "=",
    "==": "=",
    "!=": "<>",
    "<>": "<>",
    "≠": "<>",
    "<": "<",
    "<=": "<=",
    "≤": "<=",
    ">": ">",
    ">=": ">=",
    "≥": ">=",
}
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
  | (?P<text>'(?:[^']|'')*')
  | (?P<name>"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[[^\[\]]+\])
  | (?P<word>[^\W\d][\w.]*)
  | (?P<operator><=|>=|<>|!=|==|[=<>≤≥≠+*/(),−-])
    """,
    re.VERBOSE,
)
_STRAY = {
    "&": "Write 'and'.",
    "|": "Write 'or'.",
    ";": "A filter is one condition; leave out the semicolon.",
    "'": "The text that starts here has no closing single quote.",
    '"': "The name that starts here has no closing quote.",
    "`": "The name that starts here has no closing quote.",
    "[": "The name that starts here has no closing bracket.",
    "!": "Write 'not', or '!=' for different from.",
    "%": "Write a plain number.",
    "~": "Patterns are not supported.",
    "’": "Use straight quotes.",
    "‘": "Use straight quotes.",
    "“": "Use straight quotes.",
    "”": "Use straight quotes.",
}


class FilterError(DataError):
    """A filter that cannot be understood; says where in the text."""

    default_code = "bad_filter"

    def __init__(self, message: str, text: str, at: int, *, hint: str = "", code: str | None = None) -> None:
        start = max(0, at - 20)
        excerpt = text[start : at + 20].replace("\n", " ")
        super().__init__(
            f"{message} (filter, position {at + 1}: {excerpt})", hint=hint, where="where", code=code
        )
        self.position = at


@dataclass(frozen=True, slots=True)
class Name:
    """A column name; `quote` is the mark it was written in ('' when bare)."""

    name: str
    quote: str
    at: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A number, a text or a truth value."""

    value: float | int | str | bool
    at: int


@dataclass(frozen=True, slots=True)
class Negate:
    """Minus a number."""

    operand: Node
    at: int

    def children(self) -> list[Node]:
        return [self.operand]


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic: + - * /."""

    operator: str
    left: Node
    right: Node
    at: int

    def children(self) -> list[Node]:
        return [self.left, self.right]


@dataclass(frozen=True, slots=True)
class Call:
    """A function of columns and values; only in definitions of columns, never in a filter."""

    function: str
    arguments: tuple[Node, ...]
    at: int

    def children(self) -> list[Node]:
        return list(self.arguments)


@dataclass(frozen=True, slots=True)
class Compare:
    """= <> < <= > >=."""

    operator: str
    left: Node
    right: Node
    at: int

    def children(self) -> list[Node]:
        return [self.left, self.right]


@dataclass(frozen=True, slots=True)
class InList:
    """[not] in (...)."""

    operand: Node
    items: tuple[Node, ...]
    negated: bool
    at: int

    def children(self) -> list[Node]:
        return [self.operand, *self.items]


@dataclass(frozen=True, slots=True)
class Between:
    """[not] between low and high, both included."""

    operand: Node
    low: Node
    high: Node
    negated: bool
    at: int

    def children(self) -> list[Node]:
        return [self.operand, self.low, self.high]


@dataclass(frozen=True, slots=True)
class IsMissing:
    """is [not] missing."""

    operand: Node
    negated: bool
    at: int

    def children(self) -> list[Node]:
        return [self.operand]


@dataclass(frozen=True, slots=True)
class Not:
    """not condition."""

    operand: Node
    at: int

    def children(self) -> list[Node]:
        return [self.operand]


@dataclass(frozen=True, slots=True)
class Junction:
    """Conditions joined by 'and' or by 'or'."""

    word: str
    parts: tuple[Node, ...]
    at: int

    def children(self) -> list[Node]:
        return list(self.parts)


Node: TypeAlias = (
    Name | Constant | Negate | Binary | Call | Compare | InList | Between | IsMissing | Not | Junction
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def parse(text: str, functions: frozenset[str] = frozenset()) -> Node:
    """The tree of a filter, or a FilterError.

    Parameters
    ----------
    text : the filter, or the definition of a column.
    functions : names that may be called; none in a filter.
    """
    if not text.strip():
        raise FilterError("The filter is empty.", text, 0, hint="Leave it out to use all rows.")
    if len(text) > _MAX_LENGTH:
        raise FilterError(
            f"The filter is longer than {_MAX_LENGTH} characters.", text[:40], 0, hint="Shorten it."
        )
    parser = _Parser(text, _tokens(text), functions)
    tree = parser.disjunction()
    parser.finish()
    return tree


def _tokens(text: str) -> list[_Token]:
    out: list[_Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            stray = text[at]
            if stray.isdigit() or stray == ".":
                raise FilterError(
                    "This number is not well formed.", text, at, hint="Write numbers like 3.5 or 1e-3."
                )
            raise FilterError(f"'{stray}' is not part of a filter.", text, at, hint=_STRAY.get(stray, ""))
        kind, piece = str(match.lastgroup), match.group()
        if kind == "word" and piece.casefold() in _KEYWORDS:
            out.append(_Token("keyword", piece.casefold(), at))
        elif kind != "space":
            out.append(_Token(kind, piece, at))
        at = match.end()
    out.append(_Token("end", "", len(text)))
    return out


class _Parser:
    """Recursive descent, one method per line of the grammar."""

    def __init__(self, text: str, tokens: list[_Token], functions: frozenset[str]) -> None:
        self.text = text
        self.tokens = tokens
        self.functions = functions
        self.position = 0
        self.depth = 0

    @property
    def here(self) -> _Token:
        return self.tokens[self.position]

    def fail(self, message: str, hint: str = "") -> FilterError:
        return FilterError(message, self.text, self.here.at, hint=hint)

    def take(self, *wanted: str) -> _Token | None:
        """The current token if it is one of these operators or keywords."""
        token = self.here
        if token.kind in ("operator", "keyword") and token.text in wanted:
            self.position += 1
            return token
        return None

    def expect(self, wanted: str, why: str) -> None:
        if self.take(wanted) is None:
            raise self.fail(f"'{wanted}' is missing {why}.")

    def finish(self) -> None:
        """Nothing may follow a complete condition."""
        token = self.here
        if token.kind == "end":
            return
        before = self.tokens[self.position - 1]
        if token.text == "(" and before.kind == "word":
            raise self.fail(f"Functions such as {before.text}(...) are not allowed in a filter.")
        if token.kind == "word" and token.text.casefold() in ("like", "ilike", "glob", "similar"):
            raise self.fail(
                "Patterns are not supported in a filter.", "List the values: column in ('a', 'b')."
            )
        if token.kind == "operator" and token.text in _COMPARISONS:
            raise self.fail(
                "Comparisons cannot be chained.", "Write: x > 1 and x < 5, or: x between 1 and 5."
            )
        if token.kind == "word" and before.kind == "word":
            raise self.fail(
                f"'{token.text}' is not expected here.",
                f'A column name with blanks goes in double quotes: "{before.text} {token.text}".',
            )
        raise self.fail(f"'{token.text}' is not expected here.", "Join conditions with 'and' or 'or'.")

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self.fail(f"The filter is nested more than {_MAX_DEPTH} levels deep.", "Simplify it.")

    def disjunction(self) -> Node:
        return self.junction("or")

    def conjunction(self) -> Node:
        return self.junction("and")

    def junction(self, word: str) -> Node:
        at = self.here.at
        below = self.conjunction if word == "or" else self.negation
        parts = [below()]
        while self.take(word):
            parts.append(below())
        return parts[0] if len(parts) == 1 else Junction(word, tuple(parts), at)

    def negation(self) -> Node:
        token = self.take("not")
        if token is None:
            return self.test()
        self.deeper()
        inner = self.negation()
        self.depth -= 1
        return Not(inner, token.at)

    def test(self) -> Node:
        left = self.sum()
        token = self.here
        if token.kind == "operator" and token.text in _COMPARISONS:
            self.position += 1
            return Compare(_COMPARISONS[token.text], left, self.sum(), token.at)
        if self.take("is"):
            negated = self.take("not") is not None
            if self.take("null", "missing") is None:
                raise self.fail(
                    "After 'is' comes 'missing' or 'not missing'.", "Use = to compare with a value."
                )
            return IsMissing(left, negated, token.at)
        negated = self.take("not") is not None
        if self.take("in"):
            return InList(left, self.items(), negated, token.at)
        if self.take("between"):
            low = self.sum()
            self.expect("and", "after the lower bound of 'between'")
            return Between(left, low, self.sum(), negated, token.at)
        if negated:
            raise self.fail("After 'not' comes 'in' or 'between' here.")
        return left

    def items(self) -> tuple[Node, ...]:
        self.expect("(", "after 'in'")
        out = [self.item()]
        while self.take(","):
            out.append(self.item())
        self.expect(")", "at the end of the list")
        return tuple(out)

    def item(self) -> Node:
        """One value of a list: a number, with or without sign, or a text or truth value."""
        minus = self.take("-", "−", "+")
        value = self.value()
        if isinstance(value, Constant):
            if minus is None or minus.text == "+":
                return value
            if isinstance(value.value, (int, float)) and not isinstance(value.value, bool):
                return Constant(-value.value, minus.at)
        self.position -= 1
        raise self.fail("A list holds values only.", "Text values take single quotes: in ('a', 'b').")

    def sum(self) -> Node:
        left = self.product()
        count = 0
        while token := self.take("+", "-", "−"):
            count += 1
            self.limit_chain(count)
            left = Binary("-" if token.text == "−" else token.text, left, self.product(), token.at)
        return left

    def product(self) -> Node:
        left = self.unary()
        count = 0
        while token := self.take("*", "/"):
            count += 1
            self.limit_chain(count)
            left = Binary(token.text, left, self.unary(), token.at)
        return left

    def limit_chain(self, count: int) -> None:
        if count > _MAX_DEPTH:
            raise self.fail(f"The filter adds or multiplies more than {_MAX_DEPTH} terms.", "Simplify it.")

    def unary(self) -> Node:
        if token := self.take("-", "−", "+"):
            self.deeper()
            inner = self.unary()
            self.depth -= 1
            return inner if token.text == "+" else Negate(inner, token.at)
        if self.take("("):
            self.deeper()
            inner = self.disjunction()
            self.depth -= 1
            self.expect(")", "to close a bracket")
            return inner
        return self.value()

    def value(self) -> Node:
        token = self.here
        if token.kind == "end":
            raise self.fail("The filter ends too early.", "Something is missing at its end.")
        self.position += 1
        if token.kind == "number":
            return self.number(token)
        if token.kind == "text":
            return Constant(token.text[1:-1].replace("''", "'"), token.at)
        if token.kind == "name":
            quote = token.text[0]
            return Name(token.text[1:-1].replace(quote * 2, quote), quote, token.at)
        if token.kind == "keyword" and token.text in ("true", "false"):
            return Constant(token.text == "true", token.at)
        if token.kind == "word":
            if self.here.text == "(" and self.here.kind == "operator":
                if token.text.casefold() in self.functions:
                    return self.call(token)
                raise FilterError(
                    f"Functions such as {token.text}(...) are not allowed in a filter.",
                    self.text,
                    token.at,
                    hint="A filter compares columns with values; it cannot call anything.",
                )
            return Name(token.text, "", token.at)
        self.position -= 1
        if token.text in ("null", "missing"):
            raise self.fail("Nothing equals a missing value.", "Write: column is missing.")
        raise self.fail(f"'{token.text}' is not expected here.", "A column or a value should stand here.")

    def call(self, token: _Token) -> Call:
        self.expect("(", "after the name of a function")
        self.deeper()
        out = [self.disjunction()]
        while self.take(","):
            out.append(self.disjunction())
        self.depth -= 1
        self.expect(")", "at the end of a function's arguments")
        return Call(token.text.casefold(), tuple(out), token.at)

    def number(self, token: _Token) -> Constant:
        if token.text.isdigit() and len(token.text) <= 19 and int(token.text) < 2**63:
            return Constant(int(token.text), token.at)
        value = float(token.text)
        if not math.isfinite(value):
            raise FilterError("This number is too large.", self.text, token.at)
        return Constant(value, token.at)
