"""Bots of 6 nimmt! and Camel Up: weights are sane and depend on nothing hidden, and they beat random play."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import sarai
from sarai.bots import Budget, bot
from sarai.bots.named_bots import plans
from sarai.core.kernels.compile import COMPILED, kernel
from sarai.core.policy.dispatch import estimate, resample_hidden, weigh_moves
from sarai.core.state_and_view import State, generator

GAMES = [
    ("sixnimmt", 3, {"rounds": 1}),
    ("sixnimmt", 2, {"variant": "tactical", "rounds": 1}),
    ("camelup-2014", 3, {}),
    ("camelup-2018", 6, {}),
]
each_game = pytest.mark.parametrize(("name", "players", "options"), GAMES)
each_hidden = pytest.mark.parametrize(("name", "players", "options"), [GAMES[0], *GAMES[2:]])


def chance_move(state: State, rng: random.Random) -> int:
    """Return what chance brings."""
    outcomes = state.chance()
    return rng.choices([move for move, _ in outcomes], [float(weight) for _, weight in outcomes])[0]


def walk(
    name: str, players: int, options: dict[str, object], seed: int, most: int = 200 if COMPILED else 20
) -> Iterator[State]:
    """Yield the positions of a random game."""
    rng = random.Random(seed)
    state = sarai.game(name).start(players, options)
    for _ in range(most + 60):
        yield state
        if state.actor == sarai.OVER:
            return
        if state.actor == sarai.CHANCE:
            state = state.play(chance_move(state, rng))
        else:
            seat = rng.choice(state.to_act)
            state = state.play(rng.choice(state.view(seat).legal()), seat)


def weights(state: State, seat: int) -> list[float]:
    """Return how good a seat's moves look in a state."""
    moves = state.view(seat).legal()
    out = np.full(len(moves), np.nan)
    weigh_moves(state._cell, seat, np.array(moves, np.int64), out)
    return [float(weight) for weight in out]


@kernel
def estimate_cell(cell, out):  # type: ignore[no-untyped-def]
    """Estimate the state in a cell."""
    estimate(cell[0], out)


@kernel
def resample_cell(cell, seat, rng):  # type: ignore[no-untyped-def]
    """Resample what is hidden in the state in a cell."""
    resample_hidden(cell[0], seat, rng)


@each_game
def test_weights_and_estimates_are_finite_and_shares_sum_to_one(
    name: str, players: int, options: dict[str, object]
) -> None:
    plans(sarai.game(name))
    for seed in range(3 if COMPILED else 1):
        for state in walk(name, players, options, seed):
            shares = np.zeros(players)
            estimate_cell(state._cell, shares)
            assert np.isfinite(shares).all()
            assert shares.sum() == pytest.approx(1.0)
            for seat in state.to_act:
                assert np.isfinite(weights(state, seat)).all()


@each_hidden
def test_weights_depend_on_nothing_that_is_hidden(name: str, players: int, options: dict[str, object]) -> None:
    plans(sarai.game(name))
    differ = 0
    for number, state in enumerate(walk(name, players, options, 5)):
        for seat in state.to_act if number % 7 == 0 or not COMPILED else ():
            others = [state.view(seat).sample(luck) for luck in range(3)]
            differ += any(other != state for other in others)
            assert all(weights(other, seat) == weights(state, seat) for other in others)
    assert differ or not COMPILED


@each_hidden
def test_what_is_resampled_agrees_with_what_a_seat_knows(name: str, players: int, options: dict[str, object]) -> None:
    plans(sarai.game(name))
    for number, state in enumerate(walk(name, players, options, 6)):
        for seat in state.to_act if number % 7 == 0 or not COMPILED else ():
            resampled = state.view(seat).sample(number)
            resample_cell(resampled._cell, seat, generator(number))
            view = resampled.view(seat)
            assert view.legal() == state.view(seat).legal()
            kept = {key: value for key, value in view.to_json().items() if key not in ("to_act", "acting", "actor")}
            assert kept == {
                key: value
                for key, value in state.view(seat).to_json().items()
                if key not in ("to_act", "acting", "actor")
            }


@each_game
def test_the_same_seed_and_simulations_give_the_same_move(name: str, players: int, options: dict[str, object]) -> None:
    game = sarai.game(name)
    state = next(
        state
        for state in walk(name, players, options, 7)
        if state.actor >= 0 and len(state.view(state.actor).legal()) > 3
    )
    view, budget = state.view(state.actor), Budget(simulations=64 if COMPILED else 4)
    for level in ("novice", "regular", "expert", "master") if COMPILED or name == "sixnimmt" else ("novice",):
        chosen = {bot(game, level, seed=3).choose(view, budget) for _ in range(2)}
        assert len(chosen) == 1
        assert chosen <= set(view.legal())


@pytest.mark.parametrize(
    ("name", "sign"), [("sixnimmt", -1), *([("camelup-2014", 1), ("camelup-2018", 1)] if COMPILED else [])]
)
def test_regular_scores_better_than_random(name: str, sign: int) -> None:
    game, difference = sarai.game(name), 0.0
    for number in range(6):
        rng = random.Random(number)
        good = number % 3
        players = [bot(game, "regular" if seat == good else "random", seed=3 * number + seat) for seat in range(3)]
        state = game.start(3, {"rounds": 1} if name == "sixnimmt" else {})
        while state.actor != sarai.OVER:
            if state.actor == sarai.CHANCE:
                state = state.play(chance_move(state, rng))
            else:
                seat = state.to_act[0]
                state = state.play(players[seat].choose(state.view(seat)), seat)
        assert state.result is not None
        scores = state.result.scores
        difference += sign * (scores[good] - (sum(scores) - scores[good]) / 2)
    assert difference > 0
