"""The value a game ends with, and the two actors that are no seats. Nothing here needs NumPy."""

from typing import NamedTuple

CHANCE = -1
OVER = -2


class Result(NamedTuple):
    """How a game ended: points, ranks from 1 (equal ranks share), shares of the win that sum to 1, and why it ended."""

    scores: list[int]
    ranks: list[int]
    utilities: list[float]
    reason: str
