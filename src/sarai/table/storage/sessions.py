"""Sessions in the database: which browsers are a person's; of what their cookies hold only the hash is known."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from sarai.table.clock import DAY
from sarai.table.refusals import Refused
from sarai.table.storage.autocommit_engine import for_single_queries
from sarai.table.storage.invalidations import add_invalidation
from sarai.table.storage.person_lock import lock_person
from sarai.table.storage.schema import people, push_subscriptions, sessions, tokens
from sarai.table.storage.store import digest

MOST_OF_A_PERSON = 50  # a further one takes the place of the one that was seen last the longest ago
COLUMNS = sessions.c


class Session(NamedTuple):
    """A browser in which somebody is a person; `seen` is the day on which it was last used."""

    id: str
    person: str
    device: str
    created: float
    seen: float


class Begun(NamedTuple):
    """A session that was begun: what its cookie holds, the session, and whether others were ended for it."""

    token: str
    session: Session
    has_ended_others: bool


def day_of(now: float) -> float:
    """Return when the day began: it is nobody's affair at which hour somebody was here."""
    return now // DAY * DAY


class StoredSessions:
    """All sessions of a database."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine, self._reading = engine, for_single_queries(engine)

    async def add(self, person: str, device: str, now: float) -> Begun:
        """Begin a session."""
        async with self._engine.begin() as connection:
            await lock_person(connection, person)
            return await self._add(connection, person, device, now)

    async def redeem(self, link: str, device: str, now: float) -> Begun:
        """Begin a session by a link, which is used up in the same transaction; Refused if there is no such link."""
        wanted = (tokens.c.digest == digest(link), tokens.c.until >= now)
        async with self._reading.connect() as connection:
            person = (await connection.execute(select(tokens.c.person).where(*wanted))).scalar()
        if person is None:
            raise Refused("bad_token")
        async with self._engine.begin() as connection:
            is_here = await lock_person(connection, person)
            if not is_here or (await connection.execute(delete(tokens).where(*wanted))).rowcount == 0:
                raise Refused("bad_token")
            return await self._add(connection, person, device, now)

    async def replace_old(self, person: str, device: str, now: float) -> Begun | None:
        """Begin a session by a cookie that holds a person's id; None if such are no longer accepted."""
        async with self._engine.begin() as connection:
            await lock_person(connection, person)
            query = select(people.c.old_cookies).where(people.c.id == person)
            if not (await connection.execute(query)).scalar():
                return None
            return await self._add(connection, person, device, now)

    async def _add(self, connection: AsyncConnection, person: str, device: str, now: float) -> Begun:
        token = secrets.token_urlsafe(24)
        session = Session(digest(token), person, device, now, day_of(now))
        oldest = select(COLUMNS.id).where(COLUMNS.person == person)
        oldest = oldest.order_by(COLUMNS.seen.desc(), COLUMNS.created.desc()).offset(MOST_OF_A_PERSON)
        await connection.execute(insert(sessions).values(**session._asdict()))
        surplus = (await connection.execute(oldest)).scalars().all()
        if surplus:
            await connection.execute(delete(sessions).where(COLUMNS.id.in_(surplus)))
            await add_invalidation(connection, person)
        return Begun(token, session, bool(surplus))

    async def find(self, id: str) -> Session | None:
        """Return a session, None if there is none or it was ended."""
        async with self._reading.connect() as connection:
            row = (await connection.execute(select(sessions).where(COLUMNS.id == id))).first()
        return Session(*row) if row is not None else None

    async def of(self, person: str) -> list[Session]:
        """Return the sessions of a person, the one seen last first."""
        query = select(sessions).where(COLUMNS.person == person).order_by(COLUMNS.seen.desc(), COLUMNS.created.desc())
        async with self._reading.connect() as connection:
            return [Session(*row) for row in await connection.execute(query)]

    async def note_day(self, id: str, day: float) -> None:
        """Note that a session is used on a day."""
        async with self._engine.begin() as connection:
            await connection.execute(update(sessions).where(COLUMNS.id == id).values(seen=day))

    async def end(self, person: str, ids: Collection[str]) -> None:
        """End sessions of a person, with the push subscriptions that were made in them and all links not used yet."""
        ended, subscriptions = COLUMNS.id.in_(ids), push_subscriptions.c.session.in_(ids)
        await self._end(person, ended, subscriptions)

    async def end_others(self, person: str, kept: str | None) -> None:
        """End all sessions of a person but one, and all cookies of before there were sessions."""
        subscriptions = push_subscriptions.c.session.is_distinct_from(kept)
        await self._end(person, COLUMNS.id.is_distinct_from(kept), subscriptions, accepts_old=False)

    async def _end(
        self, person: str, ended: ColumnElement[bool], subscriptions: ColumnElement[bool], accepts_old: bool = True
    ) -> None:
        async with self._engine.begin() as connection:
            await lock_person(connection, person)
            await connection.execute(delete(sessions).where(COLUMNS.person == person, ended))
            await connection.execute(
                delete(push_subscriptions).where(push_subscriptions.c.person == person, subscriptions)
            )
            # nobody knows in which session a link was made: it would bring back whoever was signed out
            await connection.execute(delete(tokens).where(tokens.c.person == person))
            if not accepts_old:
                await connection.execute(update(people).where(people.c.id == person).values(old_cookies=False))
            await add_invalidation(connection, person)

    async def accepts_old(self, person: str) -> bool:
        """Say whether cookies that hold a person's id are accepted."""
        async with self._reading.connect() as connection:
            query = select(people.c.old_cookies).where(people.c.id == person)
            return bool((await connection.execute(query)).scalar())
