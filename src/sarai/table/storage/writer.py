"""The one writer of a process: all writes that wait are written in one transaction, by a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from sqlalchemy import URL, Connection, Executable, bindparam, create_engine, event, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from sarai.table import metrics
from sarai.table.storage import schema
from sarai.table.storage.failures import StorageFailed, Undone, tell_failures
from sarai.table.storage.hearing import OPEN_SECONDS, Hearing
from sarai.table.storage.listen_notify import announce
from sarai.table.storage.outages import WRITING, Outages
from sarai.table.storage.writes import Row, Write, index_write

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "temp_store=MEMORY", "secure_delete=ON")
INDEX = ("phase", "open", "number", "changed", "due", "bots", "summary")
INSERT_EVENTS, INSERT_TABLES = insert(schema.events), insert(schema.tables)
INSERT_MEMBERS = {
    "sqlite": sqlite.insert(schema.members).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(schema.members).on_conflict_do_nothing(),
}
UPDATE_INDEX = (
    update(schema.tables)
    # another process may have written newer values
    .where(schema.tables.c.id == bindparam("of"), schema.tables.c.number <= bindparam("known"))
    .values({name: bindparam(name) for name in INDEX})
)
FIND_EVENT = select(schema.events.c.body).where(
    schema.events.c.table_id == bindparam("of"), schema.events.c.number == bindparam("known")
)
EVENT_ORDER, MEMBER_ORDER = itemgetter("table_id", "number"), itemgetter("person", "table_id")
MOST_AT_ONCE = 500  # writes in one transaction
GATHER_SECONDS = 0.004  # that writes wait for each other when there are many
INDEX_SECONDS = 0.25  # that the index waits, so that many tables are brought up to date together
INDEX_RETRY_SECONDS = 1.0  # after which it is tried again to write it
TRIES = 10  # to carry out a transaction that others were in the way of
LOST_SECONDS = 10.0  # in which it is found out whether a transaction was committed when the connection was lost
PAUSE = 0.1  # seconds before a database is asked again


class Conflict(Exception):
    """Another process wrote that number, or used that key, first; nothing was written."""


class InDoubt(Exception):
    """The connection was lost while a transaction was committed: nobody said whether it was."""


class Waiting(NamedTuple):
    """A write, what is told when it is on disk, and the edition of what this process knew when it was decided."""

    write: Write
    done: asyncio.Future[None]
    edition: int


class Writer:
    """A connection that only writes, one transaction after the other."""

    def __init__(self, url: URL, outages: Outages, hearing: Hearing) -> None:
        is_sqlite = url.get_backend_name() == "sqlite"
        self.engine = create_engine(
            url.set(drivername="sqlite") if is_sqlite else url,
            hide_parameters=True,
            **({} if is_sqlite else {"pool_size": 1, "max_overflow": 0}),
        )
        event.listen(self.engine, "connect", set_pragmas if is_sqlite else set_timeout)
        tell_failures(self.engine)
        self._connection: Connection | None = None  # of the writer's thread
        self._outages, self._hearing = outages, hearing
        self.failure: str | None = None  # the reason why nothing could be written the last time
        self._is_doubtful = False  # whether a transaction of this batch may be committed though nobody said so
        self._is_closing = False
        self._thread = ThreadPoolExecutor(1, "sarai-writer")
        self._queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self._stale: dict[str, Callable[[], Row]] = {}  # tables whose row in the index is old, and their new rows
        self._indexing: asyncio.Task[None] | None = None
        self._task = asyncio.create_task(self._run())

    @property
    def waiting(self) -> int:
        """How many writes wait for the writer."""
        return self._queue.qsize()

    async def append(self, write: Write) -> None:
        """Have rows written; when this returns they are on disk. Conflict if another process was faster."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(Waiting(write, done, self._hearing.edition))
        await done

    def index_soon(self, table_id: str, row: Callable[[], Row]) -> None:
        """Bring a table's row in the index up to date in a moment; `row` is asked for it then."""
        self._stale[table_id] = row
        if self._indexing is None or self._indexing.done():
            self._indexing = asyncio.create_task(self._index_later())

    async def write_index(self) -> None:
        """Bring the index up to date now."""
        if stale := dict(self._stale):
            await self.append(index_write({table_id: row() for table_id, row in stale.items()}))
            for table_id, row in stale.items():
                if self._stale.get(table_id) is row:
                    del self._stale[table_id]

    def forget_index(self, table_id: str | None = None) -> None:
        """Write no row of the index that is waiting, of one table or of all: what is in memory of it may be old."""
        if table_id is None:
            self._stale.clear()
        else:
            self._stale.pop(table_id, None)

    async def drain(self) -> None:
        """Wait until everything and the index is written."""
        while self._indexing is not None and not self._indexing.done():
            await asyncio.wait([self._indexing])
        await self._queue.join()

    async def close(self) -> None:
        """Write what is waiting, and close."""
        self._is_closing = True
        await self.drain()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await asyncio.to_thread(self._thread.shutdown)
        if self._connection is not None:
            self._connection.close()
        self.engine.dispose()

    async def _index_later(self) -> None:
        pause = INDEX_SECONDS
        while self._stale:
            await asyncio.sleep(pause)
            try:
                await self.write_index()
                pause = INDEX_SECONDS
            except StorageFailed:
                if self._is_closing:  # the next start brings it up to date
                    return
                pause = INDEX_RETRY_SECONDS

    async def _run(self) -> None:
        """Write what comes, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            if not self._queue.empty():  # others came while the last were written: it is busy, and more are coming
                await asyncio.sleep(GATHER_SECONDS)
            batch = [await self._queue.get()]
            while len(batch) < MOST_AT_ONCE and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            transactions = [list(waiting) for _, waiting in groupby(batch, attrgetter("edition"))]
            self._is_doubtful = False
            for transaction in transactions:
                writes, edition = [waiting.write for waiting in transaction], transaction[0].edition
                failure: Exception | None = None
                try:
                    try:
                        await loop.run_in_executor(self._thread, self._write, writes, edition)
                    except (StorageFailed, InDoubt) as error:
                        await self._write_again(writes, edition, error)
                    self._note(None)
                except IntegrityError:
                    if len(transaction) > 1:  # one of them conflicts: write each by itself
                        transactions += [[one] for one in transaction]
                        continue
                    failure = await self._conflict(writes[0])
                except StorageFailed as error:
                    failure = error
                    self._note(error)
                except Exception as error:
                    failure = error
                for waiting in transaction:
                    if not waiting.done.done():
                        waiting.done.set_result(None) if failure is None else waiting.done.set_exception(failure)
            for _ in batch:
                self._queue.task_done()

    async def _write_again(self, writes: Sequence[Write], edition: int, error: Exception) -> None:
        """Carry out writes again: if they were undone, the connection was lost, or nobody knows whether they are done.

        That is safe, for a number can be written once: what was committed after all is found then.
        """
        loop, left, may_reconnect, until = asyncio.get_running_loop(), TRIES, True, 0.0
        while True:
            if isinstance(error, InDoubt):
                self._is_doubtful, until = True, until or loop.time() + LOST_SECONDS
            elif isinstance(error, Undone) and left:
                left -= 1
                await asyncio.sleep(random.random() * PAUSE)
            elif getattr(error, "key", "") == "database_away" and (may_reconnect or loop.time() < until):
                if not may_reconnect:
                    await asyncio.sleep(PAUSE)
                may_reconnect = False  # at first only this connection may be gone
            else:
                raise error
            try:
                await loop.run_in_executor(self._thread, self._write, writes, edition)
                return
            except (StorageFailed, InDoubt) as again:
                error = again

    async def _conflict(self, write: Write) -> Exception | None:
        """Return what became of a write whose number is taken: None if it is this write itself that has it."""
        is_written = False
        if self._is_doubtful:
            try:
                is_written = await asyncio.get_running_loop().run_in_executor(self._thread, self._is_written, write)
            except StorageFailed as error:
                return error
        return None if is_written else Conflict()

    def _note(self, failure: StorageFailed | None) -> None:
        """Note whether the last write could be carried out."""
        self.failure = None if failure is None else failure.key
        if failure is None:
            self._outages.works(WRITING)
        else:
            self._outages.failed(WRITING, failure)

    def _write(self, writes: Sequence[Write], edition: int) -> None:
        """Carry out writes in one transaction, each kind of row by one statement; runs in the writer's thread.

        All processes write rows in the same order, so that none waits for another that waits for it.
        """
        self._hearing.require(edition)
        metrics.BATCH_SIZE.observe(len(writes))
        with metrics.BATCH_SECONDS.time(), self._connected() as connection:
            if rows := sorted((row for write in writes for row in write.events), key=EVENT_ORDER):
                execute(connection, INSERT_EVENTS, rows)
                if connection.dialect.name == "postgresql":
                    announce(connection, rows)
            if rows := sorted((row for write in writes for row in write.tables), key=itemgetter("id")):
                execute(connection, INSERT_TABLES, rows)
            if rows := sorted((row for write in writes for row in write.index), key=itemgetter("of")):
                execute(connection, UPDATE_INDEX, rows)
            if rows := sorted((row for write in writes for row in write.members), key=MEMBER_ORDER):
                execute(connection, INSERT_MEMBERS[connection.dialect.name], rows)
            self._hearing.require(edition)  # the database may have answered late
            try:
                connection.commit()
            except StorageFailed as error:
                if error.key == "database_away":
                    raise InDoubt from error
                raise

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """Give the connection, which is kept: taking it out of its pool costs as much as a transaction's statement."""
        connection = self._connection or self.engine.connect()
        self._connection = None
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def _is_written(self, write: Write) -> bool:
        """Say whether a write is on disk, by its first event; runs in the writer's thread."""
        first = min(write.events, key=EVENT_ORDER)
        with self._connected() as connection:
            found = connection.execute(FIND_EVENT, {"of": first["table_id"], "known": first["number"]}).scalar()
            connection.rollback()
        return bool(found == first["body"])


def execute(connection: Connection, statement: Executable, rows: Sequence[Row]) -> None:
    """Carry out a statement for all rows; one alone without a pipeline of psycopg, which costs more."""
    connection.execute(statement, rows if len(rows) > 1 else rows[0])


def set_pragmas(connection: Any, _: object) -> None:
    """Prepare a connection to SQLite: a commit is on disk, readers do not wait, writers wait for each other."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def set_timeout(connection: Any, _: object) -> None:
    """Prepare a connection to PostgreSQL: what a process that stands still has not committed is undone soon."""
    connection.execute(f"SET idle_in_transaction_session_timeout = '{OPEN_SECONDS}s'")
    connection.commit()
