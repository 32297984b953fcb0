"""What a database cannot do, told as what it is: a full or read-only disk, a lock, damage, no answer."""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext

from sarai.table import metrics
from sarai.table.refusals import Refused

MOVED = "moved to another database"  # what the triggers of a database say that was moved
SQLITE_REASONS = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "disk_read_only",
    sqlite3.SQLITE_BUSY: "database_busy",
    sqlite3.SQLITE_LOCKED: "database_busy",
    sqlite3.SQLITE_CORRUPT: "database_damaged",
    sqlite3.SQLITE_NOTADB: "database_damaged",
    sqlite3.SQLITE_IOERR: "disk_fails",
    sqlite3.SQLITE_CANTOPEN: "database_away",
    sqlite3.SQLITE_PERM: "disk_read_only",
}
POSTGRES_REASONS = {  # by the beginning of the SQLSTATE, the longest first
    "53100": "disk_full",
    "25006": "disk_read_only",
    "25P03": "database_away",  # this process stood still in a transaction, and was cut off
    "55P03": "database_busy",
    "40P01": "database_busy",  # a deadlock, and below a race between transactions: see `Undone`
    "40001": "database_busy",
    "58030": "disk_fails",
    "XX001": "database_damaged",
    "XX002": "database_damaged",
    "53": "database_busy",  # too many connections, no memory
    "57": "database_away",  # it is being stopped or started
    "08": "database_away",
}


UNDONE = ("40P01", "40001")


class StorageFailed(Refused):
    """The database could not do what was asked; nothing was changed, as far as it can say."""


class Undone(StorageFailed):
    """Two transactions were in each other's way, and this one was undone: it may be tried again at once."""


def reason_of(error: BaseException | None, is_disconnect: bool = False) -> str | None:
    """Return the reason key of a driver's error; None if it is not the database's own trouble."""
    if MOVED in str(error):
        return "database_moved"
    if (code := getattr(error, "sqlite_errorcode", None)) is not None:
        return SQLITE_REASONS.get(code & 0xFF)
    if state := getattr(error, "sqlstate", None):
        return next((reason for start, reason in POSTGRES_REASONS.items() if state.startswith(start)), None)
    is_lost = is_disconnect or (error is not None and type(error).__name__ == "OperationalError")
    return "database_away" if is_lost else None


def failure_of(error: BaseException, is_disconnect: bool = False) -> StorageFailed | None:
    """Return the refusal that is raised instead of a driver's error; None if it is not the database's own trouble."""
    reason = reason_of(error, is_disconnect) if isinstance(error, Exception) else None  # not a cancelled task
    if reason is None:
        return None
    metrics.STORAGE_FAILURES.labels(reason).inc()
    return Undone(reason) if getattr(error, "sqlstate", None) in UNDONE else StorageFailed(reason)


def translate(context: ExceptionContext) -> StorageFailed | None:
    """Return the refusal that is raised instead of a driver's error, for SQLAlchemy."""
    return failure_of(context.original_exception, context.is_disconnect)


def tell_failures(engine: Engine) -> None:
    """Have an engine raise `StorageFailed` for what the database cannot do."""
    handler: Any = translate
    event.listen(engine, "handle_error", handler, retval=True)
