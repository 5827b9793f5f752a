"""Which tools a question is likely to need, for models whose context cannot hold them all."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from statistikles.neural.planner.words import plain, split_name, stem
from statistikles.registry.manifest import manifest

if TYPE_CHECKING:
    from statistikles.neural.planner.view import TableView

__all__ = ["narrowed", "ranked", "size_of"]

# About how many characters of JSON make a token; on the safe side for names and braces.
CHARACTERS_PER_TOKEN = 3
_ALWAYS = ("descriptive_statistics", "frequency_analysis")


def ranked(question: str, tables: Sequence[TableView] = ()) -> list[str]:
    """All tools, the likeliest first: what the planner would call, then by the words of their descriptions."""
    scores = _by_words(question)
    order = sorted(scores, key=lambda name: (-scores[name], name))
    return list(dict.fromkeys([*_planned(question, tables), *order]))


def size_of(tool: Mapping[str, Any]) -> int:
    """About how many tokens a schema takes."""
    name = str(tool["function"]["name"])
    if name in manifest()["tools"]:
        return _known_size(name)
    return len(json.dumps(tool)) // CHARACTERS_PER_TOKEN


@cache
def _known_size(name: str) -> int:
    return len(json.dumps(manifest()["tools"][name]["schema"])) // CHARACTERS_PER_TOKEN


def narrowed(
    tools: Sequence[Mapping[str, Any]],
    question: str,
    tables: Sequence[TableView],
    tokens: int,
    size_of: Callable[[Mapping[str, Any]], int] = size_of,
) -> list[Mapping[str, Any]]:
    """The tools that fit into so many tokens, the likeliest for the question; at least one.

    Parameters
    ----------
    tools : schemas of all tools.
    question : what was asked.
    tables : the tables it is about.
    tokens : the room there is.
    size_of : how many tokens a tool takes; those of its schema when not given.
    """
    if sum(size_of(tool) for tool in tools) <= tokens:
        return list(tools)
    by_name = {tool["function"]["name"]: tool for tool in tools}
    order = [name for name in ranked(question, tables) if name in by_name]
    wanted = list(dict.fromkeys([*order[:2], *(n for n in _ALWAYS if n in by_name), *order[2:]]))
    kept: list[Mapping[str, Any]] = []
    left = tokens
    for name in wanted:
        size = size_of(by_name[name])
        if size <= left or not kept:
            kept.append(by_name[name])
            left -= size
    return kept


def _planned(question: str, tables: Sequence[TableView]) -> list[str]:
    from statistikles.neural.planner.calls import CALLS
    from statistikles.neural.planner.method import matching
    from statistikles.neural.planner.understand import understand

    found = []
    for table in tables:
        for reading in sorted(understand(question, table), key=lambda r: -r.certainty)[:3]:
            for row in matching(reading)[:2]:
                found += [CALLS[name](reading)[0] for name in row.calls]
    return list(dict.fromkeys(found))


@cache
def _vocabulary() -> tuple[dict[str, Counter[str]], dict[str, float]]:
    """{tool: how often each word stem stands in its description}, {stem: rarity}."""
    bags = {}
    for name, entry in manifest()["tools"].items():
        texts = [name.replace("_", " ") * 2, entry["title"], entry["summary"]]
        for subtype, facts in entry["subtypes"].items():
            texts += [subtype, facts["title"], facts["use_when"], *facts["utterances"]]
        bags[name] = Counter(_stems(" ".join(texts)))
    spread = Counter(word for bag in bags.values() for word in bag)
    return bags, {word: math.log(1 + len(bags) / count) for word, count in spread.items()}


def _stems(text: str) -> list[str]:
    return [stem(word) for word in split_name(plain(text))]


def _by_words(question: str) -> dict[str, float]:
    bags, rarity = _vocabulary()
    asked = set(_stems(question))
    return {
        name: sum(rarity[w] * (1 + math.log(bag[w])) for w in asked if w in bag) / math.sqrt(10 + len(bag))
        for name, bag in bags.items()
    }
