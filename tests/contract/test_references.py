"""Column references in the arguments of a call: vectors, groups, names, filters, missing values."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from statistikles import execute_tool
from statistikles.tools.workspace import Workspace

FRAME = pd.DataFrame(
    {
        "dose": [1.0, 2.0, 3.0, 4.0, 5.0, None, 7.0, 8.0],
        "Größe (cm)": [2.0, 1.0, 4.0, 3.0, 6.0, 5.0, 8.0, 7.0],
        "arm": ["a", "b", "a", "b", "a", "b", None, "b"],
    }
)


def run(arguments: dict[str, Any], data: Any = FRAME) -> dict[str, Any]:
    return execute_tool("t_test", arguments, data=data)


def test_a_reference_gives_what_the_inline_numbers_give() -> None:
    inline = execute_tool("t_test", {"type": "one_sample", "group1": [1, 2, 3, 4, 5, None, 7, 8], "mu0": 2})
    for reference in ("dose", {"column": "dose"}):
        result = run({"type": "one_sample", "group1": reference, "mu0": 2})
        assert result == inline
    assert inline["n_missing"] == 1


def test_paired_columns_drop_rows_jointly_and_give_the_names() -> None:
    result = run({"type": "paired", "group1": "dose", "group2": "Größe (cm)"})
    assert result["n"] == 7
    assert result["n_missing"] == 1
    assert list(result["groups"]) == ["dose", "Größe (cm)", "difference"]


def test_groups_by_column_count_rows_without_value_or_group() -> None:
    result = run({"type": "independent", "groups": {"column": "dose", "by": "arm"}})
    assert {k: g["n"] for k, g in result["groups"].items()} == {"a": 3, "b": 3}
    assert result["n_missing"] == 2


def test_filters_name_the_groups() -> None:
    result = run(
        {
            "type": "independent",
            "group1": {"column": "dose", "where": "arm = 'a'"},
            "group2": {"column": "dose", "where": "arm = 'b'"},
        }
    )
    assert list(result["groups"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("doze", "unknown_column"),
        ({"column": "arm"}, "not_numeric"),
        ({"column": "dose", "where": "arm = 'zzz'"}, "unknown_value"),
        ({"column": "dose", "by": "arm"}, "invalid_input"),
        ({"column": 7}, "invalid_input"),
        ({"column": "dose", "where": "1=1; drop table data"}, None),
        ({"column": "dose", "where": "read_csv('/etc/passwd')"}, None),
    ],
)
def test_a_bad_reference_is_a_clear_refusal(reference: Any, code: str | None) -> None:
    result = run({"type": "one_sample", "group1": reference})
    assert result["error"]
    assert result["code"] not in ("internal", "numerical")
    if code is not None:
        assert result["code"] == code, result


def test_without_data_a_reference_says_so() -> None:
    assert "no data" in execute_tool("t_test", {"type": "one_sample", "group1": "dose"})["error"]


def test_several_tables_are_told_apart_by_name() -> None:
    data = {"one": FRAME, "two": FRAME.assign(dose=FRAME["dose"] + 10)}
    result = run({"type": "one_sample", "group1": {"column": "dose", "table": "two"}}, data)
    assert result["estimate"] > 10
    assert run({"type": "one_sample", "group1": {"column": "dose"}}, data)["code"] == "which_table"


def test_a_workspace_records_every_call_with_the_fingerprint_of_the_data() -> None:
    workspace = Workspace(FRAME)
    first = workspace.execute("t_test", {"type": "one_sample", "group1": "dose"})
    second = workspace.execute("t_test", {"type": "one_sample", "group1": "no such"})
    assert (first.id, second.id) == ("r1", "r2")
    assert second.failed
    assert second.previous == first.hash
    assert list(first.data.values()) == list(workspace.fingerprints().values())
    assert first.arguments == {"type": "one_sample", "group1": "dose"}
