"""Successive halving: all moves get the same playouts, the worse half is dropped, until one move is left."""

from math import ceil, log2
from typing import NamedTuple

import numpy as np

from sarai.bots.playouts import Scratch, SearchSettings, new_scratch, play_out, policy_weights, sample_into, settings_of
from sarai.bots.spend_budget import batches
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dispatch import apply
from sarai.core.kernels.rng import random_bits
from sarai.core.policy.levels import Budget, Plan
from sarai.core.state_and_view import View, empty_cell, generator


class Generators(NamedTuple):
    """The random generators of a comparison; chance has its own, so that dice fall alike after different choices."""

    states: Array
    choices: Array
    chance: Array


class Cells(NamedTuple):
    """The two states of a comparison: the sampled one, and its copy that is played on."""

    sampled: Array
    played: Array


@kernel
def compare_moves(
    view: Array,
    moves: Array,
    playouts: int,
    settings: SearchSettings,
    generators: Generators,
    cells: Cells,
    scratch: Scratch,
    totals: Array,
) -> None:
    """Play out every move from the same sampled states with the same luck; add the seat's shares to the totals."""
    seat = int(view[0].seat)
    choices, chance = generators.choices, generators.chance
    for _ in range(playouts):
        sample_into(view, settings, generators.states, cells.sampled)
        choice_seed, chance_seed = random_bits(generators.states), random_bits(generators.states)
        for i in range(len(moves)):
            cells.played[0] = cells.sampled[0]
            choices[0], chance[0] = choice_seed, chance_seed
            state = cells.played[0]
            apply(state, seat, moves[i], None)
            play_out(state, settings, choices, chance, scratch)
            totals[i] += scratch.shares[seat]


def candidates(plan: Plan, weights: Array) -> Array:
    """Return the indices of the moves to compare, by the policy's weights and the limits of the plan."""
    best_first = np.argsort(-weights, kind="stable")[: plan.candidates or len(weights)]
    if plan.candidate_margin:
        best_first = best_first[weights[best_first] >= weights[best_first[0]] - plan.candidate_margin]
    return np.sort(best_first)


def search_by_halving(plan: Plan, view: View, moves: list[int], budget: Budget, rng: Array) -> int:
    """Return the move that is left after halving the candidates again and again."""
    needs_weights = plan.candidates or plan.prior_playouts or plan.candidate_margin
    weights = policy_weights(view, moves, plan.samples, rng) if needs_weights else np.zeros(len(moves))
    left = candidates(plan, weights)
    settings, scratch, ids = settings_of(plan), new_scratch(view), np.array(moves, np.int64)
    cells = Cells(empty_cell(view._setup.dtype), empty_cell(view._setup.dtype))
    generators = Generators(generator(int(random_bits(rng))), generator(0), generator(0))
    totals, played = np.zeros(len(moves)), 0
    rounds = ceil(log2(len(left)))
    for number in range(rounds):
        part = Budget(
            None if budget.seconds is None else budget.seconds / rounds,
            None if budget.simulations is None else max(1, budget.simulations // (rounds * len(left))),
        )
        sums = totals[left]
        for count in batches(part, 4):
            compare_moves(view._cell, ids[left], count, settings, generators, cells, scratch, sums)
            played += count
        totals[left] = sums
        prior = plan.prior_playouts * plan.prior_scale * weights[left]
        values = (sums + prior) / (played + plan.prior_playouts)
        kept = 1 if number == rounds - 1 else (len(left) + 1) // 2
        left = np.sort(left[np.argsort(-values, kind="stable")[:kept]])
    return moves[int(left[0])]
