"""Any server that speaks OpenAI's chat completions, through the official client library."""

from __future__ import annotations

import json
import re
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from statistikles.errors import InputError, MissingDependency, ModelError
from statistikles.neural.backend import Completion, Constraint, Wish
from statistikles.neural.profiles import Profile, profile_for
from statistikles.neural.wire import Gathered, Visible, completion_of, request_of

if TYPE_CHECKING:
    import openai

    from statistikles.neural.settings import Settings

__all__ = ["OpenAICompatible", "constrained", "failure"]

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_OVERFLOW = re.compile(r"context|too (?:long|large|many tokens)|maximum .*(?:length|tokens)|exceed", re.I)
_CONSTRAINT = re.compile(r"response_format|json.?schema|grammar", re.I)
_SHOWN = 300


class OpenAICompatible:
    """A model behind a chat-completions server. Nothing is called before the first request.

    Parameters
    ----------
    settings : address, model name (empty: the first the server lists), key, timeout, retries, profile changes.
    """

    def __init__(self, settings: Settings) -> None:
        parts = urlsplit(settings.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(
                f"'{_without_user(settings.url)}' is not an http address of a model server.",
                hint="For example: http://localhost:1234/v1",
                where="STATISTIKLES_LM_URL",
            )
        self._settings = settings
        self._model = settings.model
        self._client: openai.OpenAI | None = None
        self.profile: Profile = profile_for(settings.model, settings.url, settings.profile)
        self.address = _without_user(settings.url)
        _library()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._model or 'the first model listed'} at {self.address})"

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        wish: Wish = Wish(),  # noqa: B008 (frozen)
    ) -> Completion:
        """The model's next message.

        Raises
        ------
        ModelError : the server cannot be reached or refuses, or its answer cannot be read.
        """
        openai = _library()
        try:
            name = self._name()
            request = {**request_of(messages, tools, self.profile), "model": name}
            extra = constrained(wish.constraint, self.profile)
            if "repeat_penalty" in request:  # no parameter of the client, which knows OpenAI's alone
                extra["repeat_penalty"] = request.pop("repeat_penalty")
            if wish.show is not None and (wish.constraint is None or "grammar" in extra):
                answer = self._streamed(request, extra, wish.show)
            else:
                answer = self._whole(request, extra)
        except ModelError:
            raise
        except openai.OpenAIError as error:
            raise failure(error, self._settings, self._model, self.address) from None
        except (ValueError, UnicodeError):  # JSON that is none, also inside a stream
            raise ModelError(
                f"The model server at {self.address} sent an answer that is not valid JSON.",
                hint="Check that the address ends in /v1 and belongs to an OpenAI-compatible server.",
                code="malformed_answer",
            ) from None
        completion = completion_of(answer, self.profile)
        return _unpacked(completion, wish.constraint, self.profile)

    def _whole(self, request: dict[str, Any], extra: dict[str, Any]) -> Any:
        raw = self._connected().chat.completions.with_raw_response.create(**request, extra_body=extra)
        return json.loads(raw.text if isinstance(raw.text, str) else raw.text())

    def _streamed(self, request: dict[str, Any], extra: dict[str, Any], show: Callable[[str], None]) -> Any:
        if self.profile.stream_usage:
            request["stream_options"] = {"include_usage": True}
        gathered, visible = Gathered(), Visible(show, self.profile.thinking)
        with self._connected().chat.completions.create(**request, extra_body=extra, stream=True) as stream:
            for chunk in stream:
                if gathered.take(chunk.to_dict()):
                    visible.text(gathered.text)
        return gathered.answer()

    def _connected(self) -> openai.OpenAI:
        if self._client is None:
            library = _library()
            s = self._settings
            # A proxy of the environment is not for a server on this machine.
            local = urlsplit(s.url).hostname in _LOOPBACK
            self._client = library.OpenAI(
                base_url=s.url,
                api_key=s.api_key or "none",
                timeout=s.timeout or None,
                max_retries=s.retries,
                http_client=library.DefaultHttpxClient(trust_env=not local, timeout=s.timeout or None),
            )
            # A session has no end of its own: the connections are closed with the object.
            weakref.finalize(self, self._client.close)
        return self._client

    def _name(self) -> str:
        """The model's name; the first the server lists when none was asked for."""
        if not self._model:
            listed = self._connected().models.with_raw_response.list()
            content = json.loads(listed.text if isinstance(listed.text, str) else listed.text())
            models = content.get("data") if isinstance(content, Mapping) else None
            if not isinstance(models, list) or not models or not isinstance(models[0], Mapping):
                raise ModelError(
                    f"The model server at {self.address} lists no model.",
                    hint="Load a model there, or name one with STATISTIKLES_MODEL or --model.",
                    code="no_model",
                )
            self._model = str(models[0].get("id", ""))
            self.profile = profile_for(self._model, self._settings.url, self._settings.profile)
        return self._model


def _library() -> Any:
    try:
        import openai
    except ImportError:
        raise MissingDependency("openai", extra="model") from None
    return openai


def constrained(constraint: Constraint | None, profile: Profile) -> dict[str, Any]:
    """The fields that ask a server for a form of text, in the way this one understands."""
    if constraint is None or profile.constraint == "none":
        return {}
    if profile.constraint == "grammar" and constraint.grammar:
        return {"grammar": constraint.grammar}
    schema = {"name": "reply", "strict": True, "schema": dict(constraint.schema)}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def _unpacked(completion: Completion, constraint: Constraint | None, profile: Profile) -> Completion:
    if constraint is None or profile.constraint != "json_schema":
        return completion
    return Completion(
        constraint.unpack(completion.text),
        completion.tool_calls,
        completion.finish,
        completion.tokens_in,
        completion.tokens_out,
    )


def _without_user(url: str) -> str:
    """The address without a name and password, fit to be shown."""
    return re.sub(r"//[^/@]*@", "//", url)


def failure(error: Exception, settings: Settings, model: str, address: str) -> ModelError:
    """What went wrong, in a sentence a user can act on. The server's own words are quoted, never the key."""
    openai = _library()
    if isinstance(error, openai.APITimeoutError):
        return ModelError(
            f"The model server at {address} did not answer within {settings.timeout:g} seconds.",
            hint="Ask for less, use a smaller model, or raise 'timeout' in the configuration file.",
            code="timeout",
        )
    if isinstance(error, openai.APIConnectionError):
        return ModelError(
            f"No model server answers at {address}.",
            hint="Start the server, correct STATISTIKLES_LM_URL, or leave the model out to use the built-in planner.",
            code="no_server",
        )
    if not isinstance(error, openai.APIStatusError):
        return ModelError(
            f"The model server at {address} failed ({type(error).__name__}).", code="model_server"
        )
    said = _said(error, settings.api_key)
    return _refusal(error.status_code, said, model or "the model", address)


def _refusal(status: int, said: str, model: str, address: str) -> ModelError:
    quoted = f" It says: {said}" if said else ""
    if status in (401, 403):
        return ModelError(
            f"The model server at {address} refused the API key.",
            hint=f"Set STATISTIKLES_API_KEY to a valid key.{quoted}",
            code="unauthorised",
        )
    if status == 404:
        return ModelError(
            f"The model server at {address} does not know '{model}', or the address is wrong.",
            hint=f"Name a model that is loaded there; the address usually ends in /v1.{quoted}",
            code="no_model",
        )
    if status == 429:
        return ModelError(
            f"The model server at {address} asks for fewer requests, also after waiting.",
            hint=f"Wait a moment and ask again, or check the quota.{quoted}",
            code="rate_limited",
        )
    if status == 413 or (status in (400, 422, 500) and _OVERFLOW.search(said)):
        return ModelError(
            "The conversation is longer than the model's context.",
            hint=f"Ask in a new session, or set 'context' under [profile] in the configuration file.{quoted}",
            code="context_overflow",
        )
    if status in (400, 422) and _CONSTRAINT.search(said):
        return ModelError(
            f"The model server at {address} does not take a grammar or schema.",
            hint=f'Set constraint = "none" under [profile] in the configuration file.{quoted}',
            code="no_constraint",
        )
    if status >= 500:
        return ModelError(
            f"The model server at {address} failed ({status}), also when asked again.",
            hint=f"See the server's own log.{quoted}",
            code="model_server",
        )
    return ModelError(
        f"The model server at {address} refused the request ({status}).", hint=said, code="refused"
    )


def _said(error: Any, key: str) -> str:
    """The server's own sentence, short, without the key."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    text = inner.get("message", "") if isinstance(inner, Mapping) else inner
    plain = " ".join(str(text or "").split())
    if key:
        plain = plain.replace(key, "***")
    return plain[:_SHOWN]
