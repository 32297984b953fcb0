"""The steps of a table's game from its start, played once and taken back."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sarai.core.result import CHANCE
from sarai.table.history_types import Entry, Undone, voided_draws
from sarai.table.kept_states import KeptStates
from sarai.table.visible_events import StepEvents, read_step

if TYPE_CHECKING:
    from sarai.core.kernels.compile import Array
    from sarai.core.state_and_view import State
    from sarai.table.event_types import LogEvent

NO_SEATS: frozenset[int] = frozenset()


class Step(NamedTuple):
    """A move or a draw that was not taken back; `reveals` if it showed anything that cannot be unseen.

    `by` is the person who moved, None for bots and chance. `choice` is the number of the first step of the choice that
    several seats make at once, the step's own number elsewhere; `choosing` are the seats that still choose after it.
    """

    number: int
    seat: int
    move: int
    reveals: bool
    by: str | None = None
    choice: int = 0
    choosing: frozenset[int] = NO_SEATS


def still_choosing(seat: int, before: State, after: State) -> frozenset[int]:
    """Return the seats that choose at the same time as one that has just done so in secret, and still have to."""
    others = before.to_act
    return NO_SEATS if others == (seat,) else frozenset(others).intersection(after.to_act) - {seat}


class Played(NamedTuple):
    """A move or an outcome that the rules have played: the states before and after it, and their trace."""

    before: State
    after: State
    trace: Array


class Change(NamedTuple):
    """An event that is about to be stored; a move or a draw comes with what playing it gave, so it is played once."""

    event: LogEvent
    played: Played | None = None


class Playthrough:
    """A game from its first state on: the steps that hold, and all that happened, what was taken back too."""

    def __init__(self, start: State, players: int) -> None:
        self.state = start
        self.steps: list[Step] = []
        self.history: list[Entry] = []
        self._places: dict[int, int] = {}  # in the history, by number
        self._moves: list[list[int]] = [[] for _ in range(players)]  # by seat: the places of its moves in the steps
        self._before_last: dict[int, State] = {}  # by seat: the state before its last move, if it is at hand
        self._kept = KeptStates(start)

    def has_moved(self, seat: int) -> bool:
        """Say whether there is a move of a seat that was not taken back."""
        return bool(self._moves[seat])

    def last_move(self, seat: int) -> tuple[State, int] | None:
        """Return the state before a seat's last move, and the move's place in the steps."""
        if not self._moves[seat]:
            return None
        place = self._moves[seat][-1]
        if seat not in self._before_last:
            self._before_last[seat] = self._kept.before(place, self.steps)
        return self._before_last[seat], place

    def add(self, number: int, move: int, seat: int, played: Played | None, by: str | None = None) -> StepEvents:
        """Add a step, played now unless it was already played from this state, and return what it shows."""
        before = self.state
        if played is None or (played.before is not before and played.before != before):
            played = Played(before, *before.play_traced(move, seat))
        shown = read_step(played.trace, before.game.definition)
        self._places[number] = len(self.history)
        self.history.append((seat, move))
        self._append(Step(number, seat, move, shown.reveals, by), before, played.after)
        self.state = played.after
        return shown

    def _append(self, step: Step, before: State, after: State) -> None:
        """Append a step with the choice it belongs to: that of the last step if its seat had part."""
        place = len(self.steps)
        self._kept.keep(place, before)
        if step.seat != CHANCE:
            self._moves[step.seat].append(place)
            self._before_last[step.seat] = before
        last = self.steps[-1] if self.steps else None
        choice = last.choice if last is not None and step.seat in last.choosing else step.number
        is_hidden = not step.reveals and step.seat != CHANCE
        choosing = still_choosing(step.seat, before, after) if is_hidden else NO_SEATS
        self.steps.append(step._replace(choice=choice, choosing=choosing))

    def take_back(self, numbers: Sequence[int], seat: int) -> int:
        """Undo steps together with a seat's own move, and return how many draws that voids."""
        entry = Undone(seat, frozenset(self._places[number] for number in numbers))
        voided = voided_draws(self.history, entry)
        self.history.append(entry)
        undone, first = set(numbers), self.place_of(min(numbers))
        rest = [step for step in self.steps[first:] if step.number not in undone]
        self._go_back(first)
        for step in rest:
            before = self.state
            self.state, _ = before.play_traced(step.move, step.seat)
            self._append(step, before, self.state)
        return voided

    def place_of(self, number: int) -> int:
        """Return the place of the first step that has a number, or a higher one."""
        return bisect_left(self.steps, number, key=lambda step: step.number)

    def points_after(self, number: int) -> tuple[int, ...]:
        """Return what the rules say that all seats had after the step of a number."""
        return tuple(self._kept.before(self.place_of(number + 1), self.steps).scores)

    def _go_back(self, place: int) -> None:
        """Go back to the state before the step at a place."""
        self.state = self._kept.before(place, self.steps)
        self._kept.cut(place)
        for seat, moves in enumerate(self._moves):
            if moves and moves[-1] >= place:
                del moves[bisect_left(moves, place) :]
                self._before_last.pop(seat, None)
        del self.steps[place:]
