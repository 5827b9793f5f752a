"""Delimited text (CSV, TSV and kin): encoding, delimiter, header and shape, found by evidence and reported.

The engine reads the file itself when it is plain UTF-8 and rectangular. Everything else (another encoding,
mixed line ends, loose quoting) is first rewritten to a temporary clean copy, and a file that is not
rectangular is refused with the line at fault.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from statistikles.errors import DataError
from statistikles.pipeline.canonicalise.codes import ask, notice
from statistikles.pipeline.canonicalise.decisions import Decisions
from statistikles.pipeline.canonicalise.encodings import LEGACY_ERRORS, is_mixed, rival, western
from statistikles.pipeline.canonicalise.rows import is_note, note_lines
from statistikles.pipeline.engine import THREADS, RawTable, connect, interruptible, literal, unique_headers
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.inference import MISSING_CODES, readings_of
from statistikles.pipeline.progress import shown
from statistikles.pipeline.typed_text import read_typed

__all__ = ["detect_encoding", "read_delimited"]

_HEAD = 256 * 1024
_DELIMITERS = (",", ";", "\t", "|")
_MARKS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
# Guesses that differ from Windows-1252 only in rare letters; short files do not tell them apart.
_WESTERN = re.compile(
    r"(cp125[0247]|latin|iso8859|mac_|cp437|cp85\d|cp86\d|cp1140|cp037|cp500|cp273|hp_roman|ptcp|tis)"
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
MIXED = "utf-8 with cp1252"
_MAX_FIELD = 8 * 1024 * 1024
_MOST_NOTES = 10
# From this size on plain columns are typed while they are read, and by several threads.
_LARGE = 32 * 1024 * 1024
_UNPACKED = 6  # how many times its size a compressed file may take


@dataclass(slots=True)
class _Layout:
    """How the rows of a text file are laid out."""

    delimiter: str
    skip: int
    headers: list[str]
    findings: list[Finding]
    notes: list[tuple[list[str], list[int]]] = field(default_factory=list)


def read_delimited(path: Path, decisions: Decisions | None = None) -> RawTable:
    """Load a delimited text file into table `raw` of a fresh engine, all cells as text."""
    decisions = decisions or Decisions()
    compressed = path.suffix.lower() == ".gz"
    with _opened(path) as stream:
        head = stream.read(_HEAD)
    whole = len(head) < _HEAD
    if not head.strip(b"\xef\xbb\xbf\r\n\t \x00"):
        raise DataError(
            f"The file '{path.name}' is empty.",
            hint="Check that it was saved completely.",
            where=path.name,
            code="empty_file",
        )
    decided = decisions.get("encoding")
    encoding = decided or detect_encoding(head, whole=whole, name=path.name)
    layout = _layout(_decoded_head(head, encoding, whole), path, decisions)
    size = path.stat().st_size * (_UNPACKED if compressed else 1)
    con = connect(threads=1 if size < _LARGE else THREADS, expected_bytes=2 * size)
    raw = RawTable(
        con,
        layout.headers,
        findings=layout.findings,
        delimiter=layout.delimiter,
        loose=True,
        decisions=decisions,
    )
    plain = encoding in ("utf-8", "utf-8-sig") and not compressed and b"\x00" not in head
    if not (plain and _engine_reads(raw, path, layout, skip=layout.skip)):
        if encoding == "utf-8" and not decided and not _all_utf8(path):
            encoding = _fallback_encoding(path)
        with tempfile.TemporaryDirectory(prefix="statistikles-") as folder:
            clean = Path(folder) / "clean.csv"
            _rewrite(path, encoding, layout, clean, notes=decisions.get("notes") != "keep")
            if not _engine_reads(raw, clean, layout, skip=0, delimiter=","):
                raise DataError(
                    f"The file '{path.name}' cannot be read as delimited text.",
                    hint="Save it again as CSV in UTF-8.",
                    where=path.name,
                    code="unreadable",
                )
    if b"\x00" in head and not encoding.startswith(("utf-16", "utf-32")):
        raw.findings.append(
            notice("nul_removed", "NUL characters stand in the text.", done="NUL characters removed.")
        )
    for text, rows in layout.notes:
        note_lines(raw, text, rows)
    if encoding not in ("utf-8", "utf-8-sig"):
        raw.findings.insert(0, _encoding_told(path, encoding, decided is not None))
    return raw


def _encoding_told(path: Path, encoding: str, decided: bool) -> Finding:
    """Say how the letters were read, and ask when they make sense in another way."""
    done = f"Read as {encoding}" + (", as decided." if decided else ".")
    if encoding == MIXED:
        text = "The file mixes UTF-8 with an older encoding."
        return notice(
            "encoding", text, severity="warning", done="Read as UTF-8, and as cp1252 where it is not."
        )
    if not decided and not encoding.startswith("utf"):
        with _opened(path) as stream:
            odd = b"".join(
                line for line in stream.read(_HEAD).splitlines(keepends=True) if not line.isascii()
            )
        other = rival(odd, encoding)
        if other:
            words = [word for word in odd.decode(encoding, errors="replace").split() if not word.isascii()]
            others = [word for word in odd.decode(other, errors="replace").split() if not word.isascii()]
            text = f"Letters beyond ASCII make sense as {encoding} ('{words[0][:30]}') and as {other} ('{others[0][:30]}')."
            asked = ask("", "encoding", (encoding, words[0][:30]), (other, others[0][:30]))
            return notice("encoding_doubt", text, seen=words, done=done, asked=asked)
    return notice("encoding", f"The file is not UTF-8; it was read as {encoding}.", done=done)


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked when it is gzip."""
    try:
        if path.suffix.lower() == ".gz":
            with gzip.open(path, "rb") as packed:
                yield packed  # type: ignore[misc]
        else:
            with path.open("rb") as stream:
                yield stream
    except (OSError, EOFError) as fault:
        raise DataError(
            f"The file '{path.name}' cannot be read: {fault.__class__.__name__}.",
            hint="Check that the file is complete and that you may read it.",
            where=path.name,
            code="unreadable",
        ) from fault


def detect_encoding(head: bytes, *, whole: bool, name: str) -> str:
    """The encoding of a text from its first bytes; binary content is refused."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding
    if head.count(b"\x00") > len(head) // 5:
        even, odd = head[0::2].count(0), head[1::2].count(0)
        if min(even, odd) < max(even, odd) // 20:
            return "utf-16-le" if odd > even else "utf-16-be"
    if len(_CONTROL.findall(head)) > len(head) // 1000 + 1:
        raise DataError(
            f"The file '{name}' is not a text file.",
            hint="Give a CSV, TSV, JSON lines, Excel or Parquet file with its usual extension.",
            where=name,
            code="binary_file",
        )
    try:
        # A multi-byte letter may be cut at the end of the head: allow for it.
        head.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError as fault:
        if not whole and fault.start >= len(head) - 4:
            return "utf-8"
    return _legacy_encoding(head)


def _legacy_encoding(data: bytes) -> str:
    """The likeliest encoding of text that is not Unicode."""
    from charset_normalizer import from_bytes

    if is_mixed(data):
        return MIXED
    best = from_bytes(data).best()
    guess = best.encoding if best is not None else "cp1252"
    high = sum(1 for b in data if b >= 0x80)
    # Western prose has few letters beyond ASCII: a handful of them is no evidence for another script.
    if best is None or high < 10 or _WESTERN.match(guess) or high < len(data) // 20:
        return western(data)
    return guess


def _all_utf8(path: Path) -> bool:
    with _opened(path) as stream, io.TextIOWrapper(stream, encoding="utf-8") as text:
        try:
            for _ in text:
                pass
        except UnicodeDecodeError:
            return False
    return True


def _fallback_encoding(path: Path) -> str:
    """The encoding when the head was plain ASCII but a later line is not UTF-8."""
    with _opened(path) as stream:
        odd = [line for line in stream if not line.isascii()]
    return _legacy_encoding(b"".join(odd)[:_HEAD])


def _codec(encoding: str) -> tuple[str, str]:
    """(codec, error handler) of an encoding."""
    return ("utf-8", LEGACY_ERRORS) if encoding == MIXED else (encoding, "replace")


def _decoded_head(head: bytes, encoding: str, whole: bool) -> str:
    codec, errors = _codec(encoding)
    text = head.decode(codec, errors=errors if whole or codec != encoding else "ignore").removeprefix(
        "\ufeff"
    )
    if not whole:
        cut = max(text.rfind("\n"), text.rfind("\r"))
        text = text[: cut + 1] if cut > 0 else text
    return text.replace("\x00", "")


def _rows(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """The non-blank rows of the head, each with the number of its last line."""
    csv.field_size_limit(_MAX_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    out: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if row:
                out.append((reader.line_num, row))
    except csv.Error:
        return out
    return out


def _layout(text: str, path: Path, decisions: Decisions) -> _Layout:
    """Delimiter, lines to skip and headers, from the head of the file."""
    findings: list[Finding] = []
    offset = 0
    forced = _MARKS.get(decisions.get("delimiter") or "", "")
    if declared := re.match(r"sep=(.)\r?\n", text):
        forced, offset, text = forced or declared.group(1), 1, text[declared.end() :]
    delimiter = forced or _delimiter(text, path)
    numbered = _rows(text, delimiter)
    rows = [row for _, row in numbered]
    if not rows:
        raise DataError(f"The file '{path.name}' has no rows.", where=path.name, code="empty_file")
    title = _title_rows(rows)
    if title:
        lines = sum(any(cell.strip() for cell in row) for row in rows[:title])
        findings.append(
            notice(
                "title_lines",
                f"{lines} title line{'s' if lines != 1 else ''} above the header.",
                "",
                lines,
                seen=[
                    next(cell for cell in row if cell.strip())
                    for row in rows[:title]
                    if any(map(str.strip, row))
                ],
                done="Skipped.",
            )
        )
    last_line, first = numbered[title]
    wanted = decisions.get("header")
    has_header = wanted != "none" and (wanted == "first" or not _looks_like_data(first))
    if not has_header:
        asked = "" if wanted else ask("", "header", ("none", "they are data"), ("first", "they are names"))
        text = "The first row holds numbers, so the columns are called column1, column2, ..."
        findings.append(notice("no_header", text, seen=first, done="Taken for data.", asked=asked))
        last_line = numbered[title - 1][0] if title else 0
    elif len(rows) == title + 1:
        raise DataError(
            f"The file '{path.name}' has a header but no rows of data.",
            hint="Check that it was saved completely.",
            where=path.name,
            code="header_only",
        )
    if len(first) == 1 and len(rows) > 2 and _would_split(rows):
        asked = ask("", "delimiter", ("space", "blanks separate the cells"), ("comma", "it is one column"))
        text = "No delimiter was found; the file is read as one column."
        findings.append(notice("single_column", text, seen=first, asked="" if forced else asked))
    headers = (
        unique_headers(list(first), findings) if has_header else [f"column{i + 1}" for i in range(len(first))]
    )
    return _Layout(delimiter, offset + last_line, headers, findings)


def _delimiter(text: str, path: Path) -> str:
    """The delimiter that cuts the lines into the same number of fields, several at best."""
    order = ("\t", ",", ";", "|") if path.suffix.lower() in (".tsv", ".tab") else _DELIMITERS
    best, best_score = order[0], (0.0, 0.0)
    for candidate in order:
        widths = Counter(len(row) for _, row in _rows(text, candidate)[:2000])
        width, count = max(
            widths.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]), default=(1, 0)
        )
        if width < 2:
            continue
        share = count / sum(widths.values())
        score = (round(share, 1), width * share)
        if score > best_score:
            best, best_score = candidate, score
    return best


def _title_rows(rows: list[list[str]]) -> int:
    """How many rows above the header hold nothing but a title in their first cell."""
    usual = Counter(len(row) for row in rows).most_common(1)[0][0]
    if usual < 2:
        return 0
    count = 0
    for row in rows[: min(10, len(rows) - 2)]:
        filled = [cell for cell in row if cell.strip()]
        if len(filled) > 1 or (len(row) == usual and filled != [row[0]]):
            break
        count += 1
    follower = rows[count]
    return count if count and len([c for c in follower if c.strip()]) > 1 else 0


def _looks_like_data(row: list[str]) -> bool:
    """Whether a first row is data: every filled cell a number, and at least one."""
    cells = [c.strip() for c in row if c.strip() and c.strip() not in MISSING_CODES]
    return bool(cells) and all(readings_of([c])[0].kind in ("integer", "float") for c in cells)


def _would_split(rows: list[list[str]]) -> bool:
    widths = {len(row[0].split()) for row in rows[:50] if row}
    return len(widths) == 1 and widths.pop() > 1


def _engine_reads(raw: RawTable, path: Path, layout: _Layout, *, skip: int, delimiter: str = "") -> bool:
    """Let the engine read the file; False when it finds the text not clean and rectangular."""
    import duckdb

    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(layout.headers)))
    pattern = re.sub(r"([*?\[])", r"[\1]", str(path))
    source = (
        f"read_csv({literal(pattern)}, auto_detect=false, header=false, skip={skip}, "
        f"delim={literal(delimiter or layout.delimiter)}, quote='\"', escape='\"', "
        f"columns={{{columns}}}, strict_mode=true, null_padding=false, max_line_size={_MAX_FIELD})"
    )
    with shown(raw.con, path.name):
        # What was decided about single cells needs them as they are written.
        if not raw.decisions and path.stat().st_size >= _LARGE and read_typed(raw, source, path):
            return True
        try:
            with interruptible():
                raw.con.execute(f"CREATE OR REPLACE TABLE raw AS SELECT * FROM {source}")  # noqa: S608
        except duckdb.Error:
            return False
    return True


def _rewrite(path: Path, encoding: str, layout: _Layout, target: Path, *, notes: bool) -> None:
    """A clean UTF-8 copy without header, or the error that names the line at fault."""
    csv.field_size_limit(_MAX_FIELD)
    width = len(layout.headers)
    codec, errors = _codec(encoding)
    extra = written = 0
    below: list[tuple[str, int, int]] = []  # lines that are no rows: only notes, if no row follows
    with (
        _opened(path) as stream,
        io.TextIOWrapper(stream, encoding=codec, errors=errors, newline="") as text,
        target.open("w", encoding="utf-8", newline="") as out,
    ):
        reader = csv.reader(
            (line.replace("\x00", "") for line in text),
            delimiter=layout.delimiter,
            skipinitialspace=layout.delimiter == " ",
        )
        writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
        try:
            for row in reader:
                if reader.line_num <= layout.skip or not row:
                    continue
                if len(row) > width and not any(cell.strip() for cell in row[width:]):
                    extra += 1
                    row = row[:width]
                if len(row) != width or below:
                    if not notes or not (written and _may_be_note(row, width, below)):
                        line, found = (below[0][1], below[0][2]) if below else (reader.line_num, len(row))
                        raise _ragged(path, line, width, found, layout.delimiter)
                    below.append((layout.delimiter.join(row), reader.line_num, len(row)))
                    continue
                writer.writerow(row)
                written += 1
        except csv.Error as fault:
            raise DataError(
                f"Line {reader.line_num} of '{path.name}' cannot be read: {fault}.",
                hint="Check the quotation marks on that line.",
                where=f"line {reader.line_num}",
                code="unreadable",
            ) from fault
    if below:
        layout.notes.append(
            ([line for line, _, _ in below], list(range(written + 1, written + len(below) + 1)))
        )
    if extra:
        text_of = f"{extra} rows end in extra empty cells."
        layout.findings.append(
            notice("extra_cells", text_of, "", extra, done="The empty cells were left out.")
        )


def _may_be_note(row: list[str], width: int, below: list[tuple[str, int, int]]) -> bool:
    """Whether a line that is no row may be a note below the data: a text of its own, or one cut at its commas."""
    filled = [cell for cell in row if cell.strip()]
    if len(row) == width and len(filled) > 1:
        return False
    text = filled[0] if filled else ""
    return len(below) < _MOST_NOTES and (is_note(text) or (len(filled) == 1 and bool(below)))


def _ragged(path: Path, line: int, expected: int, found: int, delimiter: str) -> DataError:
    return DataError(
        f"Line {line} of '{path.name}' has {found} fields where {expected} are expected.",
        hint=f"The delimiter found is '{_NAMES.get(delimiter, delimiter)}'. Put cells that contain it "
        "in double quotes, or correct that line.",
        where=f"line {line}",
        code="ragged_rows",
    )
