"""Turns that begin to wait for people, and who is here: as far as the rooms of this process know."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from sarai.table.service.room import Room

OnTurn = Callable[[str, str, str, int], None]  # person, table, title of the game, number of the turn


class Turns:
    """Calls each of `on_turn` when a turn begins to wait for a person."""

    def __init__(self) -> None:
        self.on_turn: list[OnTurn] = []
        self._known: WeakKeyDictionary[Room, dict[int, int]] = WeakKeyDictionary()

    def look(self, room: Room) -> None:
        """Find the turns that began with the last change of a room."""
        table, known = room.table, self._known.get(room, {})
        now = {seat: table.last_change_for(seat) for seat in table.to_act if not table.seats[seat].played_by}
        self._known[room] = now
        for seat, number in now.items():
            person = table.seats[seat].person
            if person is not None and known.get(seat) != number:
                for call in self.on_turn:
                    call(person, table.id, table.game.title, number)


class Presence:
    """Who has a table open."""

    def __init__(self, loaded: Callable[[], list[Room]]) -> None:
        self._loaded = loaded

    def is_here(self, person_id: str) -> bool:
        """Say whether a person has a table open."""
        return any(person_id in room.present for room in self._loaded())
