"""A write: rows that go to the database together or not at all, and how many writes are one transaction of SQLite."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Protocol

from sqlalchemy import URL, bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from sarai.table import log
from sarai.table.log import LogEvent
from sarai.table.storage import schema
from sarai.table.storage.failures import failure_of
from sarai.table.storage.summaries import index_row
from sarai.table.table import Table

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "temp_store=MEMORY", "secure_delete=ON")
INDEX = ("phase", "open", "number", "changed", "due", "bots", "summary")
INSERT_EVENTS, INSERT_TABLES = insert(schema.events), insert(schema.tables)
UPDATE_INDEX = (
    update(schema.tables)
    # another process may have written newer values
    .where(schema.tables.c.id == bindparam("of"), schema.tables.c.number <= bindparam("known"))
    .values({name: bindparam(name) for name in INDEX})
)
MEMBER: dict[str, Any] = {name: bindparam(name) for name in ("person", "table_id")}
INSERT_MEMBERS = {
    "sqlite": sqlite.insert(schema.members).values(MEMBER).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(schema.members).values(MEMBER).on_conflict_do_nothing(),
}
FIND_EVENT = select(schema.events.c.body).where(
    schema.events.c.table_id == bindparam("of"), schema.events.c.number == bindparam("known")
)
EVENTS, TABLES, ROWS, MEMBERS = "events", "tables", "index", "members"  # the fields of a write
KINDS = {
    EVENTS: itemgetter("table_id", "number"),
    TABLES: itemgetter("id"),
    ROWS: itemgetter("of"),
    MEMBERS: itemgetter("person", "table_id"),
}
Row = dict[str, Any]


@dataclass
class Write:
    """Rows that are written in one transaction."""

    events: list[Row] = field(default_factory=list)
    index: list[Row] = field(default_factory=list)  # new values of rows of `tables`
    tables: list[Row] = field(default_factory=list)  # new rows
    members: list[Row] = field(default_factory=list)

    def add(self, other: Write) -> None:
        """Write another write's rows with this one's."""
        self.events += other.events
        self.index += other.index
        self.tables += other.tables
        self.members += other.members


def events_write(
    table_id: str, last_number: int, events: Sequence[LogEvent], person: str | None = None, key: str | None = None
) -> Write:
    """Return the write that appends events to a table's log; the last one is found again by a person's key."""
    rows: list[Row] = [
        {"table_id": table_id, "number": number, "body": log.encode(event), "person": None, "key": None}
        for number, event in enumerate(events, last_number + 1)
    ]
    rows[-1] |= {"person": person if key else None, "key": key}
    members = set[str]()
    for event in events:
        if isinstance(event, log.Created | log.Sat):
            members.add(event.by)
        if isinstance(event, log.Created):
            members.update(event.invited)
    return Write(events=rows, members=[{"person": member, "table_id": table_id} for member in sorted(members)])


def new_table_write(table_id: str, events: Sequence[LogEvent], secret: str) -> Write:
    """Return the write that makes a table with its first events."""
    table = Table.fold(table_id, enumerate(events, 1))
    write = events_write(table_id, 0, events)
    write.tables = [
        {
            "id": table_id,
            "game": table.game.id,
            "public": table.public,
            "created": table.created,
            "secret": secret,
            **index_row(table),
        }
    ]
    return write


def index_write(rows: dict[str, Row]) -> Write:
    """Return the write that brings the index of tables up to date, from `index_row` by table."""
    return Write(index=[{"of": table_id, "known": row["number"], **row} for table_id, row in rows.items()])


# --- transactions -------------------------------------------------------------------------------------------------


class Taken(Exception):
    """A number, or a key, that was to be written is there already; nothing was written."""


class InDoubt(Exception):
    """The connection was lost during a commit, so it is not known whether the transaction was committed."""


def rows_of(writes: Sequence[Write]) -> Iterator[tuple[str, list[Row]]]:
    """Return the rows of writes, those of a kind together.

    All processes write rows in the same order, so that none waits for another that waits for it.
    """
    for kind, order in KINDS.items():
        if rows := sorted((row for write in writes for row in getattr(write, kind)), key=order):
            yield kind, rows


class Transactions(Protocol):
    """Carries out one transaction after the other."""

    async def write(self, writes: Sequence[Write], require: Callable[[], None]) -> None:
        """Write all or nothing; `require` may refuse it until it is committed. Taken or InDoubt are told by those."""

    async def event(self, table_id: str, number: int) -> bytes | None:
        """Return an event of a log as it is stored, None if there is none of this number."""

    async def close(self) -> None:
        """Close the connection."""


class FileTransactions:
    """Transactions on a SQLite file, in a thread with a connection that only writes."""

    def __init__(self, url: URL) -> None:
        dialect = sqlite.dialect(paramstyle="named")
        statements = (INSERT_EVENTS, INSERT_TABLES, UPDATE_INDEX, INSERT_MEMBERS["sqlite"])
        self._statements = {
            kind: str(one.compile(dialect=dialect)) for kind, one in zip(KINDS, statements, strict=True)
        }
        self._find_event = str(FIND_EVENT.compile(dialect=dialect))
        self._arguments: Any = url.get_dialect()().create_connect_args(url)
        self._connection: sqlite3.Connection | None = None  # of the thread
        self._thread = ThreadPoolExecutor(1, "sarai-writer")

    async def write(self, writes: Sequence[Write], require: Callable[[], None]) -> None:
        """Write all or nothing."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, writes, require)

    def _write(self, writes: Sequence[Write], require: Callable[[], None]) -> None:
        require()
        with self._connected() as connection:
            for kind, rows in rows_of(writes):
                connection.executemany(self._statements[kind], rows)
            require()  # the disk may have been slow
            connection.commit()

    async def event(self, table_id: str, number: int) -> bytes | None:
        """Return an event of a log as it is stored, None if there is none of this number."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._event, table_id, number)

    def _event(self, table_id: str, number: int) -> bytes | None:
        with self._connected() as connection:
            found = connection.execute(self._find_event, {"of": table_id, "known": number}).fetchone()
        return None if found is None else found[0]

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Give the connection, which is kept; after an error the transaction is undone."""
        try:
            if self._connection is None:
                self._connection = self._connect()
            yield self._connection
        except BaseException as error:
            self._undo()
            if (failure := failure_of(error)) is not None:
                raise failure from error
            if isinstance(error, sqlite3.IntegrityError):
                raise Taken from None
            raise

    def _connect(self) -> sqlite3.Connection:
        arguments, options = self._arguments
        connection: sqlite3.Connection = sqlite3.connect(*arguments, **options)
        set_pragmas(connection)
        return connection

    def _undo(self) -> None:
        try:
            if self._connection is not None:
                self._connection.rollback()
        except sqlite3.Error:
            self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    async def close(self) -> None:
        """Close the file."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        await asyncio.to_thread(self._thread.shutdown)


def set_pragmas(connection: Any, _: object = None) -> None:
    """Prepare a connection to SQLite: a commit is on disk, readers do not wait, writers wait for each other."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
