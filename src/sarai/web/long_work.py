"""What grows with the log of a table is made in a thread, one at a time, so that nobody waits for it but who asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import msgspec

from sarai.core.processor_affinity import use_all_processors
from sarai.table.record import prepare_record
from sarai.table.table import FINISHED
from sarai.web.address_queues import AddressQueues
from sarai.web.compression import PAGE_LEVEL, Blocks, blocks, level_of

if TYPE_CHECKING:
    from sarai.table.table import Table

AT_ONCE = 2  # pieces of work of one address that wait for the thread; its others wait for those
EVENT_BYTES = 100  # of an event as JSON, about
FEW = 32 << 10  # bytes that are quicker written at once than in a thread
MANY = 128 << 10  # bytes: to write and compress so many takes as long as a record, and is paid for like one
MOST_BYTES = 1 << 25  # of records of finished games that are kept
encode = msgspec.json.Encoder().encode


class LongWork:
    """One thread for long work, and the records that it made of finished games."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "long-work", use_all_processors)
        self._records: dict[Hashable, Blocks] = {}
        self._bytes = 0
        self._making: dict[Hashable, asyncio.Task[Blocks]] = {}
        self._turns = AddressQueues(AT_ONCE)

    def close(self) -> None:
        """End the thread when it has done what it is at."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def run(self, address: str | None, size: int, make: Callable[[], Blocks]) -> Blocks:
        """Make blocks of about so many bytes: at once if they are few, else in the thread, compressed there too."""
        if size <= FEW:
            return make()
        return await self.in_thread(address, make)

    async def in_thread(self, address: str | None, make: Callable[[], Blocks]) -> Blocks:
        """Make blocks in the thread, and compress them there too; who asks for much waits for the own work only."""
        async with self._turns.turn(address):
            return await asyncio.get_running_loop().run_in_executor(self._thread, compressed, make)

    async def record(self, address: str | None, table: Table, seat: int | None) -> Blocks:
        """Return the record of a table as a seat may have it; that of a finished game is made once."""
        if table.phase != FINISHED:
            make = prepare_record(table, seat)
            level = level_of(table, PAGE_LEVEL)
            return await self.run(
                address, EVENT_BYTES * len(table.seen(seat)), lambda: blocks(encode(make()), level=level)
            )
        key = table.id, table.number, tuple(table.names)
        if key not in self._records:
            if key not in self._making:
                self._making[key] = asyncio.create_task(self._make(address, key, table))
                self._making[key].add_done_callback(lambda _: self._making.pop(key, None))
            return await asyncio.shield(self._making[key])
        self._records[key] = self._records.pop(key)  # what was asked for last is dropped last
        return self._records[key]

    async def _make(self, address: str | None, key: Hashable, table: Table) -> Blocks:
        """Make the record of a finished game, and keep it as long as there is room."""
        make = prepare_record(table, None)
        made = await self.run(address, EVENT_BYTES * table.number, lambda: blocks(encode(make())))
        self._records[key] = made
        self._bytes += len(made[0].plain)
        while self._bytes > MOST_BYTES:
            self._bytes -= len(self._records.pop(next(iter(self._records)))[0].plain)
        return made


def size_of(table: Table, seat: int | None) -> int:
    """Return about how many bytes the JSON of a table takes: what a seat saw, and the talk."""
    talk = sum(EVENT_BYTES + len(line.text.encode()) for line in table.chat)
    return EVENT_BYTES * len(table.seen(seat)) + talk


def compressed(make: Callable[[], Blocks]) -> Blocks:
    """Make blocks and compress them now, not when they are sent."""
    made = make()
    for block in made:
        _ = block.deflated
    return made
