"""Playouts: games played on by a policy, compiled for each game by the type of its record."""

from math import exp
from typing import NamedTuple

import numpy as np

from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dispatch import apply, draw, legal, sample
from sarai.core.kernels.dtype import StandardRecord
from sarai.core.kernels.rng import below, random_bits, uniform
from sarai.core.policy.dispatch import estimate, resample_hidden, weigh, weigh_moves
from sarai.core.policy.levels import Plan
from sarai.core.policy.win_shares import share_out
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import View

LOWEST_TEMPERATURE = 1e-9  # the best move only


class SearchSettings(NamedTuple):
    """The settings of a plan that kernels read; `Plan` says what each of them sets."""

    temperature: float
    horizon: int
    stop_at_chance: bool
    estimate_weight: float
    rank_weight: float
    exploration: float
    prior_temperature: float
    tree_depth: int


class Scratch(NamedTuple):
    """Arrays that a search writes over in every step."""

    moves: Array  # the legal moves of the seat that acts
    weights: Array  # … and their weights, priors or probabilities
    standings: Array  # of every seat at the end of a game
    shares: Array  # every seat's share of the win


def settings_of(plan: Plan) -> SearchSettings:
    """Return the settings of a plan, each of one type so that kernels are compiled once."""
    return SearchSettings(
        float(plan.temperature),
        int(plan.horizon),
        bool(plan.stop_at_chance),
        float(plan.estimate_weight),
        float(plan.rank_weight),
        float(plan.exploration),
        float(plan.prior_temperature),
        int(plan.tree_depth),
    )


def new_scratch(view: View) -> Scratch:
    """Make the scratch arrays for a search from a view."""
    ids, players = view.game.num_ids, view.players
    return Scratch(np.zeros(ids, np.int64), np.zeros(ids), np.zeros(players, np.int64), np.zeros(players))


def policy_weights(view: View, moves: list[int], samples: int, rng: Array) -> Array:
    """Return the policy's careful weights of the moves, averaged over some states that the view allows."""
    total = np.zeros(len(moves))
    for _ in range(samples):
        out = np.zeros(len(moves))
        state = view.sample(int(random_bits(rng)))
        weigh_moves(state._cell, int(view.seat or 0), np.array(moves, np.int64), out)
        total += out
    return total / samples


@kernel
def softmax(weights: Array, count: int, temperature: float) -> None:
    """Turn weights into probabilities in place; the lower the temperature, the more the highest weight gets."""
    best = weights[0]
    for i in range(1, count):
        best = max(best, weights[i])
    whole = 0.0
    for i in range(count):
        weights[i] = exp((weights[i] - best) / max(temperature, LOWEST_TEMPERATURE))
        whole += weights[i]
    for i in range(count):
        weights[i] /= whole


@kernel
def sample_softmax(weights: Array, count: int, temperature: float, rng: Array) -> int:
    """Draw an index by the softmax of the weights, which become probabilities."""
    softmax(weights, count, temperature)
    left = uniform(rng)
    for i in range(count):
        left -= weights[i]
        if left < 0.0:
            return i
    return count - 1  # rounding


@kernel
def policy_move(state: StandardRecord, seat: int, temperature: float, rng: Array, scratch: Scratch) -> int:
    """Return a move of a seat: drawn by the policy, or uniformly at random if the temperature is 0."""
    moves, weights = scratch.moves, scratch.weights
    count = legal(state, seat, moves)
    if count == 1:
        return int(moves[0])
    if temperature <= 0.0:
        return int(moves[below(rng, count)])
    weigh(state, seat, moves, count, weights)
    return int(moves[sample_softmax(weights, count, temperature, rng)])


@kernel
def play_out(state: StandardRecord, settings: SearchSettings, rng: Array, chance_rng: Array, scratch: Scratch) -> None:
    """Play on by the policy to the end or the horizon, and write every seat's share of the win."""
    left = settings.horizon
    bounded = left > 0
    while state.actor != OVER:
        if state.actor == CHANCE:
            if settings.stop_at_chance:
                estimate(state, scratch.shares)
                return
            apply(state, CHANCE, draw(state, chance_rng), None)
            continue
        if bounded:
            if left == 0:
                estimate(state, scratch.shares)
                return
            left -= 1
        seat = int(state.actor)
        apply(state, seat, policy_move(state, seat, settings.temperature, rng, scratch), None)
    value_end(state, settings, scratch)


@kernel
def value_end(state: StandardRecord, settings: SearchSettings, scratch: Scratch) -> None:
    """Write every seat's share of the win of a finished game, mixed with the game's estimate by its weight."""
    weight = settings.estimate_weight
    shares = scratch.shares
    if weight >= 1.0:
        estimate(state, shares)
        return
    share_out(state, settings.rank_weight, scratch.standings, shares)
    if weight > 0.0:
        estimated = np.empty(len(shares), np.float64)
        estimate(state, estimated)
        for seat in range(state.players):
            shares[seat] += weight * (estimated[seat] - shares[seat])


@kernel
def sample_into(view: Array, settings: SearchSettings, rng: Array, cell: Array) -> None:
    """Sample a state that a view allows into a used cell; where playouts follow the policy, hidden choices do too."""
    clear(cell)
    sample(view[0], rng, cell[0])
    if settings.temperature > 0.0:
        resample_hidden(cell[0], view[0].seat, rng)


@kernel
def clear(cell: Array) -> None:
    """Make a record all zero again."""
    words = cell.view(np.int64)
    for i in range(words.size):
        words[i] = 0
