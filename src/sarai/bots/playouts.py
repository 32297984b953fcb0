"""Playouts: games played on by a policy, compiled for each game by the type of its record."""

from math import exp

import numpy as np

from sarai.core.kernels.compile import Array, Rec, kernel
from sarai.core.kernels.dispatch import apply, draw, legal, sample
from sarai.core.kernels.rng import below, random_bits, uniform
from sarai.core.policy.kernels import estimate, imagine, weigh
from sarai.core.policy.shares import share_out
from sarai.core.result import CHANCE, OVER

# What a search may be told: places in an array of numbers.
WARMTH = 0  # how freely playouts follow the policy: weights are divided by it; 0 plays uniformly at random
HORIZON = 1  # player moves after which a playout is judged by `estimate`; 0: played to the end
EXPLORE = 2  # how much a tree search trusts numbers of visits against the policy
PRIOR = 3  # the warmth of the policy inside a tree; 0: every move alike
TREE_DEPTH = 4  # how many moves deep the tree grows
TO_CHANCE = 5  # whether a playout is judged by `estimate` as soon as chance comes in
BLEND = 6  # how much `estimate` counts beside the win at the end of the game
PLACES = 7  # how much the places behind the winner count beside the win

COLDEST = 1e-9  # the best move only


@kernel
def soften(weights: Array, count: int, warmth: float) -> None:
    """Turn weights into probabilities; the smaller the warmth, the more the best one gets."""
    best = weights[0]
    for i in range(1, count):
        best = max(best, weights[i])
    whole = 0.0
    for i in range(count):
        weights[i] = exp((weights[i] - best) / max(warmth, COLDEST))
        whole += weights[i]
    for i in range(count):
        weights[i] /= whole


@kernel
def pick(weights: Array, count: int, warmth: float, rng: Array) -> int:
    """Pick a place with the probability that its weight softens to."""
    soften(weights, count, warmth)
    left = uniform(rng)
    for i in range(count):
        left -= weights[i]
        if left < 0.0:
            return i
    return count - 1  # rounding


@kernel
def policy_move(state: Rec, seat: int, warmth: float, rng: Array, moves: Array, weights: Array) -> int:
    """Return a move of a seat: by the policy, or uniformly at random if the warmth is 0."""
    count = legal(state, seat, moves)
    if count == 1:
        return int(moves[0])
    if warmth <= 0.0:
        return int(moves[below(rng, count)])
    weigh(state, seat, moves, count, weights)
    return int(moves[pick(weights, count, warmth, rng)])


@kernel
def play_out(
    state: Rec, knobs: Array, rng: Array, dice: Array, moves: Array, weights: Array, standings: Array, shares: Array
) -> None:
    """Play on by the policy to the end or the horizon, and write every seat's share of the win; chance has a generator of its own."""
    left = int(knobs[HORIZON])
    bounded = left > 0
    while state.actor != OVER:
        if state.actor == CHANCE:
            if knobs[TO_CHANCE] > 0.0:
                estimate(state, shares)
                return
            apply(state, CHANCE, draw(state, dice), None)
            continue
        if bounded:
            if left == 0:
                estimate(state, shares)
                return
            left -= 1
        seat = int(state.actor)
        apply(state, seat, policy_move(state, seat, knobs[WARMTH], rng, moves, weights), None)
    judge_end(state, knobs, standings, shares)


@kernel
def judge_end(state: Rec, knobs: Array, standings: Array, shares: Array) -> None:
    """Write every seat's share of the win when the game is over, with some of what the game's own judgement says of the difference."""
    blend = knobs[BLEND]
    if blend >= 1.0:
        estimate(state, shares)
        return
    share_out(state, knobs[PLACES], standings, shares)
    if blend > 0.0:
        judged = np.empty(len(shares), np.float64)
        estimate(state, judged)
        for seat in range(state.players):
            shares[seat] += blend * (judged[seat] - shares[seat])


@kernel
def compare(
    view: Array,
    base: Array,
    cell: Array,
    arms: Array,
    count: int,
    playouts: int,
    knobs: Array,
    rngs: Array,
    moves: Array,
    weights: Array,
    standings: Array,
    shares: Array,
    totals: Array,
) -> None:
    """Try every arm from the same sampled states with the same luck, adding the seat's share of the win to each arm's total.

    The first generator draws states, the second choices, the third chance: so the dice fall alike for arms that lead to different choices.
    """
    seat = int(view[0].seat)
    rng, choices, dice = rngs[0], rngs[1], rngs[2]
    for _ in range(playouts):
        sample_into(view, knobs, rng, base)
        start, luck = random_bits(rng), random_bits(rng)
        for arm in range(count):
            cell[0] = base[0]
            choices[0], dice[0] = start, luck
            state = cell[0]
            apply(state, seat, arms[arm], None)
            play_out(state, knobs, choices, dice, moves, weights, standings, shares)
            totals[arm] += shares[seat]


@kernel
def sample_into(view: Array, knobs: Array, rng: Array, base: Array) -> None:
    """Draw a state that a view allows into a cell that held another one; who plays by a policy thinks that others did."""
    clear(base)
    sample(view[0], rng, base[0])
    if knobs[WARMTH] > 0.0:
        imagine(base[0], view[0].seat, rng)


@kernel
def clear(cell: Array) -> None:
    """Make a record all zero again."""
    words = cell.view(np.int64)
    for i in range(words.size):
        words[i] = 0
