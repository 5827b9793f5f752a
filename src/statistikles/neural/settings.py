"""Which model to use and how to reach it: the environment first, then a configuration file in TOML."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from statistikles.errors import InputError

__all__ = ["DEFAULT_URL", "Settings", "config_file", "read_settings"]

DEFAULT_URL = "http://localhost:1234/v1"
_KNOWN = ("url", "model", "api_key", "timeout", "retries", "log_level", "debug", "profile")


@dataclass(frozen=True)
class Settings:
    """Everything a user may set.

    `model` is the name asked for, "" for the server's own choice. `chosen` says whether a model was asked for at
    all; when not, the built-in planner answers and nothing is called. The key is left out of every printed form.
    """

    url: str = DEFAULT_URL
    model: str = ""
    api_key: str = field(default="", repr=False)
    timeout: float = 120.0
    retries: int = 2
    log_level: str = ""
    debug: bool = False
    profile: Mapping[str, Any] = field(default_factory=dict)
    chosen: bool = False


def config_file(environment: Mapping[str, str] | None = None) -> Path:
    """Where the configuration file is looked for on this platform; STATISTIKLES_CONFIG names another."""
    env = os.environ if environment is None else environment
    if named := env.get("STATISTIKLES_CONFIG"):
        return Path(named)
    if sys.platform == "win32":
        base = Path(env.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "statistikles" / "config.toml"


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings in force.

    Raises
    ------
    InputError : the configuration file cannot be used.
    """
    env = os.environ if environment is None else environment
    path = config_file(env)
    content = _read(path, required="STATISTIKLES_CONFIG" in env)
    url = env.get("STATISTIKLES_LM_URL") or content.get("url")
    model = env.get("STATISTIKLES_MODEL") or content.get("model")
    return Settings(
        url=str(url or DEFAULT_URL),
        model=str(model or ""),
        api_key=str(env.get("STATISTIKLES_API_KEY") or content.get("api_key") or ""),
        timeout=_number(content, "timeout", 120.0, path),
        retries=int(_number(content, "retries", 2, path)),
        log_level=str(env.get("STATISTIKLES_LOG_LEVEL") or content.get("log_level") or ""),
        debug=bool(env.get("STATISTIKLES_DEBUG") or content.get("debug")),
        profile=_table(content, path),
        chosen=bool(url or model),
    )


def _read(path: Path, *, required: bool) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if required:
            raise InputError(
                f"There is no configuration file '{path}'.",
                hint="Unset STATISTIKLES_CONFIG or correct it.",
                where="STATISTIKLES_CONFIG",
            ) from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The configuration file '{path}' cannot be read.", where=str(path)) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            f"The configuration file '{path}' is not valid TOML: {error}.",
            hint='For example: model = "qwen3-8b"',
            where=str(path),
        ) from None
    if unknown := [name for name in content if name not in _KNOWN]:
        raise InputError(
            f"The configuration file has an unknown setting '{unknown[0]}'.",
            hint="Settings: " + ", ".join(_KNOWN),
            where=str(path),
        )
    return content


def _number(content: Mapping[str, Any], name: str, usual: float, path: Path) -> float:
    value = content.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise InputError(
            f"The setting '{name}' must be a number, zero or more.",
            hint=f"For example: {name} = {usual:g}",
            where=str(path),
        )
    return float(value)


def _table(content: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    value = content.get("profile", {})
    if not isinstance(value, Mapping):
        raise InputError(
            "The setting 'profile' must be a table.",
            hint='For example:\n[profile]\ntools = "text"',
            where=str(path),
        )
    return value
