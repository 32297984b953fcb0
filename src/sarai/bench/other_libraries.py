"""What our games are compared with: OpenSpiel (C++ inside), PettingZoo, and plain programs of `benchmarks/`."""

import importlib
import warnings
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from sarai.bench.rates import PlayCounts, Work
from sarai.bench.workloads import SIMULATIONS

PETTINGZOO = "PettingZoo connect_four_v3"
OPENSPIEL = {f"OpenSpiel {name}": name for name in ("connect_four", "hex", "liars_dice")}
OPENSPIEL_SEARCH = "OpenSpiel MCTS, havannah"  # a game on 169 hexes for two players
NO_LIBRARIES = "OpenSpiel and PettingZoo are left out: they come with pip install -e '.[research]'."
PLAIN_PROGRAMS = Path(__file__).parents[3] / "benchmarks"
NO_PROGRAMS = (
    "Plain Python programs are left out: they are in the folder 'benchmarks' of the sources, which is not here."
)


def libraries(rng: Random) -> Iterator[tuple[str, Work]]:
    """Yield random games of the libraries that are installed, by name."""
    try:
        pyspiel = importlib.import_module("pyspiel")
        # PettingZoo's documentation names this import, although it is deprecated.
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            connect_four = importlib.import_module("pettingzoo.classic.connect_four_v3")
    except ImportError:
        return
    yield PETTINGZOO, pettingzoo_work(connect_four.env(), rng)
    for title, name in OPENSPIEL.items():
        yield title, openspiel_work(pyspiel.load_game(name), rng)


def openspiel_work(game: Any, rng: Random) -> Work:
    """Return random games of OpenSpiel; its states change in place, where ours are made anew."""
    random = rng.random

    def work(games: int) -> PlayCounts:
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
        return PlayCounts(games, moves, chances)

    return work


def pettingzoo_work(env: Any, rng: Random) -> Work:
    """Return random games of a PettingZoo environment: `last()`, a move that its mask allows, `step()`."""
    random = rng.random

    def work(games: int) -> PlayCounts:
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
        return PlayCounts(games, moves)

    return work


def openspiel_search() -> Work | None:
    """Return searches of OpenSpiel's C++ bot with one random playout a leaf, if it is installed."""
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        return None
    game = pyspiel.load_game("havannah")
    state = game.new_initial_state()
    exploration, megabytes, solve, seed = 1.0, 1000, False, 1
    player = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, seed), exploration, SIMULATIONS, megabytes, solve, seed, False
    )

    def work(searches: int) -> PlayCounts:
        for _ in range(searches):
            player.mcts_search(state)
        return PlayCounts(games=searches * SIMULATIONS)

    return work


def plain_program(id: str) -> ModuleType | None:
    """Return the plain program of a game, if there is one.

    `benchmarks/plain_<game>.py` has `PLAYERS`, `OPTIONS`, and `play(rng)` for one random game.
    """
    path = PLAIN_PROGRAMS / f"plain_{id}.py"
    spec = spec_from_file_location(path.stem, path)
    if not path.exists() or spec is None or spec.loader is None:
        return None
    program = module_from_spec(spec)
    spec.loader.exec_module(program)
    return program


def plain_work(program: ModuleType, rng: Random) -> Work:
    """Return random games of a plain program."""

    def work(games: int) -> PlayCounts:
        for _ in range(games):
            program.play(rng)
        return PlayCounts(games)

    return work
