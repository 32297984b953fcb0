"""Playouts: games played on by a policy, compiled for each game by the type of its record."""

from math import exp, log

import numpy as np

from sarai.core.contract import CHANCE, OVER
from sarai.core.engine import utility
from sarai.core.kernels import Array, Rec, apply, below, draw, estimate, kernel, legal, sample, uniform, weigh

# What a search may be told: places in an array of numbers.
WARMTH = 0  # how freely playouts follow the policy: weights are divided by it; 0 plays uniformly at random
HORIZON = 1  # player moves after which a playout is judged by `estimate`; 0: played to the end
EXPLORE = 2  # how much a tree search trusts numbers of visits against the policy
PRIOR = 3  # the warmth of the policy inside a tree; 0: every move alike
TREE_DEPTH = 4  # how many moves deep the tree grows
KNOBS = 5


@kernel
def soften(weights: Array, count: int, warmth: float) -> None:
    """Turn weights into probabilities; the smaller the warmth, the more the best one gets."""
    best = weights[0]
    for i in range(1, count):
        best = max(best, weights[i])
    whole = 0.0
    for i in range(count):
        weights[i] = exp((weights[i] - best) / warmth)
        whole += weights[i]
    for i in range(count):
        weights[i] /= whole


@kernel
def pick(weights: Array, count: int, warmth: float, rng: Array) -> int:
    """Pick a place with the probability that its weight softens to: the largest of the weights with Gumbel noise."""
    chosen, best = 0, -np.inf
    for i in range(count):
        noisy = weights[i] - warmth * log(-log(uniform(rng) + 1e-300) + 1e-300)
        if noisy > best:
            chosen, best = i, noisy
    return chosen


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
def play_out(state: Rec, knobs: Array, rng: Array, moves: Array, weights: Array, standings: Array, shares: Array) -> None:
    """Play on by the policy to the end or the horizon, and write every seat's share of the win."""
    left = int(knobs[HORIZON])
    bounded = left > 0
    while state.actor != OVER:
        if state.actor == CHANCE:
            apply(state, CHANCE, draw(state, rng), None)
            continue
        if bounded:
            if left == 0:
                estimate(state, shares)
                return
            left -= 1
        seat = int(state.actor)
        apply(state, seat, policy_move(state, seat, knobs[WARMTH], rng, moves, weights), None)
    utility(state, int(state.players), standings, shares)


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
    """Try every arm from the same sampled states with the same luck, adding the seat's share of the win to each arm's total."""
    seat = int(view[0].seat)
    rng, luck = rngs[0], rngs[1]
    for _ in range(playouts):
        sample_into(view, rng, base)
        start = rng[0]
        for arm in range(count):
            cell[0] = base[0]
            luck[0] = start
            state = cell[0]
            apply(state, seat, arms[arm], None)
            play_out(state, knobs, luck, moves, weights, standings, shares)
            totals[arm] += shares[seat]


@kernel
def sample_into(view: Array, rng: Array, base: Array) -> None:
    """Draw a state that a view allows into a cell that held another one."""
    clear(base)
    sample(view[0], rng, base[0])


@kernel
def clear(cell: Array) -> None:
    """Make a record all zero again."""
    words = cell.view(np.int64)
    for i in range(words.size):
        words[i] = 0
