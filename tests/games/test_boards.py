"""Every game's board is sound all game long; more of what each shows is in the game's own `test_page_board.py`."""

import re
from itertools import islice

import pytest

import sarai
from catalogs import is_translated
from sarai.core.language import find_language
from sarai.testing.boards import SPOKEN, check_rendered, classes, marked, plain, scenes, tree, untranslated


@pytest.mark.parametrize("id", sarai.game_ids())
@pytest.mark.parametrize("fewest", [True, False])
def test_boards_of_a_whole_game(id, fewest):
    game = sarai.game(id)
    render, players = game.module("board").render, game.players[0 if fewest else -1]
    for number, scene in enumerate(islice(scenes(game, players, {}, 1), 0, None, 11)):
        check_rendered(render(scene), scene)
        said = scene._replace(say=marked if number % 2 else plain)
        assert number % 2 == 0 or untranslated(render(said), said) == []


NAMES = ["سارا", "رضا", "مینا", "نیما", "لیلا", "امید", "داریوش", "پروین"]
NOTATION = re.compile("\u2066[^\u2069]*\u2069|\\b[a-r][0-9]+\\b")  # isolated, or the name of a hex
MARKS = ("letter", "die-letter", "tag", "gone", "axis")  # printed on pieces and along the map: they are notation


@pytest.mark.parametrize("id", sarai.game_ids())
def test_a_persian_board_has_persian_digits_and_words(id):
    game, say = sarai.game(id), find_language("fa").say
    foreign = re.compile("[0-9]|[A-Za-z]{2}" if is_translated(game, "fa") else "[0-9]")
    options = {"memory": "on"} if id == "sixnimmt" else {}
    for scene in islice(scenes(game, game.players[0], options, 3, say), 0, None, 23):
        scene = scene._replace(names=NAMES[: len(scene.names)])
        board = game.module("board").render(scene)
        texts = [pick.step for pick in board.picks] + [board.summary.striptags()]
        root = tree(board)
        for marks in [element for element in root.iter() if set(classes(element)) & set(MARKS)]:
            marks.clear()
        texts += [text for element in root.iter() for text in (element.text or "", element.tail or "")]
        texts += [element.get(name, "") for element in root.iter() for name in SPOKEN]
        assert [text for text in texts if foreign.search(NOTATION.sub("", text))] == []
