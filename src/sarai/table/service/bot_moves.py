"""Bots' moves at tables: when it is a bot's turn, ask the bots for a move and make it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter

from sarai.core.errors import Error
from sarai.table.bots.pool import Asker, Bots
from sarai.table.decide import moved
from sarai.table.refusals import Refused
from sarai.table.service.room import Room
from sarai.table.service.rooms import Rooms
from sarai.table.service.tasks import Tasks
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.writer import Conflict
from sarai.table.table import LENT_LEVEL, Table

RETRY_SECONDS = 3.0  # after a move that could not be written
MOST_THINKING = 20  # tables of one person at which bots think at the same time


class BotMoves:
    """The moves of all bots at the tables of this process; `pause` seconds pass before each, so that people follow."""

    def __init__(self, rooms: Rooms, bots: Bots, tasks: Tasks, pause: float) -> None:
        self._rooms, self._bots, self._tasks, self._pause = rooms, bots, tasks, pause
        self._thinking: Counter[str] = Counter()  # tables at which bots think now, by the person who made them

    def require_time(self, host: str) -> None:
        """Refuse that bots begin to play at one more table of a person who has them think at many already."""
        if self._thinking[host] >= MOST_THINKING:
            raise Refused("bots_busy", most=MOST_THINKING)

    def start(self, room: Room) -> None:
        """Let bots play, if it is their turn and they do not play already."""
        is_running = room.bot_task is not None and not room.bot_task.done()
        if room.table.bots_to_act and not is_running and not self._tasks.closed:
            room.bot_task = self._tasks.start(self._play(room))

    async def _play(self, room: Room) -> None:
        """Make bots' moves; if one cannot be written, end after a pause, so that bots do not think all the time."""
        host = room.table.host
        self._thinking[host] += 1
        try:
            await self._play_turns(room)
        except StorageFailed:
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._thinking[host] -= 1
            if not self._thinking[host]:
                del self._thinking[host]

    async def _play_turns(self, room: Room) -> None:
        """Make bots' moves until it is no bot's turn."""
        table = room.table
        while seats := table.bots_to_act:
            last_changes = {seat: table.last_change_for(seat) for seat in seats}
            choices = asyncio.gather(*(self._choose(table, seat) for seat in seats))
            if self._pause and len(table.to_act) == 1:
                await asyncio.sleep(self._pause)
            # made in the order of seats: how long each bot thought tells nothing
            for seat, move in zip(seats, await choices, strict=True):
                async with room.lock:
                    if seat in table.bots_to_act and table.last_change_for(seat) == last_changes[seat]:
                        try:
                            await self._rooms.commit(room, moved(table, move, seat, self._rooms.now()))
                        except Conflict:
                            await self._rooms.catch_up(room)

    async def _choose(self, table: Table, seat: int) -> int:
        """Return a bot's move; a random one if no bot can choose, for people must not wait for ever."""
        assert table.state is not None
        level, legal = table.seats[seat].played_by or LENT_LEVEL, table.state.legal(seat)
        if len(legal) == 1:
            return legal[0]
        with contextlib.suppress(Error):
            asker = Asker(table.host, table.id)
            move = await self._bots.choose(table.state.view(seat), level, secrets.randbits(62), asker)
            if move in legal:
                return move
        return secrets.choice(legal)
