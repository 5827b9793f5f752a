"""Model formulas: parsed by a grammar of their own, differentiated symbolically, never run as code.

Grammar: numbers, names, pi, + - * / **, unary minus, parentheses, exp log sqrt sin cos tan atan.
`**` binds tighter than unary minus and to the right, as in Python and R.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, did_you_mean
from statistikles.stats import _dd_functions as ddf
from statistikles.stats._exact import DD, dd_add, dd_div, dd_mul, dd_sqrt, dd_sub

__all__ = ["Expressions", "Node", "evaluate", "evaluate_dd", "names_in", "parse"]

FUNCTIONS: Final = ("exp", "log", "sqrt", "sin", "cos", "tan", "atan")
_MAX_LENGTH: Final = 4000
_MAX_DEPTH: Final = 100
_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/()]))"
)


@dataclass(frozen=True, eq=False)
class Node:
    """One node of an expression; equal nodes of one `Expressions` are the same object."""

    op: str  # number, pi, name, one of + * / **, a function, neg, or powlog (a**b log a)
    args: tuple[Node, ...] = ()
    number: Fraction | None = None
    name: str = ""


class Expressions:
    """Builds nodes: shares equal ones, folds constants and drops zeros and ones."""

    def __init__(self) -> None:
        self._pool: dict[tuple[object, ...], Node] = {}
        self._derivatives: dict[tuple[int, str], Node] = {}

    def _make(
        self, op: str, args: tuple[Node, ...] = (), number: Fraction | None = None, name: str = ""
    ) -> Node:
        key = (op, tuple(id(a) for a in args), number, name)
        node = self._pool.get(key)
        if node is None:
            node = self._pool[key] = Node(op, args, number, name)
        return node

    def constant(self, value: Fraction | int) -> Node:
        return self._make("number", number=Fraction(value))

    def variable(self, name: str) -> Node:
        return self._make("name", name=name)

    def pi(self) -> Node:
        return self._make("pi")

    def add(self, a: Node, b: Node) -> Node:
        if a.number is not None and b.number is not None:
            return self.constant(a.number + b.number)
        if a.number == 0:
            return b
        if b.number == 0:
            return a
        return self._make("+", (a, b))

    def neg(self, a: Node) -> Node:
        if a.number is not None:
            return self.constant(-a.number)
        return a.args[0] if a.op == "neg" else self._make("neg", (a,))

    def mul(self, a: Node, b: Node) -> Node:
        if a.number is not None and b.number is not None:
            return self.constant(a.number * b.number)
        if a.number == 0 or b.number == 0:
            return self.constant(0)
        if a.number == 1:
            return b
        if b.number == 1:
            return a
        return self._make("*", (a, b))

    def div(self, a: Node, b: Node) -> Node:
        if b.number == 0:
            raise InputError("The formula divides by zero.", where="formula", code="formula")
        if a.number is not None and b.number is not None:
            return self.constant(a.number / b.number)
        if a.number == 0:
            return a
        return a if b.number == 1 else self._make("/", (a, b))

    def power(self, a: Node, b: Node) -> Node:
        if b.number == 0:
            return self.constant(1)
        if b.number == 1:
            return a
        small = b.number is not None and b.number.denominator == 1 and abs(b.number) <= 64
        if a.number is not None and b.number is not None and small and a.number != 0:
            short = max(abs(a.number.numerator), a.number.denominator).bit_length() <= 64
            if short:
                return self.constant(a.number ** int(b.number))
        return self._make("**", (a, b))

    def call(self, function: str, a: Node) -> Node:
        return self._make(function, (a,))

    def derivative(self, node: Node, name: str) -> Node:
        """The partial derivative of `node` with respect to the variable `name`."""
        key = (id(node), name)
        found = self._derivatives.get(key)
        if found is None:
            found = self._derivatives[key] = self._differentiate(node, name)
        return found

    def _differentiate(self, node: Node, name: str) -> Node:
        if node.op in ("number", "pi", "name"):
            return self.constant(1 if node.op == "name" and node.name == name else 0)
        inner = [self.derivative(a, name) for a in node.args]
        if all(d.number == 0 for d in inner):
            return self.constant(0)
        if node.op == "+":
            return self.add(*inner)
        if node.op == "neg":
            return self.neg(inner[0])
        if node.op in FUNCTIONS:
            return self.mul(self._outer_derivative(node), inner[0])
        a, b = node.args
        da, db = inner
        if node.op == "powlog":
            return self.derivative(self.mul(self.power(a, b), self.call("log", a)), name)
        if node.op == "*":
            return self.add(self.mul(da, b), self.mul(a, db))
        if node.op == "/":
            first = self.div(da, b)
            return self.add(first, self.neg(self.div(self.mul(node, db), b)))
        # a ** b
        through_base = self.mul(self.mul(b, self.power(a, self.add(b, self.constant(-1)))), da)
        if db.number == 0:
            return through_base
        # a**b log(a) is a node of its own because it has the limit 0 at a = 0, which 0 * log(0) has not
        through_exponent = self.mul(self._make("powlog", (a, b)), db)
        return self.add(through_base, through_exponent)

    def _outer_derivative(self, node: Node) -> Node:
        a = node.args[0]
        one = self.constant(1)
        if node.op == "exp":
            return node
        if node.op == "log":
            return self.div(one, a)
        if node.op == "sqrt":
            return self.div(self.constant(Fraction(1, 2)), node)
        if node.op == "sin":
            return self.call("cos", a)
        if node.op == "cos":
            return self.neg(self.call("sin", a))
        if node.op == "tan":
            return self.add(one, self.mul(node, node))
        return self.div(one, self.add(one, self.mul(a, a)))


def names_in(node: Node) -> set[str]:
    """The variables that occur in an expression."""
    seen: set[int] = set()
    out: set[str] = set()
    stack = [node]
    while stack:
        here = stack.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if here.op == "name":
            out.add(here.name)
        stack.extend(here.args)
    return out


# --- parsing ----------------------------------------------------------------------------------------


def parse(text: str, known: Iterable[str], build: Expressions, *, where: str = "formula") -> Node:
    """The expression that `text` says, its names all among `known`."""
    if len(text) > _MAX_LENGTH:
        raise InputError(f"The {where} is longer than {_MAX_LENGTH} characters.", where=where, code="formula")
    return _Parser(_tokens(text, where), set(known), build, where).whole()


def _tokens(text: str, where: str) -> list[tuple[str, str, int]]:
    out = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            at = position + len(text[position:]) - len(text[position:].lstrip())
            hint = "Write powers as **." if text[at] == "^" else _allowed()
            raise InputError(
                f"The {where} has an unexpected '{text[at]}' at position {at + 1}.",
                hint=hint,
                where=where,
                code="formula",
            )
        kind = match.lastgroup or ""
        out.append((kind, match[kind], match.start(kind)))
        position = match.end()
    return out


def _allowed() -> str:
    return "Allowed: numbers, names, pi, + - * / **, parentheses, " + ", ".join(FUNCTIONS) + "."


class _Parser:
    """Recursive descent over the tokens."""

    def __init__(
        self, tokens: list[tuple[str, str, int]], known: set[str], build: Expressions, where: str
    ) -> None:
        self.tokens, self.known, self.build, self.where = tokens, known, build, where
        self.at = 0
        self.depth = 0

    def whole(self) -> Node:
        if not self.tokens:
            raise self._error("is empty")
        node = self._sum()
        if self.at < len(self.tokens):
            raise self._error(f"has an unexpected '{self._peek()}'")
        return node

    def _error(self, what: str, hint: str = "") -> InputError:
        place = f" at position {self.tokens[self.at][2] + 1}" if self.at < len(self.tokens) else ""
        return InputError(
            f"The {self.where} {what}{place}.", hint=hint or _allowed(), where=self.where, code="formula"
        )

    def _peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _take(self, *signs: str) -> str:
        if self._peek() in signs and self.tokens[self.at][0] == "sign":
            self.at += 1
            return self.tokens[self.at - 1][1]
        return ""

    def _sum(self) -> Node:
        node = self._product()
        while sign := self._take("+", "-"):
            right = self._product()
            node = self.build.add(node, right if sign == "+" else self.build.neg(right))
        return node

    def _product(self) -> Node:
        node = self._signed()
        while sign := self._take("*", "/"):
            right = self._signed()
            node = self.build.mul(node, right) if sign == "*" else self.build.div(node, right)
        return node

    def _signed(self) -> Node:
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise self._error(f"is nested more than {_MAX_DEPTH} deep")
        sign = self._take("+", "-")
        node = self._signed() if sign else self._power()
        self.depth -= 1
        return self.build.neg(node) if sign == "-" else node

    def _power(self) -> Node:
        base = self._atom()
        return self.build.power(base, self._signed()) if self._take("**") else base

    def _atom(self) -> Node:
        if self.at >= len(self.tokens):
            raise self._error("ends too early")
        kind, text, _ = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            if abs(Decimal(text).adjusted()) > 400:
                raise self._error(f"has a number out of range, '{text}'")
            return self.build.constant(Fraction(Decimal(text)))
        if kind == "name":
            self.at += 1
            return self._name(text)
        if self._take("("):
            node = self._sum()
            if not self._take(")"):
                raise self._error("lacks a closing parenthesis")
            return node
        raise self._error(f"has an unexpected '{text}'")

    def _name(self, text: str) -> Node:
        if self._peek() == "(":
            if text not in FUNCTIONS:
                self.at -= 1
                raise self._error(
                    f"calls an unknown function '{text}'", did_you_mean(text, FUNCTIONS) or _allowed()
                )
            self.at += 1
            node = self._sum()
            if not self._take(")"):
                raise self._error("lacks a closing parenthesis")
            return self.build.call(text, node)
        if text in self.known:
            return self.build.variable(text)
        if text == "pi":
            return self.build.pi()
        self.at -= 1
        listed = ", ".join(sorted(self.known))
        raise self._error(
            f"uses an unknown name '{text}'", did_you_mean(text, self.known) or f"Known names: {listed}."
        )


# --- evaluation -------------------------------------------------------------------------------------

Values = Mapping[str, "NDArray[np.float64] | float"]


def _order(nodes: Iterable[Node]) -> list[Node]:
    """All nodes needed, every one after its arguments."""
    out: list[Node] = []
    done: set[int] = set()
    stack = [(node, False) for node in nodes]
    while stack:
        node, ready = stack.pop()
        if id(node) in done:
            continue
        if ready:
            done.add(id(node))
            out.append(node)
        else:
            stack.append((node, True))
            stack.extend((a, False) for a in node.args)
    return out


def evaluate(nodes: Iterable[Node], values: Values) -> list[NDArray[np.float64]]:
    """The expressions in doubles; what is undefined comes out as nan or inf, for the caller to judge."""
    wanted = list(nodes)
    memory: dict[int, NDArray[np.float64]] = {}
    with np.errstate(all="ignore"):
        for node in _order(wanted):
            args = [memory[id(a)] for a in node.args]
            memory[id(node)] = np.asarray(_apply(node, args, values), dtype=np.float64)
    return [memory[id(node)] for node in wanted]


def _apply(node: Node, args: list[NDArray[np.float64]], values: Values) -> NDArray[np.float64] | float:
    if node.number is not None:
        return node.number.numerator / node.number.denominator
    if node.op == "name":
        return values[node.name]
    if node.op == "pi":
        return float(np.pi)
    if node.op == "+":
        return args[0] + args[1]
    if node.op == "*":
        return args[0] * args[1]
    if node.op == "/":
        return args[0] / args[1]
    if node.op == "**":
        return np.asarray(np.power(args[0], args[1]))
    if node.op == "powlog":
        limit = (args[0] == 0.0) & (args[1] > 0.0)
        return np.where(limit, 0.0, np.power(args[0], args[1]) * np.log(args[0]))
    if node.op == "neg":
        return -args[0]
    function = {"atan": np.arctan}.get(node.op) or getattr(np, node.op)
    return np.asarray(function(args[0]))


def evaluate_dd(nodes: Iterable[Node], values: Mapping[str, DD]) -> list[DD]:
    """The expressions in double-double."""
    wanted = list(nodes)
    memory: dict[int, DD] = {}
    with np.errstate(all="ignore"):
        for node in _order(wanted):
            memory[id(node)] = _apply_dd(node, [memory[id(a)] for a in node.args], values)
    return [memory[id(node)] for node in wanted]


_DD_FUNCTIONS = {
    "exp": ddf.dd_exp,
    "log": ddf.dd_log,
    "sqrt": dd_sqrt,
    "sin": ddf.dd_sin,
    "cos": ddf.dd_cos,
    "tan": ddf.dd_tan,
    "atan": ddf.dd_atan,
}


def _apply_dd(node: Node, args: list[DD], values: Mapping[str, DD]) -> DD:
    if node.number is not None:
        return ddf.dd_constant(node.number)
    if node.op == "name":
        return values[node.name]
    if node.op == "pi":
        return ddf.DD_PI
    if node.op == "+":
        return dd_add(args[0], args[1])
    if node.op == "*":
        return dd_mul(args[0], args[1])
    if node.op == "/":
        return dd_div(args[0], args[1])
    if node.op == "neg":
        return dd_sub((0.0, 0.0), args[0])
    if node.op == "powlog":
        limit = (np.asarray(args[0][0]) == 0.0) & (np.asarray(args[1][0]) > 0.0)
        base = np.where(limit, 1.0, args[0][0]), np.where(limit, 0.0, args[0][1])
        product = dd_mul(ddf.dd_power(base, args[1]), ddf.dd_log(base))
        return np.where(limit, 0.0, product[0]), np.where(limit, 0.0, product[1])
    if node.op == "**":
        exponent = node.args[1].number
        if exponent is not None and exponent.denominator == 1 and abs(exponent) <= 1024:
            return ddf.dd_integer_power(args[0], int(exponent))
        if exponent == Fraction(1, 2):
            return dd_sqrt(args[0])
        return ddf.dd_power(args[0], args[1])
    return _DD_FUNCTIONS[node.op](args[0])
