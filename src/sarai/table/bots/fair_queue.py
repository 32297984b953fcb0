"""The moves that wait for a process to think about them: shared fairly between those who ask for them.

Each asker is served as if it had a part of the processes for itself: next comes whoever would have had the least time
when done. So a table with quick bots waits for the thought that is under way, never for those of many tables of
another person, and someone who has not asked for a while has not saved up anything.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Hashable
from typing import Generic, NamedTuple, Protocol, TypeVar

USUAL = 0.1  # seconds that a thought takes of which nothing is known yet
NEWEST = 0.2  # weight of the last thought in what the next one is expected to take
MOST_KNOWN = 1000  # askers whose use is kept before those are forgotten who have had least


class Asker(NamedTuple):
    """Who wants a bot's move: the person who made the table, and the table."""

    person: str = ""
    table: str = ""


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
        self._until: dict[str, float] = {}  # when the next thought of each begins, if all are served at the same time
        self._waiting: set[str] = set()

    def wait(self, asker: str) -> None:
        """Let an asker wait from now on."""
        if asker not in self._waiting:
            self._waiting.add(asker)
            self._until[asker] = max(self._now, self._until.get(asker, 0.0))

    def start(self, asker: str) -> float:
        """Return when the next thought of an asker begins."""
        return self._until[asker]

    def take(self, asker: str, seconds: float, is_last: bool) -> None:
        """Let an asker have some seconds now; after the last thought it does not wait any more."""
        self._now = max(self._now, self._until[asker])
        self._until[asker] += seconds
        if is_last:
            self._waiting.discard(asker)
        if len(self._until) > MOST_KNOWN + 2 * len(self._waiting):
            heaviest = heapq.nlargest(MOST_KNOWN // 2, self._until, key=self._until.__getitem__)
            self._until = {other: self._until[other] for other in self._waiting.union(heaviest)}

    def correct(self, asker: str, seconds: float) -> None:
        """Count that an asker had so many seconds more than was thought."""
        if asker in self._until:
            self._until[asker] += seconds


class FairQueue(Generic[T]):
    """Thoughts that wait, by person and table."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, deque[T]]] = {}
        self._people, self._tables = Shares(), Shares()
        self._seconds: dict[Hashable, float] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def expected(self, thought: T) -> float:
        """Return how many seconds a thought is expected to take."""
        return self._seconds.get(thought.kind, USUAL)

    def put(self, thought: T, is_first: bool = False) -> None:
        """Let a thought wait; before others of its table if it was begun once."""
        person, table = thought.asker
        self._count += 1
        self._people.wait(person)
        self._tables.wait(table)
        waiting = self._waiting.setdefault(person, {}).setdefault(table, deque())
        (waiting.appendleft if is_first else waiting.append)(thought)

    def pop(self) -> T | None:
        """Take out the thought that comes next, None if none waits."""
        if not self._waiting:
            return None
        person = min(self._waiting, key=self._end_for)
        tables = self._waiting[person]
        table = min(tables, key=lambda table: self._tables.start(table) + self.expected(tables[table][0]))
        thought = tables[table].popleft()
        self._count -= 1
        if not tables[table]:
            del tables[table]
            if not tables:
                del self._waiting[person]
        self._people.take(person, self.expected(thought), person not in self._waiting)
        self._tables.take(table, self.expected(thought), table not in tables)
        return thought

    def _end_for(self, person: str) -> float:
        """Return when a person's next thought would be done; any of it will do, for they are the same person's."""
        thought = next(iter(self._waiting[person].values()))[0]
        return self._people.start(person) + self.expected(thought)

    def done(self, thought: T, seconds: float) -> None:
        """Note how long a thought took in truth."""
        more = seconds - self.expected(thought)
        self._people.correct(thought.asker.person, more)
        self._tables.correct(thought.asker.table, more)
        self._seconds[thought.kind] = self.expected(thought) + NEWEST * more
