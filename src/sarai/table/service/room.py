"""A table as one process holds it: the table itself, its watchers, who is present, and the lock that orders changes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sarai.table.refusals import Refused
from sarai.table.table import GATHERING, LEND_SECONDS, PLAYING, Table
from sarai.table.takeback import ANSWER_SECONDS

if TYPE_CHECKING:
    from sarai.table.service.presence import Presence
    from sarai.table.storage.summaries import Turn

AWAY = 90.0  # seconds after which a player who left is shown as away
LOOK = 30.0  # seconds after which it is looked again at the latest who of a table that is watched is away
COUNT = 2.0  # seconds after which pages say that somebody came to watch, or left
SOON = 0.001  # seconds after a moment, when it has passed
AT_ONCE = 0.05  # seconds within which pages that were woken together are shown the same
RETRY = 1.0  # seconds after which something is tried again that could not be done


class Watch:
    """The numbers of a table as they grow, the newest only.

    The first comes at once, and the same comes again when something changed that is not in the log.
    """

    def __init__(self, room: Room, person: str | None = None) -> None:
        self._room, self.person = room, person
        self._news = asyncio.Event()
        self._news.set()

    def wake(self) -> None:
        """Let the watcher look."""
        self._news.set()

    def __aiter__(self) -> Watch:
        return self

    async def __anext__(self) -> int:
        await self._news.wait()
        self._news.clear()
        if self._room.closed:
            raise StopAsyncIteration
        return self._room.table.number


class Absent(NamedTuple):
    """Seats whose players have had no page open for a while, and seats that others may lend or end the game for."""

    away: list[int]
    lendable: list[int]
    overdue: Sequence[int] = ()


class Room:
    """A table in memory."""

    def __init__(self, table: Table, secret: str, now: float) -> None:
        self.table = table
        self.secret = secret
        self.lock = asyncio.Lock()
        self.keys: dict[tuple[str, str], int] = {}
        self.watches: set[Watch] = set()
        self.bot_task: asyncio.Task[None] | None = None
        self.present: Counter[str] = Counter()  # who has this table open
        self.waiting: dict[str, Turn] | None = None  # the turns that wait for people here
        self.opened = now
        self.used = 0.0  # when it was last asked for, by the machine's clock
        self.people: frozenset[str] = frozenset()  # who sit here
        self.expected = 0  # the number up to which this process writes or reads just now
        self.shown_absent = Absent([], [], [])
        self._absent: tuple[int, float, Absent] | None = None  # since watchers were last woken: as known then
        self.watchers_elsewhere = 0  # how many people without a seat look at the table at other processes
        self.told_watchers = 0  # how many look at it here, as other processes were told
        self.shown_watchers = 0  # how many look at it in all, as pages say
        self.is_unsure = False  # a write failed, and the database may have it all the same
        self.closed = False

    def publish(self) -> None:
        """Let all watchers look."""
        self._absent = None
        for watch in self.watches:
            watch.wake()

    def show_absent(self, presence: Presence, now: float) -> None:
        """Let all watchers look again when a player went away or came back."""
        if self.watches:
            absent = self._absent_now(presence, now)
            if absent != self.shown_absent or self.watchers != self.shown_watchers:
                self.shown_absent, self.shown_watchers = absent, self.watchers
                self.publish()

    @property
    def watchers(self) -> int:
        """How many people look at the table without a seat, here and at other processes."""
        return self.watchers_here + self.watchers_elsewhere

    @property
    def watchers_here(self) -> int:
        """How many look at it at this process: people with a name, and browsers without one."""
        people = {watch.person for watch in self.watches if watch.person is not None}
        return len(people - self.people) + sum(watch.person is None for watch in self.watches)

    def next_look(self, presence: Presence, now: float) -> float | None:
        """Return when time alone may change something here; None if it cannot."""
        table, times = self.table, list[float]()
        if table.take_back is not None:
            times.append(max(table.take_back.at + ANSWER_SECONDS, now) + SOON)
        if (due := table.end_questions.due(table.clock.kind)) is not None:
            times.append(max(due, now) + SOON)
        if table.dice.due is not None:
            times.append(max(table.dice.due, now) + SOON)
        if (due := table.clock_state.due) is not None:
            times.append(max(due, now) + SOON)
        if self.is_unsure:
            times.append(now + RETRY)
        if table.phase != GATHERING:
            here = self.watchers_here
            is_old = here != self.told_watchers
            if is_old or (self.watches and here + self.watchers_elsewhere != self.shown_watchers):
                times.append(now + COUNT)  # many come and go at once
        if self.watches and table.phase == PLAYING:
            times.append(now + LOOK)
            for seat in table.seats:
                if seat.person is not None:
                    seen = presence.last_seen(seat.person, now) or self.opened
                    if seen < now:  # of who is here it is looked again in time
                        times += [seen + time + SOON for time in (AWAY, LEND_SECONDS) if seen + time >= now]
        return min(times, default=None)

    def close(self) -> None:
        """End all watches; watchers that come back get another room."""
        self.closed = True
        self.publish()

    @property
    def idle(self) -> bool:
        """Whether the room can be dropped from memory."""
        return not (self.watches or self.present or self.lock.locked() or self.is_thinking)

    @property
    def is_thinking(self) -> bool:
        """Whether bots are playing."""
        return self.bot_task is not None and not self.bot_task.done()

    def absent(self, presence: Presence, now: float) -> Absent:
        """Return which seats' players are away, and what others may do about it; looked up once for all watchers."""
        known = self._absent
        if known is None or known[0] != presence.changes or not 0.0 <= now - known[1] < AT_ONCE:
            known = self._absent = presence.changes, now, self._absent_now(presence, now)
        return known[2]

    def _absent_now(self, presence: Presence, now: float) -> Absent:
        return Absent(self.away(presence, now), self.lendable(presence, now), self.table.overdue(now))

    def away(self, presence: Presence, now: float) -> list[int]:
        """Return the seats whose players have had no page open for a while; that gives nobody a right."""
        table = self.table
        if table.phase != PLAYING:
            return []
        return [
            number
            for number, seat in enumerate(table.seats)
            if seat.person is not None
            and table.is_playing(seat)
            and not seat.lent
            and now - (presence.last_seen(seat.person, now) or self.opened) > AWAY
        ]

    def lendable(self, presence: Presence, now: float) -> list[int]:
        """Return the seats that any other player may lend: long to act, their people away and silent all that time."""
        table = self.table
        return [seat for seat in table.to_act if table.clock.kind == "none" and self._is_missed(seat, presence, now)]

    def _is_missed(self, seat: int, presence: Presence, now: float) -> bool:
        since, person = self.table.decision_since(seat), self.table.seats[seat].person
        if now - since < LEND_SECONDS or person is None or not self.table.waits_for(seat):
            return False
        seen = presence.last_seen(person, now) or self.opened
        since = max(seen, self.table.acted_at.get(person, 0.0), since)
        return now - since >= LEND_SECONDS

    def require_lendable(self, seat: int, person: str, presence: Presence, now: float) -> None:
        """Refuse that a person lends the seat of another who was here."""
        if self.table.seats[seat].person != person and seat not in self.lendable(presence, now):
            raise Refused("not_away")
