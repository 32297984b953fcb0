"""The processes that serve a database: each writes a heartbeat, so that the others know which of them are alive."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import case, delete, func, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from sarai.table.storage import schema
from sarai.table.storage.autocommit_engine import for_single_queries
from sarai.table.storage.clock_pauses import write_pause
from sarai.table.time_source import RUNS_ON, TimeSource

WEB, WORK = "web", "work"
ALIVE_SECONDS = RUNS_ON  # after its last heartbeat a process counts as dead
KEPT_SECONDS = 86_400.0  # that a dead process is remembered
LOCK = 7_237_241  # of PostgreSQL, for the one process that writes a pause
COLUMNS, LATEST = schema.processes.c, schema.processes.alias().c
LAST_WEB = func.max(case((COLUMNS.kind == WEB, COLUMNS.seen)))
LAST_AHEAD = select(LATEST.ahead).order_by(LATEST.seen.desc()).limit(1).scalar_subquery()


class Process(NamedTuple):
    """A process; `ended` if it was closed in order."""

    id: str
    kind: str
    started: float
    seen: float
    ended: bool
    ahead: float


class Processes:
    """The processes of one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine, self._reading = engine, for_single_queries(engine)
        self._is_shared = engine.dialect.name == "postgresql"

    async def beat(
        self, id: str, kind: str, source: TimeSource, *, ended: bool = False, may_pause: bool = True
    ) -> float:
        """Write that a process is alive, or that it ends, and return until when its time may run on.

        If no process that serves people was alive for a while, that time is written as a pause, in the same
        transaction: by the first of several processes that notice it.
        """
        async with self._engine.begin() as connection:
            database, web = await self._read_clock(connection, source)
            now = source.running()
            await self._write(connection, id, kind, now, ended, now - database)
            if kind == WEB:
                if may_pause and web is not None and now - web > RUNS_ON:
                    await self._pause(connection, id, web, now)
                web = now
        return (now if web is None else web) + RUNS_ON

    async def _read_clock(self, connection: AsyncConnection, source: TimeSource) -> tuple[float, float | None]:
        """Set the time by the database's; return that, and when a process that serves people was last alive."""
        clock = func.extract("epoch", func.clock_timestamp()) if self._is_shared else literal(source.running())
        asked = source.elapsed()
        row = await connection.execute(select(clock, LAST_AHEAD, func.max(COLUMNS.seen), LAST_WEB))
        database, ahead, seen, web = (None if value is None else float(value) for value in row.one())
        assert database is not None
        if self._is_shared:
            if ahead is None or seen is None or database + ahead - seen > ALIVE_SECONDS:
                ahead = 0.0  # nobody is alive whose time it could be
            source.calibrate(database, source.elapsed() - asked, ahead)
        if seen is not None:
            source.advance_to(seen)
        return database, web

    async def _write(
        self, connection: AsyncConnection, id: str, kind: str, now: float, ended: bool, ahead: float
    ) -> None:
        known = await connection.execute(
            update(schema.processes).where(COLUMNS.id == id).values(seen=now, ended=ended, ahead=ahead)
        )
        if known.rowcount == 0:
            await connection.execute(delete(schema.processes).where(COLUMNS.seen < now - KEPT_SECONDS))
            await connection.execute(
                insert(schema.processes).values(id=id, kind=kind, started=now, seen=now, ended=ended, ahead=ahead)
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
        async with self._reading.connect() as connection:
            return [Process(*row) for row in await connection.execute(query.order_by(COLUMNS.started, COLUMNS.id))]

    async def last_alive(self, kind: str = WEB) -> float | None:
        """Return when any process of a kind was last alive, None if there never was one."""
        async with self._reading.connect() as connection:
            found: float | None = await connection.scalar(select(func.max(COLUMNS.seen)).where(COLUMNS.kind == kind))
        return found
