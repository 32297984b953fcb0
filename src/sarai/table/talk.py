"""The talk at a table: its guests, their last lines, and whom each of them does not read."""

from collections import deque
from typing import NamedTuple

from msgspec import Struct, field

from sarai.table.seats import Guest

CHAT_KEPT = 300  # lines
CHAT_LIMIT = 5  # lines that a person may write within …
CHAT_SECONDS = 10.0


class ChatLine(NamedTuple):
    """A line of the chat."""

    number: int
    at: float
    guest: int
    seat: int | None
    name: str
    text: str


class Talk(Struct):
    """Who sat or wrote at a table, and what they wrote."""

    guests: list[Guest] = []
    lines: deque[ChatLine] = field(default_factory=lambda: deque(maxlen=CHAT_KEPT))
    times: dict[str, deque[float]] = {}  # of each person's last lines
    muted: dict[str, set[int]] = {}

    def guest_of(self, person: str) -> Guest | None:
        """Return the number and name by which others know a person."""
        return next((guest for guest in self.guests if guest.person == person), None)

    def lines_for(self, person: str | None) -> list[ChatLine]:
        """Return the lines without the guests that a person has muted."""
        muted = self.muted.get(person or "", set())
        return [line for line in self.lines if line.guest not in muted]

    def add_guest(self, person: str, name: str) -> int:
        """Return the number of a guest, known by this name from now on."""
        for guest in self.guests:
            if guest.person == person:
                self.guests[guest.number] = guest._replace(name=name)
                return guest.number
        self.guests.append(Guest(len(self.guests), person, name))
        return len(self.guests) - 1

    def add_line(self, number: int, at: float, person: str, seat: int | None, name: str, text: str) -> None:
        """Add what a person wrote."""
        guest = self.add_guest(person, name)
        self.lines.append(ChatLine(number, at, guest, seat, name, text))
        self.times.setdefault(person, deque(maxlen=CHAT_LIMIT)).append(at)

    def mute(self, person: str, guest: int, on: bool) -> None:
        """Leave a guest's lines out for a person, or show them again."""
        muted = self.muted.setdefault(person, set())
        (muted.add if on else muted.discard)(guest)
