"""The processes that serve a database: each writes a heartbeat, so that the others know which of them are alive."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import case, delete, func, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from sarai.table.storage import schema
from sarai.table.storage.pauses import write_pause
from sarai.table.time_source import RUNS_ON, TimeSource

WEB, WORK = "web", "work"
ALIVE_SECONDS = RUNS_ON  # after its last heartbeat a process counts as dead
KEPT_SECONDS = 86_400.0  # that a dead process is remembered
LOCK = 7_237_241  # of PostgreSQL, for the one process that writes a pause
COLUMNS = schema.processes.c
LAST_WEB = func.max(case((COLUMNS.kind == WEB, COLUMNS.seen)))


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
        self._is_shared = engine.dialect.name == "postgresql"

    async def beat(
        self, id: str, kind: str, source: TimeSource, *, ended: bool = False, may_pause: bool = True
    ) -> float:
        """Write that a process is alive, or that it ends, and return until when its time may run on.

        If no process that serves people was alive for a while, that time is written as a pause, in the same
        transaction: by the first of several processes that notice it.
        """
        async with self._engine.begin() as connection:
            web = await self._read_clock(connection, source)
            now = source.running()
            await self._write(connection, id, kind, now, ended)
            if kind == WEB:
                if may_pause and web is not None and now - web > RUNS_ON:
                    await self._pause(connection, id, web, now)
                web = now
        return (now if web is None else web) + RUNS_ON

    async def _read_clock(self, connection: AsyncConnection, source: TimeSource) -> float | None:
        """Set the time by the database's, and return when a process that serves people was last alive."""
        clock = func.extract("epoch", func.clock_timestamp()) if self._is_shared else literal(0.0)
        asked = source.elapsed()
        database, seen, web = (await connection.execute(select(clock, func.max(COLUMNS.seen), LAST_WEB))).one()
        if self._is_shared:
            source.calibrate(float(database), source.elapsed() - asked)
        if seen is not None:
            source.advance_to(seen)
        found: float | None = web
        return found

    async def _write(self, connection: AsyncConnection, id: str, kind: str, now: float, ended: bool) -> None:
        known = await connection.execute(update(schema.processes).where(COLUMNS.id == id).values(seen=now, ended=ended))
        if known.rowcount == 0:
            await connection.execute(delete(schema.processes).where(COLUMNS.seen < now - KEPT_SECONDS))
            await connection.execute(
                insert(schema.processes).values(id=id, kind=kind, started=now, seen=now, ended=ended)
            )

    async def _pause(self, connection: AsyncConnection, id: str, web: float, now: float) -> None:
        """Write a pause, unless another process has done so meanwhile."""
        if self._is_shared:
            await connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
        others = await connection.scalar(select(LAST_WEB).where(COLUMNS.id != id))
        since = max(web, others or web)
        if now - since > RUNS_ON:
            await connection.run_sync(write_pause, since, now)

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
