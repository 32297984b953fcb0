"""Which people and tables other processes on one database have to read again: rows that they poll."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from sarai.table.storage.autocommit_engine import for_single_queries
from sarai.table.storage.schema import news

OVERLAP = 100  # numbers that are looked at twice: a transaction may be committed after one with a higher number
KEPT = 10_000


class Invalidations(NamedTuple):
    """Something that was changed beside the logs: of a person, or all of a table."""

    id: int
    person: str | None
    table_id: str | None


async def add_invalidation(connection: AsyncConnection, person: str | None = None, table_id: str | None = None) -> None:
    """Tell the other processes, when the transaction is committed."""
    added = await connection.execute(insert(news).values(person=person, table_id=table_id).returning(news.c.id))
    await connection.execute(delete(news).where(news.c.id < added.scalar_one() - KEPT))


class InvalidationReader:
    """Reads what other processes, and this one, added since it was opened."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._reading = for_single_queries(engine)
        self._last: int | None = None
        self._seen: set[int] = set()

    async def read(self) -> list[Invalidations]:
        """Return what is new; nothing the first time."""
        async with self._reading.connect() as connection:
            if self._last is None:  # by one query: what is added between two would count as seen
                newest = select(func.max(news.c.id)).scalar_subquery()
                found = await connection.execute(select(news.c.id).where(news.c.id > newest - OVERLAP))
                self._seen = set(found.scalars())
                self._last = max(self._seen, default=0)
                return []
            query = select(news.c.id, news.c.person, news.c.table_id).where(news.c.id > self._last - OVERLAP)
            rows = [Invalidations(*row) for row in await connection.execute(query.order_by(news.c.id))]
        new = [row for row in rows if row.id not in self._seen]
        self._seen = {row.id for row in rows}
        self._last = max(self._last, *self._seen, 0)
        return new
