"""Checking, saving, restoring and moving a database, while a server runs on it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Engine, create_engine, delete, func, insert, inspect, select, text
from sqlalchemy import Table as DatabaseTable
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from sarai.core import fair_dice
from sarai.core.errors import Error
from sarai.table import event_types
from sarai.table.storage import schema
from sarai.table.storage.failures import MOVED, reason_of
from sarai.table.storage.file_lock import FileLock
from sarai.table.storage.foreign_schema import (
    ACTIONS,
    closing_trigger,
    drop_foreign_parts,
    foreign_parts,
    is_newer,
    require_known,
)
from sarai.table.storage.store import OWNER_ONLY, address, file_of, make_private, upgrade
from sarai.table.storage.summaries import read_summary
from sarai.table.table import FINISHED, Table

ROWS = 1000  # that are copied at a time
PAGES = 256  # of a file that are saved at a time, so that others can write in between
COPIED = [table for table in schema.metadata.sorted_tables if table is not schema.news]  # that is for processes here
LOCK = "LOCK TABLE {tables} IN SHARE MODE"  # others read, nobody writes


class Problem(NamedTuple):
    """Something that is wrong: with the table of an id, or with the database itself."""

    table: str | None
    what: str


class Counts(NamedTuple):
    """How much there is."""

    tables: int
    events: int


@contextlib.contextmanager
def connected(db: str, *, must_exist: bool = True) -> Iterator[Engine]:
    """Open a database for commands; Error if it cannot be, or if there is none though there must be one."""
    url = make_url(address(db))
    path = file_of(url)
    if path is not None:
        if must_exist and not path.is_file():
            raise Error("file_unreadable", path=path, why="there is no such file")
        url = url.set(drivername="sqlite")
    engine = None
    try:
        if path is not None and not must_exist:
            make_private(path)
        engine = create_engine(url, hide_parameters=True, connect_args={"timeout": 10} if path is not None else {})
        yield engine
    except (OSError, DBAPIError, ArgumentError, ImportError) as error:
        original = getattr(error, "orig", None)
        if (reason := reason_of(original)) is not None:
            raise Error(reason) from None
        why = str(original or error).splitlines()[0]
        raise Error("no_database", url=url.render_as_string(), why=why) from None
    finally:
        if engine is not None:
            engine.dispose()


# --- checking ---------------------------------------------------------------------------------------------------------


def check(engine: Engine, load: Callable[[str], None]) -> Iterator[Problem]:
    """Yield what is wrong with a database; `load` is called with a game's id before its rules are needed."""
    with engine.connect() as connection:
        yield from check_pages(connection)
        if missing := {table.name for table in schema.metadata.sorted_tables} - set(
            inspect(connection).get_table_names()
        ):
            yield Problem(None, f"there is no {', '.join(sorted(missing))}")
            return
        if is_newer(connection):
            yield Problem(None, "it was written by a newer version")
        for kind, name in foreign_parts(connection):
            yield Problem(None, f"there is a {kind} that is not Sarai's: {name}")
        logs = set(connection.execute(select(schema.events.c.table_id).distinct()).scalars())
        ids = set(connection.execute(select(schema.tables.c.id)).scalars())  # later: tables are made meanwhile
        for id in sorted(logs - ids):
            yield Problem(id, "there is a log, but no table")
        for id in sorted(ids):
            try:
                what = check_table(connection, id, load)
            except Exception as error:
                what = f"it cannot be read ({type(error).__name__}: {getattr(error, 'orig', None) or error})"
            if what is not None:
                yield Problem(id, what)


def check_pages(connection: Connection) -> Iterator[Problem]:
    """Yield what SQLite itself finds wrong with its file."""
    if connection.dialect.name == "sqlite":
        try:
            for (line,) in connection.execute(text("PRAGMA integrity_check(20)")):
                if line != "ok":
                    yield Problem(None, line)
        except DBAPIError as error:
            yield Problem(None, str(error.orig))


def check_table(connection: Connection, id: str, load: Callable[[str], None]) -> str | None:
    """Return what is wrong with a table, None if nothing is; its rules replay the whole log."""
    row = connection.execute(select(schema.tables).where(schema.tables.c.id == id)).one()
    query = select(schema.events.c.number, schema.events.c.body).where(schema.events.c.table_id == id)
    rows = connection.execute(query.order_by(schema.events.c.number)).all()
    if [number for number, _ in rows] != [*range(1, len(rows) + 1)] or not rows:
        return "events are missing from its log"
    events = [(number, event_types.decode(body)) for number, body in rows]
    first = events[0][1]
    if not isinstance(first, event_types.Created):
        return "its log does not begin with its making"
    if row.number > len(events):
        return f"its row knows {row.number} events, its log has {len(events)}"
    if first.game != row.game or fair_dice.commitment(row.secret) != first.commitment:
        return "its row is not the one that its log was begun with"
    if any(isinstance(event, event_types.Started) for _, event in events):
        load(first.game)
    table = Table.fold(id, events)
    if table.phase == FINISHED:
        table.record(None)
    read_summary(row.summary, None)
    return None


def counts(engine: Engine) -> Counts:
    """Count tables and events."""
    with engine.connect() as connection:
        return Counts(*(count_rows(connection, table) for table in (schema.tables, schema.events)))


def count_rows(connection: Connection, table: DatabaseTable) -> int:
    """Count the rows of a table of the database."""
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


# --- saving and restoring ---------------------------------------------------------------------------------------------


def back_up(source: str, target: Path, *, force: bool = False) -> Counts:
    """Save a database to a SQLite file, as it was at one moment, while it is read and written."""
    if target.exists() and not force:
        raise Error("file_exists", path=target)
    url = make_url(address(source))
    with connected(source):  # that there is one
        pass
    with new_file(target) as unfinished:
        if (path := file_of(url)) is not None:
            copy_file(path, unfinished)
        else:
            copy_rows(source, str(unfinished))
        return check_copy(unfinished)


def restore(saved: Path, target: str, *, force: bool = False) -> Counts:
    """Replace a database by a saved one; Error if there is one and `force` is not given, or if a server uses it."""
    with connected(str(saved)):
        checked = check_copy(saved)
    path = file_of(make_url(address(target)))
    if path is None:
        copy_rows(str(saved), target, force=force)
        return checked
    if path.exists() and not force:
        raise Error("file_exists", path=path)
    with unused(path), new_file(path) as unfinished:
        copy_file(saved, unfinished)
        check_copy(unfinished)
        with connected(str(unfinished)) as engine, engine.begin() as connection:
            require_known(connection)
            drop_foreign_parts(connection)
            open_again(connection)
        for more in ("-wal", "-shm"):  # of the old one: they must not be read with the new one
            Path(f"{path}{more}").unlink(missing_ok=True)
    return checked


@contextlib.contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give the path of a file of the owner's only, which takes its place when it is complete and on disk."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)  # of a copy that was interrupted; or a link, or a file of somebody else's
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        yield unfinished
        with open(unfinished, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError as error:
        raise Error("file_unwritable", path=path, why=error.strerror or str(error)) from None
    finally:
        for leftover in (unfinished, *(Path(f"{unfinished}{more}") for more in ("-wal", "-shm", "-journal"))):
            leftover.unlink(missing_ok=True)


def copy_file(source: Path, target: Path) -> None:
    """Copy a SQLite database by its backup interface; a server may write meanwhile."""
    try:
        with (
            contextlib.closing(sqlite3.connect(source)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.execute("PRAGMA busy_timeout=10000")
            old.execute("BEGIN")  # one moment for all of it: what is written meanwhile does not begin it anew
            old.execute("SELECT count(*) FROM sqlite_master").fetchone()
            old.backup(new, pages=PAGES, sleep=0)
            old.rollback()
            new.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise Error(reason_of(error) or "database_damaged") from None


def check_copy(path: Path) -> Counts:
    """Count what is in a saved database; Error if its pages are damaged or it is none of ours."""
    with connected(str(path)) as engine, engine.connect() as connection:
        if next(check_pages(connection), None) is not None:
            raise Error("database_damaged")
        if not set(inspect(connection).get_table_names()) >= {schema.tables.name, schema.events.name}:
            raise Error("not_a_house", path=path)
        return Counts(*(count_rows(connection, table) for table in (schema.tables, schema.events)))


@contextlib.contextmanager
def unused(path: Path) -> Iterator[None]:
    """Keep servers away from a file meanwhile; Error if one uses it, or any program is at work with it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock.take(path)
    try:
        if path.exists():
            require_unopened(path)
        yield
    finally:
        lock.close()


def require_unopened(path: Path) -> None:
    """Refuse to replace a file that is open: only who is alone with it can leave its write-ahead log."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=0.2)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        if reason_of(error) == "database_busy":
            raise Error("database_in_use", path=path) from None


# --- moving -----------------------------------------------------------------------------------------------------------


def move(source: str, target: str, *, force: bool = False) -> Counts:
    """Move a house to another database: nobody writes meanwhile, every log is compared, then the old one is closed."""
    path = file_of(make_url(address(target)))
    with unused(path) if path is not None else contextlib.nullcontext():
        copy_rows(source, target, force=force, is_move=True)
    with connected(target) as engine:
        return counts(engine)


def copy_rows(
    source: str,
    target: str,
    *,
    force: bool = False,
    is_move: bool = False,
) -> None:
    """Copy all rows of a database to an empty one in one transaction, and compare them before it is committed."""
    if address(source) == address(target):
        raise Error("same_database")
    with connected(source) as old_engine, connected(target, must_exist=False) as new_engine:
        with old_engine.begin() as old:
            upgrade(old)
        with new_engine.begin() as new:
            upgrade(new)
        with old_engine.begin() as old:  # committed after the copy is
            hold(old, is_move)
            with new_engine.begin() as new:
                fill(old, new, force)
            if is_move:
                close(old)


def fill(old: Connection, new: Connection, force: bool) -> None:
    """Copy all rows to a database that is empty, or is emptied, and compare them."""
    if any(count_rows(new, table) for table in schema.metadata.sorted_tables):
        if not force:
            raise Error("database_not_empty")
        open_again(new)
        for table in schema.metadata.sorted_tables:
            new.execute(delete(table))
    for table in COPIED:
        copy_table(old, new, table)
    compare(old, new)
    if new.dialect.name == "postgresql":
        new.exec_driver_sql("ANALYZE")  # until it knows how many rows there are it chooses slow plans


def hold(connection: Connection, is_move: bool) -> None:
    """See one moment of a database; for a move, let others read only until it is done."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_move else "BEGIN")
        return
    connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    if is_move:
        names = ", ".join(table.name for table in schema.metadata.sorted_tables)
        connection.exec_driver_sql(LOCK.format(tables=names))


def copy_table(old: Connection, new: Connection, table: DatabaseTable) -> None:
    """Copy the rows of a table of the database."""
    result = old.execute(select(table).execution_options(yield_per=ROWS))
    for rows in result.mappings().partitions(ROWS):
        new.execute(insert(table), [dict(row) for row in rows])


def compare(old: Connection, new: Connection) -> None:
    """Compare two databases: the log of every table of the house, event by event, and all other rows."""
    for table in COPIED:
        if table is not schema.events and digest_of(old, table) != digest_of(new, table):
            raise Error("copy_differs", table=table.name)
    columns = schema.events.c
    query = select(columns.number, columns.body, columns.person, columns.key).order_by(columns.number)
    for id in old.execute(select(schema.tables.c.id)).scalars().all():
        of_table = query.where(columns.table_id == id)
        if old.execute(of_table).all() != new.execute(of_table).all():
            raise Error("copy_differs", table=id)
    if count_rows(old, schema.events) != count_rows(new, schema.events):
        raise Error("copy_differs", table=schema.events.name)


def digest_of(connection: Connection, table: DatabaseTable) -> int:
    """Return a number of all rows of a table of the database, whatever their order is: databases sort differently."""
    rows = connection.execute(select(table).execution_options(yield_per=ROWS))
    return sum(int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest()) for row in rows)


def close(connection: Connection) -> None:
    """Let a database that was moved be read only, also by a server that still runs on it."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(
            "CREATE OR REPLACE FUNCTION sarai_moved() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{MOVED}'; END $$"
        )
    for table in schema.metadata.sorted_tables:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(
                f"CREATE OR REPLACE TRIGGER moved BEFORE INSERT OR UPDATE OR DELETE ON {table.name} "
                "FOR EACH STATEMENT EXECUTE FUNCTION sarai_moved()"
            )
            continue
        for action in ACTIONS:
            connection.exec_driver_sql(closing_trigger(table.name, action, also="IF NOT EXISTS "))


def open_again(connection: Connection) -> None:
    """Let a database that was moved be written again."""
    for table in schema.metadata.sorted_tables:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS moved ON {table.name}")
            continue
        for action in ("insert", "update", "delete"):
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS moved_{table.name}_{action}")
