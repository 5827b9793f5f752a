"""Doctor: what it finds, that it calls no network unasked, and what a server's answers become."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from statistikles.surfaces import doctor

from .conftest import Run


def found(run: Run, *words: str) -> dict[str, dict[str, Any]]:
    return {check["name"]: check for check in run("doctor", "--json", *words).json["checks"]}


class Server(HTTPServer):
    """A model server on loopback that remembers what it was asked."""

    asked: list[tuple[str, str | None]]


@pytest.fixture
def server() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host: Server = self.server  # type: ignore[assignment]
            host.asked.append((self.path, self.headers.get("Authorization")))
            body = json.dumps({"data": [{"id": "small"}]}).encode() if self.path == "/v1/models" else b"oops"
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with Server(("127.0.0.1", 0), Handler) as running:
        running.asked = []
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def test_a_healthy_installation(run: Run) -> None:
    ran = run("doctor")
    assert ran.code == 0
    assert "Everything needed works." in ran.out
    checks = found(run)
    assert checks["computation and audit"]["status"] == "ok"
    assert checks["data engine"]["status"] == "ok"
    assert "built-in planner" in checks["language model"]["detail"]


def test_no_network_unless_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[Any] = []

    def refuse(_socket: Any, address: Any) -> None:
        called.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert run("doctor").code == 0
    found = run("doctor", environment={"STATISTIKLES_LM_URL": "http://127.0.0.1:1/v1"})
    assert found.code == 0
    assert "not called; use --probe" in found.out
    assert called == []
    assert doctor._probed("http://127.0.0.1:1/v1").status == "fault"
    assert called == [("127.0.0.1", 1)]


def test_a_probed_server(run: Run, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATISTIKLES_API_KEY", "secret-key")
    [check] = doctor._model_server(probe=False)
    assert check.status == "note"
    url = f"http://127.0.0.1:{server.server_port}"
    good, bad = (doctor._probed(f"{url}/{p}", "secret-key") for p in ("v1", "elsewhere"))
    assert (good.status, good.detail) == ("ok", "1 models: small")
    assert bad.status == "fault"
    assert server.asked == [("/v1/models", "Bearer secret-key"), ("/elsewhere/models", "Bearer secret-key")]


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/v1", "ftp://127.0.0.1", "file:///etc/hostname", "http://[::1"]
)
def test_a_server_that_does_not_answer_is_a_fault(url: str) -> None:
    assert doctor._probed(url).status == "fault"


def test_the_key_is_never_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATISTIKLES_API_KEY", "secret-key")
    assert "secret-key" not in run("doctor").out


def test_something_broken_is_exit_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        doctor, "_computation", lambda: doctor.Check("computation", "fault", "numpy is broken")
    )
    ran = run("doctor")
    assert ran.code == 1
    assert "FAULT" in ran.out
    assert run("doctor", "--json").json["ok"] is False
