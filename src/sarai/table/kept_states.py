"""States of a game to go back to, so that a move that is taken back does not cost a replay of the whole game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from sarai.core.state_and_view import State

EVERY = 16  # steps from one kept state to the next


class Playable(Protocol):
    """A step: a seat's move, or an outcome of chance."""

    @property
    def seat(self) -> int:
        """The seat, or CHANCE."""

    @property
    def move(self) -> int:
        """The move or the outcome."""


class KeptStates:
    """The state before every sixteenth step of a game, the first included."""

    def __init__(self, start: State) -> None:
        self._states = [start]

    def keep(self, place: int, before: State) -> None:
        """Keep the state before the step at a place, if it is one of those that are kept."""
        if place == EVERY * len(self._states):
            self._states.append(before)

    def before(self, place: int, steps: Sequence[Playable]) -> State:
        """Return the state before the step at a place: at most fifteen steps are played again."""
        kept = min(place // EVERY, len(self._states) - 1)
        state = self._states[kept]
        for step in steps[kept * EVERY : place]:
            state, _ = state.play_traced(step.move, step.seat)  # `play` is not compiled for tables
        return state

    def cut(self, place: int) -> None:
        """Forget the states after the step at a place."""
        del self._states[place // EVERY + 1 :]
