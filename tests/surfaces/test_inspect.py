"""`statistikles inspect`: the page on the terminal, as JSON and as HTML."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from statistikles.output.inspection import Sheet, inspection_html, inspection_json
from statistikles.pipeline.sources import load
from statistikles.pipeline.stewardship import examine
from statistikles.surfaces.cli import main

PENGUINS = str(Path(__file__).parents[2] / "examples" / "penguins.csv")
DOUBTFUL = "seen,weight,age\n03/04/2021,1.5,33\n05/06/2021,2.5,44\n01/02/2021,3.5,-999\n02/03/2021,1.5,51\n"
HOSTILE = {
    "<script>alert(1)</script>": ["<img src=x onerror=alert(1)>", "b&b", "</table>", '"quote"'],
    "turned \u202eround\x1b[31m": [1, 2, 3, -999],
}


class Page(HTMLParser):
    """The elements of a page, and whether they are nested properly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def doubtful(tmp_path: Path) -> Path:
    path = tmp_path / "visits.csv"
    path.write_text(DOUBTFUL, encoding="utf-8")
    return path


def test_the_terminal_shows_decisions_before_columns(
    doubtful: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(doubtful)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("visits: 4 rows, 3 columns")
    places = [out.index(text) for text in ("To decide", "ambiguous_date", "seen:dates=dmy", "Columns")]
    assert places == sorted(places)
    assert "why" in out and "sure" in out


def test_json_joins_column_and_scale(doubtful: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(doubtful), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert {finding["code"] for finding in content["to_decide"]} == {"ambiguous_date", "missing_doubt"}
    assert all(finding in content["findings"] for finding in content["to_decide"])
    weight = content["columns"][1]
    assert (weight["name"], weight["kind"], weight["scale"], weight["n"]) == ("weight", "numeric", "ratio", 4)
    assert 0 < weight["confidence"] <= 1 and weight["reason"]


def test_the_page_is_complete_and_needs_nothing_else(
    doubtful: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "page.html"
    assert main(["inspect", str(doubtful), "--html", str(target)]) == 0
    assert str(target) in capsys.readouterr().err
    text = target.read_text(encoding="utf-8")
    page = Page(text)
    tags = [tag for tag, _ in page.found]
    assert (
        not {"script", "link", "img", "iframe"} & set(tags) and "http" not in text and "@import" not in text
    )
    assert ("html", {"lang": "en"}) in page.found and tags.count("main") == tags.count("h1") == 1
    assert all(attrs.get("scope") for tag, attrs in page.found if tag == "th")
    assert "prefers-color-scheme:dark" in text
    assert text.index("ambiguous_date") < text.index('<h2 id="columns">')


def test_every_finding_stands_on_the_page_once(doubtful: Path) -> None:
    table = load(doubtful)
    inspection = examine(table)
    sheet = Sheet(table, inspection)
    shown = [*sheet.urgent, *(f for _, found in sheet.others() for f in found)]
    assert sorted(map(id, shown)) == sorted(map(id, inspection.findings))
    page = inspection_html(table, inspection)
    assert page.count("<li class=") == len(inspection.findings)


def test_what_comes_from_the_data_stays_text() -> None:
    table = load(HOSTILE)
    page = inspection_html(table, examine(table))
    assert not {"script", "img"} & {tag for tag, _ in Page(page).found}
    assert "\u202e" not in page and "\x1b" not in page
    json.dumps(inspection_json(table, examine(table)), allow_nan=False)


def test_hostile_headers_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hostile.csv"
    path.write_text("a\x1b[31mb,[bold]c\n1,2\n3,4\n5,-999\n", encoding="utf-8")
    assert main(["inspect", str(path)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "[bold]c" in out


def test_constraints_are_checked(doubtful: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("[columns.weight]\nmax = 3\n", encoding="utf-8")
    assert main(["inspect", str(doubtful), "--json", "--constraints", str(rules)]) == 1
    codes = {finding["code"] for finding in json.loads(capsys.readouterr().out)["findings"]}
    assert {"constraints", "above_maximum"} <= codes
    rules.write_text("[columns.weight]\nmin = 0\n", encoding="utf-8")
    assert main(["inspect", str(doubtful), "--json", "--constraints", str(rules)]) == 0


def test_contrast_of_the_page_is_enough_in_both_schemes() -> None:
    table = load({"a": [1, 2]})
    schemes = re.findall(r"--ink:.*?\}", inspection_html(table, examine(table)), re.DOTALL)
    assert len(schemes) == 2
    for scheme in schemes:
        colours = dict(re.findall(r"--(\w+):(#\w+)", scheme))
        for ink in ("ink", "quiet", "problem", "warning", "info"):
            for ground in ("paper", "card"):
                assert (
                    _contrast(colours[ink], colours[ground]) >= 4.5
                )  # WCAG 2.2, success criterion 1.4.3 (AA)


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("target", ["page.txt", "no/such/folder/page.html"])
def test_a_page_that_cannot_be_written_is_refused_first(
    target: str, doubtful: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["inspect", str(doubtful), "--html", str(tmp_path / target)]) == 2
    assert not capsys.readouterr().out


def test_plot_goes_on_working(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", PENGUINS, "--plot"]) == 0
    assert "body_mass_g" in capsys.readouterr().out


def test_the_page_shows_what_is_to_be_typed_as_code() -> None:
    from statistikles.output.inspection import _prose

    assert _prose("State `a=this` & <go>.") == "State <code>a=this</code> &amp; &lt;go&gt;."
