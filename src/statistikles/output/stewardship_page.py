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
data contradict, is refused with a sentence that says what is possible. With several tables a decision is for each that has
the column. This page is generated from the tables of the code.

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
