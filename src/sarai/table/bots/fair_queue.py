"""The moves that wait for a process to think about them: shared fairly between those who ask for them.

Each asker is served as if it had a part of the processes for itself: next comes whoever would have had the least time
when done. So a table with quick bots waits for the thought that is under way, never for those of many tables of
another person, and someone who has not asked for a while has not saved up anything. Network addresses get equal parts
first: one of them can make many people.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Hashable, Mapping
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

USUAL = 0.1  # seconds that a thought takes of which nothing is known yet
NEWEST = 0.2  # weight of the last thought in what the next one is expected to take
MOST_KNOWN = 1000  # askers whose use is kept before those are forgotten who have had least

Path = tuple[str, ...]


class Asker(NamedTuple):
    """Who wants a bot's move: the person who made the table, the table, and the address where the person was last."""

    person: str = ""
    table: str = ""
    address: str = ""

    @property
    def path(self) -> tuple[Path, Path, Path]:
        """Those who share bots' time, each within the one before: the address, the person there, the table."""
        path = (self.address, self.person, self.table)
        return path[:1], path[:2], path


class Thought(Protocol):
    """A move that is to be chosen."""

    @property
    def asker(self) -> Asker:
        """Who wants it."""

    @property
    def kind(self) -> Hashable:
        """Thoughts of one kind take about as long as each other."""


T = TypeVar("T", bound=Thought)


class Shares:
    """How much each of several askers has had, in a time that runs on as they are served."""

    def __init__(self) -> None:
        self._now = 0.0
        self._until: dict[Path, float] = {}  # when the next thought of each begins, if all are served at the same time
        self._waiting: set[Path] = set()

    def wait(self, asker: Path) -> None:
        """Let an asker wait from now on."""
        if asker not in self._waiting:
            self._waiting.add(asker)
            self._until[asker] = max(self._now, self._until.get(asker, 0.0))

    def start(self, asker: Path) -> float:
        """Return when the next thought of an asker begins."""
        return self._until[asker]

    def take(self, asker: Path, seconds: float, is_last: bool) -> None:
        """Let an asker have some seconds now; after the last thought it does not wait any more."""
        self._now = max(self._now, self._until[asker])
        self._until[asker] += seconds
        if is_last:
            self._waiting.discard(asker)
        if len(self._until) > MOST_KNOWN + 2 * len(self._waiting):
            heaviest = heapq.nlargest(MOST_KNOWN // 2, self._until, key=self._until.__getitem__)
            self._until = {other: self._until[other] for other in self._waiting.union(heaviest)}

    def correct(self, asker: Path, seconds: float) -> None:
        """Count that an asker had so many seconds more than was thought."""
        if asker in self._until:
            self._until[asker] += seconds


class FairQueue(Generic[T]):
    """Thoughts that wait, by address, person and table."""

    def __init__(self) -> None:
        self._waiting: dict[Path, dict[Path, dict[Path, deque[T]]]] = {}
        self._addresses, self._people, self._tables = self._shares = Shares(), Shares(), Shares()
        self._seconds: dict[Hashable, float] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def expected(self, thought: T) -> float:
        """Return how many seconds a thought is expected to take."""
        return self._seconds.get(thought.kind, USUAL)

    def put(self, thought: T, is_first: bool = False) -> None:
        """Let a thought wait; before others of its table if it was begun once."""
        address, person, table = path = thought.asker.path
        self._count += 1
        for shares, asker in zip(self._shares, path, strict=True):
            shares.wait(asker)
        waiting = self._waiting.setdefault(address, {}).setdefault(person, {}).setdefault(table, deque())
        (waiting.appendleft if is_first else waiting.append)(thought)

    def pop(self) -> T | None:
        """Take out the thought that comes next, None if none waits."""
        if not self._waiting:
            return None
        address = min(self._waiting, key=lambda asker: self._end(self._addresses, asker, self._waiting[asker]))
        people = self._waiting[address]
        person = min(people, key=lambda asker: self._end(self._people, asker, people[asker]))
        tables = people[person]
        table = min(tables, key=lambda asker: self._end(self._tables, asker, tables[asker]))
        thought = tables[table].popleft()
        self._count -= 1
        if not tables[table]:
            del tables[table]
            if not tables:
                del people[person]
                if not people:
                    del self._waiting[address]
        ended = address not in self._waiting, person not in people, table not in tables
        for shares, asker, is_last in zip(self._shares, (address, person, table), ended, strict=True):
            shares.take(asker, self.expected(thought), is_last)
        return thought

    def _end(self, shares: Shares, asker: Path, group: Mapping[Path, Any] | deque[T]) -> float:
        """Return when the next thought of an asker would be done: any of it will do, for they share their time."""
        while isinstance(group, Mapping):
            group = next(iter(group.values()))
        return shares.start(asker) + self.expected(group[0])

    def done(self, thought: T, seconds: float) -> None:
        """Note how long a thought took in truth."""
        more = seconds - self.expected(thought)
        for shares, asker in zip(self._shares, thought.asker.path, strict=True):
            shares.correct(asker, more)
        self._seconds[thought.kind] = self.expected(thought) + NEWEST * more
