"""Every game keeps the shared contract, for every player count and option set."""

from random import Random

import pytest

import sarai
from sarai.core.kernels import COMPILED
from sarai.testing import check_game, option_sets
from sarai.testing.contract import refused

CASES = [(id, players) for id in sarai.games() for players in sarai.game(id).players]


@pytest.mark.parametrize(("id", "players"), CASES)
def test_contract(id, players):
    game = sarai.game(id)
    if COMPILED:
        check_game(game, [players], most=None if players in (game.players[0], 4) else 260)
    elif players == game.players[0]:
        check_game(game, [players], [Random(players).choice(option_sets(game, players))], most=25)


@pytest.mark.parametrize("id", sarai.games())
def test_a_broken_game_is_found(id):
    """The contract test can fail: it notices a move that is listed but refused, and one accepted but not listed."""
    game = sarai.game(id)
    state = game.start(game.players[0])
    with pytest.raises(AssertionError):
        refused(state, state.chance()[0][0] if state.actor == sarai.CHANCE else state.legal()[0], None)
