"""Transactions on a SQLite file, which take turns, and how each connection to it is set up."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import Any

from sqlalchemy import URL, Engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from sarai.table.storage.failures import StorageFailed, failure_of
from sarai.table.storage.lock_by_address import LockByAddress
from sarai.table.storage.writes import (
    FIND_EVENT,
    INSERT_EVENTS,
    INSERT_MEMBERS,
    INSERT_TABLES,
    KINDS,
    UPDATE_INDEX,
    Taken,
    Write,
    rows_of,
)

BUSY_MILLISECONDS = 10_000  # that a connection waits for what others hold
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    f"busy_timeout={BUSY_MILLISECONDS}",
    "temp_store=MEMORY",
    "secure_delete=ON",
)
TURN_SECONDS = 20.0  # that a request waits for its turn to write


class FileTurns:
    """Whose turn it is to write to a file: moves and the process itself wait for one transaction of a request at most.

    SQLite has those who wait look again and again, so that many of them can keep one from it for seconds.
    """

    def __init__(self) -> None:
        self.file, self._requests = asyncio.Lock(), LockByAddress()

    @asynccontextmanager
    async def of_request(self) -> AsyncIterator[None]:
        """Wait for the requests before, of which each address has one in turn; one may wait for the file."""
        try:
            async with asyncio.timeout(TURN_SECONDS):
                await self._requests.acquire()
        except TimeoutError:
            raise StorageFailed("database_busy") from None
        try:
            yield
        finally:
            self._requests.release()


class FileEngine(AsyncEngine):
    """An engine for a SQLite file whose transactions take turns; the holder of the file waits for nothing else."""

    def __init__(self, engine: Engine, turns: FileTurns, is_for_requests: bool) -> None:
        super().__init__(engine)
        self._file, self._turn = turns.file, turns.of_request if is_for_requests else nullcontext

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection with a transaction, when it is its turn."""
        async with self._turn(), self.connect() as connection, self._file, connection.begin():
            yield connection


class FileTransactions:
    """Transactions on a SQLite file, in a thread with a connection that only writes."""

    def __init__(self, url: URL, turns: FileTurns) -> None:
        self._turns = turns
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
        async with self._turns.file:
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
