"""Compile a game's kernels ahead of their first use."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numba import typeof

from sarai.core import engine
from sarai.core.game import Game
from sarai.core.kernels import COMPILED, new_trace
from sarai.core.state import generator

BEGIN = "begin"  # what a game compiles of its own when it is set up and read
TO_PLAY = (BEGIN, "list_chance", "step_traced", "look_at", "list_legal", "points", "why_not", "sample_from")
TO_REPLAY = (BEGIN, "step", "step_traced", "look_at", "points")
EVERYTHING = (BEGIN, "step", "list_chance", "step_traced", "look_at", "list_legal", "points", "why_not", "sample_from", "random_games")


def warm(game: Game, entries: Iterable[str] = EVERYTHING) -> Iterator[str]:
    """Compile entry points of the engine for a game, or load them from the cache, one a step; yield the name of each before its step."""
    for name in entries:
        yield name
        if name == BEGIN:
            game.parse(game.start(game.players[0]).text())
        elif COMPILED:
            getattr(engine, name).compile(tuple(typeof(argument) for argument in arguments(game)[name]))


def arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    """Return arguments of the types that states, views and games call every entry point with."""
    cell, view = game.start(game.players[0])._cell, np.zeros(1, game.kit.view)
    numbers, rng = np.zeros(1, np.int64), generator(0)
    return {
        "step": (cell, cell, 0, 0),
        "step_traced": (cell, cell, 0, 0, new_trace()),
        "why_not": (cell, 0, 0),
        "list_legal": (cell, 0, numbers),
        "list_chance": (cell, numbers, numbers),
        "look_at": (cell, 0, view),
        "sample_from": (view, rng, cell),
        "points": (cell, numbers, numbers),
        "random_games": (cell, cell, 1, rng, numbers),
    }
