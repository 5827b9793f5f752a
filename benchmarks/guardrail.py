"""Figures of the guardrail: miss and false-flag rate per kind beside the basic rules, and speed.

Usage: python benchmarks/guardrail.py [--write] [--speed]

`--write` renews docs/guardrail-figures.md; `--speed` also runs the large index and the long prose.
"""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from guardrail.own_corpus import BATCHES, FILE, IMITATING, WRITER, load  # noqa: E402
from guardrail.scoring import (  # noqa: E402
    basic_flags,
    clean_rate,
    false_alarm_rate,
    half,
    load_corpus,
    recall,
    score,
)
from statistikles.guardrail import audit, validate_numeric_provenance  # noqa: E402
from statistikles.guardrail.corpus import flags  # noqa: E402
from statistikles.guardrail.evidence import Evidence  # noqa: E402

# Batches of another hand at first sight: (style, faults found, faults, alarms, passing spans, clean, faithful replies).
FIRST_SIGHT = (
    ("terse analyst", 37, 47, 13, 396, 15, 21),
    ("chatty assistant", 32, 48, 23, 319, 10, 17),
    ("German and English", 29, 51, 14, 338, 14, 19),
    ("medical writer", 36, 47, 15, 349, 19, 23),
    ("business analyst", 29, 44, 16, 309, 14, 21),
    ("teacher", 27, 41, 13, 305, 16, 20),
    ("econometrician", 28, 43, 29, 326, 11, 18),
    ("French and English", 27, 42, 6, 247, 15, 19),
    ("psychologist, APA", 31, 40, 11, 285, 16, 19),
    ("epidemiologist", 32, 46, 15, 326, 16, 21),
    ("data scientist", 31, 48, 29, 247, 9, 20),
    ("engineer", 35, 46, 25, 276, 9, 19),
    ("social and political scientist", 28, 45, 12, 237, 12, 21),
    ("quantitative analyst", 29, 47, 26, 305, 12, 20),
    ("molecular biologist", 31, 41, 20, 236, 13, 23),
    ("textbook author", 39, 43, 21, 303, 13, 23),
)

PAGE = ROOT / "docs" / "guardrail-figures.md"


def own_cases(file: Path = FILE) -> list[dict[str, Any]]:
    """Our own replies in the corpus shape; every unmarked span counts through the outside alarms of clean replies."""
    return [
        {
            "reply": c.reply,
            "tool_results": c.results,
            "user_text": c.user,
            "spans": [{"start": a, "end": b, "label": "fab", "kind": k} for a, b, k in c.fabs]
            + [{"start": a, "end": b, "label": "derived", "kind": "arithmetic"} for a, b in c.derived],
        }
        for c in load(file)
    ]


def percent(part: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * part:.1f} %"


def overview(title: str, cases: list[dict[str, Any]]) -> str:
    """One row of the overview: full rules, then basic rules."""
    full, basic = score(cases, flags), score(cases, basic_flags)
    alarms = [
        percent(false_alarm_rate(r)) if sum(r["spans"].values()) > r["spans"]["derived"] else "n/a"
        for r in (full, basic)
    ]
    return (
        f"| {title} | {len(cases)} | {percent(recall(full))} | {percent(recall(basic))} | {alarms[0]} | {alarms[1]} "
        f"| {percent(clean_rate(full))} | {percent(clean_rate(basic))} |"
    )


def per_kind(cases: list[dict[str, Any]]) -> list[str]:
    """Miss rate per kind of fault and false-flag rate per label, full and basic."""
    full, basic = score(cases, flags), score(cases, basic_flags)
    lines = ["| kind of fault | spans | missed (full) | missed (basic) |", "|---|--:|--:|--:|"]
    for kind, n in sorted(full["faults"].items(), key=lambda item: (-item[1], item[0])):
        a, b = n - full["found"][kind], n - basic["found"][kind]
        lines.append(f"| {kind} | {n} | {a} ({percent(a / n)}) | {b} ({percent(b / n)}) |")
    lines += ["", "| label | spans | flagged (full) | flagged (basic) |", "|---|--:|--:|--:|"]
    for label, n in sorted(full["spans"].items()):
        a, b = full["alarms"][label], basic["alarms"][label]
        lines.append(f"| {label} | {n} | {a} ({percent(a / n)}) | {b} ({percent(b / n)}) |")
    return lines


def first_sight() -> list[str]:
    """The table of first sight, batch by batch, with its sum."""
    total = [sum(row[k] for row in FIRST_SIGHT if isinstance(row[k], int)) for k in range(1, 7)]
    lines = [
        "| batch | faults found | alarms on passing spans | clean faithful replies |",
        "|---|--:|--:|--:|",
    ]
    for name, *row in (
        *((f"{k}, {r[0]}", *r[1:]) for k, r in enumerate(FIRST_SIGHT, start=1)),
        ("all", *total),
    ):
        found, faults, alarms, spans, clean, faithful = (int(x) for x in row)
        lines.append(
            f"| {name} | {found} of {faults} ({percent(found / faults)}) | {alarms} of {spans:,} "
            f"({percent(alarms / spans)}) | {clean} of {faithful} |"
        )
    return lines


def accuracy_page() -> str:
    """The page of figures."""
    corpus = load_corpus()
    lines = [
        "# Figures of the guardrail",
        "",
        "Written by `python benchmarks/guardrail.py --write`; do not edit by hand. What the rules promise and what",
        "not stands in [guarantee.md](guarantee.md).",
        "",
        "The labelled corpus (`tests/guardrail/data/corpus.jsonl`) is split by question, so that no analysis is in both",
        "halves. The rules were tuned on the first half alone until they found 95.8 % of its faults with 0.3 % false",
        "alarms; the second half, unseen, then gave **79.3 % recall, 7.0 % false alarms and 56.2 % clean faithful",
        "replies**. That is the honest estimate of how rules of that stage carried over. The kinds missed there were then",
        "worked on as well, so the present figures of the second half are no longer unseen. A quarter of the corpus,",
        "looked at last, had 70.7 % recall and 6.7 % false alarms before it was read.",
        "",
        "Our own replies were written afterwards in eight batches, each over new analyses, and each was scored before the",
        "rules were changed for it. Over all batches these first scores were **221 of 255 faults found (87 %) and alarms on",
        "79 of 1,695 passing spans (4.7 %)**, with the last batches no better than the average.",
        "",
        "Six later batches, again over new analyses and with rows of tables, numeric group names and clipped keys, were",
        "scored at first sight too, before the rules were changed for them (our own slips of labelling are counted as",
        "faults of the rules):",
        "",
        "| batch | faults found | alarms on passing spans | clean faithful replies |",
        "|---|--:|--:|--:|",
        "| 1 | 37 of 50 (74.0 %) | 17 of 407 (4.2 %) | 23 of 31 |",
        "| 2 | 30 of 47 (63.8 %) | 6 of 273 (2.2 %) | 20 of 25 |",
        "| 3 | 39 of 52 (75.0 %) | 11 of 334 (3.3 %) | 24 of 31 |",
        "| 4 | 45 of 61 (73.8 %) | 25 of 415 (6.0 %) | 31 of 42 |",
        "| 5 | 26 of 31 (83.9 %) | 14 of 189 (7.4 %) | 10 of 19 |",
        "| 6 | 17 of 28 (60.7 %) | 13 of 180 (7.2 %) | 10 of 16 |",
        "| all | 194 of 269 (72.1 %) | 86 of 1,798 (4.8 %) | 118 of 164 |",
        "",
        "",
        "Then sixteen batches came from another hand, each in a style of its own, on analyses the rules had not met; each was",
        "scored before its replies were read and before the rules were changed for it:",
        "",
        *first_sight(),
        "",
        "Three things are to be read from it. **There is no clear trend**: the figures depend more on the style of a batch than",
        "on what was learnt from the batches before; scored on all sixteen, the rules as they were before the first of them",
        "find 68.6 % with 6.5 % alarms, the first sights above 69.7 % with 6.0 %. **Invented figures are found nearly always**",
        "(99 of 101 at first sight), while of the verdicts in words about half, of the true figures under another label two in",
        "five and of the directions one in nine were found. **Alarms on passing spans** come mostly from figures that name a case",
        '("at 80 µg/L"), from keys whose meaning is guessed wrongly, and from names: of the 86 alarms of the earlier rules that',
        "a sentence speaks of another object than the figure's own, 60 were false, and 40 of 47 where the own name stood in the",
        "sentence as well. A name now speaks against a figure only when it is said in full and stands nearer than the own one;",
        "what that brings on unseen analyses is measured next.",
        "",
        "At last four further writers imitated the given corpus itself, its kinds, proportions, lengths and styles, on other",
        "analyses. Each batch was scored before it was read, by the rules as they stood before all eight and, where that is",
        "another state, by those mended for the batches before:",
        "",
        "| batch | faults found, earlier rules | false alarms | faithful replies clean | faults found, mended rules | false alarms | clean |",
        "|---|--:|--:|--:|--:|--:|--:|",
        "| 1 | 55 of 65 (84.6 %) | 18 of 543 | 20 of 27 | | | |",
        "| 2 | 54 of 64 (84.4 %) | 7 of 496 | 24 of 28 | | | |",
        "| 3 | 47 of 62 (75.8 %) | 10 of 512 | 20 of 27 | | | |",
        "| 4 | 46 of 61 (75.4 %) | 8 of 499 | 23 of 26 | | | |",
        "| 5 | 44 of 58 (75.9 %) | 9 of 650 | 19 of 24 | 44 of 58 (75.9 %) | 9 of 650 | 19 of 24 |",
        "| 6 | 54 of 63 (85.7 %) | 23 of 523 | 19 of 25 | 55 of 63 (87.3 %) | 16 of 523 | 20 of 25 |",
        "| 7 | 46 of 59 (78.0 %) | 11 of 467 | 22 of 26 | 46 of 59 (78.0 %) | 9 of 467 | 23 of 26 |",
        "| 8 | 49 of 59 (83.1 %) | 8 of 476 | 22 of 26 | 49 of 59 (83.1 %) | 10 of 476 | 22 of 26 |",
        "| all | 395 of 491 (80.4 %) | 94 of 4,166 (2.3 %) | 169 of 209 (80.9 %) | 194 of 239 (81.2 %) | 44 of 2,116 (2.1 %) | 84 of 101 (83.2 %) |",
        "",
        "**This is what to expect on replies nobody has seen: four faults in five, an alarm on one legitimate figure in fifty, four",
        "faithful replies in five without any alarm.** Invented figures, slips of rounding, scale, exponent, degrees of freedom and",
        "bounds are found nearly always; what is missed are true figures under another name or group, directions and verdicts in",
        "words, and the user's guess repeated as a result. Mending every kind of miss batch by batch raised the read batches to the",
        "figures of the next table and the unread ones by about half a point. A statistical judge was tried as well: logistic",
        "regression, a random forest and boosted trees on forty features of a figure and its best rivals among the results, judged",
        "by leaving out whole batches: at one false alarm in 250 passing figures they found 4 to 7 of 128 missed faults, so none is used.",
        "",
        "| set | replies | recall, full | recall, basic | false alarms, full | false alarms, basic | clean faithful, full | basic |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
        overview("corpus, first half", [c for c in corpus if half(c["question"]) == "first"]),
        overview("corpus, second half", [c for c in corpus if half(c["question"]) == "second"]),
        overview("corpus", corpus),
        overview("own replies", own_cases()),
        overview("six later batches", own_cases(BATCHES)),
        overview("sixteen batches of another hand", own_cases(WRITER)),
        overview("eight batches that imitate the corpus", own_cases(IMITATING)),
        "",
        "## Corpus, per kind",
        "",
        *per_kind(corpus),
        "",
        "`derived` is right arithmetic on results that no tool did; flagging it is neutral.",
        "",
        "## Own replies, per kind",
        "",
        *per_kind(own_cases()),
        "",
        "## Six later batches, per kind",
        "",
        *per_kind(own_cases(BATCHES)),
        "",
        "## Sixteen batches of another hand, per kind",
        "",
        *per_kind(own_cases(WRITER)),
        "",
        "## Eight batches that imitate the corpus, per kind",
        "",
        *per_kind(own_cases(IMITATING)),
        "",
    ]
    return "\n".join(lines)


def best(run: Callable[[], object], times: int = 15) -> float:
    """The shortest of several runs, in seconds of processor time."""
    shortest = float("inf")
    for _ in range(times):
        start = time.process_time()
        run()
        shortest = min(shortest, time.process_time() - start)
    return shortest


def usual_case() -> tuple[str, list[dict[str, Any]]]:
    """About 350 words with 72 numbers over 200 computed ones."""
    rng = random.Random(1)
    names = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliet Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra Tango"
    groups = {
        f"Region {name}": {
            "n": rng.randint(20, 200),
            "mean": rng.gauss(50, 9),
            "sd": rng.uniform(3, 9),
            "median": rng.gauss(50, 9),
            "ci_low": rng.gauss(45, 3),
            "ci_high": rng.gauss(55, 3),
            "p_value": rng.random() / 10,
            "t": rng.gauss(0, 3),
            "df": rng.randint(10, 99),
            "cohens_d": rng.gauss(0, 0.5),
        }
        for name in names.split()
    }
    said = [
        f"In {g} the mean response was {r['mean']:.2f} (SD = {r['sd']:.2f}, n = {r['n']}), 95% CI {r['ci_low']:.2f} to "
        f"{r['ci_high']:.2f}; the difference from the reference was t({r['df']}) = {r['t']:.2f}, p = {r['p_value']:.3f}, which "
        "some readers may find a little surprising given what was known before."
        for g, r in list(groups.items())[:8]
    ]
    return " ".join(said), [{"groups": groups}]


def speed(large: bool) -> None:
    """Print the speed figures."""
    text, results = usual_case()
    index = Evidence(results)
    print(f"usual reply, full rules:  {1e3 * best(lambda: audit(text, results)):.1f} ms")
    print(f"usual reply, kept index:  {1e3 * best(lambda: audit(text, [], evidence=index)):.1f} ms")
    print(
        f"usual reply, basic rules: {1e3 * best(lambda: validate_numeric_provenance(text, results)):.1f} ms"
    )
    if not large:
        return
    rng = random.Random(2)
    for groups in (500, 1000):
        big = [
            {
                "groups": {
                    f"g{i}_{j}": {"n": i + 0.5, "mean": rng.random(), "sd": rng.random(), "p": rng.random()}
                    for j in range(250)
                }
            }
            for i in range(groups)
        ]
        start = time.process_time()
        kept = Evidence()
        for i, result in enumerate(big):
            kept.add(f"r{i}", result)
        kept.between(0.5, 0.5001)
        print(f"index of {len(kept)} numbers: {time.process_time() - start:.2f} s")
    audit("In g1 the mean is 0.5.", [], evidence=kept)
    prose = (text + "\n\n") * (1_000_000 // len(text) + 1)
    for size in (500_000, 1_000_000):
        start = time.process_time()
        report = audit(prose[:size], [], evidence=kept)
        print(f"prose of {size} characters, {len(report.spans)} spans: {time.process_time() - start:.2f} s")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    page = accuracy_page()
    if options.write:
        PAGE.write_text(page, encoding="utf-8")
    print(page)
    speed(options.speed)


if __name__ == "__main__":
    main()
