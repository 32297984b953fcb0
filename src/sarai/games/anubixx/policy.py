"""What Anubixx knows about good play: what stones, symbols, jokers and the quarry are worth; how near the end is."""

from math import sqrt

import numpy as np

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, kernel
from sarai.core.policy.dispatch import register_policy
from sarai.core.policy.levels import Budget, Plan
from sarai.core.policy.win_shares import share_likely
from sarai.games.anubixx.markable_stones import open_pairs, open_singles
from sarai.games.anubixx.quarry import places_behind, quarry_place
from sarai.games.anubixx.scoring import (
    BONUS_POINTS,
    JOKER_POINTS,
    arch_points,
    bonus_points,
    joker_points,
    pyramid_points,
    quarry_points,
    relief_points,
)
from sarai.games.anubixx.sheet_arrays import COLOUR_OF, FIRST_STONE, SECOND_STONE, SINGLES_OF, SYMBOL_STONES
from sarai.games.anubixx.state import (
    ARCH_STONES,
    BY_JOKER,
    BY_QUARRY,
    COLUMN_STONES,
    KEYSTONE,
    KINDS,
    LEFT_FROM,
    PAIRS,
    PAIRS_FROM,
    PAYMENTS,
    PYRAMID_STONES,
    RELIEF_FROM,
    RELIEF_STONES,
    RIGHT_FROM,
    SINGLES,
    STATE,
    STOP,
    StateRecord,
)

SIZES = np.array([count_bits(stones) for stones in (PYRAMID_STONES, ARCH_STONES, RELIEF_STONES)], np.int64)
A_TURN = 1.3  # stones that a turn brings, by experience


@kernel
def stones_to_end(marks: int) -> int:
    """Return how many stones are missing from the two buildings that are nearest to completion."""
    pyramid = SIZES[0] - count_bits(marks & PYRAMID_STONES)
    arch = SIZES[1] - count_bits(marks & ARCH_STONES)
    relief = SIZES[2] - count_bits(marks & RELIEF_STONES)
    return int(pyramid + arch + relief - max(pyramid, arch, relief))


@kernel
def rounds_left(state: StateRecord) -> float:
    """Guess how many rounds are still to come after this one."""
    fewest = 100
    for seat in range(state.players):
        fewest = min(fewest, stones_to_end(int(state.marks[seat])))
    return fewest / (A_TURN + 0.3)


@kernel
def lonely(marks: int) -> int:
    """Return how many relief stones are free without a free neighbour: they can no longer be covered (A-20)."""
    free = ~(marks >> RELIEF_FROM) & 0xFFF
    left, right = free & 0x777, free & 0xEEE
    return count_bits(free & ~(left << 1 | right >> 1 | free << 4 | free >> 4))


@kernel
def promise(marks: int, rounds: float) -> float:
    """Return the points of the buildings, and what begun levels promise if there are rounds enough to complete them."""
    reached = pyramid_points(marks) + arch_points(marks) + relief_points(marks)
    left, right = count_bits((marks >> LEFT_FROM) & COLUMN_STONES), count_bits((marks >> RIGHT_FROM) & COLUMN_STONES)
    worth = (
        1.45 * count_bits(marks & PYRAMID_STONES)
        + 1.5 * (left + right)
        + 0.5 * min(left, right)
        - 0.4 * abs(left - right)
    )
    if (marks >> KEYSTONE) & 1:
        worth += 1.5
    worth += 1.3 * count_bits(marks & RELIEF_STONES) - 2.0 * lonely(marks)
    trust = min(1.0, rounds / 6.0)
    return float(reached + trust * (worth - reached))


@kernel
def symbol_promise(state: StateRecord, marks: int) -> float:
    """Return the points of symbols that a seat would have, with a part for those begun."""
    open_symbols = ~int(state.closed)
    worth = 0.0
    for symbol in range(len(SYMBOL_STONES)):
        needed = int(SYMBOL_STONES[symbol])
        if (open_symbols >> symbol) & 1:
            if marks & needed == needed:
                worth += BONUS_POINTS
            elif count_bits(needed) > 1:
                worth += 0.5 * count_bits(marks & needed)
    return worth


@kernel
def support_promise(state: StateRecord, marks: int) -> float:
    """Return what it is worth that stones with an open symbol can be marked next."""
    ready = open_singles(marks)
    worth = 0.0
    for symbol in range(len(SYMBOL_STONES)):
        if not (state.closed >> symbol) & 1 and int(SYMBOL_STONES[symbol]) & ready:
            worth += 0.6
    return worth


@kernel
def colours_ready(marks: int, sheet: int) -> int:
    """Return in how many colours a single stone could be marked next."""
    ready = open_singles(marks)
    found = 0
    for colour in range(KINDS):
        if ready & SINGLES_OF[sheet, 1 << colour]:
            found += 1
    return found


@kernel
def sheet_worth(state: StateRecord, seat: int, marks: int, rounds: float) -> float:
    """Judge a sheet with these stones marked, without quarry and jokers."""
    trust = min(1.0, rounds / 3.0)
    worth = promise(marks, rounds) + symbol_promise(state, marks)
    worth += trust * (support_promise(state, marks) + 0.25 * colours_ready(marks, int(state.sheets[seat])))
    worth += 0.02 * trust * count_bits(open_pairs(marks))
    if stones_to_end(marks) == 0:
        worth += BONUS_POINTS
    return worth


@kernel
def cost(state: StateRecord, seat: int, colour: int, payment: int) -> float:
    """Return what a payment takes away: a joker, or quarry stones with those that are skipped (A-14, A-30)."""
    if payment == BY_JOKER:
        return JOKER_POINTS
    if payment == BY_QUARRY:
        return float(quarry_place(state, seat, colour) + 1 - places_behind(int(state.crossed[seat])))
    return 0.0


@kernel
def weigh(state: StateRecord, seat: int, moves: Array, count: int, out: Array) -> None:
    """Judge moves in points: what a sheet gains, less what is paid; to stop gains nothing."""
    marks, sheet = int(state.marks[seat]), int(state.sheets[seat])
    rounds = rounds_left(state)
    now = sheet_worth(state, seat, marks, rounds)
    for i in range(count):
        move = int(moves[i])
        if move == STOP:
            out[i] = 0.0
            continue
        if move < PAIRS_FROM:
            stone = move % SINGLES
            after = marks | 1 << stone
            price = cost(state, seat, int(COLOUR_OF[sheet, stone]), move // SINGLES)
        else:
            payments, pair = (move - PAIRS_FROM) // len(PAIRS), (move - PAIRS_FROM) % len(PAIRS)
            first, second = payments // PAYMENTS, payments % PAYMENTS
            stone, other = int(FIRST_STONE[pair]), int(SECOND_STONE[pair])
            after = marks | 1 << stone | 1 << other
            one, two = (
                cost(state, seat, int(COLOUR_OF[sheet, stone]), first),
                cost(state, seat, int(COLOUR_OF[sheet, other]), second),
            )
            price = max(one, two) if first == BY_QUARRY and second == BY_QUARRY else one + two
            price += 1.0  # a single stone would leave the turn a second one
        out[i] = sheet_worth(state, seat, after, rounds) - now - 0.8 * price


@kernel
def estimate(state: StateRecord, out: Array) -> None:
    """Turn what every sheet is worth into shares of the win: a lead counts the more the nearer the end is."""
    rounds = rounds_left(state)
    for seat in range(state.players):
        marks = int(state.marks[seat])
        out[seat] = sheet_worth(state, seat, marks, rounds) + bonus_points(int(state.bonuses[seat] & state.closed))
        out[seat] += quarry_points(int(state.crossed[seat])) + joker_points(int(state.jokers[seat]))
    share_likely(int(state.players), 1.0 + 1.5 * sqrt(rounds), 0.0, out)


register_policy(STATE, weigh=weigh, estimate=estimate)

LADDER = {
    "novice": Plan("policy", temperature=1.0),
    "regular": Plan("policy", temperature=0.1),
    "expert": Plan(
        "tree",
        temperature=0.3,
        horizon=40,
        exploration=0.6,
        prior_temperature=1.0,
        max_nodes=2_000,
        budget=Budget(seconds=1.0, simulations=150),
    ),
    "master": Plan(
        "tree",
        temperature=0.3,
        horizon=40,
        exploration=0.6,
        prior_temperature=1.0,
        budget=Budget(seconds=0.9, simulations=8_000),
    ),
}
