"""Citations are filled in with the value at their address, and nothing else is."""

from __future__ import annotations

import pytest

from statistikles.neural.references import cite, fill, look_up

RECORDS = [
    {
        "id": "r1",
        "result": {
            "p_value": 0.0312,
            "statistic": -2.5,
            "df": 17.776,
            "n": 40,
            "sum": 51032080.71,
            "significant": True,
            "conf_level": 0.95,
            "groups": {"Dr. No": {"mean": 4.25}, "a: b": {"mean": 7.0}},
            "rows": [{"count": 3}, {"count": 9}],
            "tiny": {"p_value": 1e-9},
        },
    }
]


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("p {{r1.p_value}}", "p = .031"),
        ("p = {{r1.p_value}}", "p = .031"),
        ("p {{r1.tiny.p_value}}", "p < .001"),
        ("t({{r1.df}}) = {{r1.statistic}}", "t(17.78) = −2.50"),
        ("{{r1.statistic:.3f}}", "−2.500"),
        ("{{r1.conf_level:.0%}} CI", "95% CI"),
        ("n = {{r1.n}}", "n = 40"),
        ("{{r1.sum}}", "51,032,080.71"),
        ("{{r1.groups.Dr. No.mean}}", "4.25"),
        ("{{r1.groups.a: b.mean:.1f}}", "7.0"),
        ("{{r1.rows.1.count}}", "9"),
        ("no citation at all", "no citation at all"),
    ],
)
def test_fill(text: str, filled: str) -> None:
    done = fill(text, RECORDS)
    assert done.text == filled
    assert not done.unknown


@pytest.mark.parametrize(
    "text", ["{{r9.p_value}}", "{{r1.nothing}}", "{{r1.significant}}", "{{r1.groups}}", "{{r1.rows.7.count}}"]
)
def test_a_citation_that_leads_nowhere_stays_visible(text: str) -> None:
    done = fill(text, RECORDS)
    assert done.text == text
    assert done.unknown == (text,)


def test_links_point_at_the_numbers() -> None:
    done = fill("n {{r1.n}}, statistic {{r1.statistic}}", RECORDS)
    assert [(done.text[a:b], where) for a, b, where in done.links] == [
        ("40", "r1.n"),
        ("−2.50", "r1.statistic"),
    ]


def test_cite_and_look_up_agree() -> None:
    assert fill(cite("r1", "groups", "Dr. No", "mean"), RECORDS).text == "4.25"
    assert look_up(RECORDS[0]["result"], "groups.Dr. No.mean") == 4.25
