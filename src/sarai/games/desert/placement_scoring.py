"""What a camel brings: water, oases, and the areas its caravan encloses (D-24 … D-31)."""

import numpy as np

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.games.desert.hex_sets import NEAR, PALM_SPACES, RING, bit, has, is_wide
from sarai.games.desert.state import TOLD_AREA, TOLD_OASIS, TOLD_TOKEN, VALUES, WORD, WORDS, StateRecord


@kernel
def take_water(state: StateRecord, seat: int, hex: int, trace: Trace) -> None:
    """Take the token under a camel, if there is one (D-24)."""
    word, here = hex // WORD, bit(hex)
    for value in range(VALUES):
        if state.water[value, word] & here:
            state.water[value, word] ^= here
            state.tokens[seat, value] += 1
            tell(trace, TOLD_TOKEN, seat, hex, value + 1)


@kernel
def link(state: StateRecord, seat: int, colour: int, oases: int, trace: Trace) -> None:
    """Link a caravan to those of the oases that it was not linked to before (D-25, D-29)."""
    fresh = oases & state.palms & ~state.links[seat, colour]
    state.links[seat, colour] |= fresh
    while fresh:
        tell(trace, TOLD_OASIS, seat, colour, PALM_SPACES[first_bit(fresh)])
        fresh &= fresh - 1


@kernel
def is_wall(state: StateRecord, seat: int, colour: int, hex: int) -> bool:
    """Say whether a hex is a wall to a caravan: its own camels, mountains and the edge, nothing else (D-27, D-28)."""
    return hex < 0 or has(state.caravans[seat, colour], hex)


@kernel
def remainder(state: StateRecord, seat: int, colour: int, start: int, area: Array) -> bool:
    """Collect what is connected with a hex without a caravan's camels; say whether it holds no camel at all (D-27).

    The search is given up at the first camel, for then it does not matter how far the remainder reaches.
    """
    wide = is_wide(state)
    if has(state.camels, start):
        return False
    waiting = np.zeros(WORDS, np.int64)
    for word in range(WORDS):
        area[word] = 0
    area[start // WORD] = waiting[start // WORD] = bit(start)
    word = start // WORD
    while word < WORDS:
        if waiting[word] == 0:
            word += 1
            continue
        hex = word * WORD + first_bit(waiting[word])
        waiting[word] &= waiting[word] - 1
        for other in range(WORDS):
            fresh = NEAR[wide, hex, other] & ~area[other] & ~state.caravans[seat, colour, other]
            if fresh & state.camels[other]:
                return False
            if fresh:
                area[other] |= fresh
                waiting[other] |= fresh
                word = min(word, other)
    return True


@kernel
def take_area(state: StateRecord, seat: int, colour: int, area: Array, trace: Trace) -> None:
    """Enclose an area: no camel may enter it (D-30), its water and its oases count at once (D-29)."""
    hexes = 0
    oases = int(state.palms)
    for space in range(PALM_SPACES.size):
        if not has(area, PALM_SPACES[space]):
            oases &= ~(1 << space)
    for word in range(WORDS):
        state.enclosed[seat, word] |= area[word]
        state.open_hexes[word] &= ~area[word]
        hexes += count_bits(area[word])
    tell(trace, TOLD_AREA, seat, colour, hexes - count_bits(oases))
    for word in range(WORDS):
        left = area[word] & (state.water[0, word] | state.water[1, word] | state.water[2, word])
        while left:
            take_water(state, seat, word * WORD + first_bit(left), trace)
            left &= left - 1
    link(state, seat, colour, oases, trace)


@kernel
def parts_around(state: StateRecord, seat: int, colour: int, hex: int) -> int:
    """Return in how many groups the places around a hex lie that are no wall to a caravan.

    A camel can separate what was connected only if there are two groups or more, with walls between them.
    """
    wide = is_wide(state)
    groups = 0
    behind = is_wall(state, seat, colour, RING[wide, hex, 5])
    for side in range(6):
        wall = is_wall(state, seat, colour, RING[wide, hex, side])
        if behind and not wall:
            groups += 1
        behind = wall
    return groups


@kernel
def enclose_around(state: StateRecord, seat: int, colour: int, hex: int, always: bool, trace: Trace) -> None:
    """Look for areas that a camel of a caravan bounds; unless `always`, only if it may have cut a remainder in two."""
    if not always and parts_around(state, seat, colour, hex) < 2:
        return
    wide = is_wide(state)
    area = np.zeros(WORDS, np.int64)
    behind = is_wall(state, seat, colour, RING[wide, hex, 5])
    for side in range(6):
        start = RING[wide, hex, side]
        wall = is_wall(state, seat, colour, start)
        if behind and not wall and not has(state.enclosed[seat], start) and remainder(state, seat, colour, start, area):
            take_area(state, seat, colour, area, trace)
        behind = wall


@kernel
def enclose(state: StateRecord, seat: int, colour: int, hex: int, trace: Trace) -> None:
    """Enclose every area that a caravan with a new camel bounds (D-27, D-31).

    The first camel also completes what the leader bounds alone, since placing a leader encloses nothing (D-15).
    """
    size = 0
    for word in range(WORDS):
        size += count_bits(state.caravans[seat, colour, word])
    first = size == 2
    enclose_around(state, seat, colour, hex, first, trace)
    if first:
        enclose_around(state, seat, colour, int(state.leaders[seat, colour] - 1), first, trace)
