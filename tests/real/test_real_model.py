"""A real server and a real, very small model: transport, streaming, grammar, and that its nonsense is flagged.

The model cannot narrate statistics; what is tested is that nothing it makes up reaches a reader unflagged.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from statistikles import Reply, Session
from statistikles.errors import ModelError
from statistikles.neural.backend import Wish
from statistikles.neural.constraints import citations_only, digits_outside
from statistikles.neural.embedded import EmbeddedModel
from statistikles.neural.openai_compatible import OpenAICompatible
from statistikles.neural.references import fill
from statistikles.neural.settings import Settings

from .questions import QUESTIONS, unsupported

DATA = str(Path(__file__).parents[2] / "examples" / "penguins.csv")
SHORT = {"context": 1536, "reply_tokens": 40}
LITERAL = {**SHORT, "tools": "text", "constraint": "none"}
CITED = {**SHORT, "tools": "schema", "constraint": "grammar", "reply_tokens": 96}
GENERATIONS = 8
RECORDS = [{"id": "r1", "result": {"mean": 4201.75, "std_dev": 801.95, "n": 342, "p_value": 0.0004}}]


def model(url: str, profile: dict[str, Any]) -> OpenAICompatible:
    return OpenAICompatible(Settings(url=url, model="smollm2-135m", retries=0, timeout=240, profile=profile))


# What a sampled model writes differs between machines and builds, so a hole found by its nonsense is reported by name
# and up to this many are borne; each one is a fault to be mended in the guardrail.
MOST_HOLES = 2


def holes(reply: Reply, question: str) -> list[str]:
    """An independent reading: the numbers of a reply that are neither a result's nor the user's nor flagged.

    Spared are small whole numbers that count the text itself ("one of 3 options"), which state nothing of the data.
    """
    flagged = [(s.start, s.end) for s in reply.audit.flagged]
    counting = [
        (s.start, s.end)
        for s in reply.audit.spans
        if s.verdict == "structural" and s.text.isdigit() and int(s.text) <= 12
    ]
    assert bool(reply.warning) == bool(flagged)
    assert "{{" not in reply.text
    return unsupported(reply.text, [*flagged, *counting], question, [r["result"] for r in reply.results])


def test_invented_numbers_are_flagged(server_url: str) -> None:
    found: dict[str, Any] = {}
    n_flagged = 0
    for question in QUESTIONS:
        reply = Session(data=DATA, model=model(server_url, LITERAL)).ask(question)
        assert reply.text.strip()
        n_flagged += not reply.audit.ok
        if unflagged := holes(reply, question):
            found[question] = (unflagged, reply.text)
    assert len(QUESTIONS) >= 20
    print(f"{n_flagged} of {len(QUESTIONS)} replies flagged; with unflagged numbers: {found}")
    assert n_flagged > 0, "a model this small invents numbers; none was flagged"
    assert len(found) <= MOST_HOLES, found


def test_under_a_grammar_the_tool_runs_and_digits_come_from_results_alone(server_url: str) -> None:
    computed = 0
    for question in QUESTIONS[:2]:
        reply = Session(data=DATA, model=model(server_url, CITED)).ask(question)
        computed += any("error" not in r["result"] for r in reply.results)
        covered = {i for start, end, _ in reply.links for i in range(start, end)}
        loose = [c for i, c in enumerate(reply.text) if c.isdigit() and i not in covered]
        assert not loose or "[no result" in reply.text or not reply.results, reply.text
        assert "{{" not in reply.text
    assert computed, "the schema offers real tools and columns only"


def test_generations_under_the_grammar_have_no_digit_outside_citations(server_url: str) -> None:
    addresses = [f"r1.{key}" for key in RECORDS[0]["result"]]
    constraint = citations_only(addresses)
    asked = model(server_url, {**CITED, "temperature": 0.9})
    for number in range(GENERATIONS):
        message = f"Write one sentence about the mean {{{{r1.mean}}}} of body mass, in style {number}."
        done = asked.complete([{"role": "user", "content": message}], [], Wish(constraint))
        assert digits_outside(done.text if not done.cut_off else done.text.rsplit("{{", 1)[0]) == 0, done.text
        filled = fill(done.text, RECORDS)
        assert all(not u.endswith("}}") for u in filled.unknown), done.text


def test_a_stream_is_the_text(server_url: str) -> None:
    shown: list[str] = []
    asked = model(server_url, LITERAL)
    done = asked.complete([{"role": "user", "content": "Say hello."}], [], Wish(show=shown.append))
    assert "".join(shown).strip() == done.text.strip()
    assert len(shown) > 1
    assert done.tokens_out > 0


def test_a_conversation_longer_than_the_context_is_said(server_url: str) -> None:
    long = [{"role": "user", "content": "weight " * 6000}]
    with pytest.raises(ModelError) as caught:
        model(server_url, LITERAL).complete(long, [])
    assert caught.value.code == "context_overflow"


def test_the_schema_form_is_kept_too(server_url: str) -> None:
    constraint = citations_only(["r1.mean"])
    asked = model(server_url, {**CITED, "constraint": "json_schema", "reply_tokens": 96})
    done = asked.complete([{"role": "user", "content": "Report the mean."}], [], Wish(constraint))
    if not done.cut_off:
        assert digits_outside(done.text) == 0
        assert "reply" not in json.loads(done.text) if done.text.startswith("{") else True
    assert done.text


def test_the_embedded_model_answers_in_this_process(model_file: Path) -> None:
    embedded = EmbeddedModel(model_file, {"reply_tokens": 24, "context": 1024})
    shown: list[str] = []
    done = embedded.complete(
        [{"role": "user", "content": "What is a mean?"}], [], Wish(citations_only([]), shown.append)
    )
    assert digits_outside(done.text) == 0
    assert "".join(shown).strip() == done.text.strip()
    whole = embedded.complete([{"role": "user", "content": "Say hello."}], [])
    assert whole.text
    assert whole.tokens_out > 0
    with pytest.raises(ModelError) as caught:
        embedded.complete([{"role": "user", "content": "weight " * 6000}], [])
    assert caught.value.code == "context_overflow"
