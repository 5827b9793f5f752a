"""The index of everything that was computed: each number with its address, looked up by value in log time."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from statistikles.results.roles import ROLE_BOUNDS, Role, role_of_key

from .basic import _as_float

if TYPE_CHECKING:
    from .entities import Names

__all__ = ["Evidence", "Leaf", "entries_of"]

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)?")
_NUMPY_FROM = 50_000  # below this many numbers, plain sorting is quicker than loading numpy
_MAX_STRING = 2_000
# Keys that say only that something was estimated or tested; the text under the other keys says what.
_NAMED_BESIDE = {"estimate": ("estimate_name", "name"), "statistic": ("statistic_name",)}
_MESSAGES = {"error", "hint"}
# Containers that hold one quantity per category.
_TABLES = {
    "row_proportions": Role.PROPORTION, "column_proportions": Role.PROPORTION, "proportions": Role.PROPORTION,
    "row_pct": Role.PERCENT, "col_pct": Role.PERCENT, "row_percent": Role.PERCENT, "column_percent": Role.PERCENT,
    "percentages": Role.PERCENT, "observed": Role.COUNT, "counts": Role.COUNT, "frequencies": Role.COUNT,
    "crosstab": Role.COUNT, "contingency": Role.COUNT, "residuals": Role.RESIDUAL, "std_residuals": Role.RESIDUAL,
    "adjusted_residuals": Role.RESIDUAL, "standardized_residuals": Role.RESIDUAL,
}  # fmt: skip
_MAX_STRINGS_READ = 5_000
_QUARTERS = frozenset({"Q1", "Q2", "Q3", "Q4", "q1", "q2", "q3", "q4"})
# Keys that say where a result comes from, not what it is called in prose.
_ENTRY_KEYS = {"id", "tool", "arguments", "result"}


@dataclass(frozen=True, slots=True)
class Leaf:
    """One computed number with everything its place in the result says about it."""

    index: int
    value: float
    address: str
    path: tuple[str | int, ...]
    role: Role
    node: int
    result_id: str
    name: str  # what the result itself calls the number: its key, or the name that stands beside it

    @property
    def key(self) -> str:
        """The nearest name (not list position) of the number."""
        for part in reversed(self.path):
            if isinstance(part, str):
                return part
        return ""


_LETTERS = str.maketrans(
    {
        "η": "eta",
        "ε": "epsilon",
        "ω": "omega",
        "φ": "phi",
        "ρ": "rho",
        "τ": "tau",
        "χ": "chi",
        "κ": "kappa",
        "²": "2",
    }
)


@lru_cache(maxsize=4096)
def key_of_name(text: str) -> str:
    """A printed name in the form of a key: "Hedges' g" -> "hedges_g", "Cramér's V" -> "cramers_v", "η²" -> "eta2"."""
    head = re.sub(r"_\w+", "", text.split("(")[0])  # without a subscript: g_z is a g
    plain = unicodedata.normalize("NFKD", head.translate(_LETTERS))
    words = re.findall(r"[a-z0-9]+", re.sub(r"['’]", "", plain).casefold().encode("ascii", "ignore").decode())
    return "_".join(words)


def _names_group(key: str, inner: str | int) -> bool:
    """Whether a container's short name is that of a group: one letter, or capitals around named numbers."""
    return len(key) == 1 or (len(key) <= 3 and key.isupper() and isinstance(inner, str))


def _is_category(key: str | int) -> bool:
    """Whether the last key of a table of categories is one of them, and not "proportion" beside "n"."""
    if not isinstance(key, str):
        return True
    return len(key) <= 2 or key != key.lower() or " " in key or role_of_key(key) is Role.VALUE


def _last_name(path: tuple[str | int, ...]) -> str:
    return next((part for part in reversed(path) if isinstance(part, str)), "")


@lru_cache(maxsize=8192)
def _join(parent: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{parent}[{key}]"
    return f"{parent}.{key}" if _PLAIN_KEY.match(key) else f'{parent}["{key}"]'


def entries_of(tool_results: Any) -> list[tuple[str, Any]]:
    """(id, result) pairs of a list of raw results or of {id, tool, arguments, result} entries.

    Arguments are dropped: what a model put in is never evidence for what it says.
    """
    if tool_results is None:
        return []
    items = [tool_results] if isinstance(tool_results, Mapping) else list(tool_results)
    pairs: list[tuple[str, Any]] = []
    for position, item in enumerate(items, start=1):
        if isinstance(item, Mapping) and "result" in item and set(item) <= _ENTRY_KEYS and "tool" in item:
            pairs.append((str(item.get("id") or f"r{position}"), item["result"]))
        else:
            pairs.append((f"r{position}", item))
    return pairs


def _possible(role: Role, value: float) -> bool:
    """Whether a number can have the role that a key seems to give it."""
    low, high = ROLE_BOUNDS.get(role, (-math.inf, math.inf))
    return low <= value <= high and (role is not Role.COUNT or value == round(value))


class Evidence:
    """All numbers computed so far. `add` a result once; it stays citable under its id.

    Numbers are kept in flat parallel lists and sorted by value on first use, so a session can index a
    million of them once and then look each written number up by bisection.
    """

    def __init__(self, tool_results: Any = ()) -> None:
        self.values: list[float] = []
        self.owner: list[int] = []  # node of each number
        self.keys: list[str | int] = []  # last path part of each number
        self.node_parent: list[int] = []
        self.node_key: list[str | int] = []
        self.node_size: list[int] = []
        self.node_is_list: list[bool] = []
        self.strings: list[tuple[int, str, str]] = []  # (node, key, text)
        self.literals: set[str] = set()  # digit runs inside key names and strings
        self.names: dict[str, list[int]] = {}  # key name -> nodes that carry it
        self.leaf_names: dict[str, list[int]] = {}  # key name -> a few numbers under it
        self.vocabulary: Names | None = None  # built by the audit on first use, grows with the evidence
        self._typed: dict[str, Mapping[str, Role]] = {}
        self._texts: dict[tuple[int, str], str] = {}
        self._whole_texts: set[str] = set()
        self._texts_read = 0
        self._sorted: list[float] = []
        self._order: list[int] = []
        self._cache: dict[int, Leaf] = {}
        for ident, result in entries_of(tool_results):
            self.add(ident, result)

    def __len__(self) -> int:
        return len(self.values)

    def add(self, ident: str, result: Any, roles: Mapping[str, Role] | None = None) -> None:
        """Index one result under its id. `roles` binds addresses below the result ("groups.A.mean") to roles."""
        if roles:
            self._typed[ident] = dict(roles)
        root = self._node(-1, ident, 0, False)
        if (number := _as_float(result)) is not None:
            self._leaf(root, ident, number)
            return
        stack: list[tuple[int, Any]] = [(root, result)]
        seen = {id(result)}
        while stack:
            node, obj = stack.pop()
            pending: list[tuple[int, Any]] = []
            for key, item in self._items(obj):
                self._visit(node, key, item, pending, seen)
            stack.extend(reversed(pending))

    @staticmethod
    def _items(obj: Any) -> Iterator[tuple[str | int, Any]]:
        if isinstance(obj, Mapping):
            return ((k if type(k) is str else str(k), v) for k, v in obj.items())
        if isinstance(obj, list | tuple | AbstractSet):
            return iter(enumerate(obj))
        return iter(())

    def _visit(
        self, node: int, key: str | int, item: Any, pending: list[tuple[int, Any]], seen: set[int]
    ) -> None:
        kind = type(item)
        if kind is float:
            if math.isfinite(item):
                self._leaf(node, key, item)
            return
        if kind is str:
            if len(item) <= _MAX_STRING:
                self.strings.append((node, str(key), item))
                self.literals.update(_DIGITS.findall(item))
            return
        if item is None or kind is bool:
            return
        if (number := _as_float(item)) is not None:
            if math.isfinite(number):
                self._leaf(node, key, number)
            return
        if hasattr(item, "tolist") and hasattr(item, "shape"):
            item = item.tolist()
        if isinstance(item, Mapping | list | tuple | AbstractSet) and id(item) not in seen:
            seen.add(id(item))
            child = self._node(node, key, len(item), not isinstance(item, Mapping))
            pending.append((child, item))

    def _node(self, parent: int, key: str | int, size: int, is_list: bool) -> int:
        index = len(self.node_parent)
        self.node_parent.append(parent)
        self.node_key.append(key)
        self.node_size.append(size)
        self.node_is_list.append(is_list)
        if parent >= 0 and type(key) is str:
            self._name(self.names, key, index)
        return index

    def _leaf(self, node: int, key: str | int, value: float) -> None:
        index = len(self.values)
        self.values.append(value)
        self.owner.append(node)
        self.keys.append(key)
        if type(key) is str:
            self._name(self.leaf_names, key, index)

    def _name(self, table: dict[str, list[int]], key: str, index: int) -> None:
        known = table.get(key)
        if known is None:
            table[key] = [index]
            self.literals.update(_DIGITS.findall(key))
        else:
            known.append(index)

    def _sort(self) -> None:
        if len(self._sorted) == len(self.values):
            return
        if len(self.values) >= _NUMPY_FROM:
            import numpy as np

            array = np.asarray(self.values, dtype=float)
            order = np.argsort(array, kind="stable")
            self._order = order.tolist()
            self._sorted = array[order].tolist()
        else:
            values = self.values
            self._order = sorted(range(len(values)), key=values.__getitem__)
            self._sorted = [values[i] for i in self._order]

    def count_between(self, low: float, high: float) -> int:
        """How many numbers lie in [low, high]."""
        self._sort()
        return bisect_right(self._sorted, high) - bisect_left(self._sorted, low)

    def between(self, low: float, high: float, limit: int = 64) -> list[int]:
        """Indices of the numbers in [low, high]: all when they are few, else the first `limit` by value."""
        if len(self._sorted) != len(self.values):
            self._sort()
        first = bisect_left(self._sorted, low)
        last = bisect_right(self._sorted, high, first)
        return self._order[first : min(last, first + limit)]

    def between_roles(self, low: float, high: float, roles: frozenset[Role], limit: int = 16) -> list[int]:
        """As `between`, but only numbers whose own key carries one of the roles; scans a bounded stretch."""
        self._sort()
        first = bisect_left(self._sorted, low)
        last = min(bisect_right(self._sorted, high, first), first + 400)
        found: list[int] = []
        for index in self._order[first:last]:
            key = self.keys[index]
            if isinstance(key, str) and role_of_key(key) in roles:
                found.append(index)
                if len(found) == limit:
                    break
        return found

    def path_of_node(self, node: int) -> tuple[str | int, ...]:
        """The keys from the result id down to a container."""
        parts: list[str | int] = []
        while node >= 0:
            parts.append(self.node_key[node])
            node = self.node_parent[node]
        return tuple(reversed(parts))

    def address(self, path: tuple[str | int, ...]) -> str:
        """The written address of a path: `r1.groups.Adelie.mean`."""
        text = str(path[0])
        for part in path[1:]:
            text = _join(text, part)
        return text

    def leaf(self, index: int) -> Leaf:
        """The number at `index` with its address and role."""
        known = self._cache.get(index)
        if known is not None:
            return known
        node, key = self.owner[index], self.keys[index]
        above = self.path_of_node(node)
        path = above if node >= 0 and self.node_parent[node] < 0 and key == above[0] else (*above, key)
        ident = str(path[0])
        address = self.address(path)
        name = self._called(node, key)
        if (
            key == "statistic"
        ):  # its printed letter tells one statistic from another, but it stays a statistic
            role = Role.STATISTIC
        else:
            value = self.values[index]
            role = self._role(ident, (*path[:-1], name) if name and name != key else path, address, value)
            if role is Role.VALUE and name != key:  # the name of a row, not of a statistic
                role, name = self._role(ident, path, address, value), ""
        leaf = Leaf(index, self.values[index], address, path, role, node, ident, name or _last_name(path))
        if len(self._cache) > 200_000:
            self._cache.clear()
        self._cache[index] = leaf
        return leaf

    def _called(self, node: int, key: str | int) -> str:
        """The name that stands beside a number with a general key, in the form of a key; the key itself otherwise."""
        if not isinstance(key, str):
            return ""
        for sibling in _NAMED_BESIDE.get(key, ()):
            if text := self.text_of(node, sibling):
                found = key_of_name(text)
                return "ks_statistic" if (key, found) == ("statistic", "d") else found or key
        return key

    def in_refusal(self, passage: str) -> bool:
        """Whether the passage stands word for word in the message of a refused call."""
        return any(key in _MESSAGES and passage in text for _, key, text in self.strings)

    def in_method(self, passage: str) -> bool:
        """Whether the passage stands word for word in what a result says was done."""
        return any(key == "method" and passage in text for _, key, text in self.strings[:_MAX_STRINGS_READ])

    def has_text(self, text: str) -> bool:
        """Whether a result holds exactly this text, as a value or as a name."""
        self.text_of(-1, "")  # takes in what was added
        return text in self.names or text in self.leaf_names or text in self._whole_texts

    def text_of(self, node: int, key: str) -> str:
        """The text under a key of a container, empty when there is none."""
        if self._texts_read != len(self.strings):
            self._texts.update(((n, k), t) for n, k, t in self.strings[self._texts_read :])
            self._whole_texts.update(t for _, _, t in self.strings[self._texts_read :])
            self._texts_read = len(self.strings)
        return self._texts.get((node, key), "")

    def _role(self, ident: str, path: tuple[str | int, ...], address: str, value: float) -> Role:
        typed = self._typed.get(ident)
        if typed is not None:
            local = address[len(ident) :].lstrip(".")
            if (role := typed.get(local)) is not None:
                return role
        for part in path[1:-1]:
            table = _TABLES.get(part.casefold()) if isinstance(part, str) else None
            if table is not None and _is_category(path[-1]) and _possible(table, value):
                return table  # whatever its categories are called
        inner: str | int = 0
        for depth, part in enumerate(reversed(path[1:])):
            # a container called "B" or "MS" is a group, not a coefficient or a mean square
            group = depth > 0 and isinstance(part, str) and _names_group(part, inner)
            # Q1 to Q4 are quarters of a year; quartiles end at Q3
            group = group or (
                part in _QUARTERS and any(q in self.leaf_names or q in self.names for q in ("Q4", "q4"))
            )
            if isinstance(part, str) and not group and (role := role_of_key(part)) is not Role.VALUE:
                if role is Role.P_VALUE and depth and str(path[-1])[:1].isdigit():
                    return Role.PROBABILITY  # p_damage of "31F", no p value of a test
                if role is Role.COUNT and 0 < value < 1:
                    return Role.PROPORTION  # an observed rate counts nothing
                if not _possible(role, value):
                    if depth:
                        continue  # 45 deaths under "survival" are no probability
                    return Role.VALUE  # a key that says what its number cannot be says nothing
                return role
            inner = part
        return Role.VALUE
