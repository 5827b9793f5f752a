"""Commands, flags and exit codes: good input and bad, always a clear sentence and never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import statistikles
from statistikles.registry.manifest import get_tools, manifest, tool_names

from .conftest import ROOT, Run

COMMANDS = ("ask", "chat", "demo", "tools", "run", "audit", "replay", "inspect", "doctor")
WELCH = ("run", "t_test", "--type", "independent", "--group1", "5.1,4.9,6.2", "--group2", "4.0,4.4,3.9")


def test_help_lists_every_command(run: Run) -> None:
    shown = run("--help")
    assert shown.code == 0
    for command in COMMANDS:
        assert f"\n    {command} " in shown.out
        assert run(command, "--help").code == 0


def test_version(run: Run) -> None:
    assert run("--version").out == f"statistikles {statistikles.__version__}\n"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["nonsense"],
        ["ask"],
        ["ask", "q", "--sed", "3"],
        ["ask", "q", "--seed", "x"],
        ["ask", "  "],
        ["tools", "t_tset"],
        ["run"],
        ["run", "t_tset", "--group1", "1"],
        ["run", "t_test", "--no-such-flag", "1"],
        ["run", "t_test", "--arguments", "{broken"],
        ["run", "t_test", "--arguments", "[1, 2]"],
        ["run", "t_test", "--arguments", '{"mu0": 1}', "--mu0", "2"],
        ["run", "t_test", "--group1", "[1, 2"],
        ["audit", "text"],
        ["audit", "text", "--results", "not json"],
        ["audit", "text", "--results", "7"],
        ["audit", "text", "--results", "[7]"],
        ["audit", "missing.txt", "--results", "{}"],
        ["audit", "text", "--results", "missing.json"],
        ["audit", "-", "--results", "-"],
        ["audit", "text", "--results", "{}", "--rules", "strict"],
        ["replay", "missing.jsonl"],
        ["inspect", "missing.csv"],
        ["inspect", str(ROOT)],
        ["inspect", "nul\0byte.csv"],
        ["ask", "q", "--data", "missing.csv"],
        ["ask", "q", "--data", "a=missing.csv"],
    ],
)
def test_usage_errors_are_exit_2_with_a_sentence(run: Run, words: list[str]) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert ran.out == ""
    assert len(ran.err.strip()) > 10


def test_a_near_miss_is_named(run: Run) -> None:
    assert "Did you mean 't_test'" in run("tools", "t_tset").err
    assert "Did you mean 't_test'" in run("run", "t_tset").err


def test_json_is_accepted_before_and_after_the_command(run: Run) -> None:
    assert run("--json", "tools").json == run("tools", "--json").json == get_tools()


def test_json_failures_are_json_too(run: Run) -> None:
    usage = run("tools", "t_tset", "--json")
    assert usage.code == 2
    assert usage.json["code"] == "unknown_tool"
    failed = run(*WELCH[:4], "--group1", "1,2", "--group2", "x,y", "--json")
    assert failed.code == 1
    assert failed.json["error"] in failed.err


# tools ---------------------------------------------------------------------------------------------------


def test_tools_lists_all_and_each_has_a_page(run: Run) -> None:
    listed = run("tools").out
    for name in tool_names():
        assert f"\n{name}  " in "\n" + listed
        page = run("tools", name)
        assert page.code == 0
        for argument in manifest()["tools"][name]["schema"]["parameters"]["properties"]:
            assert f"\n  {argument}: " in page.out
        assert run("tools", name, "--json").json["function"]["name"] == name


# run -----------------------------------------------------------------------------------------------------


def test_flags_and_json_arguments_give_the_same_result(run: Run) -> None:
    flags = run(*WELCH, "--json")
    arguments = {"type": "independent", "group1": [5.1, 4.9, 6.2], "group2": [4.0, 4.4, 3.9]}
    literal = run("run", "t_test", "--arguments", json.dumps(arguments), "--json")
    piped = run("run", "t_test", "--arguments", "-", "--json", stdin=json.dumps(arguments))
    assert flags.code == literal.code == piped.code == 0
    assert flags.json == literal.json == piped.json == statistikles.execute_tool("t_test", arguments)


def test_arguments_from_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "arguments.json"
    path.write_text('{"type": "one_sample", "group1": [1, 2, 4]}', encoding="utf-8-sig")
    assert run("run", "t_test", "--arguments", str(path), "--json").json["n"] == 3


def test_a_value_may_begin_with_a_minus(run: Run) -> None:
    ran = run("run", "t_test", "--type", "one_sample", "--group1", "-1,2,-3.5", "--mu0", "-.5", "--json")
    assert ran.code == 0
    assert ran.json["null_value"] == -0.5
    assert ran.json["estimate"] == pytest.approx(-2.5 / 3)


def test_missing_values_in_a_flag(run: Run) -> None:
    assert (
        run("run", "t_test", "--type", "one_sample", "--group1", "1,,2,NA,4", "--json").json["n_missing"] == 2
    )


def test_the_drawn_result_shows_addresses_and_no_zero_p(run: Run) -> None:
    values = ",".join(str(100 + i / 10) for i in range(40))
    ran = run("run", "t_test", "--type", "one_sample", "--group1", values)
    assert ran.code == 0
    assert "r1.p_value" in ran.out
    assert "< .001" in ran.out
    assert " .000" not in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--type", "nope", "--group1", "1,2"), "Unknown type 'nope' for t_test"),
        (("--type", "one_sample",), "'group1'"),
        (("--type", "one_sample", "--group1", "weight"), "no data"),
        (("--type", "one_sample", "--group1", "1"), "group1"),
        (("--type", "one_sample", "--group1", "3,3,3"), ""),
        (("--type", "one_sample", "--group1", "1,2,nan"), "not finite"),
        (("--type", "one_sample", "--group1", "1,2,4", "--alpha", "7"), "alpha"),
        (("--group1", "1,2,4"), "needs the argument 'type'"),
    ],
)  # fmt: skip
def test_a_refused_computation_is_exit_1(run: Run, words: tuple[str, ...], said: str) -> None:
    ran = run("run", "t_test", *words)
    assert ran.code == 1
    assert ran.out == ""
    assert said in ran.err
    assert ran.err.startswith("statistikles: ")


# audit ---------------------------------------------------------------------------------------------------

RESULTS = '{"mean": 42.7333333, "std_dev": 5.5, "p_value": 0.0512}'


@pytest.mark.parametrize("rules", ["full", "basic"])
def test_audit_clean_and_flagged(run: Run, rules: str) -> None:
    clean = run("audit", "The mean is 42.73.", "--results", RESULTS, "--rules", rules)
    assert clean.code == 0
    assert "1 number, all traced" in clean.out
    flagged = run("audit", "The mean is 43.91.", "--results", RESULTS, "--rules", rules, "--json")
    assert flagged.code == 1
    assert [s["text"] for s in flagged.json["spans"] if s["flagged"]] == ["43.91"]


def test_audit_reads_files_and_standard_input(run: Run, tmp_path: Path) -> None:
    reply, results = tmp_path / "reply.txt", tmp_path / "results.json"
    reply.write_text("The mean is 42.73.\n", encoding="utf-8")
    results.write_text(RESULTS, encoding="utf-8")
    assert run("audit", str(reply), "--results", str(results)).code == 0
    assert run("audit", "-", "--results", str(results), stdin="The mean is 42.73.").code == 0
    assert run("audit", str(reply), "--results", "-", stdin=RESULTS).code == 0
    assert run("audit", "-", "--results", str(results), stdin=b"\xff\xfe\x80").code == 2


def test_audit_takes_a_ledger_and_the_users_words(run: Run, tmp_path: Path) -> None:
    ledger = str(tmp_path / "work.jsonl")
    computed = run(*WELCH, "--ledger", ledger, "--json").json
    assert run("audit", f"The difference is {computed['estimate']:.2f}.", "--results", ledger).code == 0
    assert run("audit", "Against your 77.31.", "--results", "{}").code == 1
    assert run("audit", "Against your 77.31.", "--results", "{}", "--user", "is it 77.31?").code == 0


def test_audited_text_is_never_read_as_markup(run: Run) -> None:
    assert "[bold]x[/] :smile: [red]" in run("audit", "[bold]x[/] :smile: [red]", "--results", "{}").out


# streams -------------------------------------------------------------------------------------------------


def shell(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    settings = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment}
    settings.pop("STATISTIKLES_DEBUG", None)
    command = [sys.executable, "-m", "statistikles", *words]
    return subprocess.run(command, capture_output=True, env=settings, check=False, timeout=120)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "cp1252", "utf-8"])
def test_no_encoding_stops_the_output_or_loses_a_minus(encoding: str) -> None:
    words = ("run", "t_test", "--type", "independent", "--group1", "1,2,3", "--group2", "4,6,8")
    done = shell(*words, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert done.returncode == 0
    assert done.stderr == b""
    text = done.stdout.decode(encoding)
    assert "-4" in text.replace("−", "-")
    assert "?" not in text


def test_json_survives_an_ascii_terminal(run: Run) -> None:
    done = shell(*WELCH, "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert json.loads(done.stdout) == run(*WELCH, "--json").json


def test_an_argument_that_is_no_text_is_survived() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "statistikles", "inspect", b"caf\xe9.csv"],
        capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_closed_pipe_ends_quietly() -> None:
    command = [sys.executable, "-m", "statistikles", "tools", "--json"]
    settings = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
    assert errors == b""
    assert process.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_ends_with_a_sentence() -> None:
    command = [sys.executable, "-m", "statistikles", "audit", "-", "--results", "{}"]
    settings = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=settings
    ) as process:
        time.sleep(1.5)  # it waits for standard input by then
        process.send_signal(signal.SIGINT)
        errors = process.communicate()[1]
    assert errors == b"statistikles: interrupted.\n"
    assert process.returncode == 130


def test_an_unexpected_fault_is_a_sentence_and_debug_shows_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import statistikles.surfaces.tools as module

    def broken(_args: object) -> int:
        raise RuntimeError("inside")

    monkeypatch.setattr(module, "main", broken)
    ran = run("tools", "--json")
    assert ran.code == 1
    assert ran.json["code"] == "internal"
    assert "RuntimeError" in ran.err
    monkeypatch.setenv("STATISTIKLES_DEBUG", "1")
    with pytest.raises(RuntimeError, match="inside"):
        run("tools")


def test_a_folder_that_cannot_be_written_is_said(run: Run, tmp_path: Path) -> None:
    ran = run(*WELCH, "--ledger", str(tmp_path / "no" / "such" / "folder.jsonl"))
    assert ran.code == 1
    assert "ledger" in ran.err


# logs ----------------------------------------------------------------------------------------------------


def test_logs_are_silent_unless_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import logging

    assert run("tools").err == ""
    monkeypatch.setenv("STATISTIKLES_LOG_LEVEL", "info")
    run("tools")
    logger = logging.getLogger("statistikles")
    assert logger.level == logging.INFO
    monkeypatch.setenv("STATISTIKLES_LOG_LEVEL", "no such level")
    run("tools")
    assert logger.level == logging.CRITICAL
