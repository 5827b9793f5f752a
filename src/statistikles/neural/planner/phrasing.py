"""Parts that all explanations share: the verdict, groups, checks, alternatives, tests carried along."""

from __future__ import annotations

import re
from collections.abc import Mapping

from statistikles.neural.planner.method import Row
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.writing import Record, category_text, safe

__all__ = [
    "Made",
    "Paragraphs",
    "asks_yes_or_no",
    "beside",
    "checks",
    "distinct",
    "group_lines",
    "inside",
    "kept",
    "leading_test",
    "names",
    "significance",
]

Made = Mapping[str, Record]
Paragraphs = list[str]


def names(reading: Reading) -> list[str]:
    return [safe(c.name) for c in reading.outcomes]


def kept(reading: Reading) -> str:
    return (
        " (rows where " + " and ".join(safe(c.words) for c in reading.conditions) + ")"
        if reading.conditions
        else ""
    )


def leading_test(record: Record) -> tuple[str, ...]:
    """Where the leading test of a result stands: Welch's version of an analysis of variance, if it is defined."""
    welch = ("also", "welch")
    return welch if record.tool == "anova" and record.number(*welch, "p_value") else ()


def beside(row: Row, made: Made, agreed: bool | None) -> str:
    """The alternatives with their numbers, and whether they agree."""
    lines = []
    for name in row.beside:
        record = made.get(name)
        if record is None or record.failed or not record.test():
            continue
        same = record.significant()
        verdict = ""
        if agreed is not None and same is not None:
            verdict = (
                " It points the same way."
                if same == agreed
                else " It points the other way: read both with care."
            )
        lines.append(f"Alternative: {record.method}: {record.evidence()}.{verdict}")
    return "\n".join(lines)


# What each check looked at, and what its outcome means.
_CHECKED = {
    "normality of groups": (
        " of the deviations from the group means",
        "they depart from a normal distribution",
        "no clear departure",
    ),
    "normality": ("", "a departure from a normal distribution", "no clear departure"),
    "levene": ("", "the variances differ", "no clear difference"),
}


def checks(row: Row, made: Made) -> str:
    """The assumption checks in one paragraph."""
    lines = []
    for name in row.checks:
        record = made.get(name)
        if record is None or record.failed:
            continue
        if clause := record.test():
            of, found, not_found = _CHECKED.get(name, ("", "", ""))
            significant = record.significant() if found else None
            verdict = "" if significant is None else f": {found if significant else not_found}"
            lines.append(f"- {record.method}{of}: {clause}{verdict}")
    return "Assumption checks:\n" + "\n".join(dict.fromkeys(lines)) if lines else ""


_ASKS_YES_OR_NO = re.compile(
    r"^\W*(\d+\W+)?(do|does|did|is|are|was|were|has|have|can|could|would|will|should)\b", re.IGNORECASE
)


def asks_yes_or_no(question: str) -> bool:
    """Whether a question wants a yes or a no."""
    return _ASKS_YES_OR_NO.match(question) is not None


# A test of a difference says neither yes nor no to 'is A better than B'; the direction is read from the groups.
_ASKS_DIRECTION = re.compile(
    r"\b(more|less|fewer|better|worse|\w+er)\b.*\bthan\b|\bpositive|\bnegative|\b(in|de)creas", re.IGNORECASE
)
_ASKS_SAMENESS = re.compile(
    r"\b(same|equal|equally|identical|homogene\w+|alike|unrelated|uncorrelated|similar\w*|align\w*|match\w*|congruen\w+|"
    r"equivalent|comparable|indistinguishable|close\w* to each other)\b|\bindependent(\W*$| of\b)",
    re.IGNORECASE,
)


_SIGN_SAID = re.compile(r".*\bare (positively|negatively) associated")
_RISING = re.compile(
    r"\b(positive|positively|increas\w*|ris(?:e|es|ing)|grow(?:s|ing)?|go(?:es)? up)\b", re.IGNORECASE
)
_FALLING = re.compile(
    r"\b(negative|negatively|inverse\w*|decreas\w*|declin\w*|fall(?:s|ing)?|drop(?:s|ping)?|go(?:es)? down)\b",
    re.IGNORECASE,
)


def _sign_asked(question: str) -> bool | None:
    """Whether a question asks for a rising (True) or a falling (False) relation; None when for neither or both."""
    rising, falling = _RISING.search(question), _FALLING.search(question)
    return None if (rising is None) == (falling is None) else rising is not None


def significance(reading: Reading, record: Record, yes: str, no: str, at: tuple[str, ...] = ()) -> str:
    """The answer in the asker's terms: 'Yes:' or 'No:' only where such a question was asked."""
    verdict = record.significant(*at)
    if verdict is None:
        return "No test could be made."
    if not verdict:
        return no
    signed, asked = _SIGN_SAID.match(yes), _sign_asked(reading.question)
    if signed is not None and asked is not None and _ASKS_YES_OR_NO.match(reading.question):
        return f"{'Yes' if asked == (signed[1] == 'positively') else 'No'}: {yes}"
    if _ASKS_YES_OR_NO.match(reading.question) and not _ASKS_DIRECTION.search(reading.question):
        return f"{'No' if _ASKS_SAMENESS.search(reading.question) else 'Yes'}: {yes}"
    return yes[:1].upper() + yes[1:] if yes.startswith("the ") else yes


def group_lines(record: Record) -> str:
    groups = record.value("groups")
    if not isinstance(groups, Mapping):
        return ""
    lines = []
    for name in list(groups)[:12]:
        parts = []
        for label, key in (
            ("mean", "mean"),
            ("SD", "std_dev"),
            ("median", "median"),
            ("mean rank", "mean_rank"),
            ("n", "n"),
        ):
            if number := record.measured("groups", name, key):
                parts.append(f"{label} {number}")
        if parts:
            lines.append(f"- {category_text(name)}: {', '.join(parts)}")
    return "\n".join(lines)


def distinct(record: Record) -> list[tuple[str, ...]]:
    """The tests of a result without those that repeat another's statistic and p."""
    kept: dict[tuple[object, object], tuple[str, ...]] = {}
    for path in record.tests():
        kept.setdefault((record.value(*path, "statistic"), record.value(*path, "p_value")), path)
    return list(kept.values())


# Tests that a result carries beside its own, in the order in which a reader wants them.
_INSIDE = (
    "fisher_exact",
    "yates",
    "continuity_corrected",
    "g_test",
    "likelihood_ratio",
    "breslow_day",
    "exact",
    "uncorrected",
)


def inside(record: Record) -> str:
    """The tests a result carries beside its own, such as Fisher's exact test beside Pearson's."""
    paths = [p for p in distinct(record) if p and p[0] in ("also", "details")]
    paths.sort(key=lambda p: next((i for i, name in enumerate(_INSIDE) if name in p[-1]), len(_INSIDE)))
    lines = []
    for path in paths[:4]:
        label = record.method_of(*path)
        lines.append(f"- {label}: {record.evidence(*path)}")
    return "Beside it:\n" + "\n".join(lines) if lines else ""
