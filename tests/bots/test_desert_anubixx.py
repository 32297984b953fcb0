"""Bots of Through the Desert and Anubixx: weights are sane, moves can be repeated, and they beat random play."""

import os
import random
import subprocess
import sys

import numpy as np
import pytest

import sarai
from sarai.bots import Budget, bot
from sarai.bots.named_bots import plans
from sarai.core.policy.dispatch import POLICIES, weigh_moves
from sarai.core.state_and_view import State

GAMES = ("desert", "anubixx")


def chance_outcome(state: State, rng: random.Random) -> int:
    """Draw what chance brings."""
    outcomes = state.chance()
    return rng.choices([outcome for outcome, _ in outcomes], [float(weight) for _, weight in outcomes])[0]


def play(game: sarai.Game, levels: list[str], seed: int) -> State:
    """Play a game between levels, a seat each."""
    rng = random.Random(seed)
    bots = [bot(game, level, seed=seed * 10 + seat) for seat, level in enumerate(levels)]
    state = game.start(len(levels), {})
    while state.actor != sarai.OVER:
        if state.actor == sarai.CHANCE:
            state = state.play(chance_outcome(state, rng))
        else:
            seat = state.to_act[0]
            state = state.play(bots[seat].choose(state.view(seat)), seat)
    return state


def middle_of(game: sarai.Game, players: int, moves: int) -> State:
    """Return a state of a random game after so many moves."""
    rng = random.Random(players)
    state = game.start(players, {})
    while moves or state.actor == sarai.CHANCE:
        if state.actor == sarai.CHANCE:
            state = state.play(chance_outcome(state, rng))
        else:
            state = state.play(rng.choice(state.legal()))
            moves -= 1
    return state


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("players", [2, 4, 5])
def test_weights_are_finite_and_the_shares_of_a_win_add_up(name: str, players: int) -> None:
    game = sarai.game(name)
    assert set(plans(game)) == {"random", "novice", "regular", "expert", "master", "uct"}
    rng = random.Random(players)
    state = game.start(players, {})
    while state.actor != sarai.OVER:
        if state.actor == sarai.CHANCE:
            state = state.play(chance_outcome(state, rng))
            continue
        moves = state.legal()
        before, weights, shares = state._cell.tobytes(), np.full(len(moves), np.nan), np.full(players, np.nan)
        weigh_moves(state._cell, state.actor, np.array(moves, np.int64), weights)
        POLICIES[game.definition.state]["estimate"](state._cell[0], shares)
        assert np.isfinite(weights).all()
        assert (shares >= 0).all()
        assert shares.sum() == pytest.approx(1.0)
        assert state._cell.tobytes() == before, "judging a position leaves it as it was"
        state = state.play(rng.choice(moves))


@pytest.mark.program
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("level", ["novice", "regular", "expert", "master"])
def test_the_same_seed_and_simulations_give_the_same_move(name: str, level: str) -> None:
    game = sarai.game(name)
    state = middle_of(game, 3, 20)
    view = state.view(state.to_act[0])
    first, second = (bot(game, level, seed=5).choose(view, Budget(simulations=40)) for _ in range(2))
    assert first == second
    assert first in view.legal()


@pytest.mark.program
@pytest.mark.parametrize("name", GAMES)
def test_regular_beats_random(name: str) -> None:
    game = sarai.game(name)
    won = 0.0
    for seed in range(6):
        levels = ["regular", "random"] if seed % 2 else ["random", "regular"]
        won += play(game, levels, seed).result.utilities[levels.index("regular")]
    assert won >= 5


SMALL = """
import random, sarai
from sarai.bots import Budget, bot
for name, moves in (("desert", 12), ("anubixx", 5)):
    game, rng = sarai.game(name), random.Random(1)
    state = game.start(2, {})
    while moves or state.actor == sarai.CHANCE:
        if state.actor == sarai.CHANCE:
            state = state.play(rng.choice([outcome for outcome, _ in state.chance()]))
        else:
            state, moves = state.play(rng.choice(state.legal())), moves - 1
    view = state.view(state.to_act[0])
    print([bot(game, level, seed=3).choose(view, Budget(simulations=3)) for level in ("regular", "master")])
"""


@pytest.mark.program
def test_bots_play_alike_with_the_compiler_off() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", SMALL],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for settings in ({}, {"NUMBA_DISABLE_JIT": "1"})  # the first finds what is compiled already
    ]
    assert said[0] == said[1]
    assert said[0].count("[") == 2
