"""A GGUF model in this process, through xllamacpp; no server to start and nothing sent anywhere."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from statistikles.errors import DataError, MissingDependency, ModelError
from statistikles.neural.backend import Completion, Wish
from statistikles.neural.openai_compatible import constrained
from statistikles.neural.profiles import Profile, profile_for
from statistikles.neural.wire import Gathered, Visible, completion_of, request_of

__all__ = ["EmbeddedModel", "is_model_file"]

_QUIET = 0
_CONTEXT_AT_MOST = 16384


def is_model_file(name: str) -> bool:
    """Whether a model's name is that of a GGUF file."""
    return name.casefold().endswith(".gguf")


class EmbeddedModel:
    """A model read from a GGUF file.

    Parameters
    ----------
    path : the file.
    changes : changes of the profile, as in the configuration file.
    threads : threads of computation; one less than the cores when not given.
    """

    def __init__(
        self, path: str | os.PathLike[str], changes: Mapping[str, Any] | None = None, *, threads: int = 0
    ) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise DataError(
                f"There is no model file '{self.path.name}'.", hint="Check the path.", where=str(self.path)
            )
        with self.path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise DataError(
                    f"'{self.path.name}' is not a GGUF model file.",
                    hint="Give a file in the format of llama.cpp.",
                    where=str(self.path),
                )
        # The engine honours grammars and schemas but does not enforce tool calls: the choice is made under a schema.
        usual = Profile(tools="schema", constraint="grammar", reply_tokens=512, repeat_penalty=1.05)
        self.profile: Profile = profile_for(self.path.stem, "", changes, usual=usual)
        self.threads = threads or max(1, (os.cpu_count() or 2) - 1)
        self._server: Any = None
        _library()

    def __repr__(self) -> str:
        return f"EmbeddedModel({self.path.name})"

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        wish: Wish = Wish(),  # noqa: B008 (frozen)
    ) -> Completion:
        """The model's next message.

        Raises
        ------
        ModelError : the model cannot be loaded, or the conversation is longer than its context.
        """
        request = {**request_of(messages, tools, self.profile), **constrained(wish.constraint, self.profile)}
        server = self._loaded()
        if wish.show is not None and (wish.constraint is None or "grammar" in request):
            gathered, visible = Gathered(), Visible(wish.show, self.profile.thinking)

            def take(chunk: Any) -> None:
                for piece in chunk if isinstance(chunk, list) else [chunk]:
                    if gathered.take(piece):
                        visible.text(gathered.text)

            failed = server.handle_chat_completions(
                {**request, "stream": True, "stream_options": {"include_usage": True}}, take
            )
            answer = failed if isinstance(failed, Mapping) and "error" in failed else gathered.answer()
        else:
            answer = server.handle_chat_completions(request)
        if isinstance(answer, Mapping) and "error" in answer and "choices" not in answer:
            raise _refused(answer["error"])
        completion = completion_of(answer, self.profile)
        if wish.constraint is not None and self.profile.constraint == "json_schema":
            text = wish.constraint.unpack(completion.text)
            return Completion(text, (), completion.finish, completion.tokens_in, completion.tokens_out)
        return completion

    def _loaded(self) -> Any:
        if self._server is None:
            library = _library()
            params = library.CommonParams()
            params.model.path = str(self.path)
            params.n_ctx = min(self.profile.context, _CONTEXT_AT_MOST)
            params.n_parallel = 1
            params.cpuparams.n_threads = self.threads
            params.cpuparams_batch.n_threads = self.threads
            params.verbosity = _QUIET
            # The engine opens a port on loopback; with a key that nobody else has, it serves this process alone.
            params.api_keys = [secrets.token_urlsafe(32)]
            params.ui = params.endpoint_slots = params.endpoint_props = False
            try:
                self._server = library.Server(params)
            except Exception as error:  # the engine raises plain exceptions for whatever it cannot load
                raise ModelError(
                    f"The model file '{self.path.name}' cannot be loaded.",
                    hint="It may be damaged, or need more memory than there is.",
                    where=str(self.path),
                    code="no_model",
                ) from error
        return self._server


def _library() -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise MissingDependency("xllamacpp", extra="embedded") from None
    return xllamacpp


def _refused(error: Any) -> ModelError:
    said = str(error.get("message", "")) if isinstance(error, Mapping) else str(error)
    if "context" in said or (isinstance(error, Mapping) and "context" in str(error.get("type", ""))):
        return ModelError(
            "The conversation is longer than the model's context.",
            hint="Ask in a new session, or set 'context' under [profile] in the configuration file.",
            code="context_overflow",
        )
    return ModelError("The embedded model refused the request.", hint=said[:300], code="refused")
