"""The question whether all people in a game want to end it without a result, and the answers."""

from __future__ import annotations

from msgspec import Struct

from sarai.table import event_types
from sarai.table.clock import pause_after

MOST_QUESTIONS = 3  # of a seat in a game
SOON, LATE = 60.0, 86_400.0  # seconds for the answers, with a clock that runs in one sitting and without one

EndEvent = event_types.EndAsked | event_types.EndAnswered | event_types.EndLapsed | event_types.EndAgreed


class EndQuestion(Struct):
    """A seat's question, the number of the event that asked it, and the answers so far."""

    seat: int
    number: int
    at: float
    answers: dict[int, bool] = {}


class EndQuestions(Struct):
    """The question that is open, if any, and how often each seat has asked."""

    open: EndQuestion | None = None
    times: dict[int, int] = {}
    refusal: tuple[int, int | None] | None = None  # whose question was refused last, and by which seat; until it moves

    def apply(self, number: int, event: EndEvent) -> tuple[str, int | None]:
        """Apply an event; return what is told of it: a key, and a seat."""
        if isinstance(event, event_types.EndAsked):
            self.open, self.refusal = EndQuestion(event.seat, number, event.at), None
            self.times[event.seat] = self.times.get(event.seat, 0) + 1
            return "end_asked", event.seat
        asker = self.open.seat if self.open is not None else -1
        if isinstance(event, event_types.EndAgreed):
            self.open = None
            return "end_agreed", None
        if isinstance(event, event_types.EndLapsed):
            self.open, self.refusal = None, (asker, None)
            return "end_lapsed", None
        if event.yes:
            if self.open is not None:
                self.open.answers[event.seat] = True
            return "end_wanted", event.seat
        self.open = None
        if event.seat == asker:
            return "end_withdrawn", event.seat
        self.refusal = asker, event.seat
        return "end_refused", event.seat

    def pause(self, since: float, until: float) -> None:
        """Leave time that was nobody's out."""
        if self.open is not None:
            self.open.at += pause_after(self.open.at, since, until)

    def due(self, clock_kind: str) -> float | None:
        """Return when the time for answers is over; None if nothing is asked."""
        return None if self.open is None else self.open.at + (SOON if clock_kind == "live" else LATE)
