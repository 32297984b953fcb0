"""How a bot thinks and how long: what a game says of its levels, and a table of its bots."""

from dataclasses import dataclass
from typing import NamedTuple

LEVELS = ("random", "novice", "regular", "expert", "master")


class Budget(NamedTuple):
    """How long a bot may think about a move: until a number of simulations is reached, which gives the same move for the same seed, or the seconds are over."""

    seconds: float | None = None
    simulations: int | None = None


AT_ONCE = Budget(simulations=1)


@dataclass(frozen=True)
class Plan:
    """How a level thinks: with which search, with which knobs, how long if nobody says."""

    search: str  # "random", "glance", "compare" or "tree"
    warmth: float = 0.0
    horizon: int = 0
    to_chance: bool = (
        False  # playouts are judged where chance comes in again: at the end of a round, if that is where it comes in
    )
    blend: float = 0.0  # how much the game's own judgement counts beside the win where a playout reached the end
    places: float = 0.0  # how much the places behind the winner count beside the win: nothing changes for two
    explore: float = 0.6
    prior: float = 0.0
    tree_depth: int = 256
    nodes: int = 200_000
    looks: int = 4  # states drawn to look at moves before they are searched; one is enough where hidden things do not change how they look
    trust: float = 0.0  # how many playouts the policy's own word counts for, where moves are compared
    slope: float = 0.04  # … and what share of the win one point of its weights is worth
    width: int = 0  # how many of the best-looking moves are looked at; 0: all
    margin: float = 0.0  # moves that look worse than the best by more than this are not looked at; 0: all are
    budget: Budget = AT_ONCE
