"""The client of chat-completions servers against a server on loopback that misbehaves in every listed way."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from statistikles import Session
from statistikles.errors import InputError, MissingDependency, ModelError
from statistikles.neural.backend import Constraint, Wish
from statistikles.neural.openai_compatible import OpenAICompatible
from statistikles.neural.settings import Settings

KEY = "sk-very-secret-0123456789"
ASK = [{"role": "user", "content": "Well?"}]
DATA = {"weight": [61.2, 58.4, 70.1, 66.3, 59.9, 72.5, 64.8, 68.0], "arm": list("aabbaabb")}


class Answers(ThreadingHTTPServer):
    """Gives the prepared answers in order, the last one for ever; keeps what was asked."""

    daemon_threads = True
    answers: list[tuple[int, Any, dict[str, str]]]
    asked: list[dict[str, Any]]
    keys: list[str | None]
    delay: float

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def say(self, *answers: Any) -> None:
        self.answers = [a if isinstance(a, tuple) else (200, a, {}) for a in answers]


class _Handler(BaseHTTPRequestHandler):
    server: Answers

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self._reply(200, {"data": [{"id": "listed-model"}]}, {})

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.asked.append(json.loads(self.rfile.read(length)))
        self.server.keys.append(self.headers.get("Authorization"))
        time.sleep(self.server.delay)
        answers = self.server.answers
        self._reply(*(answers.pop(0) if len(answers) > 1 else answers[0]))

    def _reply(self, status: int, body: Any, headers: dict[str, str]) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        kind = "text/event-stream" if data.startswith(b"data:") else "application/json"
        for name, value in ({"Content-Type": kind, "Content-Length": str(len(data))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def server() -> Iterator[Answers]:
    """A server on loopback."""
    found = Answers(("127.0.0.1", 0), _Handler)
    found.answers, found.asked, found.keys, found.delay = [], [], [], 0.0
    threading.Thread(target=found.serve_forever, args=(0.02,), daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def text(content: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    return {
        "choices": [
            {"message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7},
    }


def call(name: Any, arguments: Any, ident: str = "c1") -> dict[str, Any]:
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}


def stream(*deltas: dict[str, Any], finish: str = "stop") -> bytes:
    pieces: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": d}]} for d in deltas]
    pieces.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    pieces.append({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 3}})
    lines = [f"data: {json.dumps({'id': 'x', 'object': 'chat.completion.chunk', **p})}\n\n" for p in pieces]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


def model(server: Answers, **changes: Any) -> OpenAICompatible:
    given: dict[str, Any] = {"url": server.url, "model": "m", "api_key": KEY, "retries": 0, "timeout": 5.0}
    return OpenAICompatible(Settings(**(given | changes)))


def test_a_text(server: Answers) -> None:
    server.say(text("Hello."))
    done = model(server).complete(ASK, [])
    assert (done.text, done.finish, done.tokens_in, done.tokens_out) == ("Hello.", "stop", 11, 7)
    assert server.asked == [{"messages": ASK, "model": "m", "temperature": 0.0}]
    assert server.keys == [f"Bearer {KEY}"]


def test_without_a_key_none_of_the_environment_is_sent(
    server: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-service")
    server.say(text("Hello."))
    model(server, api_key="").complete(ASK, [])
    assert "another-service" not in str(server.keys)


def test_the_first_listed_model_when_none_is_named(server: Answers) -> None:
    server.say(text("Hello."))
    model(server, model="").complete(ASK, [])
    assert server.asked[0]["model"] == "listed-model"


def test_tool_calls(server: Answers) -> None:
    server.say(text(None, "tool_calls", tool_calls=[call("anova", '{"a": 1}'), call("t_test", "{}", "c2")]))
    done = model(server).complete(ASK, [{"type": "function", "function": {"name": "anova"}}])
    assert [(c.id, c.name, c.arguments) for c in done.tool_calls] == [
        ("c1", "anova", '{"a": 1}'),
        ("c2", "t_test", "{}"),
    ]
    assert len(server.asked[0]["tools"]) == 1


def test_a_stream(server: Answers) -> None:
    server.say(
        stream({"content": "<thi"}, {"content": "nk>hm</think>"}, {"content": "Hel"}, {"content": "lo."})
    )
    shown: list[str] = []
    done = model(server).complete(ASK, [], Wish(show=shown.append))
    assert done.text == "".join(shown) == "Hello."
    assert len(shown) == 2
    assert (done.tokens_in, done.tokens_out) == (5, 3)


def test_streamed_tool_calls(server: Answers) -> None:
    first = {"index": 0, "id": "c1", "function": {"name": "anova", "arguments": '{"gro'}}
    rest = {"index": 0, "function": {"arguments": 'ups": "x"}'}}
    other = {"index": 1, "id": "c2", "function": {"name": "t_test", "arguments": "{}"}}
    server.say(
        stream({"tool_calls": [first]}, {"tool_calls": [rest]}, {"tool_calls": [other]}, finish="tool_calls")
    )
    done = model(server).complete(ASK, [], Wish(show=lambda _: None))
    assert [(c.name, c.arguments) for c in done.tool_calls] == [
        ("anova", '{"groups": "x"}'),
        ("t_test", "{}"),
    ]


def test_a_busy_server_is_asked_again(server: Answers) -> None:
    busy = (429, {"error": {"message": "slow down"}}, {"Retry-After": "0.05"})
    server.say(busy, (503, {"error": {"message": "loading"}}, {"Retry-After": "0.05"}), text("Hello."))
    assert model(server, retries=2).complete(ASK, []).text == "Hello."
    assert len(server.asked) == 3


def error(status: int, message: str) -> tuple[int, Any, dict[str, str]]:
    return status, {"error": {"message": message, "code": None}}, {}


FAILURES: dict[str, tuple[Sequence[Any], str, str]] = {
    "401": ([error(401, f"Incorrect API key provided: {KEY}")], "unauthorised", "refused the API key"),
    "404 model": ([error(404, "model 'm' not found")], "no_model", "does not know 'm'"),
    "429": ([error(429, "quota exceeded")], "rate_limited", "fewer requests"),
    "context overflow": (
        [error(400, "This model's maximum context length is 4096 tokens.")],
        "context_overflow",
        "longer than the model's context",
    ),
    "context overflow of llama.cpp": (
        [(400, {"error": {"message": "the request exceeds the available context size", "type": "x"}}, {})],
        "context_overflow",
        "longer than the model's context",
    ),
    "no grammar": ([error(400, "response_format is not supported")], "no_constraint", "grammar or schema"),
    "500": ([error(500, "boom")], "model_server", "failed (500)"),
    "418": ([error(418, "teapot")], "refused", "refused the request (418)"),
    "malformed JSON": ([b'{"choices": [{"mess'], "malformed_answer", "not valid JSON"),
    "a web page": ([b"<html>hello</html>"], "malformed_answer", "not valid JSON"),
    "a list": ([[1, 2]], "malformed_answer", "chat-completions format"),
    "no message": ([{"choices": [{}]}], "malformed_answer", "chat-completions format"),
    "empty choices": ([{"choices": []}], "empty_answer", "without any choice"),
    "an error with status 200": (
        [{"error": {"message": "no model loaded"}}],
        "model_server",
        "error of its own",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_each_failure_is_a_clear_sentence(
    name: str, server: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    answers, code, said = FAILURES[name]
    server.say(*answers)
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelError) as caught:
        model(server).complete(ASK, [])
    assert caught.value.code == code
    assert said in caught.value.message
    assert KEY not in caught.value.message + caught.value.hint + caplog.text
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize("name", FAILURES)
def test_the_session_goes_on_after_each_failure_and_nothing_is_lost(name: str, server: Answers) -> None:
    answers, _, _ = FAILURES[name]
    describe = text(None, "tool_calls", tool_calls=[call("descriptive_statistics", '{"data": "weight"}')])
    rest = [describe, text("The mean weight is {{r1.mean}}.")]
    # An overflow is met with a second, shorter attempt, and a refused schema with one without it.
    twice = 2 if "overflow" in name else 1
    server.say(*rest, *answers * twice, text("The mean weight was {{r1.mean}}."))
    session = Session(data={"trial": DATA}, model=model(server))
    assert session.ask("What is the mean weight?").text == "The mean weight is 65.15."
    failed = session.ask("And again?")
    assert failed.results == []
    assert failed.audit.ok or failed.warning
    assert len(session.ledger) == 1
    assert session.ask("What was it?").text == "The mean weight was 65.15."


def test_no_server(server: Answers) -> None:
    url = server.url
    server.shutdown()
    server.server_close()
    with pytest.raises(ModelError, match="No model server answers at") as caught:
        OpenAICompatible(Settings(url=url, model="m", retries=0)).complete(ASK, [])
    assert caught.value.code == "no_server"
    assert "planner" in caught.value.hint


def test_a_slow_server(server: Answers) -> None:
    server.delay = 1.0
    server.say(text("Late."))
    with pytest.raises(ModelError, match=r"did not answer within 0\.2 seconds"):
        model(server, timeout=0.2).complete(ASK, [])


@pytest.mark.parametrize(
    "broken",
    [
        b'data: {"choices": [{"delta": {"content": "Hel\n\n',
        b'data: {"error": {"message": "out of memory"}}\n\n',
    ],
)
def test_a_broken_stream(broken: bytes, server: Answers) -> None:
    server.say(broken)
    with pytest.raises(ModelError) as caught:
        model(server).complete(ASK, [], Wish(show=lambda _: None))
    assert caught.value.code in ("malformed_answer", "model_server")


def test_a_stream_that_ends_early_has_no_choice(server: Answers) -> None:
    server.say(b"data: [DONE]\n\n")
    with pytest.raises(ModelError, match="without any choice"):
        model(server).complete(ASK, [], Wish(show=lambda _: None))


CONSTRAINT = Constraint('root ::= "a"', {"type": "object"}, lambda written: f"<{written}>")


def test_a_grammar_is_sent_where_it_is_understood(server: Answers) -> None:
    server.say(text("a"))
    done = model(server, profile={"constraint": "grammar"}).complete(ASK, [], Wish(CONSTRAINT))
    assert server.asked[0]["grammar"] == 'root ::= "a"'
    assert done.text == "a"


def test_a_schema_is_sent_and_its_answer_unpacked(server: Answers) -> None:
    server.say(text("a"))
    done = model(server, profile={"constraint": "json_schema"}).complete(ASK, [], Wish(CONSTRAINT))
    assert server.asked[0]["response_format"]["json_schema"]["schema"] == {"type": "object"}
    assert done.text == "<a>"


def test_a_server_that_takes_no_schema_is_asked_without(server: Answers) -> None:
    """Once refused, the schema is left out for the rest of the turn; the literal reply is audited as ever."""
    server.say(
        text("About 99.73."), error(400, "response_format is not supported"), text("No tool gives it.")
    )
    session = Session(data={"trial": DATA}, model=model(server, profile={"constraint": "json_schema"}))
    reply = session.ask("What is the mean weight?")
    assert reply.text == "No tool gives it."
    assert reply.audit.ok


@pytest.mark.parametrize("url", ["localhost:1234", "ftp://localhost/v1", "http://", "file:///etc/passwd"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(InputError, match="not an http address"):
        OpenAICompatible(Settings(url=url))


def test_a_password_in_the_address_is_not_shown() -> None:
    made = OpenAICompatible(Settings(url="http://me:hunter2@127.0.0.1:9/v1", model="m", retries=0))
    with pytest.raises(ModelError) as caught:
        made.complete(ASK, [])
    assert "hunter2" not in repr(made) + str(caught.value)


def test_without_the_library_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingDependency) as caught:
        Session(model="some-model")
    assert "statistikles[model]" in caught.value.hint
