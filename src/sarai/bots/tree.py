"""Tree search for any number of players (max^n): information-set UCT with a policy's priors.

The tree is open-loop: a node is a sequence of moves, chance outcomes aside, so one tree serves games with
chance, with hidden hands and with neither.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from sarai.bots.playouts import (
    Scratch,
    SearchSettings,
    new_scratch,
    play_out,
    sample_into,
    settings_of,
    softmax,
    value_end,
)
from sarai.bots.spend_budget import batches
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dispatch import apply, draw, legal
from sarai.core.kernels.rng import random_bits
from sarai.core.policy.dispatch import weigh
from sarai.core.policy.levels import Budget, Plan
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import View, empty_cell, generator

MAX_DEPTH = 256
ROOT, NONE = 0, -1  # the first node, and no node


class Tree(NamedTuple):
    """The nodes of a search tree, an entry of each array for each."""

    moves: Array  # the move that led to the node
    seats: Array  # … and who made it
    first_children: Array
    next_siblings: Array
    visits: Array
    totals: Array  # of the shares of the seat that made the move


def new_tree(max_nodes: int) -> Tree:
    """Make a tree that has its root only."""
    moves, seats, first_children, next_siblings = np.zeros((4, max_nodes), np.int32)
    first_children[ROOT] = NONE
    return Tree(moves, seats, first_children, next_siblings, np.zeros(max_nodes), np.zeros(max_nodes))


@kernel
def choose_child(tree: Tree, node: int, count: int, scratch: Scratch, children: Array, exploration: float) -> int:
    """Return the index of the legal move to try (PUCT): the best by its mean, its prior and how seldom it was tried."""
    moves, priors = scratch.moves, scratch.weights
    for i in range(count):
        children[moves[i]] = NONE
    child = tree.first_children[node]
    while child >= 0:
        children[tree.moves[child]] = child
        child = tree.next_siblings[child]
    visits, seen_total, seen = 0.0, 0.0, 0.0
    for i in range(count):
        child = children[moves[i]]
        if child >= 0:
            visits += tree.visits[child]
            seen_total += tree.totals[child]
            seen += priors[i]
    known = seen_total / visits if visits > 0 else 0.5
    first_guess = known - 0.2 * sqrt(seen)  # a move not tried yet is taken to be a little worse than those that were
    best, best_value = 0, -np.inf
    reach = exploration * sqrt(visits + 1.0)
    for i in range(count):
        child = children[moves[i]]
        tried = tree.visits[child] if child >= 0 else 0.0
        mean = tree.totals[child] / tried if tried > 0 else first_guess
        value = mean + reach * priors[i] / (1.0 + tried)
        if value > best_value:
            best, best_value = i, value
    return best


@kernel
def grow(
    view: Array,
    cell: Array,
    tree: Tree,
    used: int,
    simulations: int,
    settings: SearchSettings,
    rng: Array,
    scratch: Scratch,
    children: Array,
) -> int:
    """Run simulations on a tree; return how many nodes it has now. A full tree goes on learning without growing."""
    path = np.empty(MAX_DEPTH, np.int64)
    moves, weights = scratch.moves, scratch.weights
    root_seat = int(view[0].seat)
    for _ in range(simulations):
        sample_into(view, settings, rng, cell)
        state = cell[0]
        node, depth, growing = ROOT, 0, True
        while growing and depth < settings.tree_depth and depth < MAX_DEPTH:
            while state.actor == CHANCE:
                apply(state, CHANCE, draw(state, rng), None)
            if state.actor == OVER:
                break
            seat = root_seat if depth == 0 else int(state.actor)
            count = legal(state, seat, moves)
            if settings.prior_temperature > 0.0 and count > 1:
                weigh(state, seat, moves, count, weights)
                softmax(weights, count, settings.prior_temperature)
            else:
                for i in range(count):
                    weights[i] = 1.0 / count
            best = choose_child(tree, node, count, scratch, children, settings.exploration)
            move = int(moves[best])
            child = int(children[move])
            if child < 0:
                growing = False
                if used < len(tree.moves):
                    child, used = used, used + 1
                    tree.moves[child], tree.seats[child] = move, seat
                    tree.first_children[child], tree.next_siblings[child] = NONE, tree.first_children[node]
                    tree.first_children[node] = child
                    tree.visits[child] = tree.totals[child] = 0.0
            apply(state, seat, move, None)
            if child >= 0:
                path[depth] = child
                depth += 1
                node = child
        if state.actor == OVER:
            value_end(state, settings, scratch)
        else:
            play_out(state, settings, rng, rng, scratch)
        for step in range(depth):
            tree.visits[path[step]] += 1.0
            tree.totals[path[step]] += scratch.shares[tree.seats[path[step]]]
    return used


def most_visited(tree: Tree) -> int:
    """Return the move at the root with the most visits, the higher total first where they are equal."""
    children, child = [], int(tree.first_children[ROOT])
    while child >= 0:
        children.append(child)
        child = int(tree.next_siblings[child])
    return int(tree.moves[max(children, key=lambda child: (tree.visits[child], tree.totals[child]))])


def search_tree(plan: Plan, view: View, moves: list[int], budget: Budget, rng: Array) -> int:
    """Grow a tree within a budget and return its most visited move."""
    tree, used = new_tree(plan.max_nodes), 1
    settings, scratch = settings_of(plan), new_scratch(view)
    cell, children = empty_cell(view._setup.dtype), np.zeros(view.game.num_ids, np.int64)
    own_rng = generator(int(random_bits(rng)))
    for count in batches(budget, 16):
        used = grow(view._cell, cell, tree, used, count, settings, own_rng, scratch, children)
    return most_visited(tree) if used > 1 else moves[0]
