"""What the house itself does right after something happened: chance, by the table's fair fair_dice, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sarai.core import fair_dice
from sarai.core.result import CHANCE, OVER
from sarai.table import log
from sarai.table.playing import played
from sarai.table.table import Table

if TYPE_CHECKING:
    from sarai.core.state import State


def follows(table: Table, events: Sequence[log.LogEvent], secret: str, now: float) -> list[log.LogEvent]:
    """Return what follows from events that are about to happen at a table: draws until somebody can act, and the end when it is there."""
    state, words = table.state, table.dice_words
    left = {number for number, seat in enumerate(table.seats) if table.is_playing(seat)}
    for event in events:
        if isinstance(event, log.Started):
            state, words = table.game.start(table.players, table.options), event.words
        elif isinstance(event, log.Moved) and state is not None:
            state, _ = played(state, event.move, event.seat)
        elif isinstance(event, log.Resigned) or (isinstance(event, log.TimeOver) and table.clock.kind == "live"):
            left.discard(event.seat)
            if not left:
                return [log.Ended(now, secret, "abandoned")]
    if state is None or state is table.state:
        return []
    drawn, state = draws(state, secret, words, table.drawn, now)
    if state.actor == OVER and state.result is not None:
        drawn.append(log.Ended(now, secret, state.result.reason))
    return drawn


def draws(
    state: State, secret: str, words: Sequence[str], counter: int, now: float
) -> tuple[list[log.LogEvent], State]:
    """Draw for chance until it is somebody's turn, or the game is over."""
    drawn: list[log.LogEvent] = []
    while state.actor == CHANCE:
        chances = state.chance()
        even = all(chance is chances[0][1] for _, chance in chances)  # most are: cards of a deck
        weights = [1] * len(chances) if even else fair_dice.whole_weights(chances)
        outcome = fair_dice.draw(secret, words, counter, [outcome for outcome, _ in chances], weights)
        state, _ = played(state, outcome, CHANCE)
        drawn.append(log.Drawn(now, outcome, counter))
        counter += 1
    return drawn, state
