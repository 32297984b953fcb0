"""Good play of Through the Desert: points at once, ways to oases and water, largest caravans, areas about to close."""

from math import exp, sqrt

import numpy as np

from sarai.core.kernels.bits import count_bits, first_bit
from sarai.core.kernels.compile import Array, kernel
from sarai.core.policy.dispatch import register_policy
from sarai.core.policy.levels import Budget, Plan
from sarai.core.policy.win_shares import share_likely
from sarai.games.desert.camel_placement import room
from sarai.games.desert.hex_sets import AREAS, NEAR, PALM_SPACES, RING, bit, has, hex_set_of, is_wide
from sarai.games.desert.placement_scoring import is_wall, parts_around, remainder
from sarai.games.desert.scoring import area_points, caravan_size, oasis_points, water_points
from sarai.games.desert.state import (
    HEXES,
    KINDS,
    LARGEST_POINTS,
    LEADERS,
    OASIS_POINTS,
    STATE,
    VALUES,
    WORD,
    WORDS,
    StateRecord,
)

FAR = 6  # steps that still count as near
PLACES = 0.5  # how much it counts to finish second rather than last


def steps_from(start: int, wide: int) -> list[int]:
    """Return how far every hex is from one, over hexes in play."""
    steps = [FAR + 1] * HEXES
    steps[start], found = 0, [start]
    for hex in found:
        for other in RING[wide, hex].tolist():
            if other >= 0 and steps[other] > steps[hex] + 1:
                steps[other] = steps[hex] + 1
                found.append(other)
    return steps


STEPS = [[steps_from(hex, wide) for hex in range(HEXES)] for wide in range(len(AREAS))]
WITHIN = np.array(
    [[[hex_set_of(o for o in range(HEXES) if row[o] <= d) for row in rows] for d in range(5)] for rows in STEPS],
    np.int64,
)
PALMS_WITHIN = np.array(  # palm spaces so few steps away, as bits
    [
        [
            [sum(1 << space for space, palm in enumerate(PALM_SPACES) if row[palm] <= d) for row in rows]
            for d in range(FAR)
        ]
        for rows in STEPS
    ],
    np.int64,
)


# --- leaders -------------------------------------------------------------------------------------------------------


@kernel
def place_worth(state: StateRecord, hex: int) -> float:
    """Judge where a leader would stand: oases a few steps away, water around, no crowd."""
    wide = is_wide(state)
    worth = 0.0
    palms = int(state.palms)
    for distance in range(2, FAR):
        worth += 0.9 * count_bits(PALMS_WITHIN[wide, distance, hex] & palms)
    for word in range(WORDS):
        close, around = NEAR[wide, hex, word], WITHIN[wide, 2, hex, word]
        for value in range(VALUES):
            water = state.water[value, word]
            worth += (value + 1) * (0.25 * count_bits(close & water) + 0.15 * count_bits(around & water))
        worth -= 0.4 * count_bits(around & state.camels[word])
    return worth


@kernel
def crowding(state: StateRecord, seat: int, colour: int, hex: int) -> float:
    """Return how much a leader would suffer from leaders of its colour nearby."""
    wide = is_wide(state)
    crowd = 0.0
    for other in range(state.players):
        leader = int(state.leaders[other, colour]) - 1
        if other != seat and leader >= 0:
            for distance in range(3, 5):
                if has(WITHIN[wide, distance, leader], hex):
                    crowd += 0.6
    return crowd


@kernel
def weigh_leaders(state: StateRecord, seat: int, moves: Array, count: int, out: Array) -> None:
    """Judge places once, for every colour may begin at the same ones, and then the colours there."""
    places = 0
    for word in range(WORDS):
        places += count_bits(state.open_hexes[word])
    for i in range(places):
        out[i] = place_worth(state, moves[i] % HEXES)
    for i in range(count - 1, -1, -1):
        out[i] = out[i % places] - crowding(state, seat, moves[i] // HEXES, moves[i] % HEXES)


# --- areas ---------------------------------------------------------------------------------------------------------


@kernel
def area_worth(state: StateRecord, seat: int, colour: int, area: Array) -> float:
    """Return the points of an area: its hexes, its water, its oases that are not linked yet (D-29, D-34)."""
    points = 0
    for word in range(WORDS):
        points += count_bits(area[word])
        for value in range(VALUES):
            points += (value + 1) * count_bits(area[word] & state.water[value, word])
    for space in range(PALM_SPACES.size):
        if (state.palms >> space) & 1 and has(area, PALM_SPACES[space]):
            points -= 1
            if not (state.links[seat, colour] >> space) & 1:
                points += OASIS_POINTS
    return float(points)


@kernel
def closing_worth(state: StateRecord, seat: int, colour: int, hex: int, area: Array, whole: Array) -> float:
    """Return the points of the areas that a camel would enclose, and add them to a set of hexes."""
    if parts_around(state, seat, colour, hex) < 2:
        return 0.0
    wide = is_wide(state)
    worth = 0.0
    state.caravans[seat, colour, hex // WORD] |= bit(hex)
    behind = is_wall(state, seat, colour, RING[wide, hex, 5])
    for side in range(6):
        start = RING[wide, hex, side]
        wall = is_wall(state, seat, colour, start)
        if behind and not wall and not has(state.enclosed[seat], start) and remainder(state, seat, colour, start, area):
            worth += area_worth(state, seat, colour, area)
            for word in range(WORDS):
                whole[word] |= area[word]
        behind = wall
    state.caravans[seat, colour, hex // WORD] &= ~bit(hex)
    return worth


@kernel
def find_threats(state: StateRecord, seat: int, area: Array, whole: Array, danger: Array) -> None:
    """Write for every hex what a camel there keeps others from enclosing with their next camel."""
    for other in range(state.players):
        if other == seat:
            continue
        for colour in range(KINDS):
            for word in range(WORDS):
                left = room(state, other, colour, word)
                while left:
                    hex = word * WORD + first_bit(left)
                    left &= left - 1
                    for w in range(WORDS):
                        whole[w] = 0
                    worth = closing_worth(state, other, colour, hex, area, whole)
                    if worth > 0.0:
                        whole[word] |= bit(hex)
                        for w in range(WORDS):
                            inside = whole[w]
                            while inside:
                                spoilt = w * WORD + first_bit(inside)
                                danger[spoilt] = max(danger[spoilt], worth)
                                inside &= inside - 1


# --- camels --------------------------------------------------------------------------------------------------------


@kernel
def chance_of_largest(lead: float, pile: int) -> float:
    """Guess how likely a caravan with a lead of camels is the largest in the end."""
    return 1.0 / (1.0 + exp(-2.0 * lead / sqrt(1.0 + pile)))


@kernel
def lead_of(state: StateRecord, seat: int, colour: int) -> int:
    """Return by how many camels a caravan is larger than every other of its colour."""
    most = 0
    for other in range(state.players):
        if other != seat:
            most = max(most, caravan_size(state, other, colour))
    return caravan_size(state, seat, colour) - most


@kernel
def palms_near_caravan(state: StateRecord, seat: int, colour: int, distance: int) -> int:
    """Return the oases that a caravan is so few steps from, as bits."""
    found = 0
    for space in range(PALM_SPACES.size):
        for word in range(WORDS):
            if WITHIN[is_wide(state), distance, PALM_SPACES[space], word] & state.caravans[seat, colour, word]:
                found |= 1 << space
    return found


@kernel
def wanted_palms(state: StateRecord, seat: int, colour: int, free: Array) -> int:
    """Return the oases that a caravan can still link: somewhere next to them there is room."""
    left = int(state.palms) & ~int(state.links[seat, colour])
    for space in range(PALM_SPACES.size):
        if (left >> space) & 1:
            reachable = False
            for word in range(WORDS):
                if NEAR[is_wide(state), PALM_SPACES[space], word] & free[word]:
                    reachable = True
            if not reachable:
                left &= ~(1 << space)
    return left


@kernel
def free_for(state: StateRecord, seat: int, colour: int, free: Array) -> None:
    """Collect where a caravan may ever grow, as things stand."""
    for word in range(WORDS):
        others = 0
        for other in range(state.players):
            if other != seat:
                others |= state.near[other, colour, word]
        free[word] = state.open_hexes[word] & ~others


@kernel
def way_worth(state: StateRecord, seat: int, colour: int, hex: int, free: Array) -> float:
    """Judge what a camel takes and comes near to: water, room, and ways that it blocks for others of its colour."""
    wide = is_wide(state)
    worth = 0.0
    for value in range(VALUES):
        if has(state.water[value], hex):
            worth += value + 1
    for word in range(WORDS):
        near = NEAR[wide, hex, word]
        fresh = near & free[word] & ~state.near[seat, colour, word]
        if fresh:
            worth += 0.05 * count_bits(fresh)
            for value in range(VALUES):
                worth += 0.3 * (value + 1) * count_bits(fresh & state.water[value, word])
        for other in range(state.players):
            if other != seat:
                worth += 0.1 * count_bits(near & state.near[other, colour, word] & state.open_hexes[word])
    return worth


@kernel
def weigh_camels(state: StateRecord, seat: int, moves: Array, count: int, out: Array) -> None:
    """Judge camels by the points they bring, bring nearer or deny."""
    wide = is_wide(state)
    free, area, whole = np.zeros(WORDS, np.int64), np.zeros(WORDS, np.int64), np.zeros(WORDS, np.int64)
    danger = np.zeros(HEXES, np.float64)
    find_threats(state, seat, area, whole, danger)
    looked_at = -1
    wanted = two_away = three_away = 0
    race = 0.0
    for i in range(count):
        colour, hex = moves[i] // HEXES, moves[i] % HEXES
        if colour != looked_at:
            looked_at = colour
            free_for(state, seat, colour, free)
            wanted = wanted_palms(state, seat, colour, free)
            two_away = wanted & ~palms_near_caravan(state, seat, colour, 2)
            three_away = wanted & ~palms_near_caravan(state, seat, colour, 3)
            lead, pile = lead_of(state, seat, colour), int(state.piles[colour])
            race = LARGEST_POINTS * (chance_of_largest(lead + 1, pile - 1) - chance_of_largest(lead, pile))
        worth = race + OASIS_POINTS * count_bits(PALMS_WITHIN[wide, 1, hex] & wanted)
        worth += 1.5 * count_bits(PALMS_WITHIN[wide, 2, hex] & two_away)
        worth += 1.0 * count_bits(PALMS_WITHIN[wide, 3, hex] & three_away)
        worth += way_worth(state, seat, colour, hex, free)
        worth += closing_worth(state, seat, colour, hex, area, whole)
        out[i] = worth + 0.5 * danger[hex]


@kernel
def weigh(state: StateRecord, seat: int, moves: Array, count: int, out: Array) -> None:
    """Judge moves in points."""
    if state.phase == LEADERS:
        weigh_leaders(state, seat, moves, count, out)
    else:
        weigh_camels(state, seat, moves, count, out)


# --- positions -----------------------------------------------------------------------------------------------------


@kernel
def caravan_worth(state: StateRecord, seat: int, colour: int, free: Array) -> float:
    """Guess the points that a caravan will still bring."""
    free_for(state, seat, colour, free)
    wanted = wanted_palms(state, seat, colour, free)
    two_away, three_away = palms_near_caravan(state, seat, colour, 2), palms_near_caravan(state, seat, colour, 3)
    worth = 1.5 * count_bits(wanted & two_away) + 1.0 * count_bits(wanted & three_away)
    for word in range(WORDS):
        next_to = state.near[seat, colour, word] & free[word]
        worth += 0.04 * count_bits(next_to)
        for value in range(VALUES):
            worth += 0.3 * (value + 1) * count_bits(next_to & state.water[value, word])
    return worth


@kernel
def estimate(state: StateRecord, out: Array) -> None:
    """Turn points, likely largest caravans and open ways into shares of the win; a lead counts more near the end."""
    free = np.zeros(WORDS, np.int64)
    smallest = int(state.piles[0])
    for colour in range(1, KINDS):
        smallest = min(smallest, int(state.piles[colour]))
    for seat in range(state.players):
        points = float(water_points(state, seat) + oasis_points(state, seat) + area_points(state, seat))
        for colour in range(KINDS):
            if state.leaders[seat, colour]:
                points += LARGEST_POINTS * chance_of_largest(lead_of(state, seat, colour), int(state.piles[colour]))
                points += caravan_worth(state, seat, colour, free) * min(1.0, smallest / 5.0)
        out[seat] = points
    share_likely(int(state.players), 2.0 + 1.2 * sqrt(float(smallest)), PLACES, out)


register_policy(STATE, weigh=weigh, estimate=estimate)

LADDER = {
    "novice": Plan("policy", temperature=2.0),
    "regular": Plan("policy", temperature=0.2),
    "expert": Plan(
        "tree",
        temperature=1.0,
        rank_weight=PLACES,
        horizon=12,
        exploration=0.5,
        prior_temperature=2.0,
        max_nodes=2_000,
        budget=Budget(seconds=1.0, simulations=150),
    ),
    "master": Plan(
        "tree",
        temperature=1.0,
        rank_weight=PLACES,
        horizon=12,
        exploration=0.5,
        prior_temperature=2.0,
        budget=Budget(seconds=0.9, simulations=3_000),
    ),
}
