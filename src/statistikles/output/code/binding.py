"""The arguments of one call as lines of code: columns read from the table where they are named, else literals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.errors import StatistiklesError
from statistikles.output.code.languages import Language
from statistikles.output.code.rows import selection
from statistikles.pipeline.profile import label_of
from statistikles.pipeline.references import Catalog, Reference

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table
    from statistikles.registry.declare import Statistic

__all__ = ["Binder", "NoCode"]

_ARRAYS = ("vector", "labels", "text_or_labels", "groups", "columns", "rows", "table", "vectors")


class NoCode(Exception):
    """This call cannot be written in the language: the message says why."""


class Binder:
    """Writes the arguments of calls, and remembers which columns of which tables they read.

    Parameters
    ----------
    catalog : the tables.
    variables : {table: name of its variable in the script}.
    language : R or Python.
    """

    def __init__(self, catalog: Catalog, variables: Mapping[str, str], language: Language) -> None:
        self.catalog, self.variables, self.language = catalog, variables, language
        self.uses: dict[str, dict[str, set[str]]] = {}

    def lines(
        self, stat: Statistic, given: Mapping[str, Any], resolved: Mapping[str, Any], template: str
    ) -> list[str]:
        """The lines that set the variables a template names.

        Raises
        ------
        NoCode : an argument has a form that the language does not take.
        """
        final, _ = stat.prepared(resolved)
        used = [n for n in stat.parameters if re.search(rf"(?<![\w.$]){n}(?!\w)", template)]
        if "groups" in stat.parameters and final.get("groups") is not None and "group1" in used:
            used = ["groups", *(n for n in used if n != "groups")]
        out: list[str] = []
        together = self._aligned(stat, given, final)
        for name in used:
            out += self._one(stat, name, given, final, together)
        for names in stat.aligned:
            present = [n for n in names if n in together]
            if present and self._any_missing(present, resolved):
                out += self._joint_drop(stat, present)
        return out

    def _one(
        self,
        stat: Statistic,
        name: str,
        given: Mapping[str, Any],
        final: Mapping[str, Any],
        together: set[str],
    ) -> list[str]:
        language, shape = self.language, stat.parameters[name].kind.shape
        value = final.get(name)
        if name in ("group1", "group2") and value is None and final.get("groups") is not None:
            place = int(name[-1])
            at = f"[[{place}]]" if language.name == "R" else f"[list(groups)[{place - 1}]]"
            return [language.set(name, f"groups{at}")]
        if name == "group_names" and value is None and final.get("groups") is not None:
            named = "names(groups)" if language.name == "R" else "list(groups)"
            return [language.set(name, named)]
        if name not in final:
            return [language.set(name, self._default(stat.parameters[name].default))]
        if shape in _ARRAYS:
            before, expression = self._from_table(shape, given.get(name), value)
            if expression:
                in_set = any(name in names for names in stat.aligned)
                if not in_set and shape in ("vector", "labels", "text_or_labels", "columns", "rows"):
                    expression = f"present({expression})"
                if not in_set and shape == "groups" and isinstance(given.get(name), list):
                    expression = f"each_present({expression})"
                if not in_set or name in together:
                    return [*before, language.set(name, expression)]
        return [*self._definitions(given.get(name)), language.set(name, self._literal(shape, value))]

    def _definitions(self, value: Any) -> list[str]:
        """How the derived columns of an argument are formed; their values then stand in the script."""
        parts = value if isinstance(value, list) else [value]
        return [
            self.language.comment(f"Derived column {name}: {formula}")
            for part in parts
            if isinstance(part, Mapping) and isinstance(part.get("define"), Mapping)
            for name, formula in part["define"].items()
        ]

    # References ----------------------------------------------------------------------------------------------

    def _aligned(self, stat: Statistic, given: Mapping[str, Any], final: Mapping[str, Any]) -> set[str]:
        """The arguments of aligned sets that can all be read from one table with one filter."""
        out: set[str] = set()
        for names in stat.aligned:
            present = [n for n in names if final.get(n) is not None]
            if all(
                self._from_table(stat.parameters[n].kind.shape, given.get(n), final[n])[1] for n in present
            ):
                out.update(present)
        return out

    @staticmethod
    def _any_missing(names: Sequence[str], resolved: Mapping[str, Any]) -> bool:
        import numpy as np

        def masked(value: Any) -> bool:
            if isinstance(value, np.ma.MaskedArray):
                return bool(np.ma.getmaskarray(value).any())
            if isinstance(value, Mapping):
                return any(masked(part) for part in value.values())
            return isinstance(value, list) and any(masked(part) for part in value)

        return any(masked(resolved.get(name)) for name in names)

    def _joint_drop(self, stat: Statistic, names: Sequence[str]) -> list[str]:
        """Only the rows that are complete in all of these."""
        language = self.language
        shapes = {n: stat.parameters[n].kind.shape for n in names}
        if language.name == "R":
            listed = ", ".join(
                f"do.call(cbind, {n})" if shapes[n] in ("vectors", "groups") else n for n in names
            )
            out = [f"complete <- complete.cases({listed})"]
        else:
            parts = [
                f"missing(np.column_stack(list({n}.values())))"
                if shapes[n] in ("vectors", "groups")
                else f"missing({n})"
                for n in names
            ]
            out = [f"complete = ~({' | '.join(parts)})"]
        for name in names:
            if shapes[name] in ("vectors", "groups"):
                kept = (
                    f"lapply({name}, function(v) v[complete])"
                    if language.name == "R"
                    else f"{{k: v[complete] for k, v in {name}.items()}}"
                )
            else:
                tail = (
                    ", , drop = FALSE" if language.name == "R" and shapes[name] in ("columns", "rows") else ""
                )
                kept = f"{name}[complete{tail}]"
            out.append(language.set(name, kept))
        return out

    def _from_table(self, shape: str, value: Any, final: Any) -> tuple[list[str], str]:
        """The lines before, and the expression that reads this argument; an empty one when it stands inline."""
        try:
            if shape in ("vector", "labels", "text_or_labels"):
                if shape == "text_or_labels" and isinstance(value, str):
                    return [], ""
                return self._column(value, "number" if shape == "vector" else "text")
            if shape in ("columns", "rows", "vectors"):
                return self._side_by_side(shape, value)
            if shape == "groups" and isinstance(value, Mapping) and "column" in value:
                return self._groups(Reference.parse(value), list(final))
            if shape == "groups" and isinstance(value, list) and all(Reference.looks_like(v) for v in value):
                return self._side_by_side("vectors", dict(zip(final, value, strict=True)))
            if shape == "table" and isinstance(value, Mapping) and value.get("by") is not None:
                return self._crossed(Reference.parse(value))
        except StatistiklesError:
            return [], ""
        return [], ""

    def _read(self, table: Table, kind: str, column: str) -> str:
        self.uses.setdefault(table.name, {}).setdefault(column, set()).add(kind)
        reader = {"text": "cell_text", "number": "number"}[kind]
        return f"{reader}({self.variables[table.name]}, {self.language.string(column)})"

    def _chosen(self, table: Table, where: str | None) -> tuple[list[str], str]:
        if where is None:
            return [], ""
        rows = selection(where, table, lambda kind, name: self._read(table, kind, name), self.language)
        note = self.language.comment(f"Rows where {where}")
        return [note, self.language.set("chosen", rows)], "[chosen]"

    def _column(self, value: Any, kind: str) -> tuple[list[str], str]:
        if not Reference.looks_like(value):
            return [], ""
        reference = Reference.parse(value)
        if reference.define:
            return [], ""
        table = self.catalog.table_of(reference)
        column = table.resolve(reference.column)
        if kind == "number" and table.dtype(column) not in ("integer", "float"):
            return [], ""
        before, tail = self._chosen(table, reference.where)
        return before, self._read(table, kind, column) + tail

    def _side_by_side(self, shape: str, value: Any) -> tuple[list[str], str]:
        """Several columns of one table with one filter: a matrix, or named vectors."""
        if isinstance(value, Mapping) and isinstance(value.get("columns"), list):
            shared = {k: value[k] for k in ("where", "table") if value.get(k) is not None}
            parts: dict[str, Any] = {str(c): {"column": c, **shared} for c in value["columns"]}
        elif shape == "vectors" and isinstance(value, Mapping):
            parts = dict(value)
        elif Reference.looks_like(value):
            parts = {"": value}
        elif isinstance(value, Sequence) and not isinstance(value, str):
            parts = {str(i): part for i, part in enumerate(value)}
        else:
            return [], ""
        if not parts or not all(Reference.looks_like(part) for part in parts.values()):
            return [], ""
        read = {name: self._column(part, "number") for name, part in parts.items()}
        befores = {tuple(before) for before, _ in read.values()}
        if not all(expression for _, expression in read.values()) or len(befores) != 1:
            return [], ""
        expressions = {name: expression for name, (_, expression) in read.items()}
        if shape == "vectors":
            return list(befores.pop()), self.language.mapping(expressions)
        return list(befores.pop()), self.language.columns(list(expressions.values()))

    def _groups(self, reference: Reference, levels: Sequence[str]) -> tuple[list[str], str]:
        if reference.define:
            return [], ""
        table = self.catalog.table_of(reference)
        column, by = table.resolve(reference.column), table.resolve(reference.by or "")
        if table.dtype(column) not in ("integer", "float"):
            return [], ""
        before, tail = self._chosen(table, reference.where)
        values, labels = self._read(table, "number", column), self._read(table, "text", by)
        return before, f"grouped({values}{tail}, {labels}{tail}, {self.language.names(list(levels))})"

    def _crossed(self, reference: Reference) -> tuple[list[str], str]:
        if reference.define:
            return [], ""
        table = self.catalog.table_of(reference)
        column, by = table.resolve(reference.column), table.resolve(reference.by or "")
        before, tail = self._chosen(table, reference.where)
        first, second = self._read(table, "text", column) + tail, self._read(table, "text", by) + tail
        pairs = zip(
            table.labels(column, reference.where).tolist(),
            table.labels(by, reference.where).tolist(),
            strict=True,
        )
        present = [(a, b) for a, b in pairs if None not in (a, b)]
        rows = self.language.names(table.level_order(column, {a for a, _ in present}))
        columns = self.language.names(table.level_order(by, {b for _, b in present}))
        return before, f"crossed({first}, {second}, {rows}, {columns})"

    # Literals --------------------------------------------------------------------------------------------------

    def _default(self, value: Any) -> str:
        if isinstance(value, tuple | list):
            if all(isinstance(v, str) for v in value):
                return self.language.names(list(value))
            return self.language.numbers(list(value))
        return self.language.scalar(value)

    def _literal(self, shape: str, value: Any) -> str:
        """A value as it stands after checking, missing values dropped."""
        language = self.language
        if shape == "rows" and isinstance(value, Mapping):
            return language.mapping({str(k): language.matrix(part.tolist()) for k, part in value.items()})
        if shape in ("columns", "rows"):
            return language.matrix(value.tolist())
        if shape == "table":
            return language.matrix(value.tolist()) if value.ndim == 2 else language.numbers(value.tolist())
        if shape == "vector":
            return language.numbers(value.tolist())
        if shape == "text_or_labels" and isinstance(value, str):
            raise NoCode("free text is taken apart by rules of its own")
        if shape in ("labels", "text_or_labels"):
            return language.strings([label_of(v) for v in value.tolist()])
        if isinstance(value, tuple) and shape == "vectors":  # names, and columns that may have gaps
            names, matrix = value
            return language.mapping(
                {n: language.numbers(c.tolist()) for n, c in zip(names, matrix.T, strict=True)}
            )
        if shape in ("groups", "vectors"):
            return language.mapping({str(k): language.numbers(part.tolist()) for k, part in value.items()})
        if shape == "names":
            return language.names([str(v) for v in value])
        if shape == "mapping":
            return language.mapping({str(k): language.number(v) for k, v in value.items()})
        if shape == "structure":
            return self._nested(value)
        return language.scalar(value)

    def _nested(self, value: Any) -> str:
        """Lists of numbers or texts, or of such lists."""
        if isinstance(value, Mapping):
            return self.language.mapping({str(k): self._nested(v) for k, v in value.items()})
        if isinstance(value, list) and all(
            isinstance(v, int | float) and not isinstance(v, bool) for v in value
        ):
            return self.language.numbers(value)
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return self.language.names(value)
        if isinstance(value, list):
            parts = [self._nested(v) for v in value]
            return f"list({', '.join(parts)})" if self.language.name == "R" else f"[{', '.join(parts)}]"
        if isinstance(value, str | int | float | bool) or value is None:
            return self.language.scalar(value)
        raise NoCode("an argument is nested in a way that has no plain form")
