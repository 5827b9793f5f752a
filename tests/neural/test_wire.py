"""Answers read leniently: hidden reasoning, calls written as text."""

from __future__ import annotations

import pytest

from statistikles.neural.profiles import Profile
from statistikles.neural.wire import Visible, calls_in_text, completion_of, without_thinking

TAGS = (("<think>", "</think>"), ("[THINK]", "[/THINK]"))


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Hello.", "Hello."),
        ("<think>p = .03?</think>\n\nHello.", "Hello."),
        ("p = .03?</think>Hello.", "Hello."),
        ("<think>never closed", ""),
        ("[THINK]a[/THINK]Hel<think>b</think>lo.", "Hello."),
    ],
)
def test_hidden_reasoning_is_no_part_of_the_reply(text: str, reply: str) -> None:
    assert without_thinking(text, TAGS) == reply


def test_hidden_reasoning_is_never_streamed() -> None:
    text = "<think>The mean is 99.9</think>The mean is not known."
    shown: list[str] = []
    visible = Visible(shown.append, TAGS)
    for end in range(1, len(text) + 1):
        visible.text(text[:end])
    assert "".join(shown) == "The mean is not known."


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "anova", "arguments": {"a": 1}}</tool_call>',
        '<tool_call>\n{"name": "anova", "arguments": {"a": 1}}',
        '[TOOL_CALLS] [{"name": "anova", "arguments": {"a": 1}}]',
        '```json\n{"tool": "anova", "parameters": {"a": 1}}\n```',
        '{"tool": "anova", "arguments": {"a": 1}}',
        '[{"function": {"name": "anova", "arguments": {"a": 1}}}]',
        '<function=anova>{"a": 1}</function>',
        'I will call it: <function_call>{"name": "anova", "args": {"a": 1}}</function_call>',
    ],
)
def test_calls_written_as_text(text: str) -> None:
    [call] = calls_in_text(text, ["anova"])
    assert call.name == "anova"
    assert call.arguments in ({"a": 1}, '{"a": 1}')


@pytest.mark.parametrize(
    "text",
    [
        "The anova says so.",
        '{"name": "unknown", "arguments": {}}',
        "{broken",
        "[1, 2]",
        '"anova"',
        "```\nplain\n```",
        "",
    ],
)
def test_text_that_is_no_call(text: str) -> None:
    assert calls_in_text(text, ["anova"]) == ()


def test_parts_and_old_forms_of_an_answer() -> None:
    message = {
        "content": [{"type": "text", "text": "Hel"}, {"type": "image"}, {"type": "text", "text": "lo."}],
        "function_call": {"name": "anova", "arguments": "{}"},
    }
    done = completion_of({"choices": [{"message": message, "finish_reason": "max_tokens"}]}, Profile())
    assert done.text == "Hello."
    assert done.tool_calls[0].name == "anova"
    assert done.cut_off
    assert (done.tokens_in, done.tokens_out) == (0, 0)
