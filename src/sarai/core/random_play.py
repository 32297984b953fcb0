"""Random play: whole games in one call of a kernel, and single games as records."""

from collections.abc import Mapping
from random import Random

import numpy as np

from sarai.core.game import Game
from sarai.core.kernels import python_entry_points
from sarai.core.records import Record
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import Seed, State, empty_cell, generator


def random_games(start: State, games: int, seed: Seed) -> tuple[int, int]:
    """Play random games from a state on; return how many player moves and chance outcomes they took."""
    moves = np.empty(start.game.num_actions, np.int64)
    played, chances = python_entry_points.random_games(
        start._cell, empty_cell(start._cell.dtype), games, generator(seed), moves
    )
    return int(played), int(chances)


def play_randomly(
    game: Game, players: int, options: Mapping[str, object] | None = None, seed: int = 0, names: list[str] | None = None
) -> Record:
    """Return the record of a game in which chance and every seat chose at random, the same for the same seed."""
    rng, record = Random(seed), Record.begin(game, players, options, names)
    state = record.start()
    while state.actor != OVER:
        state = record.play(state, *random_move(state, rng))
    return record


def random_move(state: State, rng: Random) -> tuple[int, int]:
    """Return a random move, or chance outcome by its probability, and who makes it."""
    if state.actor == CHANCE:
        outcomes = state.chance()
        return rng.choices([o for o, _ in outcomes], [float(p) for _, p in outcomes])[0], CHANCE
    seat = rng.choice(state.to_act)
    return rng.choice(state.legal(seat)), seat
