"""The processes that serve a database: each writes a heartbeat, so that the others know which of them are alive."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from sarai.table.storage import schema

WEB, WORK = "web", "work"
ALIVE_SECONDS = 15.0  # after its last heartbeat a process counts as dead
KEPT_SECONDS = 86_400.0  # that a dead process is remembered
COLUMNS = schema.processes.c


class Process(NamedTuple):
    """A process; `ended` if it was closed in order."""

    id: str
    kind: str
    started: float
    seen: float
    ended: bool


class Processes:
    """The processes of one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def beat(self, id: str, kind: str, now: float, *, ended: bool = False) -> None:
        """Write that a process is alive, or that it ends; the first heartbeat makes its row."""
        async with self._engine.begin() as connection:
            known = await connection.execute(
                update(schema.processes).where(COLUMNS.id == id).values(seen=now, ended=ended)
            )
            if known.rowcount == 0:
                await connection.execute(delete(schema.processes).where(COLUMNS.seen < now - KEPT_SECONDS))
                await connection.execute(
                    insert(schema.processes).values(id=id, kind=kind, started=now, seen=now, ended=ended)
                )

    async def alive(self, now: float, kind: str | None = None) -> list[Process]:
        """Return the processes that are alive, the oldest first."""
        query = select(schema.processes).where(COLUMNS.seen > now - ALIVE_SECONDS, ~COLUMNS.ended)
        if kind is not None:
            query = query.where(COLUMNS.kind == kind)
        async with self._engine.connect() as connection:
            return [Process(*row) for row in await connection.execute(query.order_by(COLUMNS.started, COLUMNS.id))]

    async def last_alive(self, kind: str = WEB) -> float | None:
        """Return when any process of a kind was last alive, None if there never was one."""
        async with self._engine.connect() as connection:
            found: float | None = await connection.scalar(select(func.max(COLUMNS.seen)).where(COLUMNS.kind == kind))
        return found
