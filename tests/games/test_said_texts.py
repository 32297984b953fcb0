"""All that a board, a terminal or a list of moves says is in the catalogs, and so is every word that fills it."""

from itertools import islice

import pytest

import sarai
from sarai.core.catalogs import read_catalog
from sarai.core.language import TEMPLATE
from sarai.core.messages import Term
from sarai.games.desert.board.words import Words
from sarai.testing.boards import plain, scenes

GAMES = [
    ("desert", 2, {}),
    ("desert", 5, {"scores": "hidden"}),
    ("sixnimmt", 3, {"rounds": 1, "memory": "on"}),
    ("sixnimmt", 2, {"variant": "tactical", "target": 1}),
]


def noting(found):
    """Return a way to say messages that notes what was said: texts, with the noun of those that are terms."""

    def say(message, /, **arguments):
        found.add((message, None))
        for value in arguments.values():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, Term):
                    found.add((item.key.replace("_", " "), item.context))
        return plain(message, **arguments)

    return say


@pytest.mark.parametrize(("id", "players", "options"), GAMES)
def test_everything_that_a_game_says_is_in_the_catalogs(id, players, options):
    game, found = sarai.game(id), set()
    say = noting(found)
    board, terminal = game.module("board"), game.module("terminal")
    board.explanations(id, say)
    say(terminal.HELP)
    for scene in islice(scenes(game, players, options, 3, say), 0, None, 3):
        board.render(scene)
        terminal.board(scene.view, scene.names, say)
        state = game.read_view(scene.view).sample(1)
        for move in scene.moves:
            game.move_words(state, move, say)
    known = {(message.id, message.context) for message in read_catalog(TEMPLATE)}
    assert len(found) > 50 and found <= known


def test_words_change_with_their_number():
    words = Words(plain)
    assert words.pile("mint", 1, False) == "mint: 1 camel left" and words.pile("sky", 0, False) == "sky: 0 camels left"
    assert words.points(0, "Ann", 1) == "Ann (red rider): 1 point."
    assert words.points(4, "Bo", 0) == "Bo (violet rider): 0 points."
    assert words.caravan("Ann", "lemon", 1) == "Ann: lemon caravan, 1 camel"
    assert words.turn("camels", "Ann", 2) == "Ann is to place 2 camels."
    assert words.turn("first", "Ann", 1) == "Ann is to place a camel."
