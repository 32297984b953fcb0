"""The people part of the service: who is known, by which name, and how a person moves to another device."""

from __future__ import annotations

from collections.abc import Callable

from sarai.table import people
from sarai.table.people import Person
from sarai.table.storage.store import Store

MOST_PEOPLE = 20_000  # kept in memory


class KnownPeople:
    """The people of a database."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self.store = store
        self.now = now
        self._people: dict[str, Person] = {}

    async def new_person(self, name: str, language: str = "en") -> Person:
        """Make a new person."""
        person = Person(people.new_id(), people.clean(name, "name"), people.language(language))
        await self.store.add_person(person, self.now())
        return self._keep(person)

    async def rename(self, person: Person, name: str, language: str | None = None) -> Person:
        """Change a person's name, and language if one is given."""
        changed = Person(person.id, people.clean(name, "name"), people.language(language or person.language))
        await self.store.change_person(changed)
        return self._keep(changed)

    async def person(self, id: str) -> Person | None:
        """Return a person by the id, None if there is none."""
        if (known := self._people.get(id)) is not None:
            return known
        found = await self.store.person(id)
        return found and self._keep(found)

    async def move_token(self, person: Person) -> str:
        """Return a token for a link that takes a person to another device, once and within minutes."""
        return await self.store.add_token(person.id, self.now())

    async def redeem(self, token: str) -> Person:
        """Return the person of a token; Refused if it was used or is too old."""
        return await self.store.redeem(token, self.now())

    async def setting(self, name: str) -> str:
        """Return a secret of this database, 64 hexadecimal digits that never change: for one, the key of cookies."""
        return await self.store.setting(name)

    def _keep(self, person: Person) -> Person:
        if len(self._people) > MOST_PEOPLE:
            self._people.clear()
        self._people[person.id] = person
        return person
