"""All that is stored of a person, as plain data for that person."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from sarai.table.storage import schema
from sarai.table.storage.erase_person import Erasures, contains
from sarai.table.storage.sessions import StoredSessions

OF_OTHERS = ("invited", "kept", "banned", "person", "commitment")  # fields that tell nothing of the person who acted


async def personal_data(engine: AsyncEngine, person: str) -> dict[str, Any]:
    """Return a person's name, sessions, subscriptions, whom they muted, and all they did and said at tables."""
    people, pushes, mutes, members = schema.people.c, schema.push_subscriptions.c, schema.mutes.c, schema.members.c
    async with engine.connect() as connection:
        row = (await connection.execute(select(schema.people).where(people.id == person))).one()
        subscriptions = await connection.execute(select(pushes.endpoint, pushes.created).where(pushes.person == person))
        muted = await connection.execute(select(mutes.table_id, mutes.guest, mutes.on).where(mutes.person == person))
        listed = set((await connection.execute(select(members.table_id).where(members.person == person))).scalars())
    tables = {id: await events_of(engine, id, person) for id in await Erasures(engine).tables(person)}
    return {
        "name": row.name,
        "language": row.language,
        "created": row.created,
        "sessions": [
            {"device": session.device, "created": session.created, "last_used_day": session.seen}
            for session in await StoredSessions(engine).of(person)
        ],
        "push_subscriptions": [
            {"service": urlsplit(endpoint).hostname, "created": created} for endpoint, created in subscriptions
        ],
        "muted": [{"table": table_id, "guest": guest, "muted": on} for table_id, guest, on in muted],
        "tables": [{"table": id, "events": tables.get(id, [])} for id in sorted({*listed, *tables})],
    }


async def events_of(engine: AsyncEngine, table_id: str, person: str) -> list[dict[str, Any]]:
    """Return what a person did and said at a table."""
    events = schema.events.c
    query = select(events.number, events.body).where(
        events.table_id == table_id, contains(events.body, person, engine.dialect.name)
    )
    async with engine.connect() as connection:
        rows = [(row.number, row.body) for row in await connection.execute(query.order_by(events.number))]
    return await asyncio.to_thread(own_events, rows, person)


def own_events(rows: Iterable[tuple[int, bytes]], person: str) -> list[dict[str, Any]]:
    """Return those events that a person brought about, without ids of people."""
    found = []
    for number, body in rows:
        event = msgspec.json.decode(body)
        if event.get("by") == person:
            kept = {name: value for name, value in event.items() if name not in OF_OTHERS and name != "by"}
            found.append({"number": number, **kept})
    return found
