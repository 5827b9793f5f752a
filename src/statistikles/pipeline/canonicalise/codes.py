"""The code of every finding of this stage: what it means, how grave it usually is, and what can be decided about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from statistikles.pipeline.findings import Finding, Severity

__all__ = ["CODES", "Code", "ask", "decision", "notice", "quote"]

_SHOWN = 5
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Code:
    """What a code means. `keys` are the decisions that can answer it."""

    name: str
    severity: Severity
    meaning: str
    keys: tuple[str, ...] = ()


_ALL = (
    Code("encoding", "info", "The text is not UTF-8; the encoding was found by its bytes.", ("encoding",)),
    Code("encoding_doubt", "warning", "Letters beyond ASCII make sense in more than one encoding.", ("encoding",)),
    Code("nul_removed", "info", "NUL characters were removed from the text."),
    Code("title_lines", "info", "Lines above the header hold a title and were skipped."),
    Code("no_header", "warning", "The first row looks like data, so the columns got names.", ("header",)),
    Code("single_column", "warning", "No delimiter was found.", ("delimiter",)),
    Code("extra_cells", "info", "Rows end in empty cells beyond the last column, which were left out."),
    Code("sheet", "info", "The workbook has several sheets; one was read."),
    Code("header_blanks", "info", "Blanks at the ends of or doubled in a header were tidied."),
    Code("blank_header", "info", "A column without header got a name."),
    Code("duplicate_header", "warning", "Two columns have the same header; the later one was renamed."),
    Code("index_left_out", "info", "The index of a data frame is not a column."),
    Code("nested", "warning", "Cells hold lists or objects, kept as text."),
    Code("repeated_header", "info", "Rows in the body repeat the header.", ("repeated_headers",)),
    Code("units_row", "info", "The row below the header holds units.", ("units_row",)),
    Code("notes_below", "info", "Lines of text stand below the data.", ("notes",)),
    Code("blank_rows", "info", "Rows without any entry stand among the data.", ("blank_rows",)),
    Code("footer_total", "warning", "A last row holds the totals of the columns.", ("footer",)),
    Code("footer_doubt", "problem", "A last row is called a total, or looks like one, but is not certain.", ("footer",)),
    Code("merged_cells", "info", "Merged cells of a workbook stand for several rows.", ("merged",)),
    Code("trimmed", "info", "Blanks at the ends of cells were removed."),
    Code("missing_code", "info", "Entries that stand for a missing value were read as missing.", ("missing",)),
    Code("missing_decided", "info", "Entries became missing because it was decided.", ("missing",)),
    Code("missing_doubt", "problem", "A number or word looks like a code for missing.", ("missing",)),
    Code("ambiguous_number", "warning", "A mark can separate decimals or thousands.", ("decimal",)),
    Code("thousands_separator", "info", "A mark was read as a thousands separator.", ("decimal",)),
    Code("decimal_comma", "info", "The comma was read as the decimal mark.", ("decimal",)),
    Code("notation", "info", "Signs around numbers (a typographic minus, brackets for negatives) were understood."),
    Code("percent", "info", "Cells carry a percent sign.", ("percent",)),
    Code("percent_mixed", "problem", "Some cells carry a percent sign and others do not.", ("percent", "type")),
    Code("currency", "info", "Cells carry one currency sign."),
    Code("currency_mixed", "problem", "Cells carry different currencies.", ("currency",)),
    Code("digits_lost", "warning", "Numbers are written with more digits than a 64-bit number holds.", ("type",)),
    Code("leading_zeros", "info", "Numbers with leading zeros are codes and stay text.", ("type",)),
    Code("huge_integers", "info", "Integers too long to hold exactly stay text."),
    Code("numbers_and_text", "warning", "A column is mostly numbers, with other entries.", ("missing", "type")),
    Code("numbers_made", "warning", "Entries that are no numbers became missing because it was decided.", ("type",)),
    Code("mixed_types", "warning", "A column mixes cells of different types.", ("type",)),
    Code("truth_values", "info", "Words became truth values because it was decided.", ("type",)),
    Code("date_format", "info", "Dates in another notation than ISO became dates.", ("dates",)),
    Code("date_order", "info", "The order of day and month follows from the cells or was decided.", ("dates",)),
    Code("ambiguous_date", "problem", "The order of day and month cannot be told.", ("dates",)),
    Code("mixed_date_orders", "problem", "Some cells prove the day first, others the month first.", ("dates",)),
    Code("two_digit_year", "warning", "Years have two digits; the century is an assumption.", ("pivot",)),
    Code("dates_and_text", "warning", "A column is mostly dates, with other entries.", ("missing", "dates", "epoch")),
    Code("time_zone", "info", "Times with a zone are given in UTC."),
    Code("clock_times", "info", "Clock times or durations are kept as text.", ("type",)),
    Code("epoch_hint", "warning", "Numbers look like a count of time: Unix time or a spreadsheet's days.", ("epoch",)),
    Code("epoch_read", "info", "Numbers became times because it was decided.", ("epoch",)),
    Code("date_digits", "warning", "Eight digits look like a date.", ("dates",)),
    Code("gene_dates", "problem", "Gene names were turned into dates by a spreadsheet.", ("genes",)),
    Code("sci_identifiers", "problem", "Identifiers were turned into numbers like 2.31E+13 by a spreadsheet.", ("genes",)),
    Code("fill_down", "problem", "Blanks below a label may mean the label above them.", ("fill",)),
    Code("filled_down", "info", "Blanks took the label above them because it was decided.", ("fill",)),
    Code("variants", "warning", "A category is spelled in several ways.", ("variants",)),
    Code("look_alikes", "warning", "Words mix letters of two alphabets that look alike.", ("variants",)),
    Code("mojibake", "warning", "Letters were damaged by a wrong encoding before the file was saved."),
    Code("columns_disagree", "warning", "Two columns hold the same but for some rows.", ("disagree",)),
    Code("total_disagrees", "warning", "A total differs from the sum of its parts in some rows.", ("disagree",)),
    Code("age_disagrees", "warning", "An age does not fit the birth date in some rows.", ("disagree",)),
    Code("decided", "info", "A decision was applied."),
    Code("sampled", "info", "A check looked at part of the rows only."),
)  # fmt: skip
CODES: Mapping[str, Code] = {code.name: code for code in _ALL}


def quote(text: object) -> str:
    """A cell as it is quoted in a sentence."""
    shown = str(text)
    return f"'{shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + '…'}'"


def decision(column: str, key: str, value: str) -> str:
    """A decision as the user would type it."""
    return f"`{column or '*'}:{key}={value}`"


def ask(column: str, key: str, *options: tuple[str, str]) -> str:
    """The question of a finding: each decision that settles it, and what it would mean."""
    told = [f"{decision(column, key, value)} ({meaning})" for value, meaning in options]
    return "Decide " + " or ".join(told) + "."


def notice(
    code: str,
    message: str,
    column: str = "",
    count: int = 0,
    *,
    severity: Severity | None = None,
    rows: Iterable[int] = (),
    seen: Iterable[object] = (),
    done: str = "",
    asked: str = "",
) -> Finding:
    """A finding with a code of this stage and its usual severity."""
    return Finding(
        code,
        message,
        column,
        count,
        severity=severity or CODES[code].severity,
        stage="canonicalise",
        rows=tuple(int(row) for row in rows)[:_SHOWN],
        seen=tuple(quote(text)[1:-1] for text in seen)[:_SHOWN],
        done=done,
        asked=asked,
    )
