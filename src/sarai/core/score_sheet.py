"""How the points of a game came about, for people who read its result: by source, and as they stood over time."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sarai.core.events import Event

Points = tuple[int, ...]  # by seat
NumberedEvent = tuple[int, Event]  # the number of the step that it belongs to, and what happened
PointsAfter = Callable[[int], Points]  # what the rules say all seats had after the step of a number


class ScoreRow(NamedTuple):
    """The points of all seats, and what or when they are for."""

    label: str
    points: Points


class ScoreSheet(NamedTuple):
    """What a game's `board.score_sheet` makes of its events; everything in the reader's language.

    The rows of `sources` add up to the result, and the last row of `course` is the result, if the game came to its end.
    """

    unit: str  # what is counted
    sources: Sequence[ScoreRow]
    course: Sequence[ScoreRow]  # what everybody had in all, from the start on
    note: str = ""  # what decided the game, if that is not said by the points


class Sources:
    """Points that are added up by source, in the order of their labels."""

    def __init__(self, players: int, labels: Sequence[str]) -> None:
        self._points = {label: [0] * players for label in labels}

    def add(self, label: str, seat: object, points: object) -> None:
        """Add points of a source to a seat's."""
        assert isinstance(seat, int) and isinstance(points, int)
        self._points[label][seat] += points

    def totals(self) -> Points:
        """Return what every seat has in all."""
        return tuple(map(sum, zip(*self._points.values(), strict=True)))

    def rows(self) -> list[ScoreRow]:
        """Return the sources of which anybody has anything."""
        return [ScoreRow(label, tuple(points)) for label, points in self._points.items() if any(points)]
