"""Progress of a long read on a terminal: one line on standard error, gone when the read is done."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

__all__ = ["shown"]

_FIRST_AFTER = 1.0
_EVERY = 0.5


@contextmanager
def shown(con: duckdb.DuckDBPyConnection, what: str) -> Iterator[None]:
    """Show how far the queries run meanwhile have come; nothing where no one watches."""
    if not sys.stderr.isatty():
        yield
        return
    con.execute("SET enable_progress_bar=true")
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(con, what, done), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _watch(con: duckdb.DuckDBPyConnection, what: str, done: threading.Event) -> None:
    said = False
    wait = _FIRST_AFTER
    while not done.wait(wait):
        wait, said = _EVERY, True
        share = con.query_progress()
        told = f" {share:.0f} %" if 0 <= share <= 100 else ""
        sys.stderr.write(f"\r\x1b[Kreading {what}{told}, Ctrl-C stops ")
        sys.stderr.flush()
    if said:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
