"""Logging to standard error: one JSON object a line, at the level of STATISTIKLES_LOG_LEVEL."""

from __future__ import annotations

import json
import logging
import os
import sys

__all__ = ["configure"]

_USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S"),
            "level": record.levelname,
            "logger": record.name,
            "event": record.getMessage(),
            **{k: v for k, v in vars(record).items() if k not in _USUAL},
        }
        if record.exc_info and os.environ.get("STATISTIKLES_DEBUG"):
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False, default=str)


def configure(level_name: str = "") -> None:
    """Set up the program's logger; nothing below CRITICAL is written unless a level is asked for."""
    wanted = (os.environ.get("STATISTIKLES_LOG_LEVEL") or level_name).strip().upper()
    level = logging.getLevelNamesMapping().get(wanted, logging.CRITICAL)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logger = logging.getLogger("statistikles")
    logger.handlers[:] = [handler]
    logger.setLevel(level)
    logger.propagate = False
