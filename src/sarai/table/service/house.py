"""All tables of one process: what is asked is decided, written to disk, and only then published."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace
from sqlalchemy.engine import make_url

from sarai.core import fair_dice
from sarai.core.errors import BadStart, UnknownGame
from sarai.core.registry import game as find
from sarai.table import commands, event_types
from sarai.table.bots.pool import Bots
from sarai.table.bots.readiness import Readiness
from sarai.table.clock import ClockRule
from sarai.table.command_checks import changes
from sarai.table.confusable_names import is_told_from
from sarai.table.decide import decide, is_replaced
from sarai.table.look_sit_talk_permissions import require_look
from sarai.table.new_table import created, new_table_id, rematch_events
from sarai.table.person import Person
from sarai.table.playthrough import Change
from sarai.table.refusals import Refused
from sarai.table.service.bot_moves import BotMoves
from sarai.table.service.cache_invalidation import CacheInvalidation
from sarai.table.service.erasing import Erasing
from sarai.table.service.heartbeat import Heartbeat
from sarai.table.service.held_bot_leases import HeldBotLeases
from sarai.table.service.invalidation_poller import InvalidationPoller
from sarai.table.service.mutes import Mutes
from sarai.table.service.people import People
from sarai.table.service.presence import Presence
from sarai.table.service.process_messages import CHANGED, ProcessMessages
from sarai.table.service.rate_limit import Limiter
from sarai.table.service.room import Absent, Room, Watch
from sarai.table.service.rooms import Rooms
from sarai.table.service.sessions import Sessions
from sarai.table.service.tasks import Tasks
from sarai.table.service.timeouts_and_catch_up import BackgroundWork
from sarai.table.service.waiting_turns import WaitingTurns
from sarai.table.storage.bot_leases import BotLeases
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.file_lock import FileLock
from sarai.table.storage.processes import WEB, Processes
from sarai.table.storage.shared_answer import SharedAnswer
from sarai.table.storage.store import LONGEST_KEY, Store, address, digest, file_of
from sarai.table.storage.summaries import Summary, read_summaries
from sarai.table.storage.writer import Conflict
from sarai.table.storage.writes import Write, new_table_write
from sarai.table.table import GATHERING, PLAYING, Table
from sarai.table.time_source import GivenTime, TimeSource

TRIES = 20  # how often a command is decided again because another process was faster
MOST_RENAMED = 50  # tables that hear at once of a new name
NO_CLOCK = ClockRule()
T = TypeVar("T")


class House:
    """All tables of one process, and the people of its database."""

    def __init__(self, store: Store, bots: Bots, heartbeat: Heartbeat, now: Callable[[], float], pause: float) -> None:
        self.store = store
        self.heartbeat, self.processes = heartbeat, heartbeat.processes
        self.lock: FileLock | None = None  # of a SQLite file: no other process serves it
        self.now = now
        self.elapsed = heartbeat.source.elapsed  # for limits: it runs on while the time of tables stands still
        self._watches: dict[str, set[Watch]] = {}  # by person
        self._public_lists: dict[tuple[str, ...], SharedAnswer[list[Summary]]] = {}  # by phases
        self._tasks = Tasks()
        self.games = Readiness(bots, self._tasks.start, lambda game_id: self.background.on_progress(game_id))
        self.presence = Presence(lambda: self.now())
        self.rooms = Rooms(
            store, self.games, self._tasks, now, self._on_change, lambda room: self.background.dropped(room)
        )
        self.turns = WaitingTurns(store, self._tasks, self.rooms)
        leases = BotLeases(store.own_engine, self.heartbeat.id) if store.is_shared else None
        self.held_leases = HeldBotLeases(leases, self._tasks)
        self._bot_moves = BotMoves(self.rooms, bots, self._tasks, pause, self.held_leases)
        self.background = BackgroundWork(
            self.rooms, self.games, self._bot_moves, self.turns, self.presence, self._tasks, heartbeat.kind == WEB
        )
        self._bot_moves.on_rest = self.background.plan
        self.presence.on_return = self.background.returned
        self.people = People(store, self.turns, lambda: self.now())
        self.process_messages = ProcessMessages(
            store, self.heartbeat, self.presence, self.rooms, self.background, self._tasks, self.people.forget
        )
        self.mutes = Mutes(store)
        self.sessions = Sessions(store, lambda: self.now(), self.people.changed)
        self.people.on_forget += [self.mutes.forget, self.sessions.forget, self._wake]
        self.people.on_change.append(lambda person: self.process_messages.tell(CHANGED, person))
        self.may_make: Callable[[str], bool] = lambda _: True  # whether a table that is made here can have an id
        invalidation = CacheInvalidation(self.rooms, self.people, self.sessions, self.background, self._tasks)
        self.on_table = invalidation.on_table  # called with a table that has to be shown anew
        self.erasing = Erasing(self.rooms, self.act, invalidation.show_anew, self.people.forget)
        self.invalidations = InvalidationPoller(store, invalidation.read_again, invalidation.read_all_again)
        heartbeat.catch_up = self.background.catch_up_all
        self.limiter = Limiter(self.elapsed)
        self.process_messages.share_limits(self.limiter)

    @classmethod
    async def open(
        cls,
        url: str,
        bots: Bots,
        now: Callable[[], float] | None = None,
        *,
        pause: float = 0.0,
        games: Iterable[str] = (),
        kind: str = WEB,
    ) -> House:
        """Open the database at a URL, prepare some games, and go on with the tables that are there.

        Without `now` it keeps its own time. `pause` is how many seconds pass before a bot's move; `kind` says what the
        process does.
        """
        path = file_of(make_url(address(url)))
        source = now if isinstance(now, TimeSource) else TimeSource() if now is None else GivenTime(now)
        async with contextlib.AsyncExitStack() as opened:
            lock = FileLock.take(path) if path is not None else None
            if lock is not None:
                opened.callback(lock.close)
            store = await Store.open(url)
            opened.push_async_callback(store.close)
            heartbeat = Heartbeat(Processes(store.own_engine), source, kind)
            await heartbeat.begin()
            opened.pop_all()  # all went well
        house = cls(store, bots, heartbeat, now or source, pause)
        house.lock = lock
        try:
            await house.invalidations.begin()
        except BaseException:
            await house.close()
            raise
        for id in games:
            house.games.prepare(id)
        house._tasks.start(house.background.resume())
        house._tasks.start(house.background.run())
        house._tasks.start(house.heartbeat.run())
        house._tasks.start(house.held_leases.run())
        house.process_messages.start()
        house._tasks.start(house.invalidations.run())
        house._tasks.start(house.erasing.run())
        return house

    def start(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """Run something beside the requests, until it ends or the house closes."""
        return self._tasks.start(work)

    async def close(self) -> None:
        """Stop, with everything written."""
        await self._tasks.close()
        await self.held_leases.close()
        await self.heartbeat.end()
        await self.store.close()
        if self.lock is not None:
            self.lock.close()

    # --- tables ---------------------------------------------------------------------------------------------------

    async def create(
        self,
        person: Person,
        game_id: str,
        players: int,
        options: Mapping[str, object] | None = None,
        *,
        public: bool = False,
        clock: ClockRule = NO_CLOCK,
        invite: Collection[str] = (),
    ) -> str:
        """Make a table with free seats and return its id; it appears in the lists of the people in `invite`."""
        try:
            game = find(game_id)
            resolved = game.resolve_options(players, options)
        except (BadStart, UnknownGame) as error:
            raise Refused.because(error) from None
        self.games.prepare(game_id)
        secret, id = fair_dice.new_secret(), new_table_id(self.may_make)
        if self.store.is_shared:
            await self._require(person)
        first = created(
            game,
            players,
            resolved,
            person,
            self.now(),
            commitment=fair_dice.commitment(secret),
            public=public,
            clock=clock.check(),
            invited=invite,
        )
        await self.store.writer.append(new_table_write(id, [first], secret))
        return id

    async def table(self, id: str) -> Table:
        """Return a table as it stands; Refused if there is none, or if its rules are not ready yet."""
        return (await self.rooms.get(id)).table

    async def look(self, id: str, person: str | None) -> Table:
        """Return a table for somebody to look at; Refused if they may not."""
        table = await self.newest(id)
        require_look(table, person)
        return table

    async def newest(self, id: str) -> Table:
        """Return a table with all that any process wrote until now: who moved at one may look at another."""
        room = await self.rooms.get(id)
        if self.store.is_shared:
            for _, number in await self.store.last_numbers([id]):
                await self.background.catch_up(id, number)
        return room.table

    async def tables(
        self,
        *,
        public: bool | None = None,
        open: bool | None = None,
        phases: Sequence[str] = (),
        of: Person | None = None,
        game: str | None = None,
        most: int = 100,
    ) -> list[Summary]:
        """Return summaries of tables, the newest change first: public ones, ones with a free seat, a person's own."""
        with contextlib.suppress(StorageFailed):  # what cannot be written can still be read
            await self.store.writer.write_index()
        person = of.id if of else None
        rows = await self.store.summaries(public=public, open=open, phases=phases, of=person, game=game, most=most)
        return list(read_summaries(rows, person))

    async def public_tables(self, *, phases: Sequence[str] = ()) -> Sequence[Summary]:
        """Return public tables of some phases, or else those with a free seat; read once for all who ask together."""
        key = tuple(phases)
        if key not in self._public_lists:
            is_open = None if phases else True
            self._public_lists[key] = SharedAnswer(lambda: self.tables(public=True, open=is_open, phases=phases))
        return await self._public_lists[key].get()

    def require_bots(self, person: Person) -> None:
        """Refuse a table with bots to a person who has them think at many tables already."""
        self._bot_moves.require_time(person.id)

    def note_address(self, person_id: str, address: str | None) -> None:
        """Note from which network address a person comes, None if that says nothing: bots' time is shared by it."""
        self._bot_moves.note_address(person_id, address)

    # --- commands -------------------------------------------------------------------------------------------------

    async def act(
        self, id: str, person: Person, command: commands.Command, *, key: str | None = None, number: int | None = None
    ) -> int:
        """Carry out a person's command at a table; return the number of its last event, which is on disk then.

        The same key again does nothing and returns the same number. `number` is the last event the person knew: a
        command about an earlier moment is refused as stale.
        """
        if key is not None and not (key.isascii() and key.isprintable() and len(key) <= LONGEST_KEY):
            key = digest(key)
        return await asyncio.shield(self._tasks.start(self._act(id, person, command, key, number)))

    async def _act(
        self, id: str, person: Person, command: commands.Command, key: str | None, number: int | None
    ) -> int:
        came = self.now()  # a clock stands still while its player's command waits for others'
        room = await self.rooms.get(id)
        self.presence.saw(person.id)
        table = room.table
        has_bots = isinstance(command, commands.Lend) or any(seat.bot for seat in table.seats)
        if has_bots and isinstance(command, commands.Start | commands.Lend):
            self._bot_moves.require_time(table.maker)
        async with room.lock:
            if room.is_unsure:
                await self.rooms.catch_up(room)
            for _ in range(TRIES):
                if key is not None and (person.id, key) in room.keys:
                    return room.keys[person.id, key]
                if self.store.is_shared:
                    await self._require(person)
                try:
                    decided, new_table = decide(table, command, person, max(came, table.time), number), None
                    if not isinstance(command, commands.Move):
                        decided, new_table = self._complete(room, person, command, decided)
                except Refused:
                    # another process may have written what makes it right
                    if self.store.is_shared and await self.rooms.catch_up(room):
                        continue
                    raise
                if isinstance(command, commands.Mute):
                    break
                try:
                    return await self.rooms.commit(room, decided, person.id, key, new_table)
                except Conflict:
                    await self.rooms.catch_up(room)
            else:
                raise Refused("busy")
        # a mute stands beside the log: the table does not wait until it is written
        await self.mutes.change(person.id, table, command.guest, command.on)
        self._wake(person.id)
        return table.number

    def _complete(
        self, room: Room, person: Person, command: commands.Command, decided: list[Change]
    ) -> tuple[list[Change], Write | None]:
        """Return what follows from a command by what only this process knows, and the write of a new table, if any."""
        if isinstance(command, commands.Lend):
            room.require_lendable(command.seat, person.id, self.presence, self.now())
        elif isinstance(command, commands.Start) and self.games.status(room.table.game.id).failure is not None:
            self.rooms.require_ready(room.table.game.id)
        elif isinstance(command, commands.Rematch):
            return self._make_rematch(room.table, person, decided)
        return decided, None

    def _make_rematch(self, table: Table, person: Person, decided: list[Change]) -> tuple[list[Change], Write]:
        """Return a rematch with the id of its table, and the write that makes that table."""
        id, secret, event = new_table_id(self.may_make), fair_dice.new_secret(), decided[0].event
        assert isinstance(event, event_types.Rematched)
        events = rematch_events(table, person, fair_dice.commitment(secret), self.now())
        return changes(replace(event, table=id)), new_table_write(id, events, secret)

    def _on_change(self, room: Room, is_own: bool) -> None:
        """Let bots play at a table that was loaded or changed, and its players know whose turn it is."""
        self.turns.update(room, is_own)
        self._bot_moves.start(room)
        self.background.plan(room)

    # --- who is here ----------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def watch(self, id: str, person: str | None = None) -> AsyncIterator[Watch]:
        """Give a table's numbers as they grow: `async with house.watch(id) as numbers: async for number in numbers`."""
        room = await self.rooms.get(id)
        watch = Watch(room, person)
        room.watches.add(watch)
        if person is not None:
            self._watches.setdefault(person, set()).add(watch)
        self._bot_moves.start(room)
        self.background.plan(room)
        try:
            yield watch
        finally:
            room.watches.discard(watch)
            self.background.plan(room)
            if person is not None:
                self._watches[person].discard(watch)
                if not self._watches[person]:
                    del self._watches[person]

    def _wake(self, person: str) -> None:
        """Let the watches of one person look: something changed that is nobody else's affair."""
        for watch in self._watches.get(person, ()):
            watch.wake()

    async def arrive(self, id: str, person: Person) -> None:
        """Note that a person opened the table; a player who comes back gets the seat back from the bot."""
        room = await self.rooms.get(id)
        room.present[person.id] += 1
        self.presence.arrive(person.id)
        try:
            await self._welcome(room, person)
        except BaseException:  # gone meanwhile
            await self.leave(id, person)
            raise

    async def _welcome(self, room: Room, person: Person) -> None:
        """Give a person who opened the table the seat back, and call them by their present name."""
        table = room.table
        is_first, seat = room.present[person.id] == 1, table.seat_of(person.id)
        is_lent = seat is not None and table.seats[seat].lent is not None
        if (is_lent and is_first) or is_replaced(table, person):
            with contextlib.suppress(Refused):
                await self.act(table.id, person, commands.Return())
        if is_first:
            if seat is not None and not is_told_from(person.name, table.seats[seat].name):  # renamed meanwhile
                with contextlib.suppress(Refused):
                    await self.act(table.id, person, commands.UseName())
            if seat is not None:  # of all others pages say how many there are, after a while
                room.publish()

    async def come_back(self, id: str, person: Person) -> None:
        """Give a person who looks at the table the seat back, if others or the clock lent it."""
        if is_replaced((await self.rooms.get(id)).table, person):
            with contextlib.suppress(Refused):
                await self.act(id, person, commands.Return())

    async def leave(self, id: str, person: Person) -> None:
        """Note that a person closed the table."""
        self.presence.leave(person.id)
        room = await self.rooms.get(id)
        room.present[person.id] -= 1
        if room.present[person.id] <= 0:
            del room.present[person.id]
            if room.table.seat_of(person.id) is not None:
                room.publish()

    async def present(self, id: str) -> list[int]:
        """Return the seats whose people have the table open."""
        room = await self.rooms.get(id)
        return [number for number, seat in enumerate(room.table.seats) if seat.person in room.present]

    async def absent(self, id: str) -> Absent:
        """Return the seats whose players are away, and those that others may lend to a bot."""
        return (await self.rooms.get(id)).absent(self.presence, self.now())

    async def watchers(self, id: str) -> int:
        """Return how many look at a table without a seat, as it was last shown."""
        return (await self.rooms.get(id)).shown_watchers

    # --- people ---------------------------------------------------------------------------------------------------

    async def rename(self, person: Person, name: str, language: str | None = None) -> Person:
        """Change a person's name, here and at running tables, and language if one is given."""
        changed = await self.people.rename(person, name, language)
        if changed.name != person.name:
            self._tasks.start(self._use_name(changed))
        return changed

    async def _use_name(self, person: Person) -> None:
        """Have a person called by a new name at the newest tables where a game is not over yet.

        Others, and a table whose rules are not ready yet, hear of it when the person opens them. Who has another name
        meanwhile is called by that one.
        """
        for summary in await self.tables(of=person, phases=(GATHERING, "starting", PLAYING), most=MOST_RENAMED):
            known = await self.people.person(person.id)
            if known is None or known.name != person.name:
                return
            if summary.mine is not None:
                with contextlib.suppress(Refused):
                    await self.act(summary.id, person, commands.UseName())

    async def erase(self, person: Person) -> None:
        """Erase a person: signed out at once; what follows is finished even if this process ends."""
        await self.erasing.begin(person.id)
        self.people.changed(person.id)
        await asyncio.shield(self._tasks.start(self._finish_erasing()))

    async def _finish_erasing(self) -> None:
        with contextlib.suppress(Refused):  # it is tried again, also if nobody waits for it any more
            await self.erasing.finish()

    async def setting(self, name: str) -> str:
        """Return a secret of this database, 64 hexadecimal digits that never change: for one, the key of cookies."""
        return await self.store.setting(name)

    async def _require(self, person: Person) -> None:
        """Refuse what a person asks for who was erased meanwhile, by another process."""
        if await self.people.person(person.id) is None:
            raise Refused("session_ended")
