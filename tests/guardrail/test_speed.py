"""The audit stays linear in the text and does not slow down with a large index."""

from __future__ import annotations

import time
from collections.abc import Callable

from statistikles.guardrail import audit
from statistikles.guardrail.evidence import Evidence

SENTENCE = "In group one the mean was 0.53 (SD = 0.21, n = 44), t(17) = 2.13, p = .041; the rest is prose. "


def seconds(run: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def test_text_is_read_in_linear_time() -> None:
    results = [{"groups": {f"g{i}": {"mean": i / 7, "sd": i / 11, "p": i / 900} for i in range(60)}}]
    index = Evidence(results)
    audit(SENTENCE, [], evidence=index)
    short, long = SENTENCE * 60, SENTENCE * 240
    assert seconds(lambda: audit(long, [], evidence=index)) < 4 * 1.6 * seconds(
        lambda: audit(short, [], evidence=index)
    )


def test_a_large_index_does_not_slow_the_lookup_in_proportion() -> None:
    def index_of(n: int) -> Evidence:
        index = Evidence(
            [{"groups": {f"g{i}": {"mean": i / 7, "sd": i / 11, "p": i / 9e5} for i in range(n)}}]
        )
        audit(SENTENCE, [], evidence=index)
        return index

    small, large = index_of(500), index_of(50_000)
    text = SENTENCE * 40
    assert seconds(lambda: audit(text, [], evidence=large)) < 8 * seconds(
        lambda: audit(text, [], evidence=small)
    )


def test_hostile_repetitions_end_quickly() -> None:
    for piece in ("1", "1,", "(", "p < ", "one ", "| ", "*", "not ", "a", "12:", "10^", "± ", "from 1 to "):
        text = piece * (20_000 // len(piece))
        start = time.process_time()
        audit(text, [{"mean": 1.5, "p": 0.2}])
        assert time.process_time() - start < 20, piece
