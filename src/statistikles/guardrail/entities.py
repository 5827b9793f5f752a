"""Which computed thing a sentence speaks of: groups, terms, variables and tests named in results, found in prose."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from statistikles.results.roles import Role, role_of_key

from .layout import Layout, Word, stem
from .vocabulary import FOLDED, GROUPING, ONE, PAIR, SPECIAL, Vocabulary, canonical, name_words

__all__ = ["PAIR", "Mention", "Names", "name_words"]

_STOPS = re.compile(r"[;!?:()](?![^\W_])|[.](?!\d)|,(?![^\W_])")
_ARTICLE = re.compile(
    r"[ ][a-zà-ÿ]{3,}[ -][a-zà-ÿ]|[ ][A-Z][a-zà-ÿ]+[-–’'a-z]*[ ](?:test|model|analysis|ANOVA|regression)"
)
_WITHOUT = {"without", "excluding", "ohne", "sans"}
_THAT = {"it", "this", "that", "them", "him", "her", "these", "those"}
_HYPHENS = frozenset("-–‐‑−")
_QUOTES = frozenset("'\"’‘“”`")
_ROW_LABEL = re.compile(r"(?:^|\n)[ ]*(?:[-*•][ ]*)?[*`]{0,2}$")
_AT_VALUE = re.compile(r"(?<![^\W_])(?:with|at|for|bei|mit|avec|à|when)[ ]$", re.IGNORECASE)
_TIME_WORD = re.compile(
    r"[ -]?(?:years?|months?|mo|weeks?|days?|hours?|h|minutes?|ans|mois|jours|Jahren?|Monaten?|Tagen?)(?![^\W_])",
    re.IGNORECASE,
)


def _shared(a: str, b: str) -> int:
    """How many letters two words have in common from the start."""
    for n, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return n
    return min(len(a), len(b))


_MAX_TIE = 40  # more names than this share the words: they name nothing


@dataclass(slots=True)
class Mention:
    """A place in the prose where names of results are spoken of; several when the words fit several."""

    start: int
    end: int
    names: frozenset[str]


class Names(Vocabulary):
    """Finds the mentions of a vocabulary in a prose."""

    def mentions(self, layout: Layout) -> list[Mention]:
        """Every place of the prose that names something of the results, longest match first."""
        found: list[Mention] = []
        words = layout.words
        i = 0
        while i < len(words):
            if not self._may_start(words[i], layout.text[words[i].end : words[i].end + 1] in _HYPHENS):
                i += 1
                continue
            hit = self._at(layout, i)
            if hit is None:
                i += 1
                continue
            count, names = hit
            found.append(Mention(words[i].start, words[i + count - 1].end, names))
            i += count
        return found

    def _may_start(self, word: Word, joined: bool) -> bool:
        """A cheap test that throws out nearly every word."""
        if word.stem in self.by_word or word.text in self.by_acronym or word.stem in FOLDED:
            return True
        low = word.text.casefold()
        return (
            low in SPECIAL
            or joined
            or low[:4] in self.heads
            or low in self.timed
            or (word.text[:1].isupper() and word.text[:3] in self.words_of)
            or (len(low) == 1 and bool(self.digit_keys or self.row_ids))
            or low[-2:] in {"th", "st", "nd", "rd"}
            or low in {"median", "médiane"}
        )

    def _at(self, layout: Layout, i: int) -> tuple[int, frozenset[str]] | None:
        word = layout.words[i]
        if (row := self._row_of(layout, i)) is not None:
            return row
        if (
            len(word.text) == 1
            and not word.text.isupper()
            and not word.text.isdigit()
            and word.text not in FOLDED
        ):
            return None
        if (
            word.text == "A"
            and _ARTICLE.match(layout.text, word.end)
            and not layout.text[max(0, word.start - 2) : word.start].strip(" ")[-1:].isalnum()
        ):
            return None
        if word.text.isdigit():
            if word.text in self.timed:
                if _TIME_WORD.match(layout.text, word.end):
                    return 1, frozenset(self.timed[word.text])
                before = layout.words[i - 1].text.casefold() if i else ""
                own = [n for n in self.timed[word.text] if before and n.casefold().startswith(before)]
                if own:
                    return 1, frozenset(own)
            if (whole := self._spelt(layout, i)) is not None:
                return whole
            if len(word.text) <= 2 and not self._digits_name(layout, i):
                return None
        following = layout.words[i + 1].text if i + 1 < len(layout.words) else ""
        first = canonical(word.text, following)
        if (quantile := self._quantile(layout, i)) is not None:
            return 1, frozenset({quantile})
        if (full := self.by_acronym.get(word.text)) is not None:
            return 1, frozenset({full})
        names = self.by_word.get(first)
        if (
            word.text.casefold() in _WITHOUT
            and following.casefold() in _THAT
            and names is not None
            and len(names) == 1
        ):
            return 2, frozenset(names)
        if (
            following
            and layout.text[word.end] in _HYPHENS
            and (joined := self.by_word.get(stem(word.text + following))) is not None
            and layout.words[i + 1].start - word.end == 1
        ):
            return 2, frozenset(joined)
        if names is not None and word.text.isdigit() and len(names) > 1:
            minus = layout.text[word.start - 1 : word.start] in {"-", "−", "–"} and word.start > 0
            minus = minus and not layout.text[max(0, word.start - 2) : word.start - 1].isalnum()
            names = [n for n in names if n.startswith(("-", "−")) == minus] or names
        if names is None:
            names = self._by_prefix(first) or self._by_short(word.text)
            if names is None or first.isdigit():
                return None
            first = self.short.get(word.text.casefold(), first)
        return self._best(layout, i, names, first)

    def _spelt(self, layout: Layout, i: int) -> tuple[int, frozenset[str]] | None:
        """A name that begins with digits, written as it is: "40-59", "65+"."""
        word = layout.words[i]
        for name in self.by_word.get(word.text, ())[:40]:
            if len(name) > len(word.text) and not name.startswith("="):
                written = layout.text[word.start : word.start + len(name)].replace("–", "-").replace("−", "-")
                if written == name and not layout.text[word.start + len(name) :][:1].isdigit():
                    count = len(layout.words_between(word.start, word.start + len(name)))
                    return count, frozenset({name})
        return None

    def _row_of(self, layout: Layout, i: int) -> tuple[int, frozenset[str]] | None:
        """ "n = 80" or "k = 3" for rows told apart by such a number."""
        word = layout.words[i]
        if i + 1 >= len(layout.words) or not layout.words[i + 1].text.isdigit():
            return None
        after = layout.words[i + 1]
        if (
            layout.text[word.end : after.start].strip() != "="
            or layout.text[after.end : after.end + 2].strip()[:1] == "."
        ):
            return None
        name = f"{word.text} {after.text}"
        if name in self.alias_nodes:
            return 2, frozenset({name})
        if len(word.text) == 1 and after.text in self.digit_keys:
            return 2, frozenset({after.text})
        return None

    def _quantile(self, layout: Layout, i: int) -> str | None:
        """ "10th percentile", "the median" for keys q10, p50, 0.5."""
        word = layout.words[i]
        low = word.text.casefold()
        if low in {"median", "médiane"}:
            level = 50.0
        elif low[:-2].isdigit() and low[-2:] in {"th", "st", "nd", "rd"}:
            level = float(low[:-2])
        else:
            return None
        for name in (f"q{level:g}", f"p{level:g}", f"{level / 100:g}", f"{level:g}%"):
            if name in self.words_of:
                return name
        for key in ("tau", "quantile", "q", "percentile", "p"):
            for name in (f"{key} {level / 100:g}", f"{key} {level:g}"):
                if name in self.alias_nodes:
                    return name
        return None

    def _digits_name(self, layout: Layout, i: int) -> bool:
        """Whether short digits may be a name here: quoted, beside the grouping word, as a row label, or a decimal."""
        word, text = layout.words[i], layout.text
        if any(
            len(n) > len(word.text) and text.startswith(n, word.start)
            for n in self.by_word.get(word.text, ())[:20]
        ):
            return True
        if word.text in self.digit_keys and _TIME_WORD.match(text, word.end):
            return True
        if f"={word.text}" in self.alias_nodes and _AT_VALUE.search(text, max(0, word.start - 8), word.start):
            return True
        if text[word.start - 1 : word.start] in _QUOTES and text[word.end : word.end + 1] in _QUOTES:
            return word.start > 0
        if i and word.start - layout.words[i - 1].end == 1:
            before = layout.words[i - 1]
            if before.stem in GROUPING or self.numbered(layout, before.text):
                return True
            if before.stem in self.by_word and role_of_key(before.text) is Role.VALUE:
                return True
        if i + 1 < len(layout.words) and layout.words[i + 1].start - word.end == 1:
            after = layout.words[i + 1]
            if (
                after.stem in self.by_word
                and after.stem not in GROUPING
                and role_of_key(after.text) is Role.VALUE
                and after.stem in self.text_words
            ):
                return True
        if (
            _ROW_LABEL.search(text, max(0, word.start - 6), word.start)
            and text[word.end : word.end + 1] == ":"
        ):
            return True
        if (
            layout.text[word.end : word.end + 2].strip(" ")[:1] == "."
            and layout.text[word.end + 1 : word.end + 2].isdigit()
        ):
            # the whole part of a decimal names nothing but a decimal: "0.5"
            return any("." in name for name in self.by_word.get(word.text, ())[:40])
        place = layout.cell(word.start)
        return place is not None and place[2] == 0

    def numbered(self, layout: Layout, noun: str) -> bool:
        """Whether the prose tells several of the results apart by a noun with a number: "Sorte 1", "Sorte 3"."""
        if len(noun) < 4 or not noun[0].isupper():
            return False
        known = {m[1] for m in re.finditer(rf"(?<![^\W_]){noun} (\d{{1,2}})(?![\d.,]*\d)", layout.text)}
        return len([d for d in known if d in self.words_of]) > 1

    def _narrowed(self, names: list[str], stems: list[str]) -> list[str]:
        """Of very many names that share a word, those that also share the next word of the prose."""
        for other in stems[1:3]:
            rarer = self.by_word.get(other)
            if rarer is not None and len(rarer) < len(names):
                words = set(names) if len(names) < 2_000 else None
                return [
                    n
                    for n in rarer[:400]
                    if (n in words if words is not None else stems[0] in self.words_of[n])
                ][:200]
        return names[:1] if len(self.words_of[names[0]]) == 1 else []

    def _by_prefix(self, word: str) -> list[str] | None:
        if len(word) < 6 or not self.prefixes:
            return None
        head = word[:5]
        at = bisect_left(self.prefixes, head)
        hits = [
            w
            for w in self.prefixes[at : at + 4]
            if w.startswith(head) and len(w) >= 6 and _shared(w, word) >= 0.75 * min(len(w), len(word))
        ]
        return self.by_word[hits[0]] if len(hits) == 1 else None

    def _by_short(self, word: str) -> list[str] | None:
        """Names that shorten the word: "supp" for supplement."""
        low = word.casefold()
        if len(word) > 3 and word[:1].isupper() and word[:3] in self.words_of:
            self.short[low] = low[:3]
            return self.by_word.get(low[:3])
        for size in range(min(len(low) - 2, 6), 3, -1):
            if (known := self.by_word.get(low[:size])) is not None:
                self.short[low] = low[:size]
                return known
        return None

    def _best(
        self, layout: Layout, i: int, names: list[str], first: str
    ) -> tuple[int, frozenset[str]] | None:
        window = layout.words[i : i + 7]
        stems = [
            canonical(w.text, window[k + 1].text if k + 1 < len(window) else "") for k, w in enumerate(window)
        ]
        for k in range(1, len(window)):
            if window[k].text in ONE and stems[k - 1] in GROUPING:
                stems[k] = ONE[window[k].text]
        best: list[tuple[int, int, str]] = []
        top = (0, 0.0)
        for name in names if len(names) <= 200 else self._narrowed(names, stems):
            words = self.words_of[name]
            reach = min(len(window), len(words) + 2)
            have = {s for s in stems[:reach] if s in words} or {first}
            share = len(have) / len(set(words))
            last, seen = 0, set()
            for k in range(reach):
                if stems[k] in words and stems[k] not in seen:
                    seen.add(stems[k])
                    last = k
            figure_between = any(window[k].text.isdigit() and stems[k] not in words for k in range(last))
            if last and (
                figure_between or _STOPS.search(layout.text[window[0].end : window[last].start + 1])
            ):
                last, seen = 0, {first}
                have, share = {first}, 1 / len(set(words))
            elif (
                window[last].end - window[0].start > 60
                or "\n" in layout.text[window[0].start : window[last].end]
            ):
                have, share, last = {first}, 1 / len(set(words)), 0
            score = (len(have), 1.0 if share == 1 and not (name in self.clipped and len(names) > 1) else 0.0)
            if score > top:
                top, best = score, []
            if score == top:
                best.append((last + 1, len(words), name))
        if not best:
            return None
        letter = len(layout.words[i].text) == 1 and layout.words[i].text.isupper()
        if top[1] < 1 and len(first) < 3 and first != "no" and not letter:
            return None
        if top[1] < 1 and first == "no" and top[0] == 1:
            return None
        if top[1] < 1 and len(best) > 1:
            # several names fit in part: the words may mean any that share the first of them
            return (min(b[0] for b in best), frozenset(names)) if len(names) <= _MAX_TIE else None
        if first.isdigit() and len(first) < 3 and (top[0] > 1 or top[1] < 1) and "." not in best[0][2]:
            alone = [n for n in names if self.words_of[n] == (first,)]
            return (1, frozenset(alone)) if alone else None
        if top[1] < 1 and first.isdigit() and top[0] == 1:
            return None
        return min(b[0] for b in best), frozenset(b[2] for b in best)
