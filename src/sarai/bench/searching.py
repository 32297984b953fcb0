"""Tree search with playouts to the end by random moves, from the start of a game: the house's own beside OpenSpiel's, which is C++."""

import importlib
from typing import Any

from sarai.bench.pace import Pace, Work
from sarai.bots import Budget, bot
from sarai.core.game import Game
from sarai.core.result import CHANCE

SIMULATIONS = 1000  # in every search
SEARCHED = {"desert": 2, "anubixx": 4}  # how many players our games are searched with
OPENSPIEL = "OpenSpiel MCTS, havannah"  # the same kind of game as the desert: hexes, 169 of them, two players


def our_search(game: Game, players: int) -> Work:
    """Return searches of the bot `uct` from the first move of a game on."""
    state = game.start(players)
    while state.actor == CHANCE:
        state = state.play(state.chance()[0][0])
    view, player = state.view(state.actor), bot(game, "uct", 1)

    def work(searches: int) -> Pace:
        for _ in range(searches):
            player.choose(view, Budget(simulations=SIMULATIONS))
        return Pace(games=searches * SIMULATIONS)

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

    def work(searches: int) -> Pace:
        for _ in range(searches):
            player.mcts_search(state)
        return Pace(games=searches * SIMULATIONS)

    return work
