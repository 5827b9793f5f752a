"""`statistikles mcp`: every tool, the audit and the ledger for any MCP client, over standard streams or loopback HTTP."""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, InputError, MissingDependency, StatistiklesError
from statistikles.guardrail import audit
from statistikles.registry.manifest import get_tools
from statistikles.surfaces.inspect import table_json
from statistikles.surfaces.streams import UsageFault, data_argument
from statistikles.tools.workspace import Workspace

if TYPE_CHECKING:
    from mcp.server import Server

__all__ = ["Desk", "build_server", "main"]

LEDGER_URI = "statistikles://ledger"
HOST = "127.0.0.1"
_INSTRUCTIONS = (
    "Statistics computed by tested code. Load a table with load_data, look at it with describe_data, then call the "
    'statistical tools with column references such as {"column": "weight", "by": "group"}; do not retype data. Every '
    "result has an id; cite its numbers and compute none yourself. Before you answer, give your draft to audit_reply: it "
    "says which numbers have no source."
)
_OWN_TOOLS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "load_data",
        "Load a table (CSV, TSV, Excel, Parquet or JSON lines) from the folder this server was started for.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "the file, relative to that folder."},
                "name": {
                    "type": "string",
                    "description": "what to call the table; the file's name when not given.",
                },
            },
            "required": ["path"],
            "additionalProperties": False,
        },
    ),
    (
        "describe_data",
        "The loaded tables: their columns, kinds, missing values and levels. No rows are shown.",
        {
            "type": "object",
            "properties": {"name": {"type": "string", "description": "one table; all when not given."}},
            "additionalProperties": False,
        },
    ),
    (
        "audit_reply",
        "Trace every number and every verdict word of a reply to the results of this session; says what has no source.",
        {
            "type": "object",
            "properties": {
                "reply": {"type": "string", "description": "the text to audit."},
                "user_text": {
                    "type": "string",
                    "description": "what the user asked; its numbers are the user's.",
                },
            },
            "required": ["reply"],
            "additionalProperties": False,
        },
    ),
)


class Desk:
    """What the server does, apart from the protocol: one workspace, one call at a time.

    Parameters
    ----------
    workspace : the tables and the ledger, shared by all clients of this process.
    root : the folder from which tables may be loaded.
    """

    def __init__(self, workspace: Workspace, root: Path) -> None:
        self.workspace, self.root = workspace, root.resolve()
        self._lock = threading.Lock()
        self._own: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
            "load_data": self._load,
            "describe_data": self._describe,
            "audit_reply": self._audit,
        }

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a tool, or {error, code, hint}; never an exception."""
        with self._lock:
            own = self._own.get(name)
            if own is None:
                entry = self.workspace.execute(name, arguments)
                return {"id": entry.id, **entry.result}
            try:
                return own(arguments)
            except StatistiklesError as error:
                return error.to_dict()
            except Exception as error:  # as at the seam: a client gets a sentence, not a trace
                return {
                    "error": f"{name} failed ({type(error).__name__}).",
                    "code": "internal",
                    "hint": "This is a fault of Statistikles.",
                }

    def ledger_text(self, entry_id: str = "") -> str:
        """The ledger as JSON lines, or one entry.

        Raises
        ------
        KeyError : there is no such entry.
        """
        with self._lock:
            if entry_id:
                return json.dumps(self.workspace.ledger[entry_id].to_dict(), ensure_ascii=False)
            return "\n".join(json.dumps(e.to_dict(), ensure_ascii=False) for e in self.workspace.ledger)

    def entries(self) -> list[tuple[str, str]]:
        """(id, tool) of every entry."""
        with self._lock:
            return [(e.id, e.tool) for e in self.workspace.ledger]

    def _load(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        path = self._inside(_text(arguments, "path"))
        name = _text(arguments, "name", needed=False) or path.stem
        if self.workspace.catalog is not None and name in self.workspace.catalog:
            raise InputError(
                f"A table called '{name}' is loaded already.", hint="Give it another name.", where="name"
            )
        self.workspace.add_data({name: str(path)})
        return self._describe({"name": name})

    def _inside(self, given: str) -> Path:
        """The file, which must lie inside the folder; links are followed before that is judged."""
        try:
            path = (self.root / given).resolve()
            inside = path.is_relative_to(self.root)
            found = inside and path.is_file()
        except (OSError, ValueError, RuntimeError):
            inside, found = True, False
        if not inside:
            raise DataError(
                "The path leads out of the folder that this server may read.",
                hint="Give a path inside it, or start the server with another --root.",
                where="path",
                code="not_allowed",
            )
        if not found:
            raise DataError(
                f"There is no file '{given}' in the folder that this server may read.",
                hint="Check the path.",
                where="path",
                code="file_not_found",
            )
        return path

    def _describe(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        name = _text(arguments, "name", needed=False)
        catalog = self.workspace.catalog
        if catalog is None:
            return {"tables": []}
        tables = [catalog.table(name)] if name else list(catalog.values())
        return {"tables": [table_json(table) for table in tables]}

    def _audit(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        records = [e.record() for e in self.workspace.ledger if not e.failed]
        # What describe_data tells (counts, ranges) is read from the data by code, and so has a source.
        described = {"id": "data", "tool": "describe_data", "arguments": {}, "result": self._describe({})}
        said = _text(arguments, "user_text", needed=False)
        report = audit(_text(arguments, "reply"), [*records, described], said)
        return {**report.to_dict(), "warning": report.warning_block(bool(records))}


def _text(arguments: Mapping[str, Any], name: str, *, needed: bool = True) -> str:
    value = arguments.get(name, "")
    if not isinstance(value, str) or (needed and not value.strip()):
        raise InputError(f"'{name}' must be a text.", hint="Send it as a string.", where=name)
    return value


def build_server(desk: Desk) -> Server[Any]:
    """The MCP server of a desk.

    Raises
    ------
    MissingDependency : the protocol library is not installed.
    """
    try:
        import anyio
        from mcp.server import Server

        from mcp import MCPError, types
    except ImportError:
        raise MissingDependency("mcp", extra="mcp") from None
    from statistikles import __version__

    reads = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    listed = [
        types.Tool(name=name, description=text, input_schema=schema, annotations=reads)
        for name, text, schema in _all_tools()
    ]
    names = {tool.name for tool in listed}

    async def list_tools(_context: Any, _params: Any) -> Any:
        return types.ListToolsResult(tools=listed)

    async def call_tool(_context: Any, params: Any) -> Any:
        if params.name not in names:
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {params.name}")
        result = await anyio.to_thread.run_sync(desk.call, params.name, params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=json.dumps(result, ensure_ascii=False))],
            structured_content=result,
            is_error="error" in result,
        )

    resources = _resource_handlers(desk, types, MCPError)
    return Server(
        "statistikles",
        version=__version__,
        title="Statistikles",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        **resources,
    )


def _resource_handlers(desk: Desk, types: Any, refusal: Any) -> dict[str, Any]:
    """What answers when a client lists or reads the ledger.

    Parameters
    ----------
    desk : whose ledger it is.
    types : the protocol's types, loaded by the caller.
    refusal : the protocol's error.
    """

    async def list_resources(_context: Any, _params: Any) -> Any:
        whole = types.Resource(
            uri=LEDGER_URI,
            name="ledger",
            description="everything computed so far, one entry a line, chained by hashes",
            mime_type="application/jsonl",
        )
        single = [
            types.Resource(uri=f"{LEDGER_URI}/{ident}", name=f"{ident} {tool}", mime_type="application/json")
            for ident, tool in desk.entries()
        ]
        return types.ListResourcesResult(resources=[whole, *single])

    async def list_templates(_context: Any, _params: Any) -> Any:
        template = types.ResourceTemplate(
            uri_template=f"{LEDGER_URI}/{{id}}", name="entry", mime_type="application/json"
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(_context: Any, params: Any) -> Any:
        uri = str(params.uri)
        ident = uri.removeprefix(LEDGER_URI).removeprefix("/")
        try:
            if not uri.startswith(LEDGER_URI):
                raise KeyError(uri)
            text = desk.ledger_text(ident)
        except KeyError:
            raise refusal(code=types.INVALID_PARAMS, message=f"There is no resource {uri}.") from None
        kind = "application/json" if ident else "application/jsonl"
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type=kind, text=text)]
        )

    return {
        "on_list_resources": list_resources,
        "on_list_resource_templates": list_templates,
        "on_read_resource": read_resource,
    }


def _all_tools() -> list[tuple[str, str, dict[str, Any]]]:
    computed = [
        (t["function"]["name"], t["function"]["description"], t["function"]["parameters"])
        for t in get_tools()
    ]
    return [*_OWN_TOOLS, *computed]


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    root = Path(args.root) if args.root else Path.cwd()
    if not root.is_dir():
        raise UsageFault(f"There is no folder '{root}'.", "Check --root.", "file_not_found")
    if not 0 <= args.port <= 65535:
        raise UsageFault(f"{args.port} is no port.", "Give a number from 0 to 65535.")
    desk = Desk(Workspace(data_argument(args.data), ledger=args.ledger, decisions=args.decide), root)
    server = build_server(desk)
    import anyio

    try:
        anyio.run(_over_http if args.http else _over_streams, server, args.port)
    except KeyboardInterrupt:
        return 0
    return 0


async def _over_streams(server: Server[Any], _port: int) -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _over_http(server: Server[Any], port: int) -> None:
    """Streamable HTTP at /mcp on loopback only; requests with a foreign Host or Origin are refused."""
    import socket

    import uvicorn

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((HOST, port))
            door.listen()  # from here on a client may knock
        except OSError as error:
            raise DataError(
                f"Port {port} cannot be opened: {error.strerror}.", hint="Choose another with --port."
            ) from error
        sys.stderr.write(f"statistikles: MCP at http://{HOST}:{door.getsockname()[1]}/mcp\n")
        sys.stderr.flush()
        config = uvicorn.Config(server.streamable_http_app(host=HOST), log_level="warning", lifespan="on")
        await uvicorn.Server(config).serve(sockets=[door])
