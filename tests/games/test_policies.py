"""Every game's policy judges any position: finite weights, shares of a win that add up, nothing changed.

A few positions of each game; compiled only of those that `tests/bots` does not look at, with many more.
"""

import numpy as np
import pytest

import sarai
from sarai.bots.named_bots import plans
from sarai.core.kernels.compile import COMPILED
from sarai.core.policy.dispatch import POLICIES
from sarai.core.random_play import play_randomly
from sarai.core.state_and_view import generator

POSITIONS = 14
LOOKED_AT = ("camelup-2014", "camelup-2018", "sixnimmt", "desert", "anubixx")  # in tests/bots


@pytest.mark.parametrize(
    "id",
    [
        pytest.param(id, marks=pytest.mark.skipif(COMPILED and id in LOOKED_AT, reason="tests/bots looks at many more"))
        for id in sarai.game_ids()
    ],
)
@pytest.mark.parametrize("fewest", [True, False])
def test_a_policy_judges_positions_of_a_whole_game(id, fewest):
    game = sarai.game(id)
    assert "regular" in plans(game)
    policy, players = POLICIES[game.definition.state], game.players[0 if fewest else -1]
    states = [state for state in play_randomly(game, players, seed=players).replay() if state.actor >= 0]
    for number, state in enumerate(states[:: len(states) // POSITIONS + 1]):
        before, seat, shares = state._cell.tobytes(), state.to_act[-1], np.full(players, np.nan)
        moves = np.array(state.legal(seat), np.int64)
        for weigh in ("weigh", "weigh_carefully"):
            weights = np.full(len(moves), np.nan)
            policy[weigh](state._cell[0], seat, moves, len(moves), weights)
            assert np.isfinite(weights).all()
        policy["estimate"](state._cell[0], shares)
        assert (shares >= 0).all() and shares.sum() == pytest.approx(1.0)
        assert state._cell.tobytes() == before
        drawn = state.view(seat).sample(number)
        policy["resample_hidden"](drawn._cell[0], seat, generator(number))
        assert drawn.view(seat).legal() == moves.tolist()
