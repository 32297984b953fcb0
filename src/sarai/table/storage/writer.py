"""The one writer of a process: all writes that wait are written in one transaction, by a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import URL, bindparam, create_engine, delete, event, insert, update
from sqlalchemy.exc import IntegrityError

from sarai.table import metrics
from sarai.table.storage import schema
from sarai.table.storage.failures import StorageFailed, tell_failures
from sarai.table.storage.listen_notify import announce
from sarai.table.storage.writes import Row, Write, index_write

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "temp_store=MEMORY")
INDEX = ("phase", "open", "number", "changed", "due", "summary")
INSERT_EVENTS, INSERT_TABLES, INSERT_MEMBERS = insert(schema.events), insert(schema.tables), insert(schema.members)
UPDATE_INDEX = (
    update(schema.tables)
    # another process may have written newer values
    .where(schema.tables.c.id == bindparam("of"), schema.tables.c.number <= bindparam("known"))
    .values({name: bindparam(name) for name in INDEX})
)
DELETE_MEMBER = delete(schema.members).where(
    schema.members.c.person == bindparam("who"), schema.members.c.table_id == bindparam("where")
)
MOST_AT_ONCE = 500  # writes in one transaction
GATHER_SECONDS = 0.004  # that writes wait for each other when there are many
INDEX_SECONDS = 0.25  # that the index waits, so that many tables are brought up to date together


logger = logging.getLogger("sarai.table")


class Conflict(Exception):
    """Another process wrote that number, or used that key, first; nothing was written."""


class Writer:
    """A connection that only writes, one transaction after the other."""

    def __init__(self, url: URL) -> None:
        is_sqlite = url.get_backend_name() == "sqlite"
        self.engine = create_engine(url.set(drivername="sqlite") if is_sqlite else url, hide_parameters=True)
        if is_sqlite:
            event.listen(self.engine, "connect", set_pragmas)
        tell_failures(self.engine)
        self.failure: str | None = None  # the reason why nothing could be written the last time
        self._thread = ThreadPoolExecutor(1, "sarai-writer")
        self._queue: asyncio.Queue[tuple[Write, asyncio.Future[None]]] = asyncio.Queue()
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
        self._queue.put_nowait((write, done))
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

    async def drain(self) -> None:
        """Wait until everything and the index is written."""
        while self._indexing is not None and not self._indexing.done():
            await asyncio.wait([self._indexing])
        await self._queue.join()

    async def close(self) -> None:
        """Write what is waiting, and close."""
        await self.drain()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await asyncio.to_thread(self._thread.shutdown)
        self.engine.dispose()

    async def _index_later(self) -> None:
        with contextlib.suppress(StorageFailed):  # the next change, or the next start, brings it up to date
            while self._stale:
                await asyncio.sleep(INDEX_SECONDS)
                await self.write_index()

    async def _run(self) -> None:
        """Write what comes, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            if not self._queue.empty():  # others came while the last were written: it is busy, and more are coming
                await asyncio.sleep(GATHER_SECONDS)
            batch = [await self._queue.get()]
            while len(batch) < MOST_AT_ONCE and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            transactions = [batch]
            for transaction in transactions:
                failure: Exception | None = None
                try:
                    await loop.run_in_executor(self._thread, self._write, [write for write, _ in transaction])
                    self._note(None)
                except IntegrityError:
                    if len(transaction) > 1:  # one of them conflicts: write each by itself
                        transactions += [[one] for one in transaction]
                        continue
                    failure = Conflict()
                except StorageFailed as error:
                    failure = error
                    self._note(error.key)
                except Exception as error:
                    failure = error
                for _, done in transaction:
                    if not done.done():
                        done.set_result(None) if failure is None else done.set_exception(failure)
            for _ in batch:
                self._queue.task_done()

    def _note(self, failure: str | None) -> None:
        """Note whether the last write could be carried out; log it when that changes."""
        if failure != self.failure:
            self.failure = failure
            if failure is None:
                logger.warning("it can be written again")
            else:
                logger.warning("nothing can be written: %s", failure)

    def _write(self, writes: Sequence[Write]) -> None:
        """Carry out writes in one transaction, each kind of row by one statement; runs in the writer's thread."""
        metrics.BATCH_SIZE.observe(len(writes))
        with metrics.BATCH_SECONDS.time(), self.engine.begin() as connection:
            if rows := [row for write in writes for row in write.events]:
                connection.execute(INSERT_EVENTS, rows)
                if connection.dialect.name == "postgresql":
                    announce(connection, rows)
            if rows := [row for write in writes for row in write.tables]:
                connection.execute(INSERT_TABLES, rows)
            if rows := [row for write in writes for row in write.index]:
                connection.execute(UPDATE_INDEX, rows)
            members = {(row["person"], row["table_id"]): row for write in writes for row in write.members}
            if members:
                connection.execute(DELETE_MEMBER, [{"who": person, "where": id} for person, id in members])
                connection.execute(INSERT_MEMBERS, list(members.values()))


def set_pragmas(connection: Any, _: object) -> None:
    """Prepare a connection to SQLite: a commit is on disk, readers do not wait, writers wait for each other."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
