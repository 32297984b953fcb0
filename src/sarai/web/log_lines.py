"""Lines of the server's log, plain or JSON: what happened and where in the code, without names, ids or secrets."""

from __future__ import annotations

import json
import logging
import sqlite3
import sys
import time
import traceback
from typing import Any, Literal

LogFormat = Literal["plain", "json"]
LOGGERS = ("sarai", "uvicorn.error", "asyncio", "psycopg", "sqlalchemy")
MOST_ALIKE, ALIKE_SECONDS = 20, 60.0  # lines of one kind in a time: whoever brings an error about must not fill a disk
MOST_KINDS = 1000
CONSEQUENCES = ("psycopg", "sqlalchemy.pool")  # what they log follows from an error that is told by who asked


def first_line(record: logging.LogRecord) -> str:
    """Return the first line of a message; further ones, of asyncio's own, quote what was being worked on."""
    return (record.getMessage().splitlines() or [""])[0]


def describe_error(error: BaseException) -> str:
    """Return what kind of error it is; its own words only where they hold nothing that a person wrote."""
    cause = getattr(error, "orig", None) or error
    words = cause.strerror if isinstance(cause, OSError) else str(cause) if isinstance(cause, sqlite3.Error) else None
    names = type(error).__name__ if cause is error else f"{type(error).__name__}, {type(cause).__name__}"
    return f"{names}: {words}" if words else names


def places(error: BaseException) -> list[str]:
    """Return where in the code an error was raised, the innermost last."""
    return [
        f"{frame.filename.rpartition('site-packages/')[2].rpartition('src/')[2]}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]


class FewAlike(logging.Filter):
    """Leaves out what was written often in the last minute; the next line of its kind says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[object, tuple[float, int]] = {}  # since when, and how many

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a line is written."""
        if record.levelno < logging.WARNING:
            return True
        error = error_of(record)
        where = places(error)[-1:] if error is not None else ()
        kind = record.name, record.levelno, str(record.msg).partition("\n")[0], *where
        since, count = self._kinds.get(kind, (record.created, 0))
        if not 0 <= record.created - since < ALIKE_SECONDS:
            record.left_out = max(0, count - MOST_ALIKE)
            since, count = record.created, 0
        if len(self._kinds) >= MOST_KINDS:
            self._kinds.clear()
        self._kinds[kind] = since, count + 1
        return count < MOST_ALIKE


def message_of(record: logging.LogRecord) -> str:
    """Return what a line says."""
    left_out = getattr(record, "left_out", 0)
    return first_line(record) + (f" (and {left_out} more like this before)" if left_out else "")


class PlainLines(logging.Formatter):
    """A line for people: time, level, message, and of an error its kind and places."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines."""
        moment = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        lines = [f"{moment} {record.levelname.lower()} {record.name}: {message_of(record)}"]
        if (error := error_of(record)) is not None:
            lines += [f"  {place}" for place in places(error)]
            lines.append(f"  {describe_error(error)}")
        return "\n".join(lines)


class JsonLines(logging.Formatter):
    """A line for programs: one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message_of(record),
            **getattr(record, "facts", {}),
        }
        if (error := error_of(record)) is not None:
            line |= {"error": describe_error(error), "places": places(error)}
        return json.dumps(line)


def error_of(record: logging.LogRecord) -> BaseException | None:
    """Return the error that a record is about."""
    return record.exc_info[1] if record.exc_info else None


def set_up_log(log_format: LogFormat) -> None:
    """Write what the server logs to the error output; every request, too, where lines are JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(FewAlike())
    handler.setFormatter(JsonLines() if log_format == "json" else PlainLines())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING)
    for name in CONSEQUENCES:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    logging.getLogger("sarai.requests").setLevel(logging.INFO if log_format == "json" else logging.WARNING)
