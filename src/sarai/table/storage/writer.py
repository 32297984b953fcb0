"""The one writer of a process: all writes that wait are written in one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import URL

from sarai.table import metrics
from sarai.table.storage.failures import StorageFailed, Undone
from sarai.table.storage.outage_log import WRITING, Outages
from sarai.table.storage.postgres_transactions import PostgresTransactions
from sarai.table.storage.shared_answer import SharedAnswer
from sarai.table.storage.sqlite_transactions import FileTransactions, FileTurns
from sarai.table.storage.write_fence import WriteFence
from sarai.table.storage.writes import (
    EVENTS,
    KINDS,
    InDoubt,
    Row,
    Taken,
    Transactions,
    Write,
    index_write,
)

MOST_AT_ONCE = 500  # writes in one transaction
GATHER_SECONDS = 0.004  # that writes wait for each other when there are many
INDEX_SECONDS = 0.25  # that the index waits, so that many tables are brought up to date together
INDEX_RETRY_SECONDS = 1.0  # after which it is tried again to write it
TRIES = 10  # to carry out a transaction that others were in the way of
LOST_SECONDS = 10.0  # in which it is found out whether a transaction was committed when the connection was lost
PAUSE = 0.1  # seconds before a database is asked again
logger = logging.getLogger("sarai.table")


class Conflict(Exception):
    """Another process wrote that number, or used that key, first; nothing was written."""


class Waiting(NamedTuple):
    """A write, what is told when it is on disk, and the edition of what this process knew when it was decided."""

    write: Write
    done: asyncio.Future[None]
    edition: int


class Writer:
    """Writes what it is given, one transaction after the other."""

    def __init__(self, url: URL, outages: Outages, fence: WriteFence, turns: FileTurns) -> None:
        is_sqlite = url.get_backend_name() == "sqlite"
        self.is_elsewhere: Callable[[str], bool] = lambda _: True  # whether others may have a table in memory
        self.transactions: Transactions = (
            FileTransactions(url, turns)
            if is_sqlite
            else PostgresTransactions(url, lambda table_id: self.is_elsewhere(table_id))
        )
        self._outages, self._fence = outages, fence
        self.failure: str | None = None  # the reason why nothing could be written the last time
        self._is_doubtful = False  # whether a transaction of this batch may be committed though nobody said so
        self._is_closing = False
        self._queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self._stale: dict[str, Callable[[], Row]] = {}  # tables whose row in the index is old, and their new rows
        self._indexing: asyncio.Task[None] | None = None
        self._index_write = SharedAnswer(self._write_index)
        self._task = asyncio.create_task(self._run())

    @property
    def waiting(self) -> int:
        """How many writes wait for the writer."""
        return self._queue.qsize()

    async def append(self, write: Write) -> None:
        """Have rows written; when this returns they are on disk. Conflict if another process was faster."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(Waiting(write, done, self._fence.edition))
        await done

    def index_soon(self, table_id: str, row: Callable[[], Row]) -> None:
        """Bring a table's row in the index up to date in a moment; `row` is asked for it then."""
        self._stale[table_id] = row
        if self._indexing is None or self._indexing.done():
            self._indexing = asyncio.create_task(self._index_later())

    async def write_index(self) -> None:
        """Bring the index up to date now; many who ask for it at the same time have it written once."""
        if self._stale:
            await self._index_write.get()

    async def _write_index(self) -> None:
        if stale := dict(self._stale):
            rows = {table_id: row() for table_id, row in stale.items()}
            try:
                await self.append(index_write(rows))
            except StorageFailed:
                raise
            except Exception:  # one of the rows cannot be stored: it must not keep all others from it
                await self._write_each(rows)
            for table_id, row in stale.items():
                if self._stale.get(table_id) is row:
                    del self._stale[table_id]

    async def _write_each(self, rows: dict[str, Row]) -> None:
        """Bring the index up to date row by row, without those that cannot be stored."""
        for table_id, row in rows.items():
            try:
                await self.append(index_write({table_id: row}))
            except StorageFailed:
                raise
            except Exception as error:
                logger.error("the index of table %s…", table_id[:4], exc_info=error)

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
        await self.transactions.close()

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
        while True:
            if not self._queue.empty():  # others came while the last were written: it is busy, and more are coming
                await asyncio.sleep(GATHER_SECONDS)
            batch = [await self._queue.get()]
            while len(batch) < MOST_AT_ONCE and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            transactions = [list(waiting) for _, waiting in groupby(batch, attrgetter("edition"))]
            self._is_doubtful = False
            for transaction in transactions:
                writes, failure = [waiting.write for waiting in transaction], None
                # what was decided by what this process knew is not written when it has forgotten that
                require = partial(self._fence.require, transaction[0].edition)
                metrics.BATCH_SIZE.observe(len(writes))
                try:
                    with metrics.BATCH_SECONDS.time():
                        try:
                            await self.transactions.write(writes, require)
                        except (StorageFailed, InDoubt) as error:
                            await self._write_again(writes, require, error)
                    self._note(None)
                except Taken:
                    if len(transaction) > 1:  # one of them conflicts: write each by itself
                        transactions += [[one] for one in transaction]
                        continue
                    failure = await self._conflict(writes[0])
                except StorageFailed as error:
                    failure = error
                    self._note(error)
                except Exception as error:
                    if len(transaction) > 1:  # one of them cannot be stored
                        transactions += [[one] for one in transaction]
                        continue
                    failure = error
                for waiting in transaction:
                    if not waiting.done.done():
                        waiting.done.set_result(None) if failure is None else waiting.done.set_exception(failure)
            for _ in batch:
                self._queue.task_done()

    async def _write_again(self, writes: Sequence[Write], require: Callable[[], None], error: Exception) -> None:
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
                await self.transactions.write(writes, require)
                return
            except (StorageFailed, InDoubt) as again:
                error = again

    async def _conflict(self, write: Write) -> Exception | None:
        """Return what became of a write whose number is taken: None if it is this write itself that has it."""
        is_written = False
        if self._is_doubtful:
            try:
                is_written = await self._is_written(write)
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

    async def _is_written(self, write: Write) -> bool:
        """Say whether a write is on disk, by its first event."""
        first = min(write.events, key=KINDS[EVENTS])
        return bool(await self.transactions.event(first["table_id"], first["number"]) == first["body"])
