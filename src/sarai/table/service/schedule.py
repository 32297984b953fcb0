"""When each table has to be looked at again: a queue by time, so that only tables that are due cost anything."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from math import inf


class Schedule:
    """One time for each table: the earliest that was asked for since it was last due."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, str]] = []
        self._times: dict[str, float] = {}

    def at(self, id: str, when: float) -> None:
        """Have a table looked at then, if nobody asked for an earlier time."""
        if when < self._times.get(id, inf):
            self._times[id] = when
            heapq.heappush(self._heap, (when, id))

    def due(self, now: float) -> Iterator[str]:
        """Take out the tables that are due, the longest first; what is asked for meanwhile comes the next time."""
        found = []
        while self._heap and self._heap[0][0] <= now:
            when, id = heapq.heappop(self._heap)
            if self._times.get(id) == when:
                del self._times[id]
                found.append(id)
        yield from found

    def forget(self, id: str) -> None:
        """Look at a table no more."""
        self._times.pop(id, None)
