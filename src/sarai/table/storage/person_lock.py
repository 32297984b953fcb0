"""A lock on a person: sessions, links and subscriptions are not created while they are being ended, nor mutes twice.

The holder sees all that exist, and none is added meanwhile: signing out, and erasing, leave none behind.
"""

from __future__ import annotations

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from sarai.table.refusals import Refused
from sarai.table.storage.schema import people, sessions


async def lock_person(connection: AsyncConnection, person: str) -> bool:
    """Take the lock until the end of the transaction, whose first statement it is; say whether there is the person."""
    query = select(people.c.id).where(people.c.id == person)
    if connection.dialect.name == "sqlite":
        await connection.execute(text("BEGIN IMMEDIATE"))
    else:
        query = query.with_for_update()
    return (await connection.execute(query)).first() is not None


async def lock_signed_in(connection: AsyncConnection, person: str, session: str | None) -> None:
    """Take the lock; Refused if the session in which somebody asks for something was ended meanwhile."""
    await lock_person(connection, person)
    query = select(sessions.c.id).where(sessions.c.id == session, sessions.c.person == person)
    if session is not None and (await connection.execute(query)).first() is None:
        raise Refused("session_ended")
