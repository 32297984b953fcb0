"""Whom people do not want to read at a table: their own affair, so it is kept beside the log and nobody is told."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from sarai.table.storage.invalidations import add_invalidation
from sarai.table.storage.person_lock import lock_person
from sarai.table.storage.schema import mutes
from sarai.table.storage.store import Store
from sarai.table.table import Table

MOST_KNOWN = 20_000  # people whose choices are kept in memory
COLUMNS = mutes.c


class Mutes:
    """The participants whom each person has muted, by table."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, dict[str, frozenset[int]]] = {}  # by person and table
        self._edition = 0  # grows when something is forgotten: what was read before may be old

    async def of(self, person: str | None, table: Table) -> frozenset[int]:
        """Return the participants whom a person does not want to read."""
        if person is None:
            return frozenset()
        if (known := self._known.get(person, {}).get(table.id)) is None:
            edition = self._edition
            known = await self._read(person, table)
            if edition != self._edition:
                return known
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known.setdefault(person, {})[table.id] = known
        return known

    async def _read(self, person: str, table: Table) -> frozenset[int]:
        query = select(COLUMNS.guest, COLUMNS.on).where(COLUMNS.person == person, COLUMNS.table_id == table.id)
        async with self._store.engine.connect() as connection:
            chosen = {row.guest: row.on for row in await connection.execute(query)}
        before = dict.fromkeys(table.talk.muted.get(person, ()), True)
        return frozenset(guest for guest, on in (before | chosen).items() if on)

    async def change(self, person: str, table: Table, guest: int, on: bool) -> None:
        """Note that a person mutes a guest, or reads the guest again."""
        row = {"person": person, "table_id": table.id, "guest": guest}
        async with self._store.engine.begin() as connection:
            await lock_person(connection, person)  # another process may be changing the same
            await connection.execute(delete(mutes).where(*(COLUMNS[name] == value for name, value in row.items())))
            await connection.execute(insert(mutes).values(**row, on=on))
            await add_invalidation(connection, person)
        self.forget(person)

    def forget(self, person: str) -> None:
        """Read again what a person chose, when it is needed."""
        self._known.pop(person, None)
        self._edition += 1
