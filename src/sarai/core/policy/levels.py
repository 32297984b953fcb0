"""How a bot of a level plays and how long it thinks: what a game says of its levels."""

from dataclasses import dataclass
from typing import NamedTuple

from sarai.core.errors import register_reasons

LEVELS = ("random", "novice", "regular", "expert", "master")

register_reasons(
    {
        "unknown_level": "There is no bot {level!r}; there are {levels}.",
        "too_many_bots": "{bots, plural, one {# bot cannot sit at a table for {players}.} "
        "other {# bots cannot sit at a table for {players}.}}",
    }
)


class Budget(NamedTuple):
    """How long a bot may think about a move: until the seconds are over or the simulations are run.

    With simulations alone the same seed gives the same move.
    """

    seconds: float | None = None
    simulations: int | None = None


ONE_SIMULATION = Budget(simulations=1)


@dataclass(frozen=True)
class Plan:
    """How a level chooses its moves: the search, its settings, and the budget unless another one is given."""

    search: str  # "random", "policy" (no search), "halving" (successive halving) or "tree"
    temperature: float = 0.0  # of the softmax over the policy's weights; 0: playouts choose uniformly at random
    samples: int = 4  # states sampled to average the policy's weights of the moves to choose from
    budget: Budget = ONE_SIMULATION
    # Playouts
    horizon: int = 0  # player moves after which a playout is valued by the game's estimate; 0: play to the end
    stop_at_chance: bool = False  # value a playout by the game's estimate at its first chance node
    estimate_weight: float = 0.0  # weight of the game's estimate beside the win, where a playout reached the end
    rank_weight: float = 0.0  # weight of the ranks behind the winner beside the win; no effect with two players
    # Halving
    candidates: int = 0  # how many moves are compared, those of the highest weights; 0: all
    candidate_margin: float = 0.0  # only moves whose weight is at most this much below the best; 0: all
    prior_playouts: float = 0.0  # playouts that the policy's weight of a move counts for
    prior_scale: float = 0.04  # share of the win that one unit of the policy's weights is worth
    # Tree
    exploration: float = 0.6  # PUCT's constant
    prior_temperature: float = 0.0  # of the softmax that turns weights into PUCT's priors; 0: uniform priors
    tree_depth: int = 256
    max_nodes: int = 200_000
