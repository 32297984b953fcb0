"""The ladder: the named levels of every game."""

import importlib
from collections.abc import Iterable, Iterator

from sarai.bots import plain
from sarai.bots.bot import Bot, Player
from sarai.core.errors import Error
from sarai.core.game import Game
from sarai.core.policy.kernels import register_policy
from sarai.core.policy.plan import LEVELS, Budget, Plan
from sarai.core.result import CHANCE
from sarai.core.state import View

__all__ = ["LEVELS", "bot", "plans", "warm_bots"]

UCT = Plan(
    "tree", explore=1.0, budget=Budget(seconds=1.0)
)  # the plain baseline: no policy, uniform playouts to the end


def plans(game: Game) -> dict[str, Plan]:
    """Return how each level of a game thinks; a game's `policy` module says so for its own levels."""
    try:
        own: dict[str, Plan] = importlib.import_module(game.package + ".policy").LADDER
    except ModuleNotFoundError as error:
        if error.name != game.package + ".policy":
            raise
        own = {}
        register_policy(game.definition.state, weigh=plain.weigh, estimate=plain.estimate)
    return {"random": Plan("random"), **own, "uct": UCT}


def first_choice(game: Game) -> View:
    """Return what somebody sees who has a choice, early in a game."""
    state = game.start(game.players[0])
    while state.actor == CHANCE or len(state.legal()) < 2:
        state = state.play(state.chance()[0][0] if state.actor == CHANCE else state.legal()[0])
    return state.view(state.actor)


def warm_bots(game: Game, levels: Iterable[str] = LEVELS) -> Iterator[str]:
    """Compile what the bots of a game need, or load it from the cache, one level a step; yield the name of each before its step."""
    view = first_choice(game)
    for level in levels:
        yield level
        bot(game, level).choose(view, Budget(simulations=2))


def bot(game: Game, level: str, seed: int = 0) -> Bot:
    """Return a bot of a level for a game."""
    known = plans(game)
    if level not in known:
        raise Error("unknown_level", level=level, levels=", ".join(known))
    return Player(known[level], seed)
