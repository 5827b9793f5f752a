"""The methods section in the prose of a paper, written from the declarations of the statistics that were used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from statistikles.errors import StatistiklesError
from statistikles.output.stamp import Item
from statistikles.registry.declare import Statistic, choose
from statistikles.registry.manifest import load
from statistikles.results.text import format_number, no_leading_zero
from statistikles.tools.workspace import CLEAN, DECIDE

__all__ = ["methods_paragraphs", "references", "short_method", "statistic_of", "subject"]

_YEAR = re.compile(r"^(?P<author>[^,]*?)\s(?P<year>(?:1[5-9]|20)\d\d[a-z]?)(?:,|$)")
_FORMULA = re.compile(r", p = \(b \+ 1\)/\(m \+ 1\)|, relative tolerance [^,)]*")
# Shapes of arguments in which a text names a column; elsewhere it is a choice, such as detail="graph".
_OF_COLUMNS = frozenset(
    {"vector", "labels", "text_or_labels", "groups", "columns", "rows", "table", "vectors"}
)
_CHECKS = "test_assumptions"
# Method names that begin with a common word, not with the name of a person.
_COMMON = frozenset(
    {
        "A", "Analysis", "Binary", "Chi-square", "Descriptive", "Exact", "Frequency", "Linear", "Logistic",
        "Maximum", "Multiple", "Nonlinear", "Normal", "One-sample", "One-way", "Ordinary", "Paired",
        "Partial", "Principal", "Simple", "Test", "Two-sample", "Two-way", "The",
    }
)  # fmt: skip
_SOFTWARE = {"python": "Python", "numpy": "NumPy", "scipy": "SciPy", "duckdb": "DuckDB"}


def statistic_of(item: Item) -> Statistic | None:
    """The declaration of the statistic that a call used; None when the call names none."""
    try:
        return choose(load(item.tool), dict(item.arguments))[0]
    except StatistiklesError:
        return None


def references(items: Iterable[Item]) -> list[str]:
    """The sources of all statistics used, each once, in alphabetical order."""
    found = {ref for item in items if (stat := statistic_of(item)) for ref in stat.refs}
    return sorted((_reference(ref) for ref in found), key=str.casefold)


def _reference(ref: str) -> str:
    """'Welch 1947, doi:10.1093/x' as 'Welch (1947). https://doi.org/10.1093/x'."""
    found = _YEAR.match(ref)
    if found is None:
        return ref
    rest = ref[found.end() :].strip(" ,")
    rest = re.sub(r"doi:\s*(\S+)", r"https://doi.org/\1", rest)
    return f"{found['author']} ({found['year']}). {rest}".rstrip()


def methods_paragraphs(items: Sequence[Item]) -> list[str]:
    """The paragraphs: what was computed, what was checked, the conventions of testing, the software."""
    done = [item for item in items if not item.failed]
    main = [item for item in done if item.tool not in (_CHECKS, CLEAN, DECIDE)]
    checks = [item for item in done if item.tool == _CHECKS]
    made = [item for item in done if item.tool in (CLEAN, DECIDE)]
    out = [" ".join(_sentences(made, _made_sentence))] if made else []
    if main:
        out.append(" ".join(_sentences(main, _main_sentence)))
    if checks:
        out.append(" ".join(_sentences(checks, _check_sentence)))
    if testing := _testing(done):
        out.append(testing)
    if done:
        out.append(_software(done))
    return out


def _sentences(items: Sequence[Item], write: Any) -> list[str]:
    return list(dict.fromkeys(write(item) for item in items))


def _main_sentence(item: Item) -> str:
    shown = subject(item)
    of = f" for {shown}" if shown else ""
    return f"We used {_inside(_method(item))}{of}{_beside(item)}{_cited(statistic_of(item))}."


def _made_sentence(item: Item) -> str:
    """How a table was read or cleaned before it was used."""
    table = item.arguments.get("table", "")
    if item.tool == CLEAN:
        steps = [str(step.get("step", "")) for step in item.arguments.get("steps", ())]
        return f"The table {table} was cleaned by the steps {_and(steps)}."
    about = [" of ".join(reversed(name.rsplit(":", 1))) for name in item.arguments.get("decisions", {})]
    about = [name.replace(" of *", "") for name in about]
    return f"The table {table} was read with decisions about {_and(about)}."


def _method(item: Item) -> str:
    return short_method(str(item.result.get("method", "")))


def short_method(method: str) -> str:
    """A method's name without the formulas and tolerances that its conventions say too."""
    return _FORMULA.sub("", method).rstrip(".")


def _inside(method: str) -> str:
    """A method's name inside a sentence: common first words in lower case, names of persons as they are."""
    first = method.split(" ")[0]
    return method[0].lower() + method[1:] if first in _COMMON else method


def _beside(item: Item) -> str:
    """The other tests that the result reports beside the leading one."""
    also = item.result.get("also")
    names = [
        short_method(str(test["method"]))
        for test in (also.values() if isinstance(also, Mapping) else ())
        if isinstance(test, Mapping) and test.get("method") and test.get("p_value") is not None
    ]
    leading = str(item.result.get("method", ""))
    names = [_inside(name) for name in dict.fromkeys(names) if name not in leading]
    return f", with {_and(names)} beside it" if names else ""


def _check_sentence(item: Item) -> str:
    shown = subject(item)
    of = f" of {shown}" if shown else ""
    cited = _cited(statistic_of(item))
    return f"As a check of assumptions{of} we used {_inside(_method(item))}{_beside(item)}{cited}."


def _cited(stat: Statistic | None) -> str:
    """' (Welch, 1947; Student, 1908)'."""
    if stat is None or not stat.refs:
        return ""
    marks = [f"{m['author']}, {m['year']}" for ref in stat.refs if (m := _YEAR.match(ref))]
    return f" ({'; '.join(sorted(marks))})" if marks else ""


def subject(item: Item) -> str:
    """What a call is about: 'body_mass_g by sex (rows where species = 'Adelie')'; empty when no column is named.

    The order is that of the declaration: a ledger read from a file has its arguments in the order of the alphabet.
    """
    stat = statistic_of(item)
    declared = dict(stat.parameters) if stat is not None else {}
    given = {name: item.arguments[name] for name in declared if name in item.arguments} or item.arguments
    columns: list[str] = []
    by: list[str] = []
    where: list[str] = []
    for name, value in given.items():
        for part in _references(value):
            if isinstance(part, str):
                if name in declared and declared[name].kind.shape in _OF_COLUMNS:
                    columns.append(part)
                continue
            columns.append(str(part["column"]))
            by += [str(part["by"])] if part.get("by") else []
            where += [str(part["where"])] if part.get("where") else []
    if not columns:
        return ""
    text = _and(list(dict.fromkeys(columns)))
    text += f" by {_and(list(dict.fromkeys(by)))}" if by else ""
    return text + (f" (rows where {'; '.join(dict.fromkeys(where))})" if where else "")


def _references(value: Any) -> list[Any]:
    """The column references of one argument, in order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        if isinstance(value.get("column"), str):
            return [value]
        if isinstance(value.get("columns"), list):
            shared = {k: value[k] for k in ("where",) if value.get(k)}
            return [{"column": column, **shared} for column in value["columns"] if isinstance(column, str)]
        return []
    if isinstance(value, Sequence):
        return [p for part in value if isinstance(part, str | Mapping) for p in _references(part)]
    return []


def _testing(items: Sequence[Item]) -> str:
    """The significance level, the sides of the tests, the level of the intervals, and missing values."""
    results = [item.result for item in items]
    parts = []
    alphas = _distinct(results, "alpha")
    if alphas:
        sides = {str(r["alternative"]) for r in results if r.get("alternative")}
        side = (
            "Tests were two-sided"
            if sides <= {"two-sided"}
            else "The alternative of each test is given with it"
        )
        levels = _and([no_leading_zero(f"{a:g}") for a in alphas])
        parts.append(f"{side}; the significance level was α = {levels}.")
    conf_levels = _distinct(results, "conf_level")
    if conf_levels:
        parts.append(
            f"Intervals are {_and([f'{format_number(100 * level)}%' for level in conf_levels])} confidence intervals."
        )
    if any(r.get("n_missing") is not None for r in results):
        parts.append("Rows with a missing value in a variable of an analysis were left out of that analysis.")
    seeds = [str(i.stamp.seed) for i in items if i.stamp.seed is not None]
    if seeds:
        parts.append("Random numbers were drawn with a recorded seed.")
    return " ".join(parts)


def _distinct(results: Sequence[Mapping[str, Any]], key: str) -> list[float]:
    found = (r.get(key) for r in results)
    return sorted({float(v) for v in found if isinstance(v, int | float) and not isinstance(v, bool)})


def _software(items: Sequence[Item]) -> str:
    """Which programs computed, with their versions."""
    stamp = items[0].stamp
    names = [
        f"{shown} (version {_short(stamp.versions[name])})"
        for name, shown in _SOFTWARE.items()
        if stamp.versions.get(name, "not installed") != "not installed"
    ]
    text = f"The analyses were carried out with Statistikles (version {_short(stamp.version)})"
    text += f", running on {_and(names)}" if names else ""
    return text + ". Every number was computed by program code; none was written by a language model."


def _short(version: str) -> str:
    """'1.17' of '1.17.1'; the whole version stands with the provenance."""
    return ".".join(version.split(".")[:2])


def _and(words: Sequence[str]) -> str:
    """'a, b and c'."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else ""
