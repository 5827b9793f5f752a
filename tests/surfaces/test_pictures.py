"""Pictures: every number comes from the ledger, the same call gives the same bytes, and odd data are drawn as well."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from statistikles import Session
from statistikles.output.pictures import Picture, picture_of, pictures_of, spec
from statistikles.output.pictures.choice import CHOICES, options
from statistikles.output.pictures.derived import fixed
from statistikles.output.pictures.drawing import laid_out
from statistikles.output.pictures.easel import Name, said
from statistikles.output.pictures.grid import log_ticks
from statistikles.output.pictures.overview import pictures_of_table
from statistikles.output.pictures.source import unsupported, walk
from statistikles.output.pictures.spec import Numbers, Said
from statistikles.registry.manifest import manifest
from statistikles.surfaces.plots import STYLES

from .conftest import PENGUINS, Run


def trial(n: int = 60) -> dict[str, list[Any]]:
    """A table with a column for everything a picture can need."""
    rng = np.random.default_rng(3)
    arm = ["drug" if i % 2 else "placebo" for i in range(n)]
    before = rng.normal(50, 8, n)
    times = rng.exponential(20, n) + 0.5
    return {
        "arm": arm,
        "site": [("north", "south", "east")[i % 3] for i in range(n)],
        "before": before.tolist(),
        "after": (before + rng.normal(2, 4, n)).tolist(),
        "later": (before + rng.normal(3, 4, n)).tolist(),
        "age": rng.integers(20, 80, n).tolist(),
        "dose": np.linspace(0.5, 12, n).tolist(),
        "response": (20 * np.exp(-0.4 * np.linspace(0.5, 12, n)) + 3 + rng.normal(0, 0.4, n)).tolist(),
        "cured": [int(a < 0.5) for a in rng.random(n)],
        "months": times.tolist(),
        "died": [int(a < 0.6) for a in rng.random(n)],
    }


CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "boxes": ("t_test", {"type": "independent", "groups": {"column": "after", "by": "arm"}}),
    "paired": ("t_test", {"type": "paired", "group1": "before", "group2": "after"}),
    "one-sample": ("t_test", {"type": "one_sample", "group1": "after", "mu0": 50}),
    "anova": ("anova", {"groups": {"column": "after", "by": "site"}}),
    "repeated": ("anova", {"type": "repeated_measures", "data": ["before", "after", "later"]}),
    "ranks": ("nonparametric_test", {"type": "kruskal_wallis", "groups": {"column": "after", "by": "site"}}),
    "normality": ("test_assumptions", {"type": "normality", "data": "after"}),
    "levene": ("test_assumptions", {"type": "levene", "groups": {"column": "after", "by": "arm"}}),
    "described": ("descriptive_statistics", {"data": "after"}),
    "frequencies": ("frequency_analysis", {"data": {"column": "site"}}),
    "shares": ("chi_square", {"type": "independence", "observed": {"column": "arm", "by": "site"}}),
    "pearson": ("correlation", {"x": "before", "y": "after"}),
    "spearman": ("correlation", {"method": "spearman", "x": "before", "y": "after"}),
    "regression": ("regression", {"x": ["before"], "y": "after"}),
    "two-predictors": ("regression", {"x": ["before", "age"], "y": "after"}),
    "logistic": ("logistic_regression", {"x": ["age"], "y": "cured"}),
    "kaplan-meier": ("survival_analysis", {"type": "kaplan_meier", "times": "months", "events": "died", "groups": "arm"}),
    "cox": ("survival_analysis", {"type": "cox", "times": "months", "events": "died", "x": ["age"]}),
    "meta": ("meta_analysis", {"effect_sizes": [0.2, 0.5, 0.1, 0.4], "variances": [0.04, 0.02, 0.09, 0.05]}),
    "acf": ("time_series", {"type": "acf", "data": "after", "max_lag": 10}),
    "pca": ("pca", {"x": ["before", "after", "later"]}),
    "normality-by-group": ("test_assumptions", {"type": "normality", "groups": {"column": "after", "by": "site"}}),
    "agreement": ("inter_rater_reliability", {"type": "bland_altman", "rater1": "before", "rater2": "after"}),
    "curve": (
        "nonlinear_regression",
        {
            "formula": "a*exp(-b*dose)+c",
            "data": {"dose": {"column": "dose"}, "response": {"column": "response"}},
            "response": "response",
            "start": {"a": 15, "b": 0.3, "c": 2},
        },
    ),
    "partial": ("correlation", {"method": "partial", "x": "before", "y": "after", "covariates": ["age"]}),
    "strata": ("chi_square", {"type": "mantel_haenszel", "x": "arm", "y": "cured", "strata": "site"}),
    "jump": ("causal_inference", {"type": "rdd", "y": "after", "x": "before", "threshold": 50}),
    "interaction": ("anova", {"type": "factorial", "y": "after", "factor_a": "arm", "factor_b": "site"}),
    "adjusted": ("anova", {"type": "factorial", "y": "after", "factor_a": "site", "covariates": ["age"]}),
    "fitted": ("mle_fit", {"data": "months", "distribution": "exponential"}),
    "diagnostic": (
        "diagnostic_metrics",
        {"true_positive": 40, "false_negative": 8, "true_negative": 70, "false_positive": 12},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(data={"trial": trial()})


@pytest.fixture(scope="module")
def drawn(session: Session) -> dict[str, list[Picture]]:
    """The pictures of every call."""
    out = {}
    for name, (tool, arguments) in CALLS.items():
        record = session.run(tool, arguments)
        assert "error" not in record["result"], (name, record["result"])
        out[name] = pictures_of(record, session)
        if any(picture.kind == "boxes" for picture in out[name]):
            out[name] += pictures_of(record, session, option="violins")[:1]
    return out


@pytest.mark.parametrize("name", CALLS)
def test_every_number_comes_from_the_ledger(
    name: str, session: Session, drawn: dict[str, list[Picture]]
) -> None:
    assert drawn[name], "no picture"
    for picture in drawn[name]:
        assert unsupported(picture, session.workspace) == []
        assert picture.provenance.entries


@pytest.mark.parametrize("name", CALLS)
def test_it_is_drawn_in_every_form(name: str, drawn: dict[str, list[Picture]]) -> None:
    for picture in drawn[name]:
        root = ET.fromstring(picture.svg())
        assert root.tag.endswith("svg")
        assert picture.png(dpi=40).startswith(b"\x89PNG")
        page = picture.html()
        assert "<svg" in page and "http://" not in page.replace("http://www.w3.org", "")
        text = picture.terminal(80)
        assert str(picture.title) in text
        assert max(len(line) for line in text.splitlines()) <= 80
        plain = picture.terminal(80, plain=True)
        assert not any("\u2500" <= c <= "\u28ff" for c in plain)  # names keep their own letters


def shown_texts(figure: Figure) -> list[Text]:
    """The texts of a figure but for ticks beyond the ends of an axis, which are not drawn."""
    beyond = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low <= tick.get_loc() <= high:
                    beyond |= {tick.label1, tick.label2}
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text) and text not in beyond]
    return [text for text in texts if text.get_visible() and text.get_text()]


def test_every_text_is_inside_the_picture(drawn: dict[str, list[Picture]]) -> None:
    long = "a name that goes on and on, as names of columns and of their values do in real tables"
    table = {f"{long} {name}": values for name, values in trial().items()}
    own = Session(data={"t": {**table, "値": ["甲乙丙丁戊己庚辛" * 4, "子丑"] * 30}})
    calls: list[tuple[str, dict[str, Any]]] = [
        ("t_test", {"type": "independent", "groups": {"column": f"{long} after", "by": "値"}}),
        ("anova", {"groups": {"column": f"{long} after", "by": f"{long} site"}}),
        ("t_test", {"type": "paired", "group1": f"{long} before", "group2": f"{long} after"}),
        ("chi_square", {"type": "independence", "observed": {"column": "値", "by": f"{long} site"}}),
        ("frequency_analysis", {"data": {"column": "値"}}),
        ("logistic_regression", {"x": [f"{long} age"], "y": f"{long} cured"}),
    ]
    pictures = [picture for found in drawn.values() for picture in found]
    pictures += [picture for call in calls for picture in pictures_of(own.run(*call), own)]
    for picture in pictures:
        with laid_out(picture) as figure:
            figure.canvas.draw()
            for text in shown_texts(figure):
                box = text.get_window_extent()
                assert box.x0 >= -1 and box.x1 <= figure.bbox.x1 + 1, (picture.kind, text.get_text())
                assert box.y0 >= -1 and box.y1 <= figure.bbox.y1 + 1, (picture.kind, text.get_text())


def test_the_same_call_gives_the_same_bytes(drawn: dict[str, list[Picture]]) -> None:
    again = Session(data={"trial": trial()})
    for name in ("boxes", "pearson", "kaplan-meier"):
        picture = drawn[name][0]
        assert picture.svg() == picture.svg()
        assert picture.png(dpi=40) == picture.png(dpi=40)
        tool, arguments = CALLS[name]
        other = picture_of(again.run(tool, arguments), again)
        assert other is not None
        assert [str(t) for t in (other.title, *other.notes)] == [
            str(t) for t in (picture.title, *picture.notes)
        ]


def test_a_picture_that_says_another_number_is_found() -> None:
    own = Session(data={"trial": trial()})
    picture = picture_of(own.run(*CALLS["boxes"]), own)
    assert picture is not None
    for entry in own.ledger:
        group = entry.result.get("groups", {}).get("drug", {})
        if "mean" in group:
            group["mean"] += 1.0
    assert unsupported(picture, own.workspace)


def altered(part: Numbers | Said) -> Iterator[Numbers | Said]:
    """A part of a picture with one of its numbers changed: the first, the middle, the last position; each digit run."""
    if isinstance(part, Numbers):
        for k in sorted({0, len(part) // 2, len(part) - 1}) if len(part) else ():
            old = part.values[k]
            new = 0.5 if old is None else old * (1 + 1e-12) if old else 1e-9
            yield replace(part, values=(*part.values[:k], new, *part.values[k + 1 :]))
    else:
        for i, shown in enumerate(part.numbers):
            if shown.token.startswith(("<", ">")):
                continue  # "< .002" is true of what is below .001
            digit = max(k for k, c in enumerate(shown.token.partition("e")[0]) if c.isdigit())
            token = f"{shown.token[:digit]}{(int(shown.token[digit]) + 5) % 10}{shown.token[digit + 1 :]}"
            told = (*part.numbers[:i], replace(shown, token=token), *part.numbers[i + 1 :])
            yield replace(part, text=part.text.replace(shown.token, token), numbers=told)
            yield replace(part, text=part.text.replace(shown.token, token))
        yield replace(part, text=f"{part.text} 8317")


@pytest.mark.parametrize("name", CALLS)
def test_one_altered_number_is_found(name: str, session: Session, drawn: dict[str, list[Picture]]) -> None:
    """Positions are altered by one part in 10^12, in every mark, axis, text and table of the picture."""
    for picture in drawn[name]:
        for part in walk(picture):
            for wrong in altered(part):
                assert unsupported(wrong, session.workspace), wrong


def test_an_altered_number_is_found_in_the_whole_picture(
    session: Session, drawn: dict[str, list[Picture]]
) -> None:
    picture = drawn["kaplan-meier"][0]
    curve = picture.marks[0]
    assert isinstance(curve, spec.Line) and curve.low is not None
    for key in ("x", "y", "low"):
        wrong = replace(curve, **{key: next(altered(getattr(curve, key)))})
        assert unsupported(replace(picture, marks=(wrong, *picture.marks[1:])), session.workspace)
    bare = replace(curve, y=Numbers(curve.y.values))
    assert "without an address" in unsupported(bare, session.workspace)[0]


def test_no_position_of_a_picture_is_a_bare_number() -> None:
    """Positions are Numbers and texts are Said, which are checked; what is neither is a matter of looks."""
    looks = {
        "colour",
        "size",
        "low",
        "high",
        "rows",
        "columns",
    }  # low, high: ends of an axis or of a colour scale
    words = {"sign", "across", "kind"}
    for part in (*get_args(spec.Mark), spec.Axis, spec.Legend, spec.TableOfNumbers, Picture):
        for field in fields(part):
            kind = str(field.type).replace("Numbers", "").replace("Said", "")
            if "float" in kind or "int" in kind.replace("Point", ""):
                assert field.name in looks or part is spec.Legend, (
                    part,
                    field.name,
                )  # the colour of an entry
            if "str" in kind:
                assert field.name in words, (part, field.name)


def test_violins_are_drawn_when_asked_for(session: Session, drawn: dict[str, list[Picture]]) -> None:
    record = session.run(*CALLS["boxes"])
    assert [p.kind for p in pictures_of(record, session)] == ["boxes"]
    violins = picture_of(record, session, option="violins")
    assert violins is not None and violins.kind == "violins"
    shapes = [mark for mark in violins.marks if isinstance(mark, spec.Area)]
    assert len(shapes) == 2
    widest = max(
        high - low for s in shapes for low, high in zip(s.low.finite(), s.high.finite(), strict=True)
    )
    assert widest == pytest.approx(0.84)
    assert "▁" in violins.terminal(80)
    few = Session(data={"t": {"v": [1.0, 2, 2, 2], "g": ["a", "a", "b", "b"]}})
    picture = picture_of(
        few.run("descriptive_statistics", {"groups": {"column": "v", "by": "g"}}), few, option="violins"
    )
    assert picture is not None and unsupported(picture, few.workspace) == []
    other = session.run(*CALLS["pearson"])
    assert [p.kind for p in pictures_of(other, session, option="violins")] == ["scatter"]


def test_the_styles_of_the_command_are_those_of_the_table() -> None:
    assert list(STYLES) == options()


def test_strata_without_an_interval_are_said_to_have_none() -> None:
    own = Session()
    tables = [[[0, 9], [12, 30]], [[10, 20], [15, 12]], [[4, 0], [2, 11]]]
    picture = picture_of(own.run("chi_square", {"type": "mantel_haenszel", "tables": tables}), own)
    assert picture is not None and unsupported(picture, own.workspace) == []
    texts = [str(mark.text) for mark in picture.marks if isinstance(mark, spec.TextAt)]
    assert texts[0] == "0 [not defined]" and texts[2] == "not defined"
    ET.fromstring(picture.svg())
    assert picture.terminal(80)


def test_the_table_of_choices_names_what_exists() -> None:
    tools = manifest()["tools"]
    for choice in CHOICES:
        assert choice.tool in tools, choice
        assert choice.subtype in ("", *tools[choice.tool]["subtypes"]), choice
        assert choice.makers and choice.reason


ODD: dict[str, tuple[dict[str, list[Any]], str, dict[str, Any]]] = {
    "two values": ({"v": [1.0, 2.0]}, "descriptive_statistics", {"data": "v"}),
    "a constant": ({"v": [4.0] * 9}, "descriptive_statistics", {"data": "v"}),
    "a huge outlier": ({"v": [*range(1, 40), 1e12]}, "descriptive_statistics", {"data": "v"}),
    "tiny values": ({"v": [x * 1e-200 for x in range(1, 20)]}, "descriptive_statistics", {"data": "v"}),
    "many groups": (
        {"v": [float(i % 7 + i % 3) for i in range(120)], "g": [f"group number {i % 30} of many" for i in range(120)]},
        "anova",
        {"groups": {"column": "v", "by": "g"}},
    ),
    "other scripts": (
        {"値": [1.0, 2, 4, 3, 5, 7], "群": ["甲", "甲", "乙", "乙", "丙 $x^2$", "丙 $x^2$"]},
        "anova",
        {"groups": {"column": "値", "by": "群"}},
    ),
    "markup": (
        {"<b>v</b>": [1.0, 2, 4, 3, 5, 7], 'a"b&c': ["<i>", "<i>", "\\n", "\\n", "{x}", "{x}"]},
        "anova",
        {"groups": {"column": "<b>v</b>", "by": 'a"b&c'}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD)
def test_odd_data_are_drawn_without_a_warning(case: str) -> None:
    data, tool, arguments = ODD[case]
    session = Session(data={"odd": data})
    record = session.run(tool, arguments)
    assert "error" not in record["result"], record["result"]
    for picture in pictures_of(record, session):
        assert unsupported(picture, session.workspace) == []
        ET.fromstring(picture.svg())
        assert "<b>v</b>" not in picture.html()
        assert picture.terminal(60)


def test_many_points_are_thinned_and_that_is_said() -> None:
    rng = np.random.default_rng(1)
    session = Session(data={"x": rng.normal(size=30_000).tolist(), "y": rng.normal(size=30_000).tolist()})
    picture = picture_of(session.run("correlation", {"x": "x", "y": "y"}), session)
    assert picture is not None
    assert "of 30000 points" in " ".join(map(str, picture.notes))
    assert len(picture.svg()) < 3_000_000


def test_a_histogram_names_the_rule_of_its_bins(drawn: dict[str, list[Picture]]) -> None:
    assert "Freedman" in " ".join(map(str, drawn["described"][0].notes))


def test_the_command_draws_where_it_is_told(run: Run, tmp_path: Path) -> None:
    question = ("ask", "Do the three species differ in body mass?", "--data", PENGUINS)
    assert "(n = 123)" in run(*question, "--plot").out.split("Audit:")[-1]
    for kind in ("svg", "png", "html"):
        target = tmp_path / f"out.{kind}"
        assert run(*question, "--plot", str(target)).code == 0
        assert target.stat().st_size > 1000
    refused = run(*question, "--plot", str(tmp_path / "out.gif"))
    assert refused.code == 2 and ".svg" in refused.err
    assert run("inspect", PENGUINS, "--plot", str(tmp_path / "all")).code == 0
    assert len(list((tmp_path / "all").glob("*.svg"))) >= 4


def test_without_the_package_the_install_line_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("statistikles.surfaces.plots.find_spec", lambda _name: None)
    ran = run("ask", "mean body mass", "--data", PENGUINS, "--plot", str(tmp_path / "a.svg"))
    assert ran.code != 0
    assert "statistikles[plots]" in ran.err


def test_nothing_is_drawn_of_data_that_have_changed(session: Session) -> None:
    own = Session(data={"trial": trial()})
    record = own.run(*CALLS["boxes"])
    own.workspace.clean([{"step": "z_score", "column": "age"}])
    assert pictures_of(record, own) == []


def test_a_unit_is_said_once() -> None:
    own = Session(
        data={"t": {"body_mass_g": [1.5, 2, 4, 3], "weight (kg)": [4.0, 5, 7, 6], "months": [1.0, 2, 5, 9]}}
    )
    for column in ("body_mass_g", "weight (kg)", "months"):
        picture = picture_of(own.run("descriptive_statistics", {"data": column}), own)
        assert picture is not None and str(picture.x.label) == column


def test_a_scale_of_ratios_has_several_ticks() -> None:
    for low, high in ((0.97, 1.03), (0.7, 1.2), (0.5, 6.0), (0.01, 300.0), (1e-9, 1e9)):
        ticks = log_ticks(low, high, 8)
        assert 3 <= len(ticks) <= 8, (low, high, ticks)
        assert all(low <= tick <= high for tick in ticks)
        assert low > 1e-3 or 1.0 in ticks


def test_widths_of_bins_are_said_to_be_rounded(drawn: dict[str, list[Picture]]) -> None:
    assert "Freedman–Diaconis, rounded, width" in " ".join(map(str, drawn["described"][0].notes))


def test_a_name_cannot_carry_a_number_that_stands_nowhere(session: Session) -> None:
    fair = said("at ", Name("north"), ": ", Name("one_way"))
    assert unsupported(fair, session.workspace) == []
    assert unsupported(said("about ", Name("8317")), session.workspace)
    once = spec.Shown("1", 1.0, derived=fixed([1.0], "a constant"))
    assert unsupported(said("one of ", once), session.workspace) == []
    assert unsupported(said("of ", once, " and 11"), session.workspace)
    assert unsupported(said("of ", once, " and 1"), session.workspace)


def test_a_filter_is_told_and_its_numbers_stand_in_the_call() -> None:
    own = Session(data={"trial": trial()})
    call = {"data": {"column": "after", "where": "age > 33"}}
    picture = picture_of(own.run("descriptive_statistics", call), own)
    assert picture is not None and unsupported(picture, own.workspace) == []
    assert "age > 33" in " ".join(map(str, picture.notes))


def test_a_table_is_drawn_column_by_column() -> None:
    table = Session(data={"t": {k: trial()[k] for k in ("arm", "before", "after", "cured")}})
    pictures = pictures_of_table(
        next(iter((table.workspace.catalog or {}).values())), workspace=table.workspace
    )
    assert [p.kind for p in pictures] == ["bars", "histogram", "histogram", "bars", "heatmap"]
    heat = pictures[-1].marks[0]
    assert isinstance(heat, spec.Cells) and (heat.rows, heat.columns) == (2, 2)
    two = Session(data={"t": {k: trial()[k] for k in ("before", "after")}})
    last = pictures_of_table(next(iter((two.workspace.catalog or {}).values())), workspace=two.workspace)[-1]
    assert last.kind == "scatter"
    for session, found in ((table, pictures), (two, [last])):
        for picture in found:
            assert unsupported(picture, session.workspace) == []
            for part in walk(picture):
                assert all(unsupported(wrong, session.workspace) for wrong in altered(part))
    wide = Session(data={"t": {f"column {k}": trial()[("before", "after", "age")[k % 3]] for k in range(9)}})
    text = pictures_of_table(next(iter((wide.workspace.catalog or {}).values())), workspace=wide.workspace)[
        -1
    ].terminal(40)
    assert max(len(line) for line in text.splitlines()) <= 40 and "9 column 8" in text


def test_violins_and_quantiles_of_very_many_groups_are_not_computed() -> None:
    own = Session(
        data={
            "t": {
                "v": [float((7 * i) % 23) for i in range(300)],
                "g": [f"group {i % 60}" for i in range(300)],
            }
        }
    )
    picture = picture_of(own.run("anova", {"groups": {"column": "v", "by": "g"}}), own, option="violins")
    assert picture is not None and picture.kind == "boxes"
    assert "20 of 60" in " ".join(map(str, picture.notes)) and unsupported(picture, own.workspace) == []
    record = own.run("test_assumptions", {"type": "normality", "groups": {"column": "v", "by": "g"}})
    assert pictures_of(record, own) == []


def test_the_command_draws_violins(run: Run) -> None:
    question = ("ask", "Do the three species differ in body mass?", "--data", PENGUINS, "--plot")
    assert "Violin" not in run(*question).out
    assert "Violin" in run(*question, "--plot-style", "violins").out


def test_names_that_look_like_addresses_are_followed_back() -> None:
    value, other, group, two, yes = 'a.b["c"]', "x 2.5 [mg]", "値 1", '"q"', "<b>1</b>"
    levels = ('r1["x"].*', "2.0", "女, 1", "*", "given")
    rng = np.random.default_rng(0)
    table = {
        value: rng.normal(5, 2, 90).round(2).tolist(),
        other: rng.normal(5, 2, 90).round(2).tolist(),
        group: [levels[i % 3] for i in range(90)],
        two: [levels[(i // 3) % 2 + 3] for i in range(90)],
        yes: [("no 1", 'yes "2"')[int(v)] for v in rng.integers(0, 2, 90)],
    }
    y, x, g, h, z = ({"column": name} for name in (value, other, group, two, yes))
    by = {"column": value, "by": group}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("anova", {"type": "factorial", "y": y, "factor_a": g, "factor_b": h}),
        ("anova", {"type": "factorial", "y": y, "factor_a": g, "covariates": [x]}),
        ("anova", {"groups": by}),
        ("chi_square", {"type": "mantel_haenszel", "x": h, "y": z, "strata": g}),
        ("chi_square", {"type": "independence", "observed": {"column": group, "by": yes}}),
        ("test_assumptions", {"type": "normality", "groups": by}),
        ("frequency_analysis", {"data": g}),
        ("inter_rater_reliability", {"type": "bland_altman", "rater1": y, "rater2": x}),
    ]
    own = Session(data={"odd table.1": table})
    for tool, arguments in calls:
        record = own.run(tool, arguments)
        for picture in pictures_of(record, own, option="violins"):
            assert unsupported(picture, own.workspace) == [], (tool, arguments)
            ET.fromstring(picture.svg())
            assert picture.terminal(60)
    lost = Numbers((1.0,), "r1.nothing.here")
    assert unsupported(lost, own.workspace) == ["r1.nothing.here is not what is drawn"]


def test_the_caption_of_groups_names_the_test_that_leads_the_answer() -> None:
    session = Session(PENGUINS)
    reply = session.ask("Do the three species differ in body mass?")
    assert reply.text.split("(", 1)[1].startswith("Welch's one-way test")
    notes = [str(note) for note in reply.pictures()[0].notes]
    tests = [note for note in notes if ": p " in note]
    assert tests[0].startswith("Welch's")
    assert tests[1].startswith("One-way analysis of variance (classic F test")
