"""Push subscriptions in the database: of which browsers, and which turns their people were told of."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from sarai.table.storage.person_lock import lock_signed_in
from sarai.table.storage.schema import members, push_subscriptions, tables
from sarai.table.storage.store import digest
from sarai.table.storage.summaries import StoredSummary
from sarai.table.table import PLAYING

MOST_OF_A_PERSON = 10  # subscriptions; a further one takes the place of the oldest
MOST_FAILURES = 30  # in a row, after which a subscription is dropped
COLUMNS = push_subscriptions.c


class Subscription(NamedTuple):
    """A browser of a person: where to post messages, and the keys that encrypt them."""

    id: str
    endpoint: str
    p256dh: str
    auth: str
    failures: int = 0


class WaitingTurn(NamedTuple):
    """A turn that may be waiting for a person who was not told of it."""

    person: str
    table_id: str
    game: str


class PushSubscriptions:
    """All subscriptions of a database; nobody but their person is ever shown anything of them."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(
        self, person: str, endpoint: str, p256dh: str, auth: str, now: float, session: str | None = None
    ) -> str:
        """Store a subscription for a person, in place of what was known of the same endpoint; return its id.

        Refused if the session in which it is asked for was ended meanwhile.
        """
        id = digest(endpoint)
        row = {"id": id, "person": person, "endpoint": endpoint, "p256dh": p256dh, "auth": auth, "session": session}
        oldest = select(COLUMNS.id).where(COLUMNS.person == person).order_by(COLUMNS.created.desc())
        try:
            async with self._engine.begin() as connection:
                await lock_signed_in(connection, person, session)
                await connection.execute(delete(push_subscriptions).where(COLUMNS.id == id))
                await connection.execute(insert(push_subscriptions).values(**row, created=now, failures=0))
                surplus = (await connection.execute(oldest.offset(MOST_OF_A_PERSON))).scalars().all()
                await connection.execute(delete(push_subscriptions).where(COLUMNS.id.in_(surplus)))
        except IntegrityError:
            pass  # the same subscription came twice at once, and one of them was stored
        return id

    async def remove(self, id: str, person: str | None = None) -> None:
        """Forget a subscription, if it is that person's."""
        if not (id.isascii() and id.isalnum()):  # no digest: PostgreSQL takes not every character
            return
        query = delete(push_subscriptions).where(COLUMNS.id == id)
        async with self._engine.begin() as connection:
            await connection.execute(query if person is None else query.where(COLUMNS.person == person))

    async def of(self, person: str) -> list[Subscription]:
        """Return the subscriptions of a person."""
        query = select(COLUMNS.id, COLUMNS.endpoint, COLUMNS.p256dh, COLUMNS.auth, COLUMNS.failures)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query.where(COLUMNS.person == person))).all()
        return [Subscription(*row) for row in rows]

    async def count_failure(self, id: str) -> int:
        """Count a message that did not arrive; return how many that were in a row. The last of many ends it."""
        query = update(push_subscriptions).where(COLUMNS.id == id).values(failures=COLUMNS.failures + 1)
        async with self._engine.begin() as connection:
            failures = (await connection.execute(query.returning(COLUMNS.failures))).scalar() or MOST_FAILURES
            if failures >= MOST_FAILURES:
                await connection.execute(delete(push_subscriptions).where(COLUMNS.id == id))
        return failures

    async def clear_failures(self, id: str) -> None:
        """Note that a message arrived."""
        async with self._engine.begin() as connection:
            await connection.execute(update(push_subscriptions).where(COLUMNS.id == id).values(failures=0))

    async def claim(self, person: str, table_id: str, number: int) -> bool:
        """Note that a person is told of a turn; False if they were already, by this process or another."""
        told = members.c.told
        query = (
            update(members)
            .where(members.c.person == person, members.c.table_id == table_id, or_(told.is_(None), told < number))
            .values(told=number)
        )
        async with self._engine.begin() as connection:
            return (await connection.execute(query)).rowcount == 1

    async def waiting_turns(self) -> list[WaitingTurn]:
        """Return the turns of people with subscriptions that they were perhaps not told of."""
        query = (
            select(members.c.person, tables.c.id, tables.c.game, tables.c.summary)
            .join(tables, tables.c.id == members.c.table_id)
            .where(tables.c.phase == PLAYING, members.c.person.in_(select(COLUMNS.person)))
            .where(or_(members.c.told.is_(None), members.c.told < tables.c.number))
        )
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        found = []
        for person, id, game, summary in rows:
            stored = msgspec.json.decode(summary, type=StoredSummary)
            if person in stored.people and stored.people.index(person) in stored.summary.to_act:
                found.append(WaitingTurn(person, id, game))
        return found
