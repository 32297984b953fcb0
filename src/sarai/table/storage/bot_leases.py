"""Leases in the database: which process thinks for the bots of which table. PostgreSQL only; its clock counts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from sarai.table.storage.autocommit_engine import for_single_queries

LEASE_SECONDS = 6.0  # after which a lease that was not renewed is anybody's
TOO_LONG = 2 * LEASE_SECONDS  # no lease is: the clock was set back after it was taken
SHORTEST = 0.05  # seconds; one that ended a moment ago may be asked for again after them
NOW = "extract(epoch FROM clock_timestamp())"
IS_HELD = f"bot_leases.until BETWEEN {NOW} AND {NOW} + {TOO_LONG}"
TAKE = text(
    "INSERT INTO bot_leases (table_id, process, until) "
    f"SELECT id, :process, {NOW} + :seconds FROM unnest(CAST(:ids AS varchar[])) AS id ORDER BY id "
    "ON CONFLICT (table_id) DO UPDATE SET process = excluded.process, until = excluded.until "
    f"WHERE bot_leases.process = excluded.process OR NOT ({IS_HELD}) RETURNING table_id"
)
FIND = text(f"SELECT table_id, until - {NOW} FROM bot_leases WHERE table_id = ANY(CAST(:ids AS varchar[]))")
# in the same order as above, and not where others are at it
GIVE_UP = text(
    "DELETE FROM bot_leases WHERE table_id IN (SELECT table_id FROM bot_leases WHERE process = :process "
    "AND (:all OR table_id = ANY(CAST(:ids AS varchar[]))) ORDER BY table_id FOR UPDATE SKIP LOCKED)"
)
CLEAR = text(
    "DELETE FROM bot_leases WHERE table_id IN "
    f"(SELECT table_id FROM bot_leases WHERE until < {NOW} - 3600 ORDER BY table_id FOR UPDATE SKIP LOCKED)"
)
ORPHANS = text(
    "SELECT id FROM tables WHERE bots AND NOT EXISTS (SELECT 1 FROM bot_leases "
    f"WHERE bot_leases.table_id = tables.id AND {IS_HELD}) LIMIT :most"
)


class BotLeases:
    """The leases of one process."""

    def __init__(self, engine: AsyncEngine, process: str) -> None:
        self._engine, self._process = engine, process
        self._reading = for_single_queries(engine)

    async def take(self, ids: Sequence[str]) -> dict[str, float]:
        """Take or renew leases; of those that others hold, return how many seconds they are held for."""
        async with self._engine.begin() as connection:
            taken = await connection.execute(
                TAKE, {"ids": list(ids), "process": self._process, "seconds": LEASE_SECONDS}
            )
            if not (missing := sorted(set(ids).difference(taken.scalars()))):
                return {}
            left = {id: float(seconds) for id, seconds in await connection.execute(FIND, {"ids": missing})}
        return {id: max(SHORTEST, left.get(id, 0.0)) for id in missing}

    async def give_up(self, ids: Sequence[str] | None = None) -> None:
        """Give up leases, all of this process if none are named."""
        async with self._engine.begin() as connection:
            await connection.execute(GIVE_UP, {"ids": list(ids or ()), "all": ids is None, "process": self._process})

    async def clear(self) -> None:
        """Remove what is left of leases that ended long ago."""
        async with self._engine.begin() as connection:
            await connection.execute(CLEAR)

    async def orphans(self, most: int) -> list[str]:
        """Return tables at which a bot is to act and for which nobody thinks."""
        async with self._reading.connect() as connection:
            return list((await connection.execute(ORPHANS, {"most": most})).scalars())
