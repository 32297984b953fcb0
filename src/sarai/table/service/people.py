"""The people of a database as one process knows them: their names, links to other devices, what is stored of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from sarai.table.person import Person, check_language, new_id
from sarai.table.service.waiting_turns import WaitingTurns
from sarai.table.storage.personal_data import personal_data
from sarai.table.storage.store import Store
from sarai.table.text_checks import clean

MOST_KNOWN = 20_000  # kept in memory


class People:
    """The people of a house.

    The functions in `on_forget` are called with a person of whom something has to be read again, those in `on_change`
    with one of whom something was changed here.
    """

    def __init__(self, store: Store, turns: WaitingTurns, now: Callable[[], float]) -> None:
        self._store, self._turns, self._now = store, turns, now
        self._known: dict[str, Person] = {}
        self._edition = 0  # grows when something is forgotten: what was read before may be old
        self._looking_through = asyncio.Lock()
        self.on_forget: list[Callable[[str], None]] = []
        self.on_change: list[Callable[[str], None]] = []

    async def new_person(self, name: str, language: str = "en") -> Person:
        """Make a new person."""
        person = Person(new_id(), clean(name, "name"), check_language(language))
        await self._store.add_person(person, self._now())
        self._keep(person)
        self._turns.know(person.id)
        return person

    async def rename(self, person: Person, name: str, language: str | None = None) -> Person:
        """Change a person's name, and language if one is given; tables have to be told."""
        changed = Person(person.id, clean(name, "name"), check_language(language or person.language))
        await self._store.change_person(changed)
        self._call(self.on_change, changed.id)
        return self._keep(changed)

    async def person(self, id: str) -> Person | None:
        """Return a person by the id, None if there is none."""
        if (known := self._known.get(id)) is not None and self._turns.knows(id):
            self._turns.note_use(id)
            return known
        edition = self._edition
        if (found := await self._store.person(id)) is not None:
            await self._turns.load(id)
            if edition == self._edition:
                self._keep(found)
        return found

    async def move_token(self, person: Person, session: str | None = None) -> str:
        """Return a token for a link that takes a person to another device, once and within minutes.

        Refused if the session in which it is asked for was ended meanwhile.
        """
        return await self._store.add_token(person.id, self._now(), session)

    async def data_of(self, person: Person) -> dict[str, Any]:
        """Return all that is stored of a person; for one at a time, as the whole database is looked through."""
        async with self._looking_through:
            return await personal_data(self._store.engine, person.id)

    def changed(self, person: str) -> None:
        """Forget what was known of a person, here and in other processes."""
        self.forget(person)
        self._call(self.on_change, person)

    def forget(self, person: str) -> None:
        """Forget what was known of a person, because it was changed here or by another process."""
        self._edition += 1
        self._known.pop(person, None)
        self._call(self.on_forget, person)

    def forget_all(self) -> None:
        """Forget what was known of everybody."""
        for person in list(self._known):
            self.forget(person)
        self._edition += 1

    def _call(self, functions: list[Callable[[str], None]], person: str) -> None:
        for function in functions:
            function(person)

    def _keep(self, person: Person) -> Person:
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
            self._turns.forget()
        self._known[person.id] = person
        return person
