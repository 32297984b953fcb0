"""Drops cached people, sessions and tables that another process, or an erasure, has changed in the database."""

from __future__ import annotations

from collections.abc import Callable

from sarai.table.service.people import People
from sarai.table.service.rooms import Rooms
from sarai.table.service.sessions import Sessions
from sarai.table.service.tasks import Tasks
from sarai.table.service.timeouts_and_catch_up import BackgroundWork


class CacheInvalidation:
    """Has people and tables read again; the functions in `on_table` are called with a table to be shown anew."""

    def __init__(
        self, rooms: Rooms, people: People, sessions: Sessions, background: BackgroundWork, tasks: Tasks
    ) -> None:
        self._rooms, self._people, self._sessions = rooms, people, sessions
        self._background, self._tasks = background, tasks
        self.on_table: list[Callable[[str], None]] = []

    def read_again(self, person: str | None, table_id: str | None) -> None:
        """Forget what was known of a person or a table, because another process changed it."""
        if person is not None:
            self._people.forget(person)
        if table_id is not None and not self._tasks.closed:
            self._tasks.start(self._drop(table_id))

    def read_all_again(self) -> None:
        """Forget what was known of all people and tables; bots play on, and the index is brought up to date."""
        self._people.forget_all()
        self._sessions.forget_all()
        loaded = [room.table.id for room in self._rooms.loaded()]
        self._rooms.forget_all()
        for table_id in loaded:
            self.show_anew(table_id)
        if not self._tasks.closed:
            self._tasks.start(self._background.resume())

    def show_anew(self, table_id: str) -> None:
        """Have a table shown anew."""
        for call in self.on_table:
            call(table_id)

    async def _drop(self, table_id: str) -> None:
        await self._rooms.drop(table_id)
        self.show_anew(table_id)
