"""What happens at tables without a request: clocks run out, questions expire, games begin, other processes write."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator

from sarai.table import log
from sarai.table.bots.readiness import Readiness
from sarai.table.decide import changes, start_event
from sarai.table.refusals import Refused
from sarai.table.service.bot_moves import BotMoves
from sarai.table.service.presence import Presence
from sarai.table.service.room import Room
from sarai.table.service.rooms import Rooms
from sarai.table.service.waiting_turns import WaitingTurns
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.summaries import index_row
from sarai.table.storage.writer import Conflict
from sarai.table.table import LENT_LEVEL
from sarai.table.takeback import is_lapsed

TICK = 0.5  # seconds between two looks at the clocks
RETRY_SECONDS = 0.2  # between two tries to open a table whose rules are being prepared
logger = logging.getLogger("sarai.table")


@contextlib.contextmanager
def errors_logged(table_id: str) -> Iterator[None]:
    """Log what goes wrong at one table, so that it does not hold up the others; it is tried again."""
    try:
        yield
    except (Refused, Conflict):
        pass
    except Exception as error:
        # enough to find the table in a list, not enough to enter it
        logger.error("table %s…", table_id[:4], exc_info=error)


class BackgroundWork:
    """What one process does by itself at all tables."""

    def __init__(
        self, rooms: Rooms, games: Readiness, bot_moves: BotMoves, turns: WaitingTurns, presence: Presence
    ) -> None:
        self._rooms, self._games, self._bot_moves = rooms, games, bot_moves
        self._turns, self._presence = turns, presence
        self._polled = rooms.now()

    async def run(self) -> None:
        """Tick for ever."""
        failure = None
        while True:
            await asyncio.sleep(TICK)
            try:
                await self.tick()
                failure = None
            except StorageFailed as error:
                if error.key != failure:
                    logger.warning("the clocks stand still: %s", error.key)
                failure = error.key
            except Exception as error:  # the database may be busy: clocks must not stand still for ever
                logger.error("the clocks", exc_info=error)

    async def tick(self) -> None:
        """Look at the clocks, and at what other processes wrote."""
        now = self._rooms.now()
        for id in await self._rooms.store.due(now):
            with errors_logged(id):
                await self._end_time(await self._rooms.get(id))
        since, self._polled = self._polled - 5, now
        changed = await self._rooms.store.changed_since(since)
        for id, number in changed:
            await self.catch_up(id, number)
        await self._turns.read_changes((id, number) for id, number in changed if self._rooms.find(id) is None)
        for room in self._rooms.loaded():
            with errors_logged(room.table.id):
                await self._end_question(room)
            room.remind(self._presence, now)
            self._bot_moves.start(room)

    async def catch_up(self, id: str, number: int) -> None:
        """Apply what another process wrote up to a number, if the table is in memory."""
        room = self._rooms.find(id)
        if room is not None and room.table.number < number:
            with errors_logged(id):
                async with room.lock:
                    if room.table.number < number:
                        await self._rooms.catch_up(room)

    async def catch_up_all(self) -> None:
        """Apply what was written while this process did not see it, at all tables in memory."""
        for room in self._rooms.loaded():
            try:
                async with room.lock:
                    await self._rooms.catch_up(room)
            except Exception as error:
                if isinstance(error, StorageFailed) and error.key != "table_damaged":
                    raise  # of the database as a whole: it is tried again
                logger.error("table %s…", room.table.id[:4], exc_info=error)

    async def resume(self) -> None:
        """Bring the index up to date, and begin the games that waited for their rules when a process stopped."""
        store = self._rooms.store
        for id in {*await store.lagging(), *await store.starting()}:
            with errors_logged(id):
                room = await self._wait_for_room(id)
                store.writer.index_soon(id, lambda room=room: index_row(room.table))  # type: ignore[misc]
                await self._begin(room)

    async def on_progress(self, game_id: str) -> None:
        """Show the tables of a game that it came nearer to being ready, and begin those that waited for it."""
        for room in self._rooms.loaded():
            if room.table.game.id == game_id:
                with errors_logged(room.table.id):
                    await self._begin(room)
                room.publish()

    async def _wait_for_room(self, id: str) -> Room:
        while True:
            try:
                return await self._rooms.get(id)
            except Refused as error:
                if error.key != "warming_up":
                    raise
                await asyncio.sleep(RETRY_SECONDS)

    async def _begin(self, room: Room) -> None:
        """Begin a game that only waited for its rules."""
        async with room.lock:
            table = room.table
            while table.starting and self._games.is_ready(table.game.id):
                try:
                    await self._rooms.commit(room, changes(start_event(table, table.host, self._rooms.now())))
                except Conflict:
                    await self._rooms.catch_up(room)

    async def _end_question(self, room: Room) -> None:
        """Close a question about taking back a move that was not answered in time, so that bots go on."""
        request = room.table.take_back
        if request is not None and is_lapsed(request, self._rooms.now()):
            async with room.lock:
                if room.table.take_back == request:
                    with contextlib.suppress(Conflict):
                        await self._rooms.commit(room, changes(log.TakeBackLapsed(self._rooms.now())))

    async def _end_time(self, room: Room) -> None:
        """Let bots play on for players whose time has run out."""
        async with room.lock:
            table, now = room.table, self._rooms.now()
            while (due := table.clock_state.due) is not None and due <= now:
                left = table.clocks(now) or []
                late = next(seat for seat in sorted(table.clock_state.running) if left[seat] <= 0)
                try:
                    await self._rooms.commit(room, changes(log.TimeOver(now, late, LENT_LEVEL)))
                except Conflict:
                    await self._rooms.catch_up(room)
