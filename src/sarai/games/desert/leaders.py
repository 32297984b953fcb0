"""Placing the leaders (D-11 … D-15)."""

from sarai.core.kernels.compile import kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.games.desert.camel_placement import open_to_camels, stand
from sarai.games.desert.hex_sets import NEAR, PALM_SPACES, SAND_HEXES, SPACES_IN_PLAY, bit, is_wide
from sarai.games.desert.state import (
    ALLOWED,
    FIRST_ROUND,
    KINDS,
    LEADER_COLOUR_NEEDED,
    LEADER_COLOUR_USED,
    LEADER_PLACED,
    LEADER_SET_ASIDE,
    SEATS,
    TOLD_LEADER,
    TOLD_NO_ROOM,
    WORD,
    WORDS,
    StateRecord,
)


@kernel
def open_to_leaders(state: StateRecord) -> None:
    """Find where a leader may begin: on sand, next to no oasis and no leader (D-12, D-13)."""
    wide = is_wide(state)
    for word in range(WORDS):
        state.open_hexes[word] = SAND_HEXES[wide, word]
    for space in range(SPACES_IN_PLAY[wide]):
        if (state.palms >> space) & 1:
            for word in range(WORDS):
                state.open_hexes[word] &= ~NEAR[wide, PALM_SPACES[space], word]
    for seat in range(state.players):
        for colour in range(KINDS):
            if state.leaders[seat, colour]:
                close_to_leaders(state, state.leaders[seat, colour] - 1)


@kernel
def close_to_leaders(state: StateRecord, hex: int) -> None:
    """Keep further leaders away from a leader (D-13)."""
    for word in range(WORDS):
        state.open_hexes[word] &= ~NEAR[is_wide(state), hex, word]
    state.open_hexes[hex // WORD] &= ~bit(hex)


@kernel
def leaders_placed(state: StateRecord) -> int:
    """Return how many leaders stand on the board."""
    placed = 0
    for seat in range(state.players):
        for colour in range(KINDS):
            if state.leaders[seat, colour]:
                placed += 1
    return placed


@kernel
def leaders_each(state: StateRecord) -> int:
    """Return how many leaders a player has: five (D-05), four in a game of five (D-06)."""
    return KINDS - 1 if state.players == SEATS else KINDS


@kernel
def next_leader(state: StateRecord, trace: Trace) -> None:
    """Pass the turn on (D-10, D-11); with all leaders placed, or no hex left (D-15), the caravans grow (D-16)."""
    placed = leaders_placed(state)
    if placed < leaders_each(state) * state.players:
        for word in range(WORDS):
            if state.open_hexes[word]:
                state.actor = placed % state.players
                state.acting = 1 << state.actor
                return
        tell(trace, TOLD_NO_ROOM)
    state.phase = FIRST_ROUND
    open_to_camels(state)


@kernel
def colours_used(state: StateRecord) -> int:
    """Return the colours that may not be used again, as bits: in the first round those placed (D-14), later none."""
    used = 0
    if leaders_placed(state) < state.players:
        for seat in range(state.players):
            for colour in range(KINDS):
                if state.leaders[seat, colour]:
                    used |= 1 << colour
    return used


@kernel
def leader_refusal(state: StateRecord, seat: int, colour: int) -> int:
    """Say why a player may not place a leader of a colour now (D-06, D-14, D-15)."""
    if state.leaders[seat, colour]:
        return LEADER_PLACED
    if state.aside[seat] == colour + 1:
        return LEADER_SET_ASIDE
    used = colours_used(state)
    if (used >> colour) & 1:
        return LEADER_COLOUR_USED
    left = ((1 << KINDS) - 1) & ~used & ~(1 << colour)
    for later in range(seat + 1, state.players):
        if state.aside[later] and left == 1 << (state.aside[later] - 1):  # can only be in the first round
            return LEADER_COLOUR_NEEDED
    return ALLOWED


@kernel
def place_leader(state: StateRecord, seat: int, colour: int, hex: int, trace: Trace) -> None:
    """Place a leader (D-11); that encloses nothing (D-15)."""
    state.leaders[seat, colour] = hex + 1
    stand(state, seat, colour, hex)
    close_to_leaders(state, hex)
    tell(trace, TOLD_LEADER, seat, colour, hex)
