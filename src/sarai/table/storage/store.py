"""Reading the database, SQLite in one file or PostgreSQL: logs, lists of tables, people; and opening it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import secrets
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import aiosqlite
import alembic.command
import alembic.config
import platformdirs
from msgspec import MsgspecError
from sqlalchemy import URL, Connection, Select, delete, event, func, insert, or_, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from sarai.core.errors import Error
from sarai.table.event_types import LogEvent, decode
from sarai.table.person import Person
from sarai.table.storage import schema
from sarai.table.storage.autocommit_engine import for_single_queries, replace_closed
from sarai.table.storage.failures import StorageFailed, tell_failures
from sarai.table.storage.foreign_schema import migrations, require_known
from sarai.table.storage.invalidations import add_invalidation
from sarai.table.storage.outage_log import Outages
from sarai.table.storage.person_lock import lock_signed_in
from sarai.table.storage.sqlite_transactions import FileEngine, FileTurns, set_pragmas
from sarai.table.storage.write_fence import WriteFence
from sarai.table.storage.writer import Writer
from sarai.table.table import CLOSED

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
LONGEST_KEY = 64
TOKEN_SECONDS = 900.0
READ_AT_ONCE = 1000  # events of a log
OWNER_ONLY = 0o600
# connections of a process to PostgreSQL that read for requests, and that are for what it does by itself: heartbeats,
# news, clocks, leases; besides the writer's and the one that listens
READERS, OWN = 5, 2
IDS_AT_ONCE = 500  # tables that one query asks for
POOL_SECONDS = 20.0  # that a request waits for one of them; on a busy machine a process that starts takes 10
NETWORK = {  # what connections to PostgreSQL over a network are told, unless the address says so itself
    "connect_timeout": "10",
    "tcp_user_timeout": "15000",  # milliseconds: a machine that does not even confirm what it was sent is gone
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}


class BoundedPool(AsyncAdaptedQueuePool):
    """Connections to PostgreSQL, not more than so many; who waits too long is told that the database is busy."""

    def _do_get(self) -> Any:
        try:
            return super()._do_get()
        except PoolTimeout:
            raise StorageFailed("database_busy") from None


def file_opener(url: URL) -> Callable[[], Awaitable[aiosqlite.Connection]]:
    """Return what connects to a SQLite database; who is cancelled meanwhile waits for the thread that opens the file.

    The thread answers to the event loop, and would fail if that were closed by then.
    """
    arguments, options = url.get_dialect()().create_connect_args(url)

    async def connect() -> aiosqlite.Connection:
        connection = aiosqlite.connect(*arguments, **options)
        thread: Any = getattr(connection, "_thread", connection)  # older versions are one themselves
        thread.daemon = True
        opening = asyncio.ensure_future(connection.__aenter__())
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            await (await opening).close()
            raise

    return connect


class Entry(NamedTuple):
    """An event of a log, with the person who asked for it and the key of that request."""

    number: int
    event: LogEvent
    person: str | None
    key: str | None


class Indexed(NamedTuple):
    """A table's row in the index."""

    id: str
    number: int
    phase: str
    summary: bytes


def address(db: str | None = None, folder: Path | None = None) -> str:
    """Return the URL of a database: as given, a path of a file too, or the one in the user's data folder."""
    if db is None:
        db = str((folder or platformdirs.user_data_path("sarai")) / "sarai.db")
    if "://" not in db:
        db = f"sqlite:///{db}"
    url = make_url(db)
    return url.set(drivername=DRIVERS.get(url.drivername, url.drivername)).render_as_string(hide_password=False)


def file_of(url: URL) -> Path | None:
    """Return the file of a SQLite database, None for another."""
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(url.database) if is_file and url.database else None


def make_private(path: Path) -> None:
    """Make the file of a database, or take it, so that only its owner can read it: it holds all secrets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        with contextlib.suppress(OSError):  # somebody else's, or on a disk that can only be read
            for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
                if file.is_file() and file.stat().st_mode & 0o077:
                    file.chmod(OWNER_ONLY)
    else:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, OWNER_ONLY))


def make_engine(url: URL, turns: FileTurns, is_for_requests: bool) -> AsyncEngine:
    """Return an engine for requests or for the process itself: with few connections to PostgreSQL, or by turns."""
    # an error must not write secrets or hidden moves to a log file
    if url.get_backend_name() != "sqlite":
        connections = READERS if is_for_requests else OWN
        pool = {"poolclass": BoundedPool, "pool_size": connections, "max_overflow": 0, "pool_timeout": POOL_SECONDS}
        return create_async_engine(url.set(query={**NETWORK, **url.query}), hide_parameters=True, **pool)
    made = create_async_engine(url, hide_parameters=True, async_creator=file_opener(url))
    engine = FileEngine(made.sync_engine, turns, is_for_requests)
    event.listen(engine.sync_engine, "connect", set_pragmas)
    return engine


class Store:
    """One process's connection to the database; its `writer` writes tables and their logs."""

    def __init__(self, engine: AsyncEngine, own_engine: AsyncEngine, turns: FileTurns) -> None:
        self.engine = engine
        self.own_engine = own_engine  # for what the process does by itself: no request can keep it waiting
        self.is_shared = engine.dialect.name == "postgresql"  # other processes may write; to a SQLite file none does
        self._reading, self._reading_by_itself = for_single_queries(engine), for_single_queries(own_engine)
        for one in (engine, own_engine):
            tell_failures(one.sync_engine)
            replace_closed(one)
        self.outages, self.write_fence = Outages(), WriteFence()
        self.writer = Writer(engine.url, self.outages, self.write_fence, turns)

    @classmethod
    async def open(cls, url: str) -> Store:
        """Open a database, making or migrating it where that is needed."""
        url = address(url)
        parsed = make_url(url)
        engine, turns = None, FileTurns()
        try:
            if parsed.get_backend_name() == "sqlite" and parsed.database:
                make_private(Path(parsed.database))
                with contextlib.closing(sqlite3.connect(parsed.database)) as file:
                    file.execute("PRAGMA schema_version")
            engine = make_engine(parsed, turns, True)
            await migrate(engine)
        except (OSError, sqlite3.Error, DBAPIError, ArgumentError, ImportError, Error) as error:
            if engine is not None:
                await engine.dispose()
            if isinstance(error, Error):
                raise
            why = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise Error("no_database", url=parsed.render_as_string(), why=why) from None
        return cls(engine, make_engine(parsed, turns, False), turns)

    async def close(self) -> None:
        """Write what is waiting, and close."""
        await self.writer.close()
        await self.engine.dispose()
        await self.own_engine.dispose()

    # --- logs -----------------------------------------------------------------------------------------------------

    async def log(self, id: str, after: int = 0) -> list[Entry]:
        """Return the events of a table after a number; they are read by the thousand, so that others come between."""
        table, entries = schema.events.c, list[Entry]()
        while True:
            rows = await self._rows(
                select(table.number, table.body, table.person, table.key)
                .where(table.table_id == id, table.number > (entries[-1].number if entries else after))
                .order_by(table.number)
                .limit(READ_AT_ONCE)
            )
            try:
                entries += [Entry(number, decode(body), person, key) for number, body, person, key in rows]
            except MsgspecError:
                raise StorageFailed("table_damaged") from None
            if len(rows) < READ_AT_ONCE:
                return entries

    async def secret(self, id: str) -> str | None:
        """Return the secret of a table's dice, None if there is no such table."""
        rows = await self._rows(select(schema.tables.c.secret).where(schema.tables.c.id == id))
        return str(rows[0][0]) if rows else None

    # --- lists of tables ------------------------------------------------------------------------------------------

    async def summaries(
        self,
        *,
        public: bool | None = None,
        phases: Sequence[str] = (),
        open: bool | None = None,
        of: str | None = None,
        game: str | None = None,
        most: int = 100,
    ) -> list[bytes]:
        """Return the summaries of tables, the newest change first."""
        table = schema.tables.c
        query = select(table.summary).where(table.phase != CLOSED).order_by(table.changed.desc()).limit(most)
        if public is not None:
            query = query.where(table.public == public)
        if open is not None:
            query = query.where(table.open == open)
        if phases:
            query = query.where(or_(*(table.phase == phase for phase in phases)))  # in_() leaves garbage in cycles
        if game is not None:
            query = query.where(table.game == game)
        if of is not None:
            query = query.join(schema.members, schema.members.c.table_id == table.id).where(
                schema.members.c.person == of
            )
        return [summary for (summary,) in await self._rows(query)]

    async def indexed(self, ids: Sequence[str]) -> list[Indexed]:
        """Return what the index has of tables."""
        table, found = schema.tables.c, list[Indexed]()
        for start in range(0, len(ids), IDS_AT_ONCE):
            query = select(table.id, table.number, table.phase, table.summary)
            rows = await self._rows(query.where(table.id.in_(ids[start : start + IDS_AT_ONCE])))
            found += [Indexed(*row) for row in rows]
        return found

    async def changed_since(self, moment: float) -> list[tuple[str, int]]:
        """Return the tables that changed since, with their last number."""
        table = schema.tables.c
        return [
            (id, number)
            for id, number in await self._own_rows(select(table.id, table.number).where(table.changed >= moment))
        ]

    async def lagging(self) -> list[str]:
        """Return the tables whose row in the index is older than their log, because a process was killed in between."""
        last = (
            select(func.max(schema.events.c.number))
            .where(schema.events.c.table_id == schema.tables.c.id)
            .scalar_subquery()
        )
        return [id for (id,) in await self._own_rows(select(schema.tables.c.id).where(schema.tables.c.number < last))]

    async def due(self, now: float) -> list[tuple[str, float]]:
        """Return the tables at which a clock has run out, and when."""
        table = schema.tables.c
        return [(id, due) for id, due in await self._own_rows(select(table.id, table.due).where(table.due <= now))]

    async def last_numbers(self, ids: Sequence[str]) -> list[tuple[str, int]]:
        """Return the numbers of the last events of tables."""
        table, found = schema.events.c, list[tuple[str, int]]()
        for start in range(0, len(ids), IDS_AT_ONCE):
            query = select(table.table_id, func.max(table.number)).group_by(table.table_id)
            rows = await self._rows(query.where(table.table_id.in_(ids[start : start + IDS_AT_ONCE])))
            found += [(id, number) for id, number in rows]
        return found

    async def starting(self) -> list[str]:
        """Return the tables whose players wait for the rules to be compiled."""
        return [id for (id,) in await self._rows(select(schema.tables.c.id).where(schema.tables.c.phase == "starting"))]

    async def games_played(self) -> list[str]:
        """Return the games that are being played at any table."""
        table = schema.tables.c
        return [id for (id,) in await self._rows(select(table.game).where(table.phase == "playing").distinct())]

    # --- people and settings --------------------------------------------------------------------------------------

    async def add_person(self, person: Person, now: float) -> None:
        """Store a new person."""
        async with self.engine.begin() as connection:
            await connection.execute(
                insert(schema.people).values(
                    id=person.id, name=person.name, language=person.language, created=now, old_cookies=False
                )
            )

    async def change_person(self, person: Person) -> None:
        """Store a person's new name and language."""
        async with self.engine.begin() as connection:
            await connection.execute(
                update(schema.people)
                .where(schema.people.c.id == person.id)
                .values(name=person.name, language=person.language)
            )
            await add_invalidation(connection, person.id)

    async def person(self, id: str) -> Person | None:
        """Return a person by the id."""
        table = schema.people.c
        rows = await self._rows(select(table.id, table.name, table.language).where(table.id == id))
        return Person(*rows[0]) if rows else None

    async def add_token(self, person: str, now: float, session: str | None = None) -> str:
        """Return a token that brings a person to another device, once and soon; Refused if the session was ended."""
        token = secrets.token_urlsafe(24)
        async with self.engine.begin() as connection:
            await lock_signed_in(connection, person, session)
            await connection.execute(delete(schema.tokens).where(schema.tokens.c.until < now))
            await connection.execute(
                insert(schema.tokens).values(digest=digest(token), person=person, until=now + TOKEN_SECONDS)
            )
        return token

    async def setting(self, name: str) -> str:
        """Return a secret of this database, made when it is first asked for."""
        table = schema.settings
        with contextlib.suppress(IntegrityError):
            if not (rows := await self._rows(select(table.c.value).where(table.c.name == name))):
                async with self.engine.begin() as connection:
                    await connection.execute(insert(table).values(name=name, value=secrets.token_hex(32)))
            else:
                return str(rows[0][0])
        return str((await self._rows(select(table.c.value).where(table.c.name == name)))[0][0])

    async def _rows(self, query: Select[Any]) -> Sequence[Any]:
        """Return what a query finds."""
        return await rows_of(self._reading, query)

    async def _own_rows(self, query: Select[Any]) -> Sequence[Any]:
        """Return what a query finds that the process puts by itself."""
        return await rows_of(self._reading_by_itself, query)


async def rows_of(engine: AsyncEngine, query: Select[Any]) -> Sequence[Any]:
    """Return what a query finds; if the connection was lost meanwhile, by another one."""
    for left in (1, 0):
        try:
            async with engine.connect() as connection:
                rows: Sequence[Any] = (await connection.execute(query)).all()
                return rows
        except StorageFailed as error:
            if error.key != "database_away" or not left:
                raise
    raise AssertionError


def digest(text: str) -> str:
    """Return the hash under which a token, or a key that cannot be stored as it is, is stored."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


async def migrate(engine: AsyncEngine, tries: int = 5) -> None:
    """Bring the database up to date; another process may be doing the same."""
    for left in reversed(range(tries)):
        try:
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
            return
        except (OperationalError, ProgrammingError, IntegrityError):
            if not left:
                raise
            await asyncio.sleep(0.2)


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing; Error if there are some that a newer version made."""
    require_known(connection)
    alembic.command.upgrade(migrations(connection), "head")
