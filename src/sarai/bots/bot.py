"""What a bot is: something that chooses a move from a view, within a budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from sarai.bots.halving import search_by_halving
from sarai.bots.playouts import policy_weights, sample_softmax
from sarai.bots.tree import search_tree
from sarai.core.errors import Illegal
from sarai.core.kernels.compile import Array
from sarai.core.kernels.rng import below
from sarai.core.policy.levels import Budget, Plan
from sarai.core.state_and_view import View, generator


class Bot(Protocol):
    """A player that gets a view and nothing else."""

    def choose(self, view: View, budget: Budget | None = None) -> int:
        """Return a legal move of the view's seat."""
        ...


@dataclass
class PlanBot:
    """A bot that plays by a plan; the same seed and simulation budget give the same moves."""

    plan: Plan
    seed: int = 0
    _rng: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._rng = generator(self.seed)

    def choose(self, view: View, budget: Budget | None = None) -> int:
        """Return a legal move of the view's seat."""
        if view.seat is None or view.seat not in view.to_act:
            raise Illegal("not_your_turn", seat=view.seat)
        plan, rng, moves = self.plan, self._rng, view.legal()
        if len(moves) == 1:
            return moves[0]
        if plan.search == "random":
            return moves[int(below(rng, len(moves)))]
        if plan.search == "policy":
            weights = policy_weights(view, moves, plan.samples, rng)
            return moves[int(sample_softmax(weights, len(moves), plan.temperature, rng))]
        search = search_by_halving if plan.search == "halving" else search_tree
        return search(plan, view, moves, budget or plan.budget, rng)
