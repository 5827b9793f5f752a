"""`statistikles doctor`: what is installed, configured and working. The network is called only with --probe."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata

from statistikles.errors import StatistiklesError
from statistikles.registry.manifest import manifest
from statistikles.surfaces.places import example_table, state_folder
from statistikles.surfaces.streams import console, print_json

__all__ = ["Check", "checks", "main"]

_PROBE_SECONDS = 3.0
_FOR_DEVELOPERS = frozenset({"test", "lint", "real"})
_MARKS = {"ok": "ok", "absent": "absent", "note": "note", "fault": "FAULT"}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `status` is ok, note (nothing wrong), absent (optional) or fault."""

    name: str
    status: str
    detail: str


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    found = list(checks(probe=args.probe))
    healthy = all(check.status != "fault" for check in found)
    if args.json:
        print_json({"ok": healthy, "checks": [asdict(check) for check in found]})
    else:
        from statistikles.output.terminal import draw_rows

        screen = console()
        heads = ("what", "state", "detail")
        draw_rows(screen, heads, [(c.name, _MARKS[c.status], c.detail) for c in found], words=heads)
        screen.print(
            "Everything needed works." if healthy else "Something needed does not work; see FAULT above."
        )
    return 0 if healthy else 1


def checks(*, probe: bool = False) -> Iterator[Check]:
    """Every check, in the order a reader needs them."""
    yield Check("python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield from _packages()
    yield Check("tools", "ok", f"{len(manifest()['tools'])} tools")
    yield _computation()
    yield _engine()
    yield _history_folder()
    yield Check("output encoding", "ok", str(getattr(sys.stdout, "encoding", "unknown")))
    yield from _model_server(probe=probe)


def _packages() -> Iterator[Check]:
    from statistikles import __version__

    yield Check("statistikles", "ok", __version__)
    try:
        required = metadata.requires("statistikles") or []
    except metadata.PackageNotFoundError:
        yield Check("packages", "note", "run from a source folder; not installed as a package")
        return
    for line in required:
        match = re.match(r"[A-Za-z0-9_.-]+", line)
        if match is None:
            continue
        # What only developers need is no business of a reader's.
        optional = re.search(r"extra\s*==\s*['\"](\w+)['\"]", line)
        if optional and optional.group(1) in _FOR_DEVELOPERS:
            continue
        try:
            yield Check(match.group(), "ok", metadata.version(match.group()))
        except metadata.PackageNotFoundError:
            if optional:
                yield Check(
                    match.group(), "absent", f"optional, comes with statistikles[{optional.group(1)}]"
                )
            else:
                yield Check(
                    match.group(), "fault", "needed, and not installed: pip install --upgrade statistikles"
                )


def _computation() -> Check:
    """One real computation and its audit, through the same seam that answers questions."""
    try:
        from statistikles.guardrail import audit
        from statistikles.tools.executor import execute_tool

        result = execute_tool("t_test", {"type": "one_sample", "group1": [4.1, 5.2, 6.3, 5.0]})
        if "error" in result:
            return Check("computation", "fault", str(result["error"]))
        traced = audit(f"The mean is {result['estimate']:.2f}.", [result]).ok
        invented = audit("The mean is 77.31.", [result]).ok
        if not traced or invented:
            return Check("audit", "fault", "the audit does not tell a computed number from an invented one")
        return Check("computation and audit", "ok", "a test statistic was computed and its number traced")
    except ImportError as error:
        return Check("computation", "fault", f"{error.name or 'a package'} cannot be imported")


def _engine() -> Check:
    """The example table read by the embedded engine."""
    try:
        from statistikles.tools.workspace import Workspace

        marks = Workspace({"penguins": str(example_table())}).fingerprints()
        return Check("data engine", "ok", f"the example table was read ({', '.join(marks)})")
    except ImportError as error:
        return Check("data engine", "fault", f"{error.name or 'a package'} cannot be imported")


def _history_folder() -> Check:
    folder = state_folder()
    nearest = next(p for p in (folder, *folder.parents) if p.exists())
    writable = os.access(nearest, os.W_OK) and os.access(tempfile.gettempdir(), os.W_OK)
    return Check(
        "history", "ok" if writable else "note", str(folder) if writable else f"{folder} cannot be written"
    )


def _model_server(*, probe: bool) -> Iterator[Check]:
    from statistikles.neural.settings import config_file, read_settings

    try:
        settings = read_settings()
    except StatistiklesError as error:
        yield Check("configuration", "fault", f"{error.message} {error.hint}".strip())
        return
    if (file := config_file()).exists():
        yield Check("configuration", "ok", str(file))
    url, model = settings.url if settings.chosen else "", settings.model
    if not settings.chosen:
        yield Check("language model", "note", "none configured; the built-in planner answers")
    else:
        yield Check("language model", "ok", f"{model or 'the server chooses'} at {url}")
        yield Check("API key", "note", "set" if settings.api_key else "not set")
    if probe:
        yield _probed(settings.url, settings.api_key)
    elif settings.chosen:
        yield Check("model server", "note", "not called; use --probe to call it")


def _probed(url: str, key: str = "") -> Check:
    import urllib.error
    import urllib.request

    if not url.startswith(("http://", "https://")):
        return Check("model server", "fault", f"STATISTIKLES_LM_URL is not an http address: {url}")
    try:
        request = urllib.request.Request(url.rstrip("/") + "/models")
        if key:
            request.add_header("Authorization", f"Bearer {key}")
        with urllib.request.urlopen(request, timeout=_PROBE_SECONDS) as answer:
            content = json.load(answer)
        names = [str(m.get("id")) for m in content.get("data", [])]
        return Check("model server", "ok", f"{len(names)} models: {', '.join(names[:5])}")
    except (urllib.error.URLError, OSError, ValueError, AttributeError) as error:
        return Check(
            "model server", "fault", f"no usable answer from {url}: {getattr(error, 'reason', error)}"
        )
