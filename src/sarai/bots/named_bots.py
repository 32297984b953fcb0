"""The named levels of every game, weakest first: which bot plays each, and compiling it."""

from collections.abc import Iterable, Iterator
from random import Random

from sarai.bots.bot import Bot, PlanBot
from sarai.core.errors import Error
from sarai.core.game import Game
from sarai.core.kernels.compile import Array, kernel
from sarai.core.kernels.dtype import StandardRecord
from sarai.core.policy.dispatch import POLICIES, register_policy
from sarai.core.policy.levels import LEVELS, Budget, Plan
from sarai.core.random_play import random_move
from sarai.core.result import CHANCE, OVER
from sarai.core.state_and_view import View

MOST_GAMES = 100  # that are played to find a choice
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
    """Return the view of the first seat that has a choice in a random game; of one that has none if there is none."""
    rng, turn = Random(0), None
    for _ in range(MOST_GAMES):
        state = game.start(game.players[0])
        while state.actor != OVER:
            if state.actor != CHANCE:
                turn = state
                if len(state.legal()) > 1:
                    return state.view(state.actor)
            state = state.play(*random_move(state, rng))
    assert turn is not None, f"nobody ever has a turn in {game.id}"
    return turn.view(turn.actor)


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
