"""The participants of a table: who sat or wrote there, by number, each under a name that looks like no other's."""

from collections.abc import Iterator
from typing import NamedTuple, overload

from msgspec import Struct

from sarai.table.confusable_names import appearances


class Participant(NamedTuple):
    """A person who sat or wrote here; participants are numbered from 0, and others know them by that number."""

    number: int
    person: str
    name: str


class Participants(Struct):
    """All participants of a table, in the order in which they came."""

    known: list[Participant] = []
    numbers: dict[str, int] = {}  # by person
    holders: dict[str, set[str]] = {}  # by how a name looks: the people who are called so

    def __iter__(self) -> Iterator[Participant]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    @overload
    def __getitem__(self, number: int) -> Participant: ...
    @overload
    def __getitem__(self, number: slice) -> list[Participant]: ...
    def __getitem__(self, number: int | slice) -> Participant | list[Participant]:
        return self.known[number]

    def of(self, person: str | None) -> Participant | None:
        """Return a person as a guest."""
        number = self.numbers.get(person) if person is not None else None
        return None if number is None else self.known[number]

    def add(self, person: str, name: str) -> int:
        """Note by which name a person is here now; return the number."""
        old = self.of(person)
        if old is None:
            number = self.numbers[person] = len(self.known)
            self.known.append(Participant(number, person, name))
        else:
            number = old.number
            self.known[number] = old._replace(name=name)
            for look in appearances(old.name):
                self.holders[look].discard(person)
        for look in appearances(name):
            self.holders.setdefault(look, set()).add(person)
        return number

    def is_taken(self, name: str, person: str) -> bool:
        """Say whether another guest has a name that looks like this one."""
        return any(self.holders.get(look, set()) - {person} for look in appearances(name))
