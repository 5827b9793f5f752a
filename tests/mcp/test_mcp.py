"""The MCP server through the SDK's real client: over standard streams and over HTTP, good paths and bad ones."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import anyio
import pytest

from mcp import Client, MCPError, StdioServerParameters, stdio_client
from statistikles import get_tools

ROOT = Path(__file__).parents[2]
DATA = ROOT / "examples"
ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if not k.startswith("STATISTIKLES_")},
    "PYTHONPATH": str(ROOT / "src"),
    "PYTHONUTF8": "1",
}


@pytest.fixture
def url() -> Iterator[str]:
    """The address of a server of its own, over HTTP."""
    command = [sys.executable, "-m", "statistikles", "mcp", "--http", "--port", "0", "--root", str(DATA)]
    with subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        match = re.search(r"http://127\.0\.0\.1:\d+/mcp", said)
        try:
            assert match is not None, said
            yield match.group()
        finally:
            process.terminate()
            process.wait(10)


@asynccontextmanager
async def over_streams() -> AsyncIterator[Client]:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "statistikles", "mcp", "--root", str(DATA)],
        env=ENVIRONMENT,
        cwd=str(ROOT),
    )
    async with Client(stdio_client(parameters)) as client:
        yield client


@asynccontextmanager
async def over_http(url: str) -> AsyncIterator[Client]:
    async with Client(url) as client:
        yield client


Talk = Callable[[Client], Awaitable[None]]


@pytest.fixture(params=["stdio", "http"])
def talk(request: pytest.FixtureRequest) -> Callable[[Talk], None]:
    """Runs a conversation with a fresh server."""
    address = request.getfixturevalue("url") if request.param == "http" else ""

    def run(conversation: Talk) -> None:
        async def whole() -> None:
            with anyio.fail_after(60):
                async with over_http(address) if address else over_streams() as client:
                    await conversation(client)

        anyio.run(whole)

    return run


def content(result: Any) -> dict[str, Any]:
    """A result's JSON; the text and the structured form are the same."""
    assert json.loads(result.content[0].text) == result.structured_content
    found: dict[str, Any] = result.structured_content
    return found


def test_a_whole_conversation(talk: Callable[[Talk], None]) -> None:
    async def conversation(client: Client) -> None:
        listed = (await client.list_tools()).tools
        assert {t.name for t in listed} == {
            "load_data",
            "describe_data",
            "audit_reply",
            *(t["function"]["name"] for t in get_tools()),
        }
        [schema] = [t.input_schema for t in listed if t.name == "anova"]
        [ours] = [t["function"]["parameters"] for t in get_tools() if t["function"]["name"] == "anova"]
        assert schema == ours

        assert content(await client.call_tool("describe_data", {})) == {"tables": []}
        loaded = await client.call_tool("load_data", {"path": "penguins.csv"})
        assert not loaded.is_error
        [table] = content(loaded)["tables"]
        assert (table["name"], table["rows"]) == ("penguins", 344)

        computed = content(
            await client.call_tool("anova", {"groups": {"column": "body_mass_g", "by": "species"}})
        )
        assert computed["id"] == "r1"
        assert computed["df"] == 2

        faithful = f"F(2, {computed['df_error']}) = {computed['statistic']:.2f}."
        report = content(await client.call_tool("audit_reply", {"reply": faithful}))
        assert report["ok"], report
        assert report["warning"] == ""
        false = content(await client.call_tool("audit_reply", {"reply": "F(2, 339) = 87.21."}))
        assert not false["ok"]
        assert "87.21" in false["warning"]

        uris = [str(r.uri) for r in (await client.list_resources()).resources]
        assert uris == ["statistikles://ledger", "statistikles://ledger/r1"]
        whole = await client.read_resource("statistikles://ledger")
        [entry] = [json.loads(line) for line in whole.contents[0].text.splitlines()]
        assert entry["tool"] == "anova"
        single = await client.read_resource("statistikles://ledger/r1")
        assert json.loads(single.contents[0].text) == entry

    talk(conversation)


def test_what_goes_wrong_is_said_and_the_session_goes_on(talk: Callable[[Talk], None]) -> None:
    async def conversation(client: Client) -> None:
        for arguments, code in [
            ({"path": "../README.md"}, "not_allowed"),
            ({"path": str(ROOT / "pyproject.toml")}, "not_allowed"),
            ({"path": "nothing.csv"}, "file_not_found"),
            ({"path": ""}, "invalid_input"),
            ({"path": 7}, "invalid_input"),
            ({}, "invalid_input"),
        ]:
            refused = await client.call_tool("load_data", arguments)
            assert refused.is_error
            assert content(refused)["code"] == code, arguments

        await client.call_tool("load_data", {"path": "penguins.csv", "name": "birds"})
        twice = await client.call_tool("load_data", {"path": "penguins.csv", "name": "birds"})
        assert "already" in content(twice)["error"]
        unknown = await client.call_tool("describe_data", {"name": "fish"})
        assert unknown.is_error

        bad_type = await client.call_tool("t_test", {"type": "sideways"})
        assert bad_type.is_error
        assert "Unknown type 'sideways'" in content(bad_type)["error"]
        no_column = await client.call_tool("descriptive_statistics", {"data": "wingspan"})
        assert no_column.is_error
        assert "wingspan" in content(no_column)["error"]

        with pytest.raises(MCPError, match="Unknown tool: guess"):
            await client.call_tool("guess", {})
        with pytest.raises(MCPError, match="no resource"):
            await client.read_resource("statistikles://ledger/r99")
        with pytest.raises(MCPError, match="no resource"):
            await client.read_resource("file:///etc/hostname")

        fine = await client.call_tool("descriptive_statistics", {"data": {"column": "body_mass_g"}})
        assert not fine.is_error
        assert content(fine)["n"] == 342

    talk(conversation)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights of their own there")
def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    from statistikles.surfaces.mcp import Desk
    from statistikles.tools.workspace import Workspace

    (tmp_path / "in").mkdir()
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (tmp_path / "in" / "link.csv").symlink_to(tmp_path / "secret.csv")
    desk = Desk(Workspace(), tmp_path / "in")
    assert desk.call("load_data", {"path": "link.csv"})["code"] == "not_allowed"
    assert desk.call("load_data", {"path": "a\0b"})["code"] == "file_not_found"


def test_a_page_of_another_site_is_refused(url: str) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    for header in ({"Origin": "https://elsewhere.example"}, {"Host": "elsewhere.example"}):
        request = Request(
            url, body, {"Content-Type": "application/json", "Accept": "application/json", **header}
        )
        with pytest.raises(HTTPError) as refused:
            urlopen(request, timeout=10)
        assert refused.value.code in (403, 421)
        refused.value.close()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--root", "no-such-folder"], "no folder"),
        (["--port", "99999"], "no port"),
        (["--data", "no.csv"], "no file"),
    ],
)
def test_usage_faults(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    from statistikles.surfaces.cli import main

    assert main(["mcp", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_without_the_library_the_install_line_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from statistikles.surfaces.cli import main

    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp"]) == 1
    assert "pip install 'statistikles[mcp]'" in capsys.readouterr().err
