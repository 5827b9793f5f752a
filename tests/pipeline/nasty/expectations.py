"""What is expected of each nasty file: the findings of its reading, its values, and the lines that are no data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["NASTY", "Nasty"]


@dataclass(frozen=True)
class Nasty:
    """One file. `codes` are all findings (code, column) beyond its trivial reading; `values` some columns as typed.

    `gone` are the records below the header (from 0) that are not data; `asks` the codes that must ask something.
    `decide` are decisions, and `then` the values of columns after them. `fails` is the code of the refusal.
    """

    file: str
    codes: set[tuple[str, str]] = field(default_factory=set)
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    asks: set[str] = field(default_factory=set)
    gone: tuple[int, ...] = ()
    decide: tuple[str, ...] = ()
    then: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    encoding: str = "utf-8"
    delimiter: str = ","
    fails: str = ""


NASTY = (
    Nasty(
        "ambiguous_dates.csv",
        {("ambiguous_date", "seen")},
        {"seen": ["03/04/2021", "05/06/2021", "01/02/2021", "02/03/2021"]},
        {"ambiguous_date"},
        decide=("seen:dates=mdy",),
        then={"seen": ["2021-03-04", "2021-05-06", "2021-01-02", "2021-02-03"]},
    ),
    Nasty("day_first.csv", {("date_order", "seen")}, {"seen": ["2021-04-03", "2021-06-25", "2021-02-01"]}),
    Nasty("month_first.csv", {("date_order", "seen")}, {"seen": ["2021-03-04", "2021-06-25", "2021-01-02"]}),
    Nasty(
        "both_orders.csv",
        {("mixed_date_orders", "seen")},
        {"seen": ["25/04/2021", "06/25/2021", "01/02/2021"]},
        {"mixed_date_orders"},
    ),
    Nasty(
        "epochs.csv",
        {("epoch_hint", "created_at"), ("epoch_hint", "updated_ms")},
        {"created_at": [1609459200, 1612137600, 1614556800]},
        {"epoch_hint"},
        decide=("created_at:epoch=s", "updated_ms:epoch=ms"),
        then={
            "created_at": ["2021-01-01", "2021-02-01", "2021-03-01"],
            "updated_ms": ["2021-01-01", "2021-02-01", "2021-03-01 00:00:00.500000"],
        },
    ),
    Nasty(
        "excel_serials.csv",
        {("epoch_hint", "visit_date")},
        {"visit_date": [44197, 44228, 44256]},
        {"epoch_hint"},
        decide=("visit_date:epoch=excel",),
        then={"visit_date": ["2021-01-01", "2021-02-01", "2021-03-01"]},
    ),
    Nasty(
        "thousands_doubt.csv",
        {("ambiguous_number", "price")},
        {"price": [1.234, 2.345, 3.456]},
        {"ambiguous_number"},
        decide=("price:decimal=comma",),
        then={"price": [1234, 2345, 3456]},
    ),
    Nasty(
        "decimal_comma.csv",
        {("decimal_comma", "size"), ("thousands_separator", "mass")},
        {"size": [1.5, 2.25, 3.75], "mass": [1234.5, 2345.0, 987.1]},
        delimiter=";",
    ),
    Nasty(
        "percent.csv",
        {("percent", "share"), ("percent_mixed", "mixed")},
        {"share": [35, 40.5, 12], "mixed": ["35%", "0.4", "12%"]},
        {"percent_mixed"},
        decide=("mixed:percent=fraction",),
        then={"mixed": [0.35, 0.4, 0.12]},
    ),
    Nasty(
        "currency.csv",
        {("currency", "price"), ("currency_mixed", "paid")},
        {"price": [1.5, 2.75, 3], "paid": ["$3", "€4", "$5"]},
        {"currency_mixed"},
        decide=("paid:currency=ignore",),
        then={"paid": [3, 4, 5]},
    ),
    Nasty(
        "truth.csv",
        set(),
        {"a": ["ja", "nein", "ja"], "b": ["oui", "non", "oui"], "c": ["true", "false", "true"]},
        decide=("a:type=boolean", "b:type=boolean", "d:type=boolean"),
        then={"a": ["true", "false", "true"], "b": ["true", "false", "true"], "d": ["true", "false", "true"]},
    ),
    Nasty("zip_codes.csv", {("leading_zeros", "zip")}, {"zip": ["01234", "02345", "10001"]}),
    Nasty(
        "genes.csv",
        {("gene_dates", "gene")},
        {"gene": ["TP53", "2-Sep", "BRCA1", "Mar-01", "KRAS2"]},
        {"gene_dates"},
        decide=("gene:genes=missing",),
        then={"gene": ["TP53", None, "BRCA1", None, "KRAS2"]},
    ),
    Nasty(
        "clones.csv",
        {("gene_dates", "clone_id")},
        {"clone_id": ["2.31E+13", "A1B2", "3.20E+05", "C77D", "Q12"]},
        {"gene_dates"},
    ),
    Nasty(
        "missing_codes.csv",
        {("missing_code", "income"), ("missing_doubt", "age"), ("missing_doubt", "score")},
        {"age": [33, -999, 41, 52, 38, 44], "income": [1000, None, 1200, None, 900, 1100]},
        {"missing_doubt"},
        decide=("age:missing=-999", "score:missing=99"),
        then={"age": [33, None, 41, 52, 38, 44], "score": [4, None, 3, 5, 2, 1]},
    ),
    Nasty(
        "headers.csv",
        {("header_blanks", "name"), ("duplicate_header", "x_2"), ("blank_header", "column4")},
        {"name": ["a", "b", "c"], "x": [1, 2, 3], "x_2": [2, 3, 4], "column4": [3, 4, 5], "y": [4, 5, 6]},
    ),
    Nasty(
        "footer.csv",
        {("footer_total", "")},
        {"region": ["north", "south", "east"], "n": [10, 20, 30]},
        gone=(3,),
        decide=("*:footer=keep",),
        then={"n": [10, 20, 30, 60]},
    ),
    Nasty(
        "repeated_header.csv",
        {("repeated_header", "")},
        {"a": [1, 2, 3, 4], "b": ["x", "y", "x", "y"]},
        gone=(2,),
        decide=("*:repeated_headers=keep",),
        then={"a": ["1", "2", "a", "3", "4"]},
    ),
    Nasty(
        "units_row.csv",
        {("units_row", "")},
        {"id": [1, 2, 3, 4], "length": [10, 12, 11, 13], "mass": [2.5, 3.5, 1.5, 2.25]},
        gone=(0,),
    ),
    Nasty("notes.csv", {("notes_below", "")}, {"n": [10, 25, 31]}, gone=(3, 4)),
    Nasty("utf16.csv", {("encoding", "")}, {"city": ["Köln", "Łódź", "Αθήνα"]}, encoding="utf-16"),
    Nasty("cp1252.csv", {("encoding", "")}, {"city": ["Köln", "Málaga", "Århus – old"]}, encoding="cp1252"),
    Nasty(
        "mixed_encodings.csv",
        {("encoding", ""), ("mojibake", "city")},
        {"city": ["KÃ¶ln", "München", "Oslo"]},
        encoding="latin-1",
    ),
    Nasty(
        "variants.csv",
        {("trimmed", "sex"), ("variants", "sex")},
        {"sex": ["male", "Male", "female", "female", "male", "fe\u00a0male", "fe male", "female"]},
        {"variants"},
        decide=("sex:variants=merge",),
        then={"sex": ["male", "male", "female", "female", "male", "fe male", "fe male", "female"]},
    ),
    Nasty(
        "mixed_types.csv",
        {("numbers_and_text", "dose")},
        {"dose": ["10", "12.5", "<5", "11", "13", "14", "15", "unknown", "16", "17"]},
        {"numbers_and_text"},
        decide=("dose:type=number",),
        then={"dose": [10, 12.5, None, 11, 13, 14, 15, None, 16, 17]},
    ),
    Nasty("ragged.csv", fails="ragged_rows"),
    Nasty(
        "quotes.csv",
        set(),
        {"name": ["Smith, J.", "Two\nlines", "Lee"], "note": ['said "no"', "plain", "a;b"]},
    ),
    Nasty(
        "homoglyphs.csv",
        {("variants", "grade"), ("look_alikes", "grade")},
        {"grade": ["A", "B", "\u0410", "A", "B", "Code\u0441"]},
        {"variants"},
        decide=("grade:variants=merge",),
        then={"grade": ["A", "B", "A", "A", "B", "Code\u0441"]},
    ),
    Nasty(
        "ages.csv",
        {("age_disagrees", "age")},
        {"age": [60, 59, 58, 57, 65, 55, 54, 53, 52, 51, 50, 49]},
        {"age_disagrees"},
        decide=("age:disagree=missing",),
        then={"age": [60, 59, 58, 57, None, 55, 54, 53, 52, 51, 50, 49]},
    ),
    Nasty(
        "merged.xlsx",
        {("merged_cells", "")},
        {"plot": ["north", "north", "south", "south"], "yield": [1.5, 1.75, 2.5, 2.25]},
        decide=("*:merged=leave",),
        then={"plot": ["north", None, "south", None]},
    ),
)
