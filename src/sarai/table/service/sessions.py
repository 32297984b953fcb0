"""The sessions of people, kept in memory so that a request costs no query; who ends one ends it everywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sarai.table.storage.sessions import Begun, Session, StoredSessions, day_of
from sarai.table.storage.store import Store, digest

MOST_KNOWN = 20_000
REPLACED_SECONDS = 60.0  # in which a browser has got the cookie that replaces its old one


class Sessions:
    """Which browser is whose; `changed` is called with a person whose sessions were ended here."""

    def __init__(self, store: Store, now: Callable[[], float], changed: Callable[[str], None]) -> None:
        self._stored, self._now, self._changed = StoredSessions(store.engine), now, changed
        self._known: dict[str, Session] = {}
        self._ended: set[str] = set()  # ids that are no session's, and never will be
        self._of: dict[str, set[str]] = {}  # the ids of known sessions, by person
        self._replaced: dict[tuple[str, str], tuple[str, float]] = {}  # by person and device: token, when
        self._replacing = asyncio.Lock()
        self._edition = 0  # grows when something is forgotten: what was read before may be old

    async def begin(self, person: str, device: str) -> str:
        """Begin a session of a person; return what its cookie holds."""
        edition = self._edition
        return self._begun(await self._stored.add(person, device, self._now()), edition).token

    async def redeem(self, link: str, device: str) -> tuple[str, str]:
        """Begin a session by a link; return its person and what its cookie holds. Refused if it was used or is old."""
        edition = self._edition
        begun = self._begun(await self._stored.redeem(link, device, self._now()), edition)
        return begun.session.person, begun.token

    def _begun(self, begun: Begun, edition: int) -> Begun:
        """Keep a session that was begun, unless it may have been ended meanwhile."""
        if edition == self._edition:
            self._keep(begun.session)
        if begun.has_ended_others:
            self._changed(begun.session.person)
        return begun

    async def find(self, token: str) -> Session | None:
        """Return the session of a cookie, None if it was ended."""
        id, edition = digest(token), self._edition
        session = self._known.get(id)
        if session is None and id not in self._ended:
            session = await self._stored.find(id)
            if session is None:
                if len(self._ended) >= MOST_KNOWN:
                    self._ended.clear()
                self._ended.add(id)
            elif edition == self._edition:
                self._keep(session)
        if session is not None and session.seen < (day := day_of(self._now())):
            if edition == self._edition:  # it may have been ended meanwhile
                self._keep(session._replace(seen=day))
            await self._stored.note_day(id, day)
        return session

    async def holds(self, session: Session) -> bool:
        """Say whether a session that was found before is not ended yet."""
        return session.id in self._known or await self._stored.find(session.id) is not None

    async def replace_old(self, person: str, device: str) -> str | None:
        """Return what takes the place of a cookie that holds a person's id; None if such are no longer accepted.

        A browser that asks several times before it has the new one gets the same.
        """
        async with self._replacing:
            if not await self._stored.accepts_old(person):
                return None
            token, at = self._replaced.get((person, device), ("", 0.0))
            if token and 0 <= self._now() - at < REPLACED_SECONDS and await self.find(token) is not None:
                return token
            if len(self._replaced) >= MOST_KNOWN:
                self._replaced.clear()
            edition, begun = self._edition, await self._stored.replace_old(person, device, self._now())
            if begun is None:
                return None
            self._replaced[person, device] = self._begun(begun, edition).token, self._now()
            return begun.token

    async def of(self, person: str) -> list[Session]:
        """Return the sessions of a person, the one seen last first."""
        return await self._stored.of(person)

    async def end(self, person: str, id: str) -> None:
        """End a session of a person."""
        await self._stored.end(person, [id])
        self._changed(person)

    async def end_others(self, person: str, kept: str | None) -> None:
        """End all sessions of a person but one."""
        await self._stored.end_others(person, kept)
        self._changed(person)

    def forget(self, person: str) -> None:
        """Read the sessions of a person again, when they are needed."""
        self._edition += 1
        for id in self._of.pop(person, set()):
            del self._known[id]

    def forget_all(self) -> None:
        """Read all sessions again, when they are needed."""
        self._edition += 1
        self._known.clear()
        self._of.clear()

    def _keep(self, session: Session) -> None:
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
            self._of.clear()
        self._known[session.id] = session
        self._of.setdefault(session.person, set()).add(session.id)
