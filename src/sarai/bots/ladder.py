"""The ladder: the named levels of every game."""

from collections.abc import Iterable, Iterator

from sarai.bots.bot import Bot, PlanBot
from sarai.core.errors import Error
from sarai.core.game import Game
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dtype import StandardRecord
from sarai.core.policy.dispatch import POLICIES, register_policy
from sarai.core.policy.levels import LEVELS, Budget, Plan
from sarai.core.result import CHANCE
from sarai.core.state import View

UCT = Plan("tree", exploration=1.0, budget=Budget(seconds=1.0))  # the baseline: uniform priors, uniform playouts
WITHOUT_POLICY = {  # the levels of a game that has no `policy` module: the baseline with more and more simulations
    "novice": Plan("tree", exploration=1.0, max_nodes=2_000, budget=Budget(seconds=1.0, simulations=20)),
    "regular": Plan("tree", exploration=1.0, max_nodes=2_000, budget=Budget(seconds=1.0, simulations=100)),
    "expert": Plan("tree", exploration=1.0, max_nodes=2_000, budget=Budget(seconds=1.0, simulations=500)),
    "master": Plan("tree", exploration=1.0, budget=Budget(seconds=0.9, simulations=10_000)),
}


@kernel
def weigh_uniformly(state: StandardRecord, seat: int, moves: Array, count: int, out: Array) -> None:
    """Prefer no move."""
    for i in range(count):
        out[i] = 0.0


@kernel
def estimate_evenly(state: StandardRecord, out: Array) -> None:
    """Prefer no seat."""
    for seat in range(state.players):
        out[seat] = 1.0 / state.players


def plans(game: Game) -> dict[str, Plan]:
    """Return the plan of each level: those of the game's `policy` module, or the baseline's where it has none."""
    policy = game.module("policy")
    if policy is None and game.definition.state not in POLICIES:
        register_policy(game.definition.state, weigh=weigh_uniformly, estimate=estimate_evenly)
    own: dict[str, Plan] = policy.LADDER if policy else WITHOUT_POLICY
    return {"random": Plan("random"), **own, "uct": UCT}


def first_choice(game: Game) -> View:
    """Return the view of a seat that has a choice, early in a game."""
    state = game.start(game.players[0])
    while state.actor == CHANCE or len(state.legal()) < 2:
        state = state.play(state.chance()[0][0] if state.actor == CHANCE else state.legal()[0])
    return state.view(state.actor)


def warm_bots(game: Game, levels: Iterable[str] = LEVELS) -> Iterator[str]:
    """Compile the bots of a game or load them from the cache; yield the name of each level before its step."""
    view = first_choice(game)
    for level in levels:
        yield level
        bot(game, level).choose(view, Budget(simulations=2))


def bot(game: Game, level: str, seed: int = 0) -> Bot:
    """Return a bot of a level for a game."""
    known = plans(game)
    if level not in known:
        raise Error("unknown_level", level=level, levels=", ".join(known))
    return PlanBot(known[level], seed)
