"""What follows from events without any player: draws of chance by the table's fair dice, and the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sarai.core import fair_dice
from sarai.core.resignation import RESIGNED
from sarai.core.result import CHANCE, OVER
from sarai.table import event_types
from sarai.table.playthrough import Change, Played
from sarai.table.table import Table

if TYPE_CHECKING:
    from sarai.core.state_and_view import State


def follows(table: Table, changes: Sequence[Change], secret: str, now: float) -> list[Change]:
    """Return what follows from changes that are about to happen: draws until a player can act, and the end."""
    state, words = table.state, table.dice_words
    people = {number for number, seat in enumerate(table.seats) if table.is_playing(seat)}
    for event, played in changes:
        if isinstance(event, event_types.Started):
            state, words = table.start_state(), table.lines_of(event)
        elif played is not None:
            state = played.after
        elif isinstance(event, event_types.CalledOff | event_types.EndAgreed):
            reason = "called_off" if isinstance(event, event_types.CalledOff) else "agreed"
            return [Change(event_types.Ended(now, secret, reason))]
        elif isinstance(event, event_types.Resigned) and not event.level:
            return [Change(event_types.Ended(now, secret, RESIGNED))]
        elif isinstance(event, event_types.Resigned) or (
            isinstance(event, event_types.TimeOver) and table.clock.kind == "live"
        ):
            people.discard(event.seat)
            if not people:
                return [Change(event_types.Ended(now, secret, "abandoned"))]
    if state is None or state is table.state:
        return []
    following = list[Change]()
    counter = table.drawn
    while state.actor == CHANCE:
        outcome = draw(state, secret, words, counter)
        played = Played(state, *state.play_traced(outcome, CHANCE))
        following.append(Change(event_types.Drawn(now, outcome, counter), played))
        state, counter = played.after, counter + 1
    if state.actor == OVER and state.result is not None:
        following.append(Change(event_types.Ended(now, secret, state.result.reason)))
    return following


def draw(state: State, secret: str, words: Sequence[str], counter: int) -> int:
    """Return the outcome of a chance node that secret, words and counter give."""
    chances = state.chance()
    is_even = all(chance is chances[0][1] for _, chance in chances)  # most are: cards of a deck
    weights = [1] * len(chances) if is_even else fair_dice.whole_weights(chances)
    return fair_dice.draw(secret, words, counter, [outcome for outcome, _ in chances], weights)
