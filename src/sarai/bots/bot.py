"""What a bot is: something that chooses a move from a view, within a budget."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, log2
from typing import Any, Protocol

import numpy as np

from sarai.bots import playouts, tree
from sarai.core.errors import Illegal
from sarai.core.kernels.compile import Array
from sarai.core.kernels.rng import below, random_bits
from sarai.core.policy.kernels import weigh_moves
from sarai.core.policy.plan import Budget, Plan
from sarai.core.state import View, empty_cell, generator

MOST_SIMULATIONS = 1 << 40  # where only time is set


class Bot(Protocol):
    """A player: it gets a view and nothing else."""

    def choose(self, view: View, budget: Budget | None = None) -> int:
        """Return a legal move of the view's seat."""
        ...


def knobs(plan: Plan) -> Array:
    """Return a plan's numbers as the kernels read them."""
    return np.array(
        [plan.warmth, plan.horizon, plan.explore, plan.prior, plan.tree_depth, plan.to_chance, plan.blend, plan.places],
        np.float64,
    )


def portions(budget: Budget, first: int) -> Iterator[int]:
    """Yield numbers of simulations to run until a budget is used up: all at once, or growing pieces while there is time."""
    left = budget.simulations if budget.simulations is not None else MOST_SIMULATIONS
    if budget.seconds is None:
        yield left
        return
    end = time.monotonic() + budget.seconds
    piece = first
    while left > 0:
        piece = min(piece, left)
        start = time.monotonic()
        yield piece
        now = time.monotonic()
        left -= piece
        spent, time_left = now - start, end - now
        if time_left <= spent / 4:
            return
        piece = max(1, min(2 * piece, int(piece * min(time_left, 0.1) / max(spent, 1e-6))))


@dataclass
class Player:
    """A bot that follows a plan; the same seed and simulation budget give the same moves."""

    plan: Plan
    seed: int = 0
    _rng: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._rng = generator(self.seed)

    def choose(self, view: View, budget: Budget | None = None) -> int:
        """Return a legal move of the view's seat."""
        if view.seat is None or view.seat not in view.to_act:
            raise Illegal("not_your_turn", seat=view.seat)
        moves = view.legal()
        if len(moves) == 1:
            return moves[0]
        if self.plan.search == "random":
            return moves[int(below(self._rng, len(moves)))]
        if self.plan.search == "glance":
            return self._glance(view, moves)
        think = self._compare if self.plan.search == "compare" else self._tree
        return think(view, moves, budget or self.plan.budget)

    def _glance(self, view: View, moves: list[int]) -> int:
        """Pick by the policy alone."""
        weights = self._weights(view, moves)
        return moves[int(playouts.pick(weights, len(moves), self.plan.warmth, self._rng))]

    def _weights(self, view: View, moves: list[int]) -> Array:
        """Return the policy's weights of the moves, averaged over a few states the view allows."""
        total = np.zeros(len(moves))
        for _ in range(self.plan.looks):
            out = np.zeros(len(moves))
            state = view.sample(int(random_bits(self._rng)))
            weigh_moves(state._cell, int(view.seat or 0), np.array(moves, np.int64), out)
            total += out
        return total / self.plan.looks

    def _work(self, view: View) -> tuple[Any, ...]:
        """Return the scratch arrays of a search."""
        ids = view.game.num_ids
        return np.zeros(ids, np.int64), np.zeros(ids), np.zeros(view.players, np.int64), np.zeros(view.players)

    def _compare(self, view: View, moves: list[int], budget: Budget) -> int:
        """Successive halving: all moves get the same playouts, the worse half goes, until one is left."""
        plan = self.plan
        looks = self._weights(view, moves) if plan.width or plan.trust or plan.margin else np.zeros(len(moves))
        arms = np.argsort(-looks, kind="stable")[: plan.width or len(moves)]
        if plan.margin:
            arms = arms[looks[arms] >= looks[arms[0]] - plan.margin]
        arms = np.sort(arms)
        cells = empty_cell(view._setup.dtype), empty_cell(view._setup.dtype)
        scratch, weights, standings, shares = self._work(view)
        rngs = np.array([[int(random_bits(self._rng))], [0], [0]], np.uint64)
        dials, ids = knobs(plan), np.array(moves, np.int64)
        totals, played = np.zeros(len(moves)), 0
        rounds = ceil(log2(len(arms)))
        for halving in range(rounds):
            part = Budget(
                None if budget.seconds is None else budget.seconds / rounds,
                None if budget.simulations is None else max(1, budget.simulations // (rounds * len(arms))),
            )
            sums = totals[arms]
            for count in portions(part, 4):
                playouts.compare(
                    view._cell,
                    *cells,
                    ids[arms],
                    len(arms),
                    count,
                    dials,
                    rngs,
                    scratch,
                    weights,
                    standings,
                    shares,
                    sums,
                )
                played += count
            totals[arms] = sums
            worth = (sums + plan.trust * plan.slope * looks[arms]) / (played + plan.trust)
            arms = np.sort(
                arms[np.argsort(-worth, kind="stable")[: 1 if halving == rounds - 1 else (len(arms) + 1) // 2]]
            )
        return moves[int(arms[0])]

    def _tree(self, view: View, moves: list[int], budget: Budget) -> int:
        """Grow a tree and play its most visited move."""
        links = np.full((self.plan.nodes, 4), -1, np.int32)
        numbers = np.zeros((self.plan.nodes, 2))
        scratch, weights, standings, shares = self._work(view)
        children = np.zeros(view.game.num_ids, np.int64)
        cell, rng, dials, used = (
            empty_cell(view._setup.dtype),
            generator(int(random_bits(self._rng))),
            knobs(self.plan),
            1,
        )
        for count in portions(budget, 16):
            used = tree.grow(
                view._cell, cell, links, numbers, used, count, dials, rng, scratch, weights, children, standings, shares
            )
        best, child = moves[0], int(links[0, tree.CHILD])
        most = (-1.0, 0.0)
        while child >= 0:
            worth = (float(numbers[child, tree.VISITS]), float(numbers[child, tree.TOTAL]))
            if worth > most:
                best, most = int(links[child, tree.MOVE]), worth
            child = int(links[child, tree.SIBLING])
        return best
