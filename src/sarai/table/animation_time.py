"""How long the page takes to show the last events: bots wait for it, and clocks run from then on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sarai.core.animation import beats_of, seconds_of

if TYPE_CHECKING:
    from sarai.core.events import Event
    from sarai.core.game import Game


@dataclass
class ShowTime:
    """Until when the last move and the chance that followed it are being shown to people."""

    until: float = 0.0
    _began: float = 0.0
    _events: list[Event] = field(default_factory=list)

    def begin(self, at: float) -> None:
        """Begin to show a move; if there is nothing to show of it, what is being shown goes on."""
        self._began, self._events = at, []

    def add(self, game: Game, events: Sequence[Event]) -> None:
        """Show more of what happened; all viewers are shown the same lengths, those of what a spectator sees."""
        if beats := beats_of(game, events):
            if self._events:  # groups may go on
                beats = beats_of(game, [*self._events, *events])
            self._events += events
            self.until = self._began + seconds_of(beats)

    def cut(self, at: float) -> None:
        """End the show: the move was taken back."""
        self.until = min(self.until, at)
