"""What happens at tables without a request: clocks run out, questions expire, games begin, other processes write."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from math import inf

from sarai.table import event_types
from sarai.table.bots.readiness import Readiness
from sarai.table.command_checks import changes
from sarai.table.decide_dice_words import begin, end_waiting
from sarai.table.dice_words import OPEN_SECONDS
from sarai.table.refusals import Refused
from sarai.table.service.aligned_timers import until_tick
from sarai.table.service.bot_moves import BotMoves
from sarai.table.service.presence import Presence
from sarai.table.service.room import RETRY, Room
from sarai.table.service.rooms import Rooms
from sarai.table.service.schedule import Schedule
from sarai.table.service.spectator_counts import SpectatorCounts
from sarai.table.service.tasks import Tasks
from sarai.table.service.waiting_turns import WaitingTurns
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.listen_notify import NewEvent
from sarai.table.storage.outage_log import CLOCKS
from sarai.table.storage.writer import Conflict
from sarai.table.table import LENT_LEVEL
from sarai.table.takeback import is_lapsed

TICK = 0.5  # seconds between two looks at the clocks
RETRY_SECONDS = 0.2  # between two tries to open a table whose rules are being prepared
LATE_SECONDS = 2.0  # after which a clock that ran out is seen to by a process that does not have the table in memory
TURNS = 0.9  # seconds between two looks at what turns other processes changed
POLL = 3.0  # seconds between two looks at the database where other processes tell what they write
UNUSED = 10.0  # seconds after which a table that nobody uses here is not kept up to date with other processes
RECENT, LONG = 2.0, 60.0  # seconds that are polled for changes; the longer ones for what was written late
LONG_POLL = 10.0  # seconds between two polls of the longer ones
ORPHANS = 16  # tables that a process begins to think for at a time
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
    """What one process does by itself at all tables; one that `is_serving` sees to clocks, too."""

    def __init__(
        self,
        rooms: Rooms,
        games: Readiness,
        bot_moves: BotMoves,
        turns: WaitingTurns,
        presence: Presence,
        tasks: Tasks,
        is_serving: bool,
    ) -> None:
        self._rooms, self._games, self._bot_moves = rooms, games, bot_moves
        self._turns, self._presence, self._tasks = turns, presence, tasks
        self._is_serving = is_serving
        self._polled = self._polled_long = self._began = rooms.now()
        self.now = rooms.now
        self._schedule = Schedule()
        self._waiting_for: set[str] = set()  # tables that are looked at as soon as those had their turn who came before
        self.spectator_counts = SpectatorCounts(rooms, self.plan)
        self._unread: dict[str, int] = {}  # tables that are not in memory, and their last numbers that were heard of
        self._is_listening, self._looked = False, -inf  # whether others are heard; when the database was looked at
        self._turns_read = -inf  # when turns at tables of other processes were read

    async def run(self) -> None:
        """Tick for ever."""
        outages = self._rooms.store.outages
        while True:
            await until_tick(TICK)
            try:
                await (self.tick_in_memory() if self._may_wait() else self.tick())
                outages.works(CLOCKS)
            except StorageFailed as error:
                outages.failed(CLOCKS, error)
            except Exception as error:  # the database may be busy: clocks must not stand still for ever
                logger.error("the clocks", exc_info=error)

    async def tick(self) -> None:
        """Look at the clocks, at what other processes wrote or left, and at tables where something is due."""
        if self._is_serving:
            await self._end_times()
        if self._rooms.store.is_shared:
            await self._poll()
            for id in await self._bot_moves.orphans(ORPHANS):
                with errors_logged(id):
                    await self._adopt(id)
        self._looked, self._turns_read = time.monotonic(), -inf  # if that failed, it is tried again soon
        await self.tick_in_memory()

    def _may_wait(self) -> bool:
        """Say whether the database need not be looked at yet: others tell, and what is due here is known here."""
        return self._is_listening and self._is_serving and time.monotonic() - self._looked < POLL

    async def tick_in_memory(self) -> None:
        """Look at the tables in memory where something is due, and at turns of which others told."""
        if (now := time.monotonic()) - self._turns_read >= TURNS:
            self._turns_read, unread, self._unread = now, self._unread, {}
            await self._turns.read_changes(
                {id: number for id, number in unread.items() if self._rooms.find(id) is None}
            )
        for id in self._schedule.due(self._rooms.now()):
            if (room := self._rooms.find(id)) is not None:
                await self._do(room, self._look)

    # --- tables where something is due ----------------------------------------------------------------------------

    def plan(self, room: Room) -> None:
        """Have a table looked at when time alone may change something there."""
        now = self._rooms.now()
        room.watchers_elsewhere = self.spectator_counts.elsewhere(room.table.id)
        if (when := room.next_look(self._presence, now)) is not None:
            self._schedule.at(room.table.id, when)
        if self._bot_moves.is_waiting(room):
            self._schedule.at(room.table.id, now + RETRY)

    def returned(self, person: str) -> None:
        """Have the tables of a person who is here again looked at."""
        for room in self._rooms.of(person):
            if room.watches:
                self._schedule.at(room.table.id, self._rooms.now())

    def dropped(self, room: Room) -> None:
        """Forget a table that is in memory no more."""
        self._schedule.forget(room.table.id)
        self.spectator_counts.tell(room, 0)

    async def _do(self, room: Room, work: Callable[[Room], Awaitable[None]]) -> None:
        """Do something at a table; where many commands wait, other tables do not wait for them."""
        id = room.table.id
        if not room.lock.locked():
            with errors_logged(id):
                await work(room)
        elif id not in self._waiting_for:
            self._waiting_for.add(id)
            self._tasks.start(self._do_later(room, work))

    async def _do_later(self, room: Room, work: Callable[[Room], Awaitable[None]]) -> None:
        id = room.table.id
        try:
            with errors_logged(id):
                await work(room)
        finally:
            self._waiting_for.discard(id)

    async def _look(self, room: Room) -> None:
        """Do what is due at a table."""
        try:
            if room.is_unsure:
                async with room.lock:
                    await self._rooms.catch_up(room)
            await self._end_question(room)
            await self._end_waiting(room)
            if self._is_serving and (due := room.table.clock_state.due) is not None and due <= self._rooms.now():
                await self._end_time(room)
            self.spectator_counts.tell(room, room.watchers_here)
            room.show_absent(self._presence, self._rooms.now())
            self._bot_moves.start(room)
        finally:
            self.plan(room)

    # --- what other processes wrote -------------------------------------------------------------------------------

    def is_used(self) -> bool:
        """Say whether anything is in memory that other processes can change: a table, or the turns of a person."""
        return len(self._rooms) > 0 or self._turns.knows_anybody

    def hear(self, id: str, number: int, events: Sequence[NewEvent] = ()) -> bool:
        """Take note that a table has an event of a number, and take over the newest events, if they are told.

        Say whether that was news for a table in memory.
        """
        room = self._rooms.find(id)
        if room is None:
            self._unread[id] = max(number, self._unread.get(id, 0))
            if self._rooms.is_loading(id):
                self._tasks.start(self._catch_up_loading(id, number))
            return False
        if max(room.table.number, room.expected) >= number:
            return False
        if self._rooms.drop_unused(room, UNUSED):  # another process plays it now
            self._unread[id] = number
            return False
        with errors_logged(id):
            if self._rooms.take_over(room, events):
                return True
        room.expected = number
        self._tasks.start(self.catch_up(id, number))
        return True

    def listening(self) -> None:
        """Look soon whether other processes wrote at any table in memory: news of it may have been lost."""
        self._is_listening = True
        self._polled_long = self._polled = self._rooms.now() - LONG
        self._tasks.start(self._catch_up_all())

    def deaf(self) -> None:
        """Look often from now on: nothing is heard of other processes."""
        self._is_listening = False

    async def _catch_up_all(self) -> None:
        with errors_logged("all"):
            await self.catch_up_all()

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
        for id, number in await self._rooms.store.last_numbers([room.table.id for room in self._rooms.loaded()]):
            room = self._rooms.find(id)
            if room is None or room.table.number >= number:
                continue
            try:
                async with room.lock:
                    if await self._rooms.catch_up(room):
                        self._rooms.index(room)
            except Exception as error:
                if isinstance(error, StorageFailed) and error.key != "table_damaged":
                    raise  # of the database as a whole: it is tried again
                logger.error("table %s…", id[:4], exc_info=error)

    async def _catch_up_loading(self, id: str, number: int) -> None:
        with errors_logged(id):
            await self._rooms.get(id)
            await self.catch_up(id, number)

    async def _poll(self) -> None:
        """Find what changed lately: all of it, if notifications were lost; and turns at tables not in memory."""
        now = self._rooms.now()
        since, self._polled = self._polled - RECENT, now
        if now - self._polled_long > LONG_POLL:
            since, self._polled_long = self._polled_long - LONG, now
        changed = await self._rooms.store.changed_since(since)
        for id, number in changed:
            if self._rooms.find(id) is None:
                self._unread[id] = max(number, self._unread.get(id, 0))
            else:
                await self.catch_up(id, number)

    async def _adopt(self, id: str) -> None:
        """Think for a table for which no process does."""
        room = await self._rooms.get(id)
        async with room.lock:
            await self._rooms.catch_up(room)
        if not room.table.bots_to_act:  # its row is old
            self._rooms.index(room)
        self._bot_moves.start(room)

    # --- games that begin -----------------------------------------------------------------------------------------

    async def resume(self) -> None:
        """Do what a process left undone when it stopped; what the database cannot do now is tried again."""
        while True:
            try:
                await self._resume()
                return
            except StorageFailed as error:
                logger.debug("what was left undone has to wait: %s", error.key)
                await asyncio.sleep(RETRY)

    async def _resume(self) -> None:
        """Bring the index up to date, and begin the games that waited for their rules."""
        store = self._rooms.store
        for id in {*await store.lagging(), *await store.starting()}:
            with errors_logged(id):
                room = await self._wait_for_room(id)
                async with room.lock:
                    await self._rooms.catch_up(room)  # who wrote the last events may have died before it told of them
                self._rooms.index(room)
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
                    await self._rooms.commit(room, begin(table, table.host, self._rooms.now()))
                except Conflict:
                    await self._rooms.catch_up(room)

    # --- time that runs out ---------------------------------------------------------------------------------------

    async def _end_question(self, room: Room) -> None:
        """Close questions that were not answered in time: about a move, so that bots go on, and about the end."""
        due = room.table.end_questions.due(room.table.clock.kind)
        if due is not None and due < self._rooms.now():
            async with room.lock:
                if room.table.end_questions.due(room.table.clock.kind) == due:
                    try:
                        await self._rooms.commit(room, changes(event_types.EndLapsed(self._rooms.now())))
                    except Conflict:
                        await self._rooms.catch_up(room)
        request = room.table.take_back
        if request is not None and is_lapsed(request, self._rooms.now()):
            async with room.lock:
                if room.table.take_back == request:
                    try:
                        await self._rooms.commit(room, changes(event_types.TakeBackLapsed(self._rooms.now())))
                    except Conflict:
                        await self._rooms.catch_up(room)

    async def _end_times(self) -> None:
        """See to the clocks that ran out; those of tables in memory here at once, others if no process did."""
        now = self._rooms.now()
        for id, due in await self._rooms.store.due(now):
            is_here = not self._rooms.store.is_shared or self._rooms.find(id) is not None
            if is_here or now - due > LATE_SECONDS:
                with errors_logged(id):
                    await self._do(await self._rooms.get(id), self._end_all)

    async def _end_all(self, room: Room) -> None:
        """End the waiting for words, and the time of players, where it has run out."""
        await self._end_waiting(room)
        await self._end_time(room)

    async def _end_time(self, room: Room) -> None:
        """Let bots play on for players whose time has run out."""
        now = self._rooms.now()  # whose time ends while others wait for the table may have moved: that comes first
        async with room.lock:
            table = room.table
            while (due := table.clock_state.due) is not None and due <= now:
                left = table.clocks(now) or []
                late = next(seat for seat in sorted(table.clock_state.running) if left[seat] <= 0)
                try:
                    await self._rooms.commit(room, changes(event_types.TimeOver(now, late, LENT_LEVEL)))
                except Conflict:
                    await self._rooms.catch_up(room)
            self._rooms.index(room)  # where another process did it, its row may be old

    async def _end_waiting(self, room: Room) -> None:
        """Go on without the words that were not opened in time; after a restart there is the whole time again."""
        now = self._rooms.now()  # words that come while others wait for the table are in time
        if (due := room.table.dice.due) is None or now < max(due, self._began + OPEN_SECONDS):
            return
        async with room.lock:
            while late := end_waiting(room.table, now):
                try:
                    await self._rooms.commit(room, late)
                except Conflict:
                    await self._rooms.catch_up(room)
