"""Erasing people: they leave their seats, then every table is written without them and read again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable

from sarai.table import anonymize, commands
from sarai.table.person import Person
from sarai.table.refusals import Refused
from sarai.table.service.rooms import Rooms
from sarai.table.storage.erase_person import Erasure, Erasures
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.summaries import read_summaries
from sarai.table.table import GATHERING, PLAYING, Table

RETRY_SECONDS = 30.0  # between two looks for what was not finished
HEARD_SECONDS = 60.0  # in which all processes have heard that a person is erased; until then the mark stays
OTHERS_SECONDS = 3.0  # in which other processes have heard that a table was changed, and written what they had of it
PASSES = 5  # over the whole database, at most
MOST_TABLES = 10_000  # of a person
WAIT_FOR = frozenset(  # they pass
    {"warming_up", "words_opening", "database_away", "database_busy", "disk_full", "busy", "too_much"}
)
logger = logging.getLogger("sarai.table")

Act = Callable[[str, Person, commands.Command], Awaitable[int]]


class Erasing:
    """What one process does to erase people.

    `forgotten` is called with each table that was changed, `forget_person` with each person who is erased then.
    """

    def __init__(
        self, rooms: Rooms, act: Act, forgotten: Callable[[str], None], forget_person: Callable[[str], None]
    ) -> None:
        self._rooms, self._act, self._forgotten, self._forget_person = rooms, act, forgotten, forget_person
        self._erasures = Erasures(rooms.store.engine, rooms.store.own_engine)
        self._working = asyncio.Lock()
        self._begun: set[str] = set()  # people of whom nothing was written out here yet
        self._marked: dict[str, float] = {}  # since when this process knows of a mark
        self._is_shared = rooms.store.engine.dialect.name == "postgresql"

    async def begin(self, person: str) -> None:
        """Mark a person; the rest follows, by this process or another."""
        await self._erasures.begin(person)
        self._begun.add(person)

    async def run(self) -> None:
        """Finish what was begun, for ever."""
        while True:
            try:
                await self.finish()
            except (Refused, StorageFailed) as error:
                logger.warning("erasing goes on later: %s", error.key)
            except Exception as error:
                logger.error("erasing", exc_info=error)
            await asyncio.sleep(RETRY_SECONDS)

    async def finish(self) -> None:
        """Erase everybody who is marked; one who cannot be erased yet does not hold up the others."""
        waiting: Refused | None = None
        async with self._working:
            pending = await self._erasures.pending()
            self._marked = {person: self._marked.get(person, time.monotonic()) for person, _ in pending}
            for erasure in pending:
                try:
                    await self._erase(erasure)
                except Refused as error:
                    waiting = waiting or error
                except Exception as error:
                    logger.error("erasing", exc_info=error)
        if waiting is not None:
            raise waiting

    async def _erase(self, erasure: Erasure) -> None:
        """Erase one person: at once where it was asked for, and again when no process can know the person any more.

        Another one may not have heard of it yet and write what the person does there, or this one what was under way.
        """
        person = erasure.person
        is_heard = time.monotonic() - self._marked[person] >= HEARD_SECONDS
        if not is_heard and person not in self._begun:
            return
        await self._leave_seats(person)
        for _ in range(PASSES):
            has_written = await self._write_out(erasure)
            self._begun.discard(person)
            if not is_heard:
                return
            if not has_written or not self._is_shared:
                await self._erasures.finish(person)
                self._forget_person(person)  # who was read again to leave the seats
                return
            await asyncio.sleep(OTHERS_SECONDS)
        logger.warning("erasing goes on later: others still write of a person")

    async def _leave_seats(self, person: str) -> None:
        """Stand up where a person waits for a game, and give up those that are played: bots play on.

        What has to be waited for at one table does not keep the person at others.
        """
        waiting: Refused | None = None
        rows = await self._rooms.store.summaries(of=person, phases=(GATHERING, "starting", PLAYING), most=MOST_TABLES)
        leaving = Person(person, anonymize.NAME, "en")
        for summary in read_summaries(rows, person):
            try:
                await self._leave((await self._rooms.get(summary.id)).table, leaving)
            except Refused as error:
                if error.key in WAIT_FOR:
                    waiting = waiting or error
                else:
                    logger.warning("table %s… could not be left: %s", summary.id[:4], error.key)
        if waiting is not None:
            raise waiting

    async def _leave(self, table: Table, person: Person) -> None:
        """Leave one table; who was its host and alone there closes it."""
        seat = table.seat_of(person.id)
        if table.phase == PLAYING and seat is not None and table.is_playing(table.seats[seat]):
            await self._act(table.id, person, commands.Resign())
        elif table.phase == GATHERING:
            others = any(other.person not in (None, person.id) for other in table.seats)
            if table.host == person.id and not others:
                await self._act(table.id, person, commands.Close())
            elif seat is not None:
                await self._act(table.id, person, commands.Stand())

    async def _write_out(self, erasure: Erasure) -> bool:
        """Write a person out of all tables; say whether there was anything to write: damaged events stay."""
        await self._rooms.store.writer.write_index()
        has_written = False
        for id in await self._erasures.tables(erasure.person):
            if (room := self._rooms.find(id)) is None:
                has_written |= await self._erasures.erase(erasure, id)
                await self._rooms.drop(id)  # which may have been loaded meanwhile
            else:
                async with room.lock:
                    await self._rooms.store.writer.write_index()
                    has_written |= await self._erasures.erase(erasure, id)
                    self._rooms.forget(room)
            self._forgotten(id)
            with contextlib.suppress(Refused):
                self._rooms.index(await self._rooms.get(id))  # bots play on; its row may have been about to be written
        return has_written
