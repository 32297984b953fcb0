"""Every piece, symbol, number and pile on a board explains itself, and every explanation is about something there."""

import re
from itertools import islice, pairwise

import pytest

import sarai
from sarai.testing.boards import classes, marked, plain, scenes, tree
from sarai.testing.generators import option_sets

SETTINGS = {  # players and options whose boards together have everything; of other games with each option
    "sixnimmt": [(4, {"memory": "on"}), (2, {"variant": "tactical"})],
    "camelup-2014": [(3, {})],
    "camelup-2018": [(6, {})],
    "desert": [(2, {}), (5, {})],
    "anubixx": [(3, {})],
}
LONGEST = 270  # letters of an explanation that people still read
PART = re.compile(r"([.#]?)([\w-]+)")


def settings(game):
    """Return players and options whose boards together have everything."""
    counts = (game.players[0], game.players[-1])
    return SETTINGS.get(game.id) or [(players, options) for players in counts for options in option_sets(game, players)]


def is_one(element, compound):
    """Tell whether an element is of the tag, classes and id that a selector without blanks asks for."""
    found = {"": {element.tag}, ".": set(classes(element)), "#": {element.get("id")}}
    return all(name in found[kind] for kind, name in PART.findall(compound))


def matches(line, selector):
    """Tell whether the last of a line of elements, each in the one before, is what a selector asks for."""
    for one in selector.split(", "):
        before, _, rest = one.rpartition(" ~ ")
        *outer, inner = rest.split(" ")
        if (
            is_one(line[-1], inner)
            and all(any(is_one(element, part) for element in line[:-1]) for part in outer)
            and (not before or follows(line, before, rest.split(" ")[0]))
        ):
            return True
    return False


def follows(line, before, after):
    """Tell whether an element of a line, which is what one selector asks for, comes after what another one does."""
    for parent, child in pairwise(line):
        if is_one(child, after) and any(is_one(other, before) for other in list(parent)[: list(parent).index(child)]):
            return True
    return False


def lines(element, before=()):
    """Yield every element with all that it is in."""
    yield (*before, element)
    for child in element:
        yield from lines(child, (*before, element))


def is_a_thing(element):
    """Tell whether an element is a piece, a symbol, a number or a pile: whatever has a label or shows a number."""
    shows_number = any(
        re.search(r"\d", text) for text in [element.text or "", *(child.tail or "" for child in element)]
    )
    return "piece" in classes(element) or element.get("role") in ("img", "button") or shows_number


@pytest.mark.parametrize("id", sarai.game_ids())
def test_everything_on_a_board_is_explained_and_every_explanation_is_used(id):
    game = sarai.game(id)
    board = game.module("board")
    unused = {one.selector for one in board.explanations(id, plain)}
    known, unexplained = sorted(unused), set()
    for players, options in settings(game):
        for scene in islice(scenes(game, players, options, 1), 0, None, 7):
            found = set()
            every = list(lines(tree(board.render(scene))))
            for line in every:
                for selector in known:
                    if matches(line, selector):
                        unused.discard(selector)
                        found.update(line)  # what is around an explained thing explains itself by its parts
                        found.update(line[-1].iter())
            for line in every:
                element = line[-1]
                if is_a_thing(element) and element not in found and element.tag != "bdi":
                    unexplained.add((element.tag, element.get("class"), element.get("role")))
    assert not unexplained
    assert not unused, "nothing on any board"


@pytest.mark.parametrize("id", sarai.game_ids())
def test_explanations_are_short_said_in_the_readers_language_and_each_thing_has_one(id):
    explain = sarai.game(id).module("board").explanations
    for selector, name, text in explain(id, plain):
        assert re.fullmatch(r"[\w.#, ~-]+", selector), "tags, classes and ids only, and what comes before"
        assert name and 0 < len(text) <= LONGEST and text.endswith("."), selector
        assert "{" not in text, "filled in"
    for _, name, text in explain(id, marked):
        assert all(re.fullmatch(r"(⟦[^⟦⟧]*⟧ ?)+", said) for said in (name, text)), "every sentence is translated"
    selectors = [one.selector for one in explain(id, plain)]
    assert len(set(selectors)) == len(selectors)
