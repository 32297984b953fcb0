"""Random play of what other people built, through the Python that they offer: OpenSpiel's games (C++ inside) and PettingZoo's connect four."""

import importlib
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

from sarai.bench.pace import Pace, Work

PETTINGZOO = "PettingZoo connect_four_v3"
OPENSPIEL = {f"OpenSpiel {name}": name for name in ("connect_four", "hex", "liars_dice")}
MISSING = "OpenSpiel and PettingZoo are left out: they come with pip install -e '.[research]'."


def others(rng: Random) -> Iterator[tuple[str, Work]]:
    """Yield everything that is installed, by name."""
    try:
        pyspiel = importlib.import_module("pyspiel")
        with warnings.catch_warnings(
            action="ignore", category=DeprecationWarning
        ):  # this is the way in that its documentation names, old or not
            connect_four = importlib.import_module("pettingzoo.classic.connect_four_v3")
    except ImportError:
        return
    yield PETTINGZOO, pettingzoo_work(connect_four.env(), rng)
    for title, name in OPENSPIEL.items():
        yield title, openspiel_work(pyspiel.load_game(name), rng)


def openspiel_work(game: Any, rng: Random) -> Work:
    """Return random games of OpenSpiel; its states change in place, where ours are made anew."""
    random = rng.random

    def work(games: int) -> Pace:
        moves = chances = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(outcomes[int(random() * len(outcomes))][0])
                    chances += 1
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(random() * len(actions))])
                    moves += 1
        return Pace(games, moves, chances)

    return work


def pettingzoo_work(env: Any, rng: Random) -> Work:
    """Return random games of a PettingZoo environment: `last()`, a move that its mask allows, `step()`."""
    random = rng.random

    def work(games: int) -> Pace:
        moves = 0
        for _ in range(games):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                actions = observation["action_mask"].nonzero()[0]
                env.step(actions[int(random() * len(actions))])
                moves += 1
        return Pace(games, moves)

    return work
