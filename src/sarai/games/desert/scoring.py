"""The end and the points (D-32 … D-36)."""

import numpy as np

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.move_trace import Trace, tell
from sarai.core.result import OVER
from sarai.games.desert.hex_sets import PALM_SPACES, SPACES_IN_PLAY, has, is_wide
from sarai.games.desert.state import (
    FINISHED,
    KINDS,
    LARGEST_POINTS,
    OASIS_POINTS,
    TIED_POINTS,
    TOLD_LARGEST,
    TOLD_OVER,
    TOLD_SCORE,
    VALUES,
    WORDS,
    StateRecord,
)


@kernel
def caravan_size(state: StateRecord, seat: int, colour: int) -> int:
    """Return how many camels a caravan has, the leader counted."""
    camels = 0
    for word in range(WORDS):
        camels += count_bits(state.caravans[seat, colour, word])
    return camels


@kernel
def largest_points(state: StateRecord, seat: int, colour: int) -> int:
    """Return what a caravan is worth as the largest of its colour: ten points, five if others are as large (D-33)."""
    mine = caravan_size(state, seat, colour)
    if mine == 0:
        return 0
    points = LARGEST_POINTS
    for other in range(state.players):
        if other != seat:
            its = caravan_size(state, other, colour)
            if its > mine:
                return 0
            if its == mine:
                points = TIED_POINTS
    return points


@kernel
def water_points(state: StateRecord, seat: int) -> int:
    """Return the points of the water tokens a player took (D-24)."""
    points = 0
    for value in range(VALUES):
        points += (value + 1) * state.tokens[seat, value]
    return points


@kernel
def oasis_points(state: StateRecord, seat: int) -> int:
    """Return the points of a player's links: five each, however many there are (D-25, D-26)."""
    links = 0
    for colour in range(KINDS):
        links += count_bits(state.links[seat, colour])
    return OASIS_POINTS * links


@kernel
def area_points(state: StateRecord, seat: int) -> int:
    """Return a point for every enclosed hex that is no oasis (D-34)."""
    points = 0
    for word in range(WORDS):
        points += count_bits(state.enclosed[seat, word])
    for space in range(SPACES_IN_PLAY[is_wide(state)]):
        if (state.palms >> space) & 1 and has(state.enclosed[seat], PALM_SPACES[space]):
            points -= 1
    return points


@kernel
def tally(state: StateRecord, out: Array) -> None:
    """Write every player's points for water, oases, areas and, as they stand, the largest caravans (D-33 … D-35)."""
    for seat in range(state.players):
        out[seat, 0] = water_points(state, seat)
        out[seat, 1] = oasis_points(state, seat)
        out[seat, 2] = area_points(state, seat)
        out[seat, 3] = 0
        for colour in range(KINDS):
            out[seat, 3] += largest_points(state, seat, colour)


@kernel
def score(state: StateRecord, out: Array) -> None:
    """Write what every player has for certain: water, oases, areas (D-34, D-35), at the end largest caravans (D-33)."""
    for seat in range(state.players):
        points = water_points(state, seat) + oasis_points(state, seat) + area_points(state, seat)
        if state.phase == FINISHED:
            for colour in range(KINDS):
                points += largest_points(state, seat, colour)
        out[seat] = points


@kernel
def standing(state: StateRecord, out: Array) -> None:
    """Most points are best, a tie is shared (D-36)."""
    score(state, out)


@kernel
def tell_scores(state: StateRecord, trace: Trace) -> None:
    """Tell who has the largest caravans, and all points."""
    for colour in range(KINDS):
        for seat in range(state.players):
            worth = largest_points(state, seat, colour)
            if worth:
                tell(trace, TOLD_LARGEST, seat, colour, caravan_size(state, seat, colour), worth)
    points = np.empty((state.players, 4), np.int64)
    tally(state, points)
    for seat in range(state.players):
        water, oases, areas, largest = points[seat, 0], points[seat, 1], points[seat, 2], points[seat, 3]
        tell(trace, TOLD_SCORE, seat, water, oases, areas, largest, water + oases + areas + largest)


@kernel
def finish(state: StateRecord, ending: int, trace: Trace) -> None:
    """End the game and count."""
    state.phase = FINISHED
    state.actor = OVER
    state.acting = 0
    state.camels_left = 0
    state.ending = ending
    for word in range(WORDS):
        state.open_hexes[word] = 0
    tell(trace, TOLD_OVER, ending)
    if trace is not None:
        tell_scores(state, trace)
