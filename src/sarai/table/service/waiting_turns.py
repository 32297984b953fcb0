"""The turns that wait for people at all tables, kept up to date by what changes at a table."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

from sarai.table.service.room import Room
from sarai.table.service.rooms import Rooms
from sarai.table.service.tasks import Tasks
from sarai.table.storage.store import Store
from sarai.table.storage.summaries import Turn, read_each, read_turns, waiting_turns
from sarai.table.table import PLAYING

MOST_TURNS = 200  # of a person that are read from the index
MOST_READ = 10_000  # tables of other processes whose numbers are known
UNUSED = 5.0  # seconds after which a person who is not here is not kept up to date with other processes
LOOKS = 20  # at the index, for a table that it does not have as new as was told
TurnBegan = Callable[[str, str, str, int], Awaitable[None] | None]  # person, table, title of the game, number
logger = logging.getLogger("sarai.table")


class TurnWatch:
    """The waiting turns of a person whenever they change, the newest only; the first come at once."""

    def __init__(self, turns: WaitingTurns, person: str) -> None:
        self._turns, self._person = turns, person
        self._news = asyncio.Event()
        self._news.set()

    def wake(self) -> None:
        """Let the watcher look."""
        self._news.set()

    def __aiter__(self) -> TurnWatch:
        return self

    async def __anext__(self) -> Sequence[Turn]:
        await self._news.wait()
        self._news.clear()
        return self._turns.of(self._person)


class WaitingTurns:
    """The waiting turns of the people whom this process knows.

    Each function in `on_turn` is called when a turn begins to wait for a person, known or not, once for all processes:
    by the one that wrote the change. It may be a coroutine function; what it raises is logged.
    """

    def __init__(self, store: Store, tasks: Tasks, rooms: Rooms) -> None:
        self._store, self._tasks, self._rooms = store, tasks, rooms
        self._known: dict[str, dict[str, Turn]] = {}  # by person and table
        self._used: dict[str, float] = {}  # when a known person was last asked for, by the machine's clock
        self._forgot = time.monotonic()  # when those were last forgotten who are not here
        self._watches: dict[str, set[TurnWatch]] = {}
        self._read: dict[str, int] = {}  # the numbers of tables that other processes changed, as the index had them
        self._behind: dict[str, tuple[int, int]] = {}  # tables that it does not have as new yet: number, and looks
        self._of_others: dict[str, int] = {}  # running games of people who are not known, and their last numbers
        self.on_turn: list[TurnBegan] = []

    def of(self, person: str) -> Sequence[Turn]:
        """Return a known person's waiting turns, the oldest first."""
        return sorted(self._known.get(person, {}).values(), key=lambda turn: turn.since)

    @contextlib.asynccontextmanager
    async def watch(self, person: str) -> AsyncIterator[TurnWatch]:
        """Give a person's turns as they change: `async with turns.watch(id) as lists: async for turns in lists`."""
        watch = TurnWatch(self, person)
        self._watches.setdefault(person, set()).add(watch)
        try:
            if person not in self._known:
                await self.load(person)
            yield watch
        finally:
            self._watches[person].discard(watch)
            if not self._watches[person]:
                del self._watches[person]

    async def load(self, person: str) -> None:
        """Read the turns of a person who was not known; from then on they are kept up to date."""
        rows = await self._store.summaries(of=person, phases=(PLAYING, "starting"), most=MOST_TURNS)
        of_tables = list(read_each(rows, read_turns))
        found = {table_id: turn for table_id, turns in of_tables if (turn := turns.get(person)) is not None}
        found = {table_id: turn for table_id, turn in found.items() if self._rooms.find(table_id) is None}
        for room in self._rooms.of(person):  # what is in memory is newer than the index
            if room.waiting and (turn := room.waiting.get(person)) is not None:
                found[turn.table] = turn
        self._known[person] = found
        self.note_use(person)
        for table_id in self._of_others.keys() & {table_id for table_id, _ in of_tables}:  # what was read may be old
            self._behind[table_id] = self._of_others.pop(table_id), LOOKS
        self._wake(person)

    def knows(self, person: str) -> bool:
        """Say whether the turns of a person are known."""
        return person in self._known

    @property
    def knows_anybody(self) -> bool:
        """Whether the turns of any person are known."""
        return bool(self._known)

    def know(self, person: str) -> None:
        """Begin with a new person, for whom no turn can wait."""
        self._known.setdefault(person, {})
        self.note_use(person)

    def note_use(self, person: str) -> None:
        """Note that a person was asked for just now."""
        self._used[person] = time.monotonic()

    def forget(self) -> None:
        """Forget all people whom nobody watches."""
        self._known = {person: turns for person, turns in self._known.items() if person in self._watches}
        self._used = {person: used for person, used in self._used.items() if person in self._known}

    def _forget_unused(self) -> None:
        """Forget those who are at other processes now: what happens at their tables would be read here, too."""
        now = time.monotonic()
        if now - self._forgot < UNUSED / 3:
            return
        self._forgot, unused = now, [person for person, used in self._used.items() if now - used > UNUSED]
        for person in unused:
            if person not in self._watches and not self._rooms.of(person):
                del self._used[person]
                self._known.pop(person, None)

    def update(self, room: Room, is_own: bool) -> None:
        """Take over what changed at a table; `is_own` if this process wrote it."""
        before, after = room.waiting, waiting_turns(room.table)
        if before == after:
            return
        room.waiting = after
        people = {seat.person for seat in room.table.seats} if before is None else before.keys() | after.keys()
        self._take_over(room.table.id, {person: after.get(person) for person in people if person is not None})
        if is_own:
            waited = {person for person, turn in (before or {}).items() if not turn.for_word}
            for person in after.keys() - waited:
                if not after[person].for_word:
                    self._begin(person, after[person])

    async def read_changes(self, changed: Mapping[str, int]) -> None:
        """Read what other processes changed lately at tables that are not in memory, given with their last numbers.

        They write the index a moment after the log: what is not as new there is looked at again for a while.
        """
        if changed:
            self._forget_unused()
        for table_id in self._of_others.keys() & changed.keys():
            self._of_others[table_id] = changed[table_id]
        new = {
            table_id: (number, LOOKS)
            for table_id, number in changed.items()
            if self._read.get(table_id, 0) < number and table_id not in self._of_others
        }
        wanted, self._behind = self._behind | new, {}
        if not wanted or not self._known:
            return
        rows = {row.id: row for row in await self._store.indexed(list(wanted))}
        for table_id, row in rows.items():
            heard, looks = wanted[table_id]
            self._read[table_id] = row.number
            if row.number < heard and looks:
                self._behind[table_id] = heard, looks - 1
        for table_id, turns in read_each((row.summary for row in rows.values()), read_turns):
            if self._rooms.find(table_id) is None:
                self._take_over(table_id, turns)
                if rows[table_id].phase == PLAYING and not self._known.keys() & turns.keys():
                    self._of_others[table_id] = max(wanted[table_id][0], rows[table_id].number)
                    self._behind.pop(table_id, None)
        for known in (self._read, self._of_others):
            while len(known) > MOST_READ:
                del known[next(iter(known))]

    def _take_over(self, table_id: str, turns: dict[str, Turn | None]) -> None:
        """Take over the turns at a table of those who sit there and are known."""
        for person, turn in turns.items():
            known = self._known.get(person)
            if known is not None and known.get(table_id) != turn:
                if turn is None:
                    del known[table_id]
                else:
                    known[table_id] = turn
                self._wake(person)

    def _wake(self, person: str) -> None:
        for watch in self._watches.get(person, ()):
            watch.wake()

    def _begin(self, person: str, turn: Turn) -> None:
        """Call those who want to know that a turn began."""
        for call in self.on_turn:
            try:
                called = call(person, turn.table, turn.title, turn.number)
                if inspect.isawaitable(called):
                    self._tasks.start(self._finish(called))
            except Exception as error:
                logger.error("a turn that began", exc_info=error)

    async def _finish(self, called: Awaitable[None]) -> None:
        try:
            await called
        except Exception as error:
            logger.error("a turn that began", exc_info=error)
