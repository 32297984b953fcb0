"""Which tables in memory here other processes hold, too: their new events are notified at once.

Events of all other tables are notified with the next update of the index, many tables in one notification: PostgreSQL
wakes every process for each notification, and writes transactions that notify one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sarai.table.service.aligned_timers import until_tick
from sarai.table.service.rooms import Rooms

HOLDS, ALSO, DROPPED = "holds", "also", "dropped"  # what processes tell: tables come into memory, are there, no more
TICK = 0.5  # seconds between two looks at what is in memory


class TablesLoadedByProcesses:
    """What this process tells of the tables that it holds, and what it heard of them from others.

    A table counts as shared until all others have had the time to say that they hold it.
    """

    def __init__(self, rooms: Rooms, tell: Callable[..., None]) -> None:
        self._rooms, self._tell = rooms, tell
        self._told, self._settled = set[str](), set[str]()  # tables that others were told of; those who had time
        self._elsewhere: dict[str, set[str]] = {}  # tables that others hold, too, and which processes

    def is_shared(self, table_id: str) -> bool:
        """Say whether another process may hold a table."""
        return table_id not in self._settled or table_id in self._elsewhere

    async def run(self) -> None:
        """Tell others what comes into memory here, for ever."""
        while True:
            await until_tick(TICK)
            self.look()

    def look(self) -> None:
        """Tell others what came into memory here since the last look, and what is there no more."""
        held, told = self._rooms.ids(), self._told
        self._settled = told & held
        if dropped := told - held:
            self._tell(DROPPED, *dropped)
            for table_id in dropped:
                self._elsewhere.pop(table_id, None)
        if new := held - told:
            self._tell(HOLDS, *new)
        self._told = held

    def begin_again(self) -> None:
        """Take nothing for known: what others told may have been lost. They answer when they are told again."""
        self._told, self._settled, self._elsewhere = set(), set(), {}

    def hear(self, process: str, word: str, tables: Iterable[str]) -> None:
        """Take note of what another process told, and answer who holds the same tables."""
        if word == DROPPED:
            for table_id in tables:
                self._forget(process, table_id)
            return
        found = [table_id for table_id in tables if self._rooms.find(table_id) is not None]
        for table_id in found:
            self._elsewhere.setdefault(table_id, set()).add(process)
        if found and word == HOLDS:
            self._tell(ALSO, *found)

    def lose(self, process: str) -> None:
        """Take note that another process died."""
        for table_id in list(self._elsewhere):
            self._forget(process, table_id)

    def _forget(self, process: str, table_id: str) -> None:
        if (processes := self._elsewhere.get(table_id)) is not None:
            processes.discard(process)
            if not processes:
                del self._elsewhere[table_id]
