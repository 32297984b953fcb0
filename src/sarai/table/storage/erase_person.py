"""Erasing a person: a mark is set, each table is rewritten in a transaction, the mark is removed; it can be resumed."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from sqlalchemy import ColumnElement, LargeBinary, bindparam, delete, func, insert, select, text, union, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.schema import Column

from sarai.table import anonymize
from sarai.table.person import new_id
from sarai.table.storage import schema
from sarai.table.storage.invalidations import add_invalidation
from sarai.table.storage.person_lock import lock_person
from sarai.table.storage.sqlite_transactions import BUSY_MILLISECONDS

# they go at once
OWN_ROWS = (schema.sessions, schema.tokens, schema.push_subscriptions, schema.mutes)


LOG_MILLISECONDS, LOG_TRIES, LOG_PAUSE = 50, 200, 0.5  # that SQLite's log is waited for, how often, after how long


class Erasure(NamedTuple):
    """A person who is being erased, and the id that takes the place of the person's."""

    person: str
    stand_in: str


def contains(column: Column[bytes], id: str, dialect: str) -> ColumnElement[bool]:
    """Return the condition that an id occurs in bytes."""
    wanted = bindparam(None, id.encode(), type_=LargeBinary)
    return (func.instr(column, wanted) if dialect == "sqlite" else func.position(wanted.op("IN")(column))) > 0


class Erasures:
    """What is to be erased from a database; tables do not wait behind requests for `own_engine`."""

    def __init__(self, engine: AsyncEngine, own_engine: AsyncEngine | None = None) -> None:
        self._engine, self._own_engine = engine, own_engine or engine

    async def begin(self, person: str) -> None:
        """Mark a person, who is signed out everywhere and has no name from now on."""
        async with self._engine.begin() as connection:
            await lock_person(connection, person)
            for table in OWN_ROWS:
                await connection.execute(delete(table).where(table.c.person == person))
            await connection.execute(
                update(schema.people).where(schema.people.c.id == person).values(name=anonymize.NAME, old_cookies=False)
            )
            marked = await connection.execute(select(schema.erasures).where(schema.erasures.c.person == person))
            if marked.first() is None:
                await connection.execute(insert(schema.erasures).values(person=person, stand_in=new_id()))
            await add_invalidation(connection, person)

    async def pending(self) -> list[Erasure]:
        """Return the people who are marked."""
        async with self._engine.connect() as connection:
            return [Erasure(*row) for row in await connection.execute(select(schema.erasures))]

    async def tables(self, person: str) -> list[str]:
        """Return the tables at which a person occurs; the whole database is looked through."""
        dialect, events, tables = self._engine.dialect.name, schema.events.c, schema.tables.c
        query = union(
            select(events.table_id).where(contains(events.body, person, dialect) | (events.person == person)),
            select(tables.id).where(contains(tables.summary, person, dialect)),
        )
        async with self._engine.connect() as connection:
            return sorted((await connection.execute(query)).scalars())

    async def erase(self, erasure: Erasure, table_id: str) -> bool:
        """Write a person out of a table, which other processes read again; say whether there was anything to write."""
        events, tables = schema.events, schema.tables
        async with self._own_engine.begin() as connection:
            await self._lock(connection, table_id)
            rows = await connection.execute(
                select(events.c.number, events.c.body).where(events.c.table_id == table_id).order_by(events.c.number)
            )
            summary = (await connection.execute(select(tables.c.summary).where(tables.c.id == table_id))).scalar_one()
            found = [(row.number, row.body) for row in rows]
            rewritten = await asyncio.to_thread(anonymize.erase, found, summary, *erasure)
            if rewritten.bodies:
                of = (events.c.table_id == table_id) & (events.c.number == bindparam("of"))
                await connection.execute(
                    update(events).where(of).values(body=bindparam("new")),
                    [{"of": number, "new": body} for number, body in rewritten.bodies.items()],
                )
            if rewritten.summary is not None:
                await connection.execute(
                    update(tables).where(tables.c.id == table_id).values(summary=rewritten.summary)
                )
            asked = await connection.execute(  # nobody asks twice any more, and a key may be what was said
                update(events)
                .where(events.c.table_id == table_id, events.c.person == erasure.person)
                .values(person=None, key=None)
            )
            await add_invalidation(connection, table_id=table_id)
        return bool(rewritten.bodies or rewritten.summary is not None or asked.rowcount)

    async def finish(self, person: str) -> None:
        """Forget a person who occurs nowhere any more, and the mark."""
        async with self._engine.begin() as connection:
            await lock_person(connection, person)
            for table in (*OWN_ROWS, schema.members, schema.news, schema.erasures):
                await connection.execute(delete(table).where(table.c.person == person))
            await connection.execute(delete(schema.people).where(schema.people.c.id == person))
        if self._engine.dialect.name == "sqlite":
            await self._empty_log()

    async def _empty_log(self) -> None:
        """Write SQLite's log, which has old pages, into the database; long reading does not hold up who writes."""
        async with self._own_engine.connect() as connection:
            await connection.execute(text(f"PRAGMA busy_timeout={LOG_MILLISECONDS}"))
            try:
                for _ in range(LOG_TRIES):
                    if (await connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))).one()[0] == 0:
                        return
                    await asyncio.sleep(LOG_PAUSE)
            finally:
                await connection.execute(text(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}"))

    async def _lock(self, connection: AsyncConnection, table_id: str) -> None:
        """Let nobody write between reading and writing: what another erasure took out must not be written again."""
        if connection.dialect.name == "sqlite":  # it would find out only at the end
            await connection.execute(text("BEGIN IMMEDIATE"))
        else:
            tables = schema.tables.c
            await connection.execute(select(tables.id).where(tables.id == table_id).with_for_update())
