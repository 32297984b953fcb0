"""The tables in memory: loaded from their logs, and changed only by what is on disk."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from msgspec import MsgspecError
from msgspec.structs import replace

from sarai.core.errors import BadRecord
from sarai.core.registry import game as find
from sarai.table import event_types, metrics
from sarai.table.bots.readiness import Readiness
from sarai.table.chance import follows
from sarai.table.decide import LATE_SECONDS, begun_when_seen
from sarai.table.playthrough import Change
from sarai.table.refusals import Refused
from sarai.table.service.room import Room
from sarai.table.service.tasks import Tasks
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.listen_notify import NewEvent
from sarai.table.storage.store import Entry, Store
from sarai.table.storage.summaries import index_row
from sarai.table.storage.writes import Write, events_write
from sarai.table.table import GATHERING, Table

MOST_ROOMS = 2000  # in memory; more only if they are used
LOOKS = 8  # at tables that may be dropped, before another is loaded
logger = logging.getLogger("sarai.table")
FOLD_SECONDS = 0.005  # of processor time in which events are folded before other tasks may run


class Rooms:
    """The tables that this process holds.

    `on_change` is called with a room after it was loaded or changed, and with whether this process wrote the change.
    """

    def __init__(
        self,
        store: Store,
        games: Readiness,
        tasks: Tasks,
        now: Callable[[], float],
        on_change: Callable[[Room, bool], None],
        on_drop: Callable[[Room], None],
    ) -> None:
        self.store, self.now = store, now
        self._games, self._tasks, self._on_change, self._on_drop = games, tasks, on_change, on_drop
        self._rooms: OrderedDict[str, Room] = OrderedDict()  # that used longest ago first
        self._of_people: dict[str, set[Room]] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}

    async def get(self, id: str) -> Room:
        """Return a table's room; Refused if there is no such table, or if its rules are not ready yet."""
        if (room := self._rooms.get(id)) is None:
            if id not in self._loading:
                self._loading[id] = self._tasks.start(self._load(id))
                self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
            room = await asyncio.shield(self._loading[id])
        if id in self._rooms:
            self._rooms.move_to_end(id)
        room.used = time.monotonic()
        return room

    def is_loading(self, id: str) -> bool:
        """Say whether a table is being read from the database."""
        return id in self._loading

    def find(self, id: str) -> Room | None:
        """Return a table's room if it is in memory."""
        return self._rooms.get(id)

    def of(self, person: str) -> list[Room]:
        """Return the rooms in memory where a person sits."""
        return list(self._of_people.get(person, ()))

    def __len__(self) -> int:
        return len(self._rooms)

    def ids(self) -> set[str]:
        """Return the tables in memory."""
        return set(self._rooms)

    def loaded(self) -> list[Room]:
        """Return the rooms in memory."""
        return list(self._rooms.values())

    def drop_unused(self, room: Room, seconds: float) -> bool:
        """Have a table in memory no more that nobody has used for some seconds; say whether that was so."""
        is_unused = room.idle and not room.is_unsure and time.monotonic() - room.used > seconds
        if is_unused:
            self._drop(room)
        return is_unused

    async def drop(self, id: str) -> None:
        """Read a table again when it is needed: what is stored of it was changed beside its log."""
        if (loading := self._loading.get(id)) is not None:
            await asyncio.wait([loading])
        if (room := self._rooms.get(id)) is not None:
            async with room.lock:
                self.forget(room)

    def forget(self, room: Room) -> None:
        """Hold a room no longer; its watchers come back to another. Hold the room's lock."""
        self._drop(room)
        if room.bot_task is not None:
            room.bot_task.cancel()
        room.close()
        self.store.writer.forget_index(room.table.id)

    def forget_all(self) -> None:
        """Hold no room longer: what is stored of any table may have been changed beside its log.

        A command that holds the lock of one is not written any more.
        """
        self.store.writer.forget_index()
        for room in self.loaded():
            self.forget(room)

    async def commit(
        self,
        room: Room,
        changes: Sequence[Change],
        person: str | None = None,
        key: str | None = None,
        other: Write | None = None,
    ) -> int:
        """Write changes and what follows from them to disk, then apply and publish them; return the last number.

        Conflict, and nothing changed, if another process was faster. Hold the room's lock.
        """
        if room.closed:
            raise Refused("busy")
        table = room.table
        if table.phase == GATHERING:
            changes = self._when_ready(table, changes)
        now = self.now()
        if now - changes[0].event.at > LATE_SECONDS:
            changes = begun_when_seen(changes, now)
        changes = [*changes, *follows(table, changes, room.secret, now)]
        if changes[0].event.at < table.time:
            # Another process has written a pause, until a time that this one has only after its next heartbeat: a clock
            # that began to run before that would lose the pause.
            changes = [change._replace(event=replace(change.event, at=table.time)) for change in changes]
        write = events_write(table.id, table.number, [change.event for change in changes], person, key)
        if other is not None:
            write.add(other)
        room.expected = table.number + len(changes)
        try:
            await self.store.writer.append(write)
        except Exception as error:
            room.expected, room.is_unsure = 0, isinstance(error, StorageFailed)
            if room.is_unsure and not room.closed:
                self._on_change(room, False)
            raise
        self._apply(room, enumerate(changes, table.number + 1), is_own=True)
        for change in changes:
            if isinstance(change.event, event_types.Moved):
                metrics.MOVES.labels(table.game.id, "bot" if change.event.by is None else "person").inc()
        if person is not None and key is not None:
            room.keys[person, key] = table.number
        return table.number

    def _when_ready(self, table: Table, changes: Sequence[Change]) -> Sequence[Change]:
        """Let a game begin, or its words be asked for, when the rules are ready: nobody waits with words in hand."""
        event = changes[-1].event
        if not isinstance(event, event_types.Started | event_types.WordsAsked) or self._games.is_ready(table.game.id):
            return changes
        if isinstance(event, event_types.WordsAsked) and event.round > 1:  # the rules were ready before round 1
            return changes
        return [*changes[:-1], Change(event_types.StartAsked(event.at, event.by))]

    async def catch_up(self, room: Room) -> bool:
        """Apply what another process wrote, and say whether there was anything. Hold the room's lock."""
        if entries := await self.store.log(room.table.id, room.table.number):
            self._apply_entries(room, entries)
        room.is_unsure = False
        return bool(entries)

    def take_over(self, room: Room, events: Sequence[NewEvent]) -> bool:
        """Apply events as another process told them, without asking the database; say whether that could be done.

        It cannot if others are missing before them, or while a command is decided on the table as it is.
        """
        if not events or room.lock.locked() or room.is_unsure or events[0].number != room.table.number + 1:
            return False
        try:
            entries = [Entry(event.number, event_types.decode(event.body), event.person, event.key) for event in events]
        except MsgspecError:  # of a newer version; reading them says so
            return False
        self._apply_entries(room, entries)
        return True

    def _apply_entries(self, room: Room, entries: Sequence[Entry]) -> None:
        """Apply what another process wrote."""
        self._apply(room, ((entry.number, Change(entry.event)) for entry in entries), is_own=False)
        room.keys |= {(entry.person, entry.key): entry.number for entry in entries if entry.person and entry.key}

    def _apply(self, room: Room, changes: Iterable[tuple[int, Change]], is_own: bool) -> None:
        """Apply changes that are on disk, and publish them."""
        try:
            for number, change in changes:
                room.table.apply(number, change.event, change.played)
        except BaseException:
            self._drop(room)  # what is on disk counts: the next request loads it again
            room.close()
            raise
        if is_own:
            self.index(room)
        self._note_people(room)
        room.publish()
        self._on_change(room, is_own)

    def index(self, room: Room) -> None:
        """Bring a table's row in the index up to date; who wrote an event does, or who finds that nobody did."""
        if not room.closed:  # else what is stored may have been changed beside the log
            self.store.writer.index_soon(room.table.id, lambda: index_row(room.table))

    def _note_people(self, room: Room) -> None:
        """Note who sits at a table, if it was not dropped meanwhile."""
        if self._rooms.get(room.table.id) is not room:
            return
        people = frozenset(seat.person for seat in room.table.seats if seat.person is not None)
        for person in room.people - people:
            self._of_people[person].discard(room)
            if not self._of_people[person]:
                del self._of_people[person]
        for person in people - room.people:
            self._of_people.setdefault(person, set()).add(room)
        room.people = people

    def _drop(self, room: Room) -> None:
        """Have a table in memory no more."""
        if self._rooms.get(room.table.id) is room:
            del self._rooms[room.table.id]
            for person in room.people:
                self._of_people[person].discard(room)
                if not self._of_people[person]:
                    del self._of_people[person]
            self._on_drop(room)

    async def _load(self, id: str) -> Room:
        edition, room = self.store.write_fence.edition, await self._read(id)
        if edition != self.store.write_fence.edition:  # what was read may be old
            return await self._load(id)
        self._make_space()
        self._rooms[id] = room
        self._note_people(room)
        self._on_change(room, False)
        return room

    async def _read(self, id: str) -> Room:
        """Return a new room, from the log of its table."""
        entries = await self.store.log(id) if len(id) == 10 and id.isascii() and id.isalnum() else []
        if not entries or not isinstance(entries[0].event, event_types.Created):
            raise Refused("no_such_table")
        game = find(entries[0].event.game)
        self._games.prepare(game.id)
        if any(isinstance(entry.event, event_types.Started) for entry in entries):
            self.require_ready(game.id)
        room = Room(Table(id), await self.store.secret(id) or "", self.now())
        began = time.thread_time()
        for entry in entries:
            try:
                room.table.apply(entry.number, entry.event)
            except BadRecord as error:  # a newer version of the rules
                raise Refused.because(error) from None
            except Exception as error:
                logger.error("the log of table %s…, event %d", id[:4], entry.number, exc_info=error)
                raise StorageFailed("table_damaged") from None
            if time.thread_time() - began > FOLD_SECONDS:
                await asyncio.sleep(0)
                began = time.thread_time()
        room.keys = {(entry.person, entry.key): entry.number for entry in entries if entry.person and entry.key}
        return room

    def require_ready(self, game_id: str) -> None:
        """Refuse what needs the rules of a game while they are being prepared, or if they cannot be."""
        if not self._games.is_ready(game_id):
            progress, title = self._games.status(game_id), find(game_id).title
            if progress.failure is not None:
                raise Refused("not_prepared", title=title, why=progress.failure)
            raise Refused("warming_up", title=title, done=progress.done, of=progress.of)

    def _make_space(self) -> None:
        """Drop tables that nobody uses, those used longest ago first; a few are looked at each time."""
        for _ in range(min(LOOKS, len(self._rooms) - MOST_ROOMS + 1)):
            id, room = next(iter(self._rooms.items()))
            if room.idle:
                self._drop(room)
            else:
                self._rooms.move_to_end(id)
