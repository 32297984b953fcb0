"""A table as one process holds it: the folded table, who watches, who is present, and what must not happen at the same time."""

from __future__ import annotations

import asyncio
from collections import Counter

from sarai.table.storage.store import Entry
from sarai.table.table import PLAYING, Table

AWAY = 90.0  # seconds after which somebody who left is away
REMIND = 10.0  # seconds after which who watches looks again, for somebody may be away since


class Watch:
    """The numbers of a table as they grow, the newest only; the first comes at once, and the same comes again when something about the table itself changed."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._news = asyncio.Event()
        self._news.set()

    def poke(self) -> None:
        """Say that there is something new."""
        self._news.set()

    def __aiter__(self) -> Watch:
        return self

    async def __anext__(self) -> int:
        await self._news.wait()
        self._news.clear()
        if self._room.closed:
            raise StopAsyncIteration
        return self._room.table.number


class Room:
    """What a process keeps of a table."""

    def __init__(self, table: Table, secret: str, now: float) -> None:
        self.table = table
        self.secret = secret
        self.lock = asyncio.Lock()
        self.keys: dict[tuple[str, str], int] = {}
        self.watches: set[Watch] = set()
        self.bots: asyncio.Task[None] | None = None
        self.present: Counter[str] = Counter()
        self.gone: dict[str, float] = {}
        self.opened = self.used = self.reminded = now
        self.closed = False

    def fold(self, entries: list[Entry]) -> None:
        """Let stored events happen that this process does not know yet."""
        for entry in entries:
            self.table.apply(entry.number, entry.event)
            if entry.person is not None and entry.key is not None:
                self.keys[entry.person, entry.key] = entry.number

    def poke(self) -> None:
        """Tell everybody who watches."""
        for watch in self.watches:
            watch.poke()

    def remind(self, now: float) -> None:
        """Let everybody who watches look again every few seconds."""
        if now - self.reminded > REMIND:
            self.reminded = now
            self.poke()

    def close(self) -> None:
        """End all watches: who goes on watching comes back to another room."""
        self.closed = True
        self.poke()

    @property
    def idle(self) -> bool:
        """Whether nobody would miss the room."""
        return not (
            self.watches or self.present or self.lock.locked() or (self.bots is not None and not self.bots.done())
        )

    def away(self, now: float) -> list[int]:
        """Return the seats whose people have been gone for long."""
        table = self.table
        if table.phase != PLAYING:
            return []
        return [
            number
            for number, seat in enumerate(table.seats)
            if seat.person is not None
            and table.is_playing(seat)
            and not seat.lent
            and seat.person not in self.present
            and now - self.gone.get(seat.person, self.opened) > AWAY
        ]
