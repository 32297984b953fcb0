"""One process's hand on all tables: everything that is done is decided, written to disk, and only then shown."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from sarai.core import fair_dice
from sarai.core.errors import BadStart, Error, UnknownGame
from sarai.core.registry import game as find
from sarai.table import commands, log
from sarai.table.bots.pool import Bots
from sarai.table.bots.readiness import Readiness
from sarai.table.chance import follows
from sarai.table.clock import ClockRule
from sarai.table.decide import moved, started
from sarai.table.people import Person
from sarai.table.refusals import Refused
from sarai.table.service.people import Register
from sarai.table.service.rate_limit import Pace
from sarai.table.service.room import Room, Watch
from sarai.table.storage.new_table import laid, new_table_id, rematch, written
from sarai.table.storage.store import LONGEST_KEY, Conflict, Entry, Store, digest
from sarai.table.storage.summaries import Summary, index_row, read_summary
from sarai.table.storage.table_changes import listen
from sarai.table.storage.writer import Job
from sarai.table.table import LENT_LEVEL, PLAYING, Table

TRIES = 20  # how often a command is decided anew because another process was faster
MOST_ROOMS = 2000
TICK = 0.5  # seconds between two looks at the clocks
ANSWER_SECONDS = 60.0  # how long people are asked whether a move may be taken back
FOLD_PAUSE = 64  # events folded without letting others work
LAYING = 30, 60.0  # tables that somebody may lay, in seconds
ASKING = 60, 10.0  # things besides moves that somebody may ask of a table, in seconds
NO_CLOCK = ClockRule()
T = TypeVar("T")
logger = logging.getLogger("sarai.table")


class House(Register):
    """All tables, as one process serves them."""

    def __init__(self, store: Store, bots: Bots, now: Callable[[], float], pause: float) -> None:
        super().__init__(store, now)
        self.bots = bots
        self.games = Readiness(bots, self._spawn, self._nearer)
        self.pause = pause  # seconds before a bot's move, so that people can follow
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._laying, self._asking = Pace(*LAYING), Pace(*ASKING)
        self._polled = now()
        self._closed = False

    @classmethod
    async def open(
        cls,
        url: str,
        bots: Bots,
        now: Callable[[], float] = time.time,
        *,
        pause: float = 0.0,
        games: Iterable[str] = (),
    ) -> House:
        """Open the database at a URL, prepare some games, and go on with whatever was going on."""
        house = cls(await Store.open(url), bots, now, pause)
        for id in games:
            house.games.want(id)
        house._spawn(house._resume())
        house._spawn(house._keep_time())
        house._spawn(listen(house.store.engine, house._heard))
        return house

    async def close(self) -> None:
        """Stop, with everything written."""
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()

    def _spawn(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _nearer(self, game_id: str) -> None:
        """Tell the tables of a game that it came nearer to being ready, and begin those that waited for it."""
        for room in [room for room in self._rooms.values() if room.table.game.id == game_id]:
            with self._careful(room.table.id):
                await self._begin(room)
            room.poke()

    @contextlib.contextmanager
    def _careful(self, id: str) -> Iterator[None]:
        """Let nothing that goes wrong at one table hold up the others; it is tried again."""
        try:
            yield
        except (Refused, Conflict):
            pass
        except Exception as error:
            logger.error("table %s", id, exc_info=error)

    # --- tables ---------------------------------------------------------------------------------------------------------------------

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
        """Lay a table and return its id; nobody sits there yet. `invite` are ids of people in whose lists it appears."""
        try:
            game = find(game_id)
            settled = game.resolve_options(players, options)
        except (BadStart, UnknownGame) as error:
            raise Refused.because(error) from None
        self._laying.step(person.id, self.now())
        self.games.want(game_id)
        secret = fair_dice.new_secret()
        created = log.Created(
            self.now(),
            person.id,
            person.name,
            game.id,
            game.rules_version,
            players,
            settled,
            public,
            clock.check(),
            fair_dice.commitment(secret),
            list(invite),
        )
        id = new_table_id()
        await self.store.append(laid(id, [created], secret))
        return id

    async def table(self, id: str) -> Table:
        """Return a table as it stands; Refused if there is none, or if its rules are not ready yet."""
        return (await self._room(id)).table

    async def tables(
        self,
        *,
        public: bool | None = None,
        open: bool | None = None,
        phases: Sequence[str] = (),
        of: Person | None = None,
        most: int = 100,
    ) -> list[Summary]:
        """Return tables in a few words, the newest change first: public ones, ones with a free seat, ones of somebody."""
        await self.store.refresh()
        rows = await self.store.summaries(public=public, open=open, phases=phases, of=of.id if of else None, most=most)
        return [read_summary(row, of.id if of else None) for row in rows]

    async def _room(self, id: str) -> Room:
        if (room := self._rooms.get(id)) is None:
            if id not in self._loading:
                self._loading[id] = self._spawn(self._load(id))
                self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
            room = await asyncio.shield(self._loading[id])
        room.used = self.now()
        return room

    async def _load(self, id: str) -> Room:
        entries = await self.store.log(id) if len(id) == 10 and id.isascii() and id.isalnum() else []
        if not entries or not isinstance(entries[0].event, log.Created):
            raise Refused("no_such_table")
        game = find(entries[0].event.game)
        self.games.want(game.id)
        if any(isinstance(entry.event, log.Started) for entry in entries) and not self.games.has(game.id):
            warmth = self.games.status(game.id)
            raise Refused("warming_up", title=game.title, done=warmth.done, of=warmth.of)
        room = Room(Table(id), await self.store.secret(id) or "", self.now())
        for start in range(0, len(entries), FOLD_PAUSE):
            room.fold(entries[start : start + FOLD_PAUSE])
            await asyncio.sleep(0)
        self._make_space()
        self._rooms[id] = room
        self._go_on(room)
        return room

    def _make_space(self) -> None:
        if len(self._rooms) >= MOST_ROOMS:
            for room in sorted(self._rooms.values(), key=lambda room: room.used)[: MOST_ROOMS // 10]:
                if room.idle:
                    del self._rooms[room.table.id]

    # --- what people do -------------------------------------------------------------------------------------------------------------

    async def act(
        self, id: str, person: Person, command: commands.Command, *, key: str | None = None, number: int | None = None
    ) -> int:
        """Do what somebody asks of a table; return the number of the last event that it brought about, which is on disk then.

        The same key again does nothing again and returns the same number. A number older than what the command is about is refused as stale.
        """
        if key is not None and not (key.isascii() and key.isprintable() and len(key) <= LONGEST_KEY):
            key = digest(key)
        return await asyncio.shield(self._spawn(self._act(id, person, command, key, number)))

    async def _act(
        self, id: str, person: Person, command: commands.Command, key: str | None, number: int | None
    ) -> int:
        room = await self._room(id)
        if room.table.seat_of(person.id) is not None:
            room.gone[person.id] = self.now()  # whoever does something is here, with or without a stream
        if not isinstance(command, commands.Move):
            self._asking.step((id, person.id), self.now())
        async with room.lock:
            for _ in range(TRIES):
                if key is not None and (person.id, key) in room.keys:
                    return room.keys[person.id, key]
                self._check_fresh(room.table, person, command, number)
                self._check_away(room, person, command)
                events, others = self._complete(room, room.table.decide(command, person, self.now()), person)
                try:
                    return await self._commit(room, events, person.id, key, others)
                except Conflict:
                    await self._catch_up(room)
            raise Refused("busy")

    def _check_fresh(self, table: Table, person: Person, command: commands.Command, number: int | None) -> None:
        """Refuse a move or an answer that was meant for an earlier moment."""
        seat = table.seat_of(person.id)
        if number is None or seat is None:
            return
        about = 0
        if isinstance(command, commands.Move):
            about = table.relevant(seat)
        elif isinstance(command, commands.AnswerBack) and table.take_back is not None:
            about = table.take_back.number
        if number < about:
            raise Refused("stale", number=table.number)

    def _check_away(self, room: Room, person: Person, command: commands.Command) -> None:
        """Refuse to lend the seat of somebody who is here."""
        if (
            isinstance(command, commands.Lend)
            and 0 <= command.seat < room.table.players
            and room.table.seat_of(person.id) is not None
        ):
            if (
                room.table.seats[command.seat].person != person.id
                and command.seat not in room.away(self.now())
                and not room.table.seats[command.seat].lent
            ):
                raise Refused("not_playing" if room.table.phase != PLAYING else "not_away")

    def _complete(self, room: Room, events: list[log.LogEvent], person: Person) -> tuple[list[log.LogEvent], list[Job]]:
        """Add what follows from events, and a table that one of them asks for."""
        table, first = room.table, events[0]
        if isinstance(first, log.Rematched):
            id = new_table_id()
            return [replace(first, table=id)], [rematch(table, id, person, self.now())]
        if isinstance(first, log.Started) and not self.games.has(table.game.id):
            return [log.StartAsked(first.at, first.by)], []
        return [*events, *follows(table, events, room.secret, self.now())], []

    async def _commit(
        self,
        room: Room,
        events: Sequence[log.LogEvent],
        person: str | None = None,
        key: str | None = None,
        others: Sequence[Job] = (),
    ) -> int:
        """Write events to disk, then let them happen, then tell who watches; Conflict, and nothing happened, if another process was faster."""
        table = room.table
        first, last = table.number + 1, table.number + len(events)
        entries = [
            Entry(number, event, person if number == last else None, key if number == last else None)
            for number, event in enumerate(events, first)
        ]
        job = written(table.id, entries)
        for other in others:
            job.events += other.events
            job.tables += other.tables
            job.members += other.members
        await self.store.append(job)
        self._happen(room, entries)
        return last

    def _happen(self, room: Room, entries: list[Entry]) -> None:
        try:
            room.fold(entries)
        except BaseException:
            self._rooms.pop(room.table.id, None)  # what is on disk counts: the next who asks folds it anew
            room.close()
            raise
        self.store.note(room.table.id, lambda: index_row(room.table))
        room.poke()
        self._go_on(room)

    async def _catch_up(self, room: Room) -> None:
        """Let happen what another process wrote."""
        if entries := await self.store.log(room.table.id, room.table.number):
            self._happen(room, entries)

    # --- what the house does by itself ----------------------------------------------------------------------------------------------

    def _go_on(self, room: Room) -> None:
        """Let bots think, if it is their turn."""
        if room.table.bots_to_act and (room.bots is None or room.bots.done()) and not self._closed:
            room.bots = self._spawn(self._play_bots(room))

    async def _play_bots(self, room: Room) -> None:
        table = room.table
        while seats := table.bots_to_act:
            about = {seat: table.relevant(seat) for seat in seats}
            thoughts = asyncio.gather(*(self._think(table, seat) for seat in seats))
            if self.pause and len(table.to_act) == 1:
                await asyncio.sleep(self.pause)
            for seat, move in zip(
                seats, await thoughts, strict=True
            ):  # in the order of seats: how long each thought tells nothing
                async with room.lock:
                    if seat in table.bots_to_act and table.relevant(seat) == about[seat]:
                        events = moved(table, seat, move, self.now())
                        try:
                            await self._commit(room, [*events, *follows(table, events, room.secret, self.now())])
                        except Conflict:
                            await self._catch_up(room)

    async def _think(self, table: Table, seat: int) -> int:
        assert table.state is not None
        level, legal = table.seats[seat].played_by or LENT_LEVEL, table.state.legal(seat)
        if len(legal) == 1:
            return legal[0]
        with contextlib.suppress(Error):
            move = await self.bots.choose(table.game.id, table.state.view(seat).to_json(), level, secrets.randbits(62))
            if move in legal:
                return move
        return secrets.choice(legal)  # a bot that cannot think must not hold up people

    async def _begin(self, room: Room) -> None:
        """Begin a game that only waited for its rules."""
        async with room.lock:
            table = room.table
            while table.starting and self.games.has(table.game.id):
                events: list[log.LogEvent] = [started(table, table.host, self.now())]
                try:
                    await self._commit(room, [*events, *follows(table, events, room.secret, self.now())])
                except Conflict:
                    await self._catch_up(room)

    async def _resume(self) -> None:
        """Bring the index up to date, and begin what was about to begin when a process stopped."""
        for id in {*await self.store.lagging(), *await self.store.starting()}:
            with self._careful(id):
                room = await self._patient_room(id)
                self.store.note(id, lambda room=room: index_row(room.table))  # type: ignore[misc]
                await self._begin(room)

    async def _patient_room(self, id: str) -> Room:
        while True:
            try:
                return await self._room(id)
            except Refused as error:
                if error.key != "warming_up":
                    raise
                await asyncio.sleep(0.2)

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            try:
                await self.tick()
            except Exception as error:  # the database may be busy: clocks must not stand still for ever
                logger.error("the clocks", exc_info=error)

    async def tick(self) -> None:
        """Look at the clocks, and at what other processes wrote."""
        now = self.now()
        for id in await self.store.due(now):
            with self._careful(id):
                await self._time_over(await self._room(id))
        since, self._polled = self._polled - 5, now
        for id, number in await self.store.changed_since(since):
            await self._heard(id, number)
        for room in list(self._rooms.values()):
            with self._careful(room.table.id):
                await self._lapse(room)
            room.remind(now)
            self._go_on(room)

    async def _heard(self, id: str, number: int) -> None:
        """Catch up with what another process wrote."""
        if (room := self._rooms.get(id)) is not None and room.table.number < number:
            with self._careful(id):
                async with room.lock:
                    if room.table.number < number:
                        await self._catch_up(room)

    async def _lapse(self, room: Room) -> None:
        """Close a question that nobody answers, so that bots go on."""
        if (question := room.table.take_back) is not None and self.now() - question.at > ANSWER_SECONDS:
            async with room.lock:
                if room.table.take_back == question:
                    with contextlib.suppress(Conflict):
                        await self._commit(room, [log.TakeBackLapsed(self.now())])

    async def _time_over(self, room: Room) -> None:
        async with room.lock:
            table = room.table
            while (due := table.clock_state.due) is not None and due <= self.now():
                left = table.clocks(self.now()) or []
                late = next(seat for seat in sorted(table.clock_state.running) if left[seat] <= 0)
                events: list[log.LogEvent] = [log.TimeOver(self.now(), late, LENT_LEVEL)]
                try:
                    await self._commit(room, [*events, *follows(table, events, room.secret, self.now())])
                except Conflict:
                    await self._catch_up(room)

    # --- who is here ----------------------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def watch(self, id: str) -> AsyncIterator[Watch]:
        """Give the numbers of a table as they grow: `async with house.watch(id) as numbers: async for number in numbers`."""
        room = await self._room(id)
        watch = Watch(room)
        room.watches.add(watch)
        try:
            yield watch
        finally:
            room.watches.discard(watch)

    async def arrive(self, id: str, person: Person) -> None:
        """Somebody opened the table; who comes back gets the seat back from the bot."""
        room = await self._room(id)
        room.present[person.id] += 1
        if room.present[person.id] == 1:
            room.gone.pop(person.id, None)
            seat = room.table.seat_of(person.id)
            if seat is not None and room.table.seats[seat].lent:
                try:
                    with contextlib.suppress(Refused):
                        await self.act(id, person, commands.Return())
                except BaseException:  # gone before the seat was back: nobody stays here as a ghost
                    await self.leave(id, person)
                    raise
            room.poke()

    async def leave(self, id: str, person: Person) -> None:
        """Somebody closed the table."""
        room = await self._room(id)
        room.present[person.id] -= 1
        if room.present[person.id] <= 0:
            del room.present[person.id]
            room.gone[person.id] = self.now()
            room.poke()

    async def present(self, id: str) -> list[int]:
        """Return the seats whose people have the table open."""
        room = await self._room(id)
        return [number for number, seat in enumerate(room.table.seats) if seat.person in room.present]

    async def away(self, id: str) -> list[int]:
        """Return the seats whose people have been gone for long: anyone seated may lend them to a bot."""
        return (await self._room(id)).away(self.now())
