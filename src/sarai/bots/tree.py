"""Tree search for any number of players (max^n), over the states that a view allows: information-set UCT with a policy's priors.

The tree is open-loop: a node is a sequence of moves, whatever chance brought in between, so one tree serves chance, hidden hands and open games alike.
"""

from math import sqrt

import numpy as np

from sarai.bots.playouts import EXPLORE, PRIOR, TREE_DEPTH, judge_end, play_out, sample_into, soften
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dispatch import apply, draw, legal
from sarai.core.policy.kernels import weigh
from sarai.core.result import CHANCE, OVER

MOVE, SEAT, CHILD, SIBLING = range(4)  # columns of a tree's links
VISITS, TOTAL = range(2)  # columns of its numbers
DEEPEST = 256


@kernel
def choose_child(
    links: Array, numbers: Array, node: int, moves: Array, count: int, priors: Array, children: Array, explore: float
) -> int:
    """Return which of the legal moves to try: the most promising by its mean, its prior and how seldom it was tried (PUCT)."""
    for i in range(count):
        children[moves[i]] = -1
    child = links[node, CHILD]
    while child >= 0:
        children[links[child, MOVE]] = child
        child = links[child, SIBLING]
    visits, seen_total, seen = 0.0, 0.0, 0.0
    for i in range(count):
        child = children[moves[i]]
        if child >= 0:
            visits += numbers[child, VISITS]
            seen_total += numbers[child, TOTAL]
            seen += priors[i]
    known = seen_total / visits if visits > 0 else 0.5
    first_guess = known - 0.2 * sqrt(seen)  # a move not tried yet is thought a little worse than those that were
    best, best_worth = 0, -np.inf
    reach = explore * sqrt(visits + 1.0)
    for i in range(count):
        child = children[moves[i]]
        tried = numbers[child, VISITS] if child >= 0 else 0.0
        mean = numbers[child, TOTAL] / tried if tried > 0 else first_guess
        worth = mean + reach * priors[i] / (1.0 + tried)
        if worth > best_worth:
            best, best_worth = i, worth
    return best


@kernel
def grow(
    view: Array,
    cell: Array,
    links: Array,
    numbers: Array,
    used: int,
    simulations: int,
    knobs: Array,
    rng: Array,
    moves: Array,
    weights: Array,
    children: Array,
    standings: Array,
    shares: Array,
) -> int:
    """Run simulations on a tree whose root is node 0; return how many nodes it has now. A full tree goes on learning without growing."""
    path = np.empty(DEEPEST, np.int64)
    root_seat = int(view[0].seat)
    for _ in range(simulations):
        sample_into(view, knobs, rng, cell)
        state = cell[0]
        node, depth, growing = 0, 0, True
        while growing and depth < knobs[TREE_DEPTH] and depth < DEEPEST:
            while state.actor == CHANCE:
                apply(state, CHANCE, draw(state, rng), None)
            if state.actor == OVER:
                break
            seat = root_seat if depth == 0 else int(state.actor)
            count = legal(state, seat, moves)
            if knobs[PRIOR] > 0.0 and count > 1:
                weigh(state, seat, moves, count, weights)
                soften(weights, count, knobs[PRIOR])
            else:
                for i in range(count):
                    weights[i] = 1.0 / count
            best = choose_child(links, numbers, node, moves, count, weights, children, knobs[EXPLORE])
            move = int(moves[best])
            child = int(children[move])
            if child < 0:
                growing = False
                if used < len(links):
                    child, used = used, used + 1
                    links[child, MOVE], links[child, SEAT] = move, seat
                    links[child, CHILD], links[child, SIBLING] = -1, links[node, CHILD]
                    links[node, CHILD] = child
                    numbers[child, VISITS] = numbers[child, TOTAL] = 0.0
            apply(state, seat, move, None)
            if child >= 0:
                path[depth] = child
                depth += 1
                node = child
        if state.actor == OVER:
            judge_end(state, knobs, standings, shares)
        else:
            play_out(state, knobs, rng, rng, moves, weights, standings, shares)
        for step in range(depth):
            numbers[path[step], VISITS] += 1.0
            numbers[path[step], TOTAL] += shares[links[path[step], SEAT]]
    return used
