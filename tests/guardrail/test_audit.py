"""The audit's promises one by one: verdicts, sources, report, memory, arguments, modes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import statistikles
from statistikles.guardrail import AuditReport, audit
from statistikles.guardrail.evidence import Evidence
from statistikles.results.roles import Role

T_TEST = {
    "method": "Welch's t test",
    "statistic": 2.4183,
    "df": 37.21,
    "p_value": 0.02061,
    "estimate": 1.84,
    "conf_low": 0.2985,
    "conf_high": 3.3815,
    "conf_level": 0.95,
    "effect_size": 0.7491,
    "alternative": "two-sided",
    "groups": {
        "control": {"n": 21, "mean": 12.4321, "std_dev": 2.6112},
        "treated": {"n": 20, "mean": 10.5921, "std_dev": 2.2549},
    },
}


def verdict(reply: str, text: str, results: Any = (T_TEST,), user: str = "") -> str:
    spans = [s for s in audit(reply, list(results), user).spans if s.text == text]
    assert spans, [s.text for s in audit(reply, list(results), user).spans]
    return spans[0].verdict


def test_a_template_reply_over_our_own_fields_is_clean() -> None:
    reply = (
        "Welch's t test (two-sided): t(37.21) = 2.418, p = .021. The mean of control is 12.43 "
        "(SD 2.61, n = 21), of treated 10.59 (SD 2.25, n = 20). The difference is 1.84, "
        "95% CI [0.30, 3.38]; effect size 0.749. The difference is statistically significant at α = .05."
    )
    assert audit(reply, [T_TEST], "is there a difference?").flagged == ()


@pytest.mark.parametrize(
    ("reply", "text", "expected"),
    [
        ("The p value is .021.", ".021", "computed"),
        ("The p value is .05.", ".05", "orphan"),
        ("The p value is .031.", ".031", "orphan"),
        ("The mean of control is 10.59.", "10.59", "wrong_group"),
        ("The mean is 2.61 for control.", "2.61", "mislabelled"),
        ("t = -2.42 here.", "-2.42", "wrong_sign"),
        ("p < .01 for the difference.", ".01", "false_inequality"),
        ("p < .05 for the difference.", ".05", "computed"),
        ("The difference is not significant (p = .021).", "not significant", "wrong_verdict"),
        ("As Cohen (1988) wrote, it depends.", "1988", "citation"),
        ("1. First point.", "1", "structural"),
        ("A 95% CI is given.", "95%", "computed"),
        ("A 99% CI is given.", "99%", "mislabelled"),
        ("The effect size is 0.76.", "0.76", "wrong_rounding"),
        ("The effect size is 7.49.", "7.49", "wrong_scale"),
    ],
)
def test_verdicts(reply: str, text: str, expected: str) -> None:
    assert verdict(reply, text) == expected


def test_derived_arithmetic_is_done_again() -> None:
    reply = (
        "The means are 12.43 for control and 10.59 for treated, a difference of 1.84; "
        "together there were 41 people."
    )
    assert audit(reply, [{"groups": T_TEST["groups"]}]).flagged == ()
    wrong = audit(
        "The means are 12.43 for control and 10.59 for treated, a difference of 1.94.",
        [{"groups": T_TEST["groups"]}],
    )
    assert [s.text for s in wrong.flagged] == ["1.94"]


def test_user_number_is_the_users_and_no_result() -> None:
    assert verdict("You guessed 15 for the mean.", "15", user="I guess the mean is 15") == "user"
    report = audit("The mean of control is 15.", [T_TEST], "I guess the mean is 15")
    assert [s.text for s in report.flagged] == ["15"]


def test_arguments_are_never_evidence() -> None:
    entry = {"id": "r7", "tool": "t_test", "arguments": {"mu0": 77.5}, "result": {"mean": 12.4321}}
    report = audit("The mean is 12.43 and the other 77.5.", [entry])
    assert [s.text for s in report.flagged] == ["77.5"]
    assert report.spans[0].source == "r7.mean"


def test_ids_default_to_the_order_of_results() -> None:
    assert audit("The median is 3.25.", [{"mean": 1.5}, {"median": 3.25}]).spans[0].source == "r2.median"


def test_earlier_turns_stay_citable_and_user_words_too() -> None:
    earlier = {"id": "r1", "tool": "x", "arguments": {}, "result": {"mean": 12.4321}}
    now = {"id": "r2", "tool": "y", "arguments": {}, "result": {"median": 11.9}}
    reply = "The median is 11.9; the mean was 12.43, above your 9.3."
    assert audit(reply, [now], "go on", conversation=[earlier, "I hoped for 9.3"]).ok
    assert not audit(reply, [now], "go on").ok


def test_a_kept_index_serves_several_turns() -> None:
    index = Evidence()
    index.add("r1", {"mean": 12.4321})
    assert audit("The mean is 12.43.", [], evidence=index).ok
    index.add("r2", {"median": 11.9, "weird_name": 4.4}, roles={"weird_name": Role.STD_DEV})
    report = audit("The median is 11.9, the SD 4.4 and the mean 12.43.", [], evidence=index)
    assert report.ok
    assert {s.source for s in report.spans} == {"r2.median", "r2.weird_name", "r1.mean"}


def test_typed_roles_outrank_key_names() -> None:
    index = Evidence()
    index.add("r1", {"spread": 4.4}, roles={"spread": Role.STD_ERROR})
    assert [s.text for s in audit("The SD is 4.4.", [], evidence=index).flagged] == ["4.4"]


def test_report_shape_and_warning_block() -> None:
    report = audit("The mean is 99.9 and p < .001.", [T_TEST])
    block = report.warning_block(True).splitlines()
    assert block[0] == "UNVERIFIED NUMBERS — POSSIBLE MOLLOCK"
    assert block[1].startswith("- 99.9 ")
    assert block[-1] == "Trust only numbers produced by symbolic tool calls."
    assert "(no symbolic computation was performed this turn)" in audit("p = .03", []).warning_block(False)
    assert audit("Hello.", []).warning_block(False) == ""
    told = json.loads(json.dumps(report.to_dict()))
    assert told["ok"] is False
    assert told["coverage"]["summary"] == "2 numbers, 0 unparsed"
    assert isinstance(report, AuditReport)


def test_coincidence_grows_with_the_number_of_results() -> None:
    few = audit("The mean is 51.2.", [{"mean": 51.23}])
    many = audit("The mean is 51.2.", [{"mean": 51.23, "others": [10 + i / 7 for i in range(600)]}])
    assert 0 < few.coincidence < many.coincidence <= 1


def test_basic_mode_and_unknown_mode() -> None:
    assert audit("The mean is 5.5.", [{"std": 5.5}], rules="basic").ok
    assert not audit("The mean is 5.5.", [{"std": 5.5}]).ok
    with pytest.raises(ValueError, match="rules must be"):
        audit("x", [], rules="other")  # type: ignore[arg-type]


def test_notations_of_the_issue() -> None:
    results = [{"mean": 1234.5, "p_value": 3.1e-5, "share": 0.2, "r": -0.87, "ratio": 0.667}]
    for reply in (
        "The mean is 1,234.5.",
        "Der Mittelwert ist 1.234,5 und r = −0,87.",
        "La moyenne est 1 234,5 et r = −0,87.",
        "p = 3.1 × 10⁻⁵, p = 3.1e-5, p = $3.1 \\times 10^{-5}$",
        "r = −.87 and r = -0.87",
        "a share of 20%, 1 in 5, one fifth, twenty percent",
        "the ratio is two thirds",
    ):
        assert audit(reply, results).flagged == (), reply


def test_importing_the_package_is_light() -> None:
    code = (
        "import sys, statistikles.guardrail; "
        "print([m for m in ('numpy', 'scipy', 'pandas') if m in sys.modules])"
    )
    source = str(Path(statistikles.__file__).parents[1])
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": source}
    )
    assert out.stdout.strip() == "[]"


def test_digits_name_a_group_only_where_they_name() -> None:
    results = [
        {
            "groups": {
                "0": {"mean": 0.38, "minimum": 0.0, "sd": 0.54, "median": 0.0},
                "1": {"mean": 1.42, "minimum": 0.2, "sd": 0.61, "median": 1.3},
            }
        }
    ]
    for right in (
        "- '0': mean 0.38, minimum 0, SD 0.54, median 0\n- '1': mean 1.42, minimum 0.2, SD 0.61, median 1.3",
        "Group 0 has a mean of 0.38, group 1 of 1.42.",
    ):
        assert audit(right, results).ok, right
    for wrong in ("Group 0 has a mean of 1.42.", "- '0': mean 1.42, minimum 0"):
        assert [s.text for s in audit(wrong, results).flagged] == ["1.42"]


@pytest.mark.parametrize(
    "reply",
    [
        "20% of the smokers are women.",
        "About 4 children per smoker.",
        "Smokers are 1.96 times more likely.",
    ],
)
def test_a_number_of_another_kind_backs_nothing_by_chance(reply: str) -> None:
    levene = {
        "method": "Levene's test",
        "statistic": 3.1,
        "p_value": 0.01,
        "effect_size": {"name": "eta_squared", "estimate": 0.2012},
        "details": {"variance_ratio": 3.708},
    }
    assert audit(reply, [levene], "Do charges differ between smokers and others?").flagged
    said = "The effect is η² = 0.20, and the variances differ by a factor of 3.7."
    assert not audit(said, [levene], "Do the variances differ?").flagged


@pytest.mark.parametrize(
    "reply",
    [
        "Group A scored five points higher.",
        "The offspring split 571:157:164.",
        "Parmi eux, un sur cinq.",
        "Ten patients more recovered.",
        "It is the 47.3 you would expect.",
    ],
)
def test_a_short_lie_is_no_structure(reply: str) -> None:
    assert audit(reply, [], "Does the treatment help?").flagged
    assert audit(reply, [{"p_value": 0.5}], "Does the treatment help?").flagged
