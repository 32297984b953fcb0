"""How many people look at a table without a seat: each process tells the others how many do there."""

from __future__ import annotations

from collections.abc import Callable

from sarai.table.service.room import Room
from sarai.table.service.rooms import Rooms


class SpectatorCounts:
    """What this process tells of its tables, and what it heard; whoever looks at two processes counts twice.

    `plan` is called with a table in memory whose count changed elsewhere.
    """

    def __init__(self, rooms: Rooms, plan: Callable[[Room], None]) -> None:
        self._rooms, self._plan = rooms, plan
        self._elsewhere: dict[str, dict[str, int]] = {}  # by table and process
        self.on_change: Callable[[str, int], None] | None = None  # called with a table, and how many watch it here

    def elsewhere(self, table_id: str) -> int:
        """Return how many watch a table at other processes."""
        return sum(self._elsewhere.get(table_id, {}).values())

    def tell(self, room: Room, count: int) -> None:
        """Tell other processes how many watch a table here, if that changed."""
        if count != room.told_watchers:
            room.told_watchers = count
            if self.on_change is not None:
                self.on_change(room.table.id, count)

    def here(self) -> list[tuple[str, int]]:
        """Return tables that are watched here, and by how many, as it was told."""
        return [(room.table.id, room.told_watchers) for room in self._rooms.loaded() if room.told_watchers]

    def hear(self, process: str, table_id: str, count: int) -> None:
        """Take note how many watch a table at another process."""
        counts = self._elsewhere.setdefault(table_id, {})
        counts[process] = count
        if not count:
            del counts[process]
        if not counts:
            del self._elsewhere[table_id]
        if (room := self._rooms.find(table_id)) is not None:
            self._plan(room)

    def lose(self, process: str) -> None:
        """Take note that another process died: nobody watches there."""
        for table_id in [table_id for table_id, counts in self._elsewhere.items() if process in counts]:
            self.hear(process, table_id, 0)
