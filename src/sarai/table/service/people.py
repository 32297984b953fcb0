"""The people a house knows."""

from __future__ import annotations

from collections.abc import Callable

from sarai.table import people
from sarai.table.people import Person
from sarai.table.storage.store import Store

MOST_PEOPLE = 20_000  # kept in memory


class Register:
    """Who was here, as one process knows them."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self.store = store
        self.now = now
        self._people: dict[str, Person] = {}

    async def new_person(self, name: str, language: str = "en") -> Person:
        """Welcome somebody new."""
        person = Person(people.new_id(), people.clean(name, "name"), people.language(language))
        await self.store.add_person(person, self.now())
        return self._remember(person)

    async def rename(self, person: Person, name: str, language: str | None = None) -> Person:
        """Change somebody's name, and language if one is given."""
        changed = Person(person.id, people.clean(name, "name"), people.language(language or person.language))
        await self.store.change_person(changed)
        return self._remember(changed)

    async def person(self, id: str) -> Person | None:
        """Return somebody by the id, None if nobody has it."""
        found = self._people.get(id) or await self.store.person(id)
        return found and self._remember(found)

    async def move_token(self, person: Person) -> str:
        """Return a token for a link that takes somebody to another device, once and within minutes."""
        return await self.store.add_token(person.id, self.now())

    async def redeem(self, token: str) -> Person:
        """Return who comes with a token; Refused if it was used or is too old."""
        return await self.store.redeem(token, self.now())

    async def setting(self, name: str) -> str:
        """Return a secret of this house, 64 hexadecimal digits, the same for ever: the key that signs cookies for one."""
        return await self.store.setting(name)

    def _remember(self, person: Person) -> Person:
        if len(self._people) > MOST_PEOPLE:
            self._people.clear()
        self._people[person.id] = person
        return person
