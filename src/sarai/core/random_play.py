"""Random games at machine speed: whole games in one crossing from Python."""

import numpy as np

from sarai.core import engine
from sarai.core.state import Seed, State, empty_cell, generator


def random_games(start: State, games: int, seed: Seed) -> tuple[int, int]:
    """Play random games from a state on; return how many player moves and chance outcomes they took."""
    moves = np.empty(start.game.num_actions, np.int64)
    played, chances = engine.random_games(start._cell, empty_cell(start._cell.dtype), games, generator(seed), moves)
    return int(played), int(chances)
