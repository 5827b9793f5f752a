"""docs/stewardship.md, generated from the tables of codes and of decisions.

`python -m statistikles.output.stewardship_page docs/stewardship.md` writes it; a test fails when it is stale.
"""

from __future__ import annotations

import sys
from pathlib import Path

from statistikles.pipeline.canonicalise.codes import CODES
from statistikles.pipeline.canonicalise.decisions import KEYS
from statistikles.pipeline.findings import STAGES
from statistikles.pipeline.stewardship.codes import EXAMINED

__all__ = ["page"]

_HEAD = """\
# Stewardship: what is found in a table

`statistikles inspect FILE` reads a table and looks at it in six stages: canonicalise, units, detect, validate, cleanse,
normalise. It prints one page: what needs a decision or is a problem, the columns, and every other finding. `--json` writes
the same as JSON, `--html PAGE.html` as a page of its own, `--constraints RULES.toml` checks what is declared
(exit code 1 when it is broken) about the columns ([units and cleaning](units.md)).

A finding has a code, a severity (*info* needs no attention, *warning* may change a number, *problem* makes numbers wrong
unless somebody decides), the rows and entries that show it, what was done, and what is asked. The first stage alone changes
anything: text becomes values. It does so where the cells leave one reading open, and says so; where they leave several, the
entries stay as they are written and the finding names the decisions that settle it.

A decision is written `COLUMN:KEY=VALUE` (`*` is the whole table):

```sh
statistikles inspect visits.csv --decide seen:dates=dmy --decide weight:missing=-999
statistikles ask "What is the mean weight?" --data visits.csv --decide weight:missing=-999
```

In Python: `Session("visits.csv", decisions=["weight:missing=-999"])`, later `session.decide("seen:dates=dmy")`; in `chat`,
`decide seen:dates=dmy`. Decisions are recorded in the ledger and repeated by `replay`. One that cannot be meant, or that the
data contradict, is refused with a sentence that says what is possible. With several tables a decision is for those whose
findings ask for it (a code for missing: for each that has the column); one that none can use is refused. A record of
`clean` holds the decisions and repeats them. An answer that uses a column with a problem, or with labels spelled in several
ways, says so first. This page is generated from the tables of the code.

## Two tables about the same cases

```sh
statistikles inspect survey.csv --with clinic.csv --key id
statistikles clean survey.csv --with clinic.csv --key id --prefer weight=other --prefer '*=newest:updated' --out settled.csv
```

The rows are matched by the key, which must tell every case apart in both tables; one that repeats is refused with its
rows. `--key` may be repeated, and `id=patient` names a key that is called otherwise in the other table. Columns of the
same name but for case, blanks and marks are compared cell by cell, in whatever order they stand: numbers by value,
dates by the moment, texts without blanks at their ends. Columns whose headers name two units of one dimension
(`height_cm`, `Height (ft)`) are compared in the unit of the first table; there, what the written digits leave open
counts as equal. Identifiers are compared as they are read: `007` is text and not 7, and keys of two kinds are refused
until a decision reads them alike.

`inspect` says how many values agree, where they differ, what only one of the tables has and what is missing here and
given there; it changes nothing. `clean` fills such missing cells from the other table (not with `--no-fill`) and
follows the stated precedence where values differ:

| `--prefer` | the cell becomes |
|---|---|
| `ask` (the default) | what it was; the finding says what settles it |
| `this`, `other` | the value of this table, or of the other one |
| `missing` | missing |
| `newest:COLUMN` | the value of the row that is later by a date or number that both have; where neither is, it is asked |

`COLUMN=RULE` is for one column, `*=RULE` for every other. `--add-rows` and `--add-columns` take over what only the
other table has. It is the step `reconcile` of a recipe ([units and cleaning](units.md#cleaning)): recorded, with the
fingerprint of the other table, and repeated by a record or by `replay`. In a `Session` the other table may be one of
its own, by name.

## Decisions

| key | for | values | meaning |
|---|---|---|---|
"""
_SCOPES = {"column": "a column", "table": "the table", "both": "a column or the table"}


def page() -> str:
    """The page as Markdown."""
    lines = [_HEAD.rstrip("\n")]
    for key in KEYS.values():
        lines.append(f"| `{key.name}` | {_SCOPES[key.scope]} | {_cell(key.told)} | {_cell(key.meaning)} |")
    lines += ["", "## Findings"]
    for stage in STAGES:
        settled = " decided by |" if stage == "canonicalise" else ""
        lines += ["", f"### {stage.capitalize()}", "", f"| code | severity | meaning |{settled}"]
        lines.append("|---|---|---|" + ("---|" if settled else ""))
        if settled:
            for code in CODES.values():
                keys = ", ".join(f"`{key}`" for key in code.keys)
                lines.append(f"| `{code.name}` | {code.severity} | {_cell(code.meaning)} | {keys} |")
        for meaning in EXAMINED.values():
            if meaning.stage == stage:
                grave = " or ".join(meaning.severities)
                lines.append(f"| `{meaning.name}` | {grave} | {_cell(meaning.text)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
