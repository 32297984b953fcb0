"""What happened to a game, in order: moves, draws, and what was taken back when."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sarai.core.result import CHANCE


class Undone(NamedTuple):
    """A seat took back a move: the places of all that was undone with it."""

    seat: int
    places: frozenset[int]

    def to_json(self, history: Sequence["Entry"]) -> list[int]:
        """Return the places, first that of the move of the player who took it back."""
        own = max(place for place in self.places if history[place][0] == self.seat)
        return [own, *sorted(self.places - {own})]


Entry = tuple[int, int] | Undone  # who acted (a seat or CHANCE) and the move or outcome; or what was taken back


def undone_from_json(places: Sequence[int], history: Sequence[Entry]) -> Undone:
    """Return what `to_json` wrote, given all that happened before it; ValueError if it cannot have happened."""
    if not places or not all(0 <= place < len(history) for place in places):
        raise ValueError("what is taken back was not there")
    first = history[places[0]]
    if isinstance(first, Undone) or first[0] == CHANCE:
        raise ValueError("what a player takes back is a move")
    return Undone(first[0], frozenset(places))


def voided_draws(history: Sequence[Entry], entry: Undone) -> int:
    """Return how many draws a player voided by taking back a move."""
    return sum(history[place][0] == CHANCE for place in entry.places)


def take_backs(history: Sequence[Entry]) -> tuple[Counter[int], Counter[int]]:
    """Return how often each seat took back a move, and how many draws it voided so."""
    times, voided = Counter[int](), Counter[int]()
    for entry in history:
        if isinstance(entry, Undone):
            times[entry.seat] += 1
            voided[entry.seat] += voided_draws(history, entry)
    return times, voided
