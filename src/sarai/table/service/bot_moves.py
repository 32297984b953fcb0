"""Bots' moves at tables: when it is a bot's turn, ask the bots for a move and make it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Callable

from sqlalchemy.exc import DBAPIError

from sarai.core.animation import LONGEST
from sarai.core.errors import Error
from sarai.table.bots.pool import Asker, Bots
from sarai.table.decide import moved
from sarai.table.refusals import Refused
from sarai.table.service.held_bot_leases import HeldBotLeases
from sarai.table.service.room import Room
from sarai.table.service.rooms import Rooms
from sarai.table.service.tasks import Tasks
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.writer import Conflict
from sarai.table.table import LENT_LEVEL, Table

RETRY_SECONDS = 3.0  # after a move that could not be written
MOST_THINKING = 20  # tables of one person at which bots think at the same time
MOST_ADDRESSES = 20_000  # people whose last address is kept
BUSY_SECONDS = 0.5  # that a process with too much to think about leaves a turn to others


class BotMoves:
    """The moves of all bots at the tables of this process.

    `pause` seconds pass before each, and what happened before it is shown to its end, so that people follow; with a
    pause of 0 bots wait for nothing.
    """

    def __init__(self, rooms: Rooms, bots: Bots, tasks: Tasks, pause: float, turns: HeldBotLeases) -> None:
        self._rooms, self._bots, self._tasks, self._pause, self._turns = rooms, bots, tasks, pause, turns
        self._thinking: Counter[str] = Counter()  # tables at which bots think now, by the person who made them
        self._addresses: dict[str, str] = {}  # last address by person; it is kept in memory only
        self.on_rest: Callable[[Room], None] = lambda _: None  # called with a table when bots think there no more

    def require_time(self, maker: str) -> None:
        """Refuse that bots begin to play at one more table of a person who has them think at many already."""
        if self._thinking[maker] >= MOST_THINKING:
            raise Refused("bots_busy", most=MOST_THINKING)

    def note_address(self, person: str, address: str | None) -> None:
        """Note the address of a person: addresses get equal parts of bots' time. None: the person has a part alone."""
        self._addresses.pop(person, None)
        self._addresses[person] = address or person
        if len(self._addresses) > MOST_ADDRESSES:
            del self._addresses[next(iter(self._addresses))]  # who was not seen for longest

    def start(self, room: Room) -> None:
        """Let bots play, if it is their turn and they do not play already."""
        if room.table.bots_to_act and not room.is_thinking and self._bots.thinks and not self._tasks.closed:
            room.bot_task = self._tasks.start(self._play(room))
            room.bot_task.add_done_callback(lambda _: self.on_rest(room))

    def is_waiting(self, room: Room) -> bool:
        """Say whether bots should be started again here; of tables that nobody sees, `orphans` tells in time."""
        is_seen = bool(room.watches) or not self._turns.is_shared
        return self._bots.thinks and is_seen and not room.is_thinking and bool(room.table.bots_to_act)

    async def orphans(self, most: int) -> list[str]:
        """Return tables at which a bot is to act and no process thought; now this one does, unless it is busy."""
        return await self._turns.orphans(most) if self._bots.thinks and not self._bots.is_busy else []

    async def _play(self, room: Room) -> None:
        """Make bots' moves; if one cannot be written, end after a pause, so that bots do not think all the time."""
        maker = room.table.maker
        self._thinking[maker] += 1
        try:
            while room.table.bots_to_act:
                if not (wait := await self._turns.take(room.table.id)):
                    await self._play_turns(room)
                elif room.watches:
                    await asyncio.sleep(wait)  # until then another process thinks, or has died
                else:  # it is found again if nobody thinks
                    return
        except (StorageFailed, DBAPIError):
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            self._thinking[maker] -= 1
            if not self._thinking[maker]:
                del self._thinking[maker]
            self._turns.rest(room.table.id)

    async def _may_think(self, room: Room) -> bool:
        """Say whether to go on thinking for a table; one with too much to think about leaves it to others a moment."""
        if self._turns.is_shared and self._bots.is_busy:
            await self._turns.give_up(room.table.id)
            await asyncio.sleep(BUSY_SECONDS)
        if not self._turns.is_shared:
            return True
        if await self._turns.take(room.table.id):
            return False
        if self._turns.is_new(room.table.id):
            async with room.lock:
                await self._rooms.catch_up(room)
        return True

    async def _play_turns(self, room: Room) -> None:
        """Make bots' moves until it is no bot's turn."""
        table = room.table
        while table.bots_to_act and await self._may_think(room):
            seats = table.bots_to_act
            last_changes = {seat: table.last_change_for(seat) for seat in seats}
            choices = asyncio.gather(*(self._choose(table, seat) for seat in seats))
            if (wait := self._wait(table)) > 0:
                await asyncio.sleep(wait)
            # made in the order of seats: how long each bot thought tells nothing
            for seat, move in zip(seats, await choices, strict=True):
                async with room.lock:
                    while seat in table.bots_to_act and table.last_change_for(seat) == last_changes[seat]:
                        try:
                            await self._rooms.commit(room, moved(table, move, seat, self._rooms.now()))
                            break
                        except Conflict:  # if what another process wrote changes nothing for the seat, it stands
                            if not await self._rooms.catch_up(room):
                                break

    def _wait(self, table: Table) -> float:
        """Return the seconds before a bot's move: until people have seen what happened, and the pause."""
        if not self._pause:
            return 0.0
        pause = self._pause if len(table.to_act) == 1 else 0.0
        return max(pause, min(table.show_time.until - self._rooms.now(), LONGEST))

    async def _choose(self, table: Table, seat: int) -> int:
        """Return a bot's move; a random one if no bot can choose, for people must not wait for ever."""
        assert table.state is not None
        level, legal = table.seats[seat].played_by or LENT_LEVEL, table.state.legal(seat)
        if len(legal) == 1:
            return legal[0]
        with contextlib.suppress(Error):
            # people who were not seen since this process began have one part together
            asker = Asker(table.maker, table.id, self._addresses.get(table.maker, ""))
            move = await self._bots.choose(table.state.view(seat), level, secrets.randbits(62), asker)
            if move in legal:
                return move
        return secrets.choice(legal)
