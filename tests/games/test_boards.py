"""Every game's board is sound all game long; more of what each shows is in the game's own `test_page_board.py`."""

from itertools import islice

import pytest

import sarai
from sarai.testing.boards import check_rendered, marked, plain, scenes, untranslated


@pytest.mark.parametrize("id", sarai.game_ids())
@pytest.mark.parametrize("fewest", [True, False])
def test_boards_of_a_whole_game(id, fewest):
    game = sarai.game(id)
    render, players = game.module("board").render, game.players[0 if fewest else -1]
    for number, scene in enumerate(islice(scenes(game, players, {}, 1), 0, None, 11)):
        check_rendered(render(scene), scene)
        said = scene._replace(say=marked if number % 2 else plain)
        assert number % 2 == 0 or untranslated(render(said), said) == []
