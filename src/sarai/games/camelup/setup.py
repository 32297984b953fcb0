"""The set-up of Camel Up: money and race cards, then camels set up by chance (C1-04 … C1-06, C2-05, C2-06)."""

from collections.abc import Mapping

from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.core.options import Value
from sarai.core.result import CHANCE
from sarai.games.camelup.state import (
    ALL_CARDS,
    BLACK,
    CRAZY_SET_UP,
    FIRST,
    LAST_SPACE,
    PARTNERSHIPS_FROM,
    RACING,
    SECOND,
    SET_UP,
    SETTING_CRAZY,
    SETTING_UP,
    STACKED,
    STACKING,
    STARTING_POUNDS,
    WHITE,
    StateRecord,
    TrackRecord,
)
from sarai.games.camelup.turn_actions import begin_turn


def begin(cell: Array, edition: int, players: int, partnerships: bool) -> None:
    """Set up a game: three pounds and five race cards each (C1-04, C2-05); the camels are not on the track yet."""
    cell["edition"] = edition
    cell["partnerships"] = partnerships
    cell["actor"] = CHANCE
    cell["leg"] = 1
    cell["pounds"][0, :players] = STARTING_POUNDS
    cell["hands"][0, :players] = ALL_CARDS


def begin_first(cell: Array, players: int, options: Mapping[str, Value]) -> None:
    """Set up the first edition."""
    begin(cell, FIRST, players, False)


def begin_second(cell: Array, players: int, options: Mapping[str, Value]) -> None:
    """Set up the second edition."""
    begin(cell, SECOND, players, has_partnerships(players, options))


def has_partnerships(players: int, options: Mapping[str, Value]) -> bool:
    """Say whether there are partnership cards: from six players on, unless they are off (C2-32, C2-34)."""
    return players >= PARTNERSHIPS_FROM and options.get("partnerships") != "off"


@kernel
def camels_set_up(track: TrackRecord) -> int:
    """Return how many racing camels stand on the track; they come in the order of their colours."""
    camel = 0
    while camel < RACING and track.space[camel]:
        camel += 1
    return camel


@kernel
def camels_below(track: TrackRecord, camel: int) -> int:
    """Return how many camels of an earlier colour stand on the space of a racing camel."""
    below_it = 0
    for other in range(camel):
        if track.space[other] == track.space[camel]:
            below_it += 1
    return below_it


@kernel
def next_set_up(state: StateRecord) -> None:
    """Go on to the next camel, to the crazy ones (C2-06), or to the first turn (C1-06)."""
    if camels_set_up(state) < RACING:
        state.phase = SETTING_UP
    elif state.edition == SECOND and not (state.space[WHITE] and state.space[BLACK]):
        state.phase = SETTING_CRAZY
    else:
        begin_turn(state, 0)


@kernel
def set_up(state: StateRecord, camel: int, number: int, trace: Trace) -> None:
    """Put a racing camel on the space its die shows; in a stack its place is left to chance (C1-05)."""
    state.space[camel] = number
    state.height[camel] = camels_below(state, camel)
    tell(trace, SET_UP, camel, number)
    if state.height[camel]:
        state.phase = STACKING
    else:
        next_set_up(state)


@kernel
def stack(state: StateRecord, place: int, trace: Trace) -> None:
    """Slide the camel that came last into its place in the stack, counted from the bottom."""
    camel = camels_set_up(state) - 1
    for other in range(camel):
        if state.space[other] == state.space[camel] and state.height[other] >= place:
            state.height[other] += 1
    state.height[camel] = place
    tell(trace, STACKED, camel, state.space[camel], place + 1)
    next_set_up(state)


@kernel
def set_up_crazy(state: StateRecord, face: int, trace: Trace) -> None:
    """Put a crazy camel on the space the grey die names: 16, 15 or 14; the second on the first if they meet (C2-06)."""
    camel, number = WHITE + face // 3, face % 3 + 1
    other = WHITE + BLACK - camel
    state.space[camel] = LAST_SPACE + 1 - number
    state.height[camel] = 1 if state.space[other] == state.space[camel] else 0
    tell(trace, CRAZY_SET_UP, camel, number, state.space[camel])
    next_set_up(state)
