"""Western encodings older than Unicode, told apart by which reading gives letters that people write in words."""

from __future__ import annotations

import codecs
import re

__all__ = ["LEGACY_ERRORS", "is_mixed", "rival", "western"]

_CANDIDATES = ("cp1252", "mac_roman", "cp850")
_LETTERS = frozenset("äöüßéèêëàâáãçñíìîïóòôõúùûåæøœÄÖÜÉÈÀÁÂÇÑÍÓÔÚÅÆØŠšŽžýÿ")
_SIGNS = frozenset("“”‘’„–—…€£°²³µ½·«»©®±×§™•")
_RARE = frozenset("ŠšŽžýÿÿÔÚÂ")
_UTF8 = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_SAMPLE = 64 * 1024
_CLOSE = 0.8
LEGACY_ERRORS = "statistikles-legacy"


def _legacy(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8, read as Windows-1252 one by one."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


codecs.register_error(LEGACY_ERRORS, _legacy)


def _score(data: bytes, encoding: str) -> float:
    """How many of the letters beyond ASCII stand where such letters stand: beside other letters, in their case."""
    text = data.decode(encoding, errors="replace")
    score = 0.0
    for at, letter in enumerate(text):
        if letter < "\x80":
            continue
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if letter in _LETTERS and (before.isalpha() or after.isalpha()):
            in_case = letter.islower() or not before.islower()
            score += (0.4 if letter in _RARE else 1.0) if in_case else 0.1
        elif letter in _SIGNS and not (before.isalpha() and after.isalpha() and letter not in "’–—·"):
            score += 0.8
    return score


def western(data: bytes) -> str:
    """The likeliest of the Western encodings; Windows-1252 when they are equally likely."""
    sample = data[:_SAMPLE]
    best = max(_CANDIDATES, key=lambda name: (_score(sample, name), -_CANDIDATES.index(name)))
    if best == "cp1252" and not any(0x80 <= b <= 0x9F for b in data):
        return "latin-1"
    return best


def rival(data: bytes, encoding: str) -> str:
    """Another Western encoding under which the letters make as much sense, and differ; "" when none does."""
    if encoding not in (*_CANDIDATES, "latin-1"):
        return ""
    sample = data[:_SAMPLE]
    own, text = _score(sample, encoding), sample.decode(encoding, errors="replace")
    for name in _CANDIDATES:
        other = sample.decode(name, errors="replace")
        if other != text and "\ufffd" not in other and _score(sample, name) >= _CLOSE * max(own, 0.5):
            return name
    return ""


def is_mixed(data: bytes) -> bool:
    """Whether UTF-8 letters and letters of an older encoding stand in the same text."""
    n_utf8 = len(_UTF8.findall(data))
    if not n_utf8:
        return False
    rest = _UTF8.sub(b"", data)
    stray = sum(1 for byte in rest if byte >= 0x80)
    return stray > 0 and n_utf8 >= 2
