"""From a model's name to a back end: a GGUF file runs in this process, any other name is the server's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from statistikles.neural.settings import Settings, read_settings

if TYPE_CHECKING:
    from statistikles.neural.backend import ModelBackend

__all__ = ["configured_model", "open_model"]


def open_model(name: str, settings: Settings | None = None) -> ModelBackend:
    """The back end of a model by name; "" is the first model that the server lists. Nothing is called yet.

    Raises
    ------
    MissingDependency : the client library is not installed.
    InputError, DataError : the address, the configuration or the model file cannot be used.
    """
    found = read_settings() if settings is None else settings
    from statistikles.neural.embedded import EmbeddedModel, is_model_file

    if is_model_file(name):
        return EmbeddedModel(name, found.profile)
    from statistikles.neural.openai_compatible import OpenAICompatible

    return OpenAICompatible(replace(found, model=name))


def configured_model(name: str | None = None, settings: Settings | None = None) -> ModelBackend | None:
    """The back end asked for by name or in the settings; None for the built-in planner."""
    found = read_settings() if settings is None else settings
    if name:
        return open_model(name, found)
    return open_model(found.model, found) if found.chosen else None
