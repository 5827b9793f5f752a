"""Where files of the program itself belong on each platform, and the example table it ships."""

from __future__ import annotations

import os
import sys
from importlib import resources
from pathlib import Path

__all__ = ["example_table", "state_folder"]


def state_folder() -> Path:
    """The folder for history: XDG state on Linux, Application Support on macOS, LOCALAPPDATA on Windows."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return base / "statistikles"


def example_table() -> Path:
    """The example table that comes with the package (Palmer penguins, CC0)."""
    return Path(str(resources.files("statistikles.surfaces") / "penguins.csv"))
