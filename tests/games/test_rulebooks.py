"""The rules for people: every number, option, reason and position in them is the game's own, in every language."""

import re
from itertools import islice
from xml.etree import ElementTree

import pytest

import sarai
from sarai.core.language import LANGUAGES, find_language
from sarai.core.rulebook import Kind, parse_rulebook, read_rulebook
from sarai.core.rulebook_examples import play_example, sentences_of
from sarai.games.anubixx.board import rulebook_values as anubixx_rulebook
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.camelup.board import rulebook_values as camelup_rulebook
from sarai.games.sixnimmt.board import rulebook_values as sixnimmt_rulebook
from sarai.testing.boards import scenes
from sarai.testing.rulebooks import problems
from sarai.web.pages.rulebook import pictures_of, render_picture, rulebook_page

GAMES = sarai.game_ids()


@pytest.mark.parametrize("id", GAMES)
def test_every_number_option_reason_and_position_is_the_games_own(id):
    game = sarai.game(id)
    assert list(problems(game, read_rulebook(game))) == []


EXAMPLE = """```example
position: POSITION
MORE
caption: CAPTION
```
"""


POSITION = (
    "sixnimmt players=2 phase=choose moves=0 round=1 trick=1 heads=0,0 rows=ROWS chosen=0,0 piles=-/- played=-/- "
    "hands=6.7.8.9.10.11.12.13.14.15/21.22.23.24.25.26.27.28.29.30"
)


def example(rows="1/2/3/4", more="parts: rows", caption="A start."):
    text = EXAMPLE.replace("POSITION", POSITION.replace("ROWS", rows))
    return text.replace("MORE", more).replace("CAPTION", caption)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Each player gets 10 cards.", "the number '1' is written out"),
        ("Each player gets ten cards.", "the number 'ten' is written out"),
        ("Each player gets {camels} cards.", "camels is no number of the game"),
        ("### @money\n\nThe bank is rich.", "the options that are explained are ["),
        ("## Again {#goal}", "two places are called goal"),
        (example(more="try: 21 = tile_on_tile"), "tile_on_tile is no reason of the game"),
        (example(more="try: 6 = card_not_in_hand"), "None, not card_not_in_hand"),
        (example(more="play: 21"), "Card 21 is not in your hand."),
        (example(rows="1/2/3/7"), "No game comes to this position"),
        (example(caption="{fourth_seat} waits."), "fourth_seat is known of no position"),
    ],
)
def test_what_is_not_the_games_own_is_noticed(text, problem):
    game = sarai.game("sixnimmt")
    rulebook = (game.folder / "RULEBOOK.md").read_text(encoding="utf-8")
    (found,) = [found for found in problems(game, parse_rulebook(f"{rulebook}\n\n{text}")) if problem in found]
    assert found


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("code", ["en", "fa"])
def test_every_picture_is_drawn_from_a_legal_position(id, code):
    game, language = sarai.game(id), find_language(code)
    pictures = pictures_of(game)
    assert len(pictures) >= 4
    for number, picture in enumerate(pictures):
        played = play_example(game, picture.example)
        assert game.parse(played.after.text()) == played.after
        root = ElementTree.fromstring(render_picture(game, number, language, "light"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg" and len(list(root.iter())) > 10


@pytest.mark.parametrize("id", GAMES)
def test_the_section_that_matters_now_exists_at_every_moment(id):
    game = sarai.game(id)
    rulebook, module = read_rulebook(game), game.module("board.rulebook_values")
    found = set()
    for scene in islice(scenes(game, 3, {}, 2, find_language("en").say), 0, 400, 3):
        board = game.module("board").render(scene)
        found |= {module.section(scene.view, pick) for pick in ("", "nothing", *(pick.id for pick in board.picks))}
    assert len(found) > 1 and found <= rulebook.anchors()


def test_choosing_a_tile_leads_to_the_tiles_and_paying_to_the_payments():
    assert camelup_rulebook.section({"phase": "turn"}, "side-0") == "tile"
    assert camelup_rulebook.section({"phase": "turn"}, "card-green") == "race-bet"
    assert camelup_rulebook.section({"phase": "turn"}, "") == "turn"
    assert anubixx_rulebook.section({"phase": "build"}, "p1.1") == "paying"
    assert sixnimmt_rulebook.section({"phase": "row"}, "") == "low"


def test_numbers_that_no_constant_has_are_those_of_the_rules():
    anubixx = sarai.game("anubixx")
    for players, dice in ((2, anubixx_rulebook.DICE_OF_TWO), (3, anubixx_rulebook.DICE), (5, anubixx_rulebook.DICE)):
        state = anubixx.start(players)
        while state.actor == sarai.CHANCE:
            state = state.play(state.chance()[0][0])
        assert len(state.view(None).to_json()["dice"]["middle"]) == dice
    camelup = sarai.game("camelup-2014")
    state = camelup.start(2)
    faces = {int(camelup.move_text(state, outcome)[-1]) for outcome, _ in state.chance()}
    numbers = camelup_rulebook.numbers("camelup-2014")
    assert (min(faces), max(faces)) == (numbers["low"], numbers["high"])
    sixnimmt, most = sarai.game("sixnimmt"), sixnimmt_rulebook.VARIANT_MOST
    assert sixnimmt.start(most, {"variant": "tactical"})
    with pytest.raises(sarai.BadStart):
        sixnimmt.start(most + 1, {"variant": "tactical"})


def test_every_hex_that_an_example_tells_of_has_its_name_in_the_picture():
    """Pictures show a part of the map, without the letters and numbers at its edge."""
    game, english = sarai.game("desert"), find_language("en")
    for number, (example, is_after) in enumerate(pictures_of(game)):
        told = {hex for texts in sentences_of(game, example, english) for hex in re.findall(r"\b[a-v]\d+", str(texts))}
        assert told and told == set(example.names)
        texts = {node.text for node in ElementTree.fromstring(render_picture(game, number, english, "light")).iter()}
        assert told <= texts or is_after


@pytest.mark.parametrize("id", ["camelup-2014", "camelup-2018"])
def test_camels_and_money_of_examples_are_those_that_a_race_can_have_by_then(id):
    game, numbers = sarai.game(id), camelup_rulebook.numbers(id)
    for example in read_rulebook(game).examples():
        view = play_example(game, example).before.view(None).to_json()
        dice = sum(die["number"] for die in view["dice"])
        spaces = {camel: stack["space"] for stack in view["camels"] for camel in stack["camels"]}
        racing = [spaces[camel] for camel in view["tickets"]]
        assert max(racing) <= numbers["high"] + (view["leg"] - 1) * numbers["camels"] * numbers["high"] + dice
        if id == "camelup-2014":  # where all camels run in every leg
            assert min(racing) >= numbers["low"] + view["leg"] - 1
        if view["leg"] == 1:
            assert min(view["pounds"]) >= numbers["pounds"]
        else:
            assert sum(view["pounds"]) > numbers["pounds"] * view["players"]
        crazy = sorted(spaces[camel] for camel in set(spaces) - set(view["tickets"]))
        lost = sum(numbers["spaces"] - numbers["high"] + 1 - space for space in crazy)  # without racing camels' help
        assert lost <= (view["leg"] - 1) * numbers["high"]


def test_the_symbols_on_several_stones_are_those_that_the_rules_count():
    several = {name for name, stones in SHEETS.symbols.items() if len(stones) > 1}
    assert several == {"eye", "cat"}


@pytest.mark.parametrize("id", GAMES)
def test_what_is_counted_is_more_than_one(id):
    """Numbers of the rules are always the same, so their messages need no plural forms, but for these."""
    game = sarai.game(id)
    numbers, counted = game.module("board.rulebook_values").numbers(id), re.compile(r"\{(\w+)\} (?!means)[a-z]+s\b")
    found = {name for text in read_rulebook(game).messages() for name in counted.findall(text)} & set(numbers)
    assert found and all(numbers[name] != 1 for name in found)


@pytest.mark.parametrize("id", GAMES)
def test_each_page_stands_alone(id):
    others = re.compile(r"2014|2018|edition|C1-|RULES")
    assert not [text for text in read_rulebook(sarai.game(id)).messages() if others.search(text)]


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_translations_stress_as_much_as_the_english(code):
    language = find_language(code)
    for id in GAMES:
        for text in read_rulebook(sarai.game(id)).messages():
            assert language._texts.get(text, text).count("**") == text.count("**"), text


@pytest.mark.parametrize("id", GAMES)
def test_the_page_has_every_section_question_and_picture(id):
    game = sarai.game(id)
    rulebook, page = read_rulebook(game), rulebook_page(game, find_language("en"), "")
    assert all(f'id="rule-{anchor}"' in page for anchor in rulebook.anchors())
    assert page.count("<dt>") == sum(block.kind == Kind.QUESTION for block in rulebook.blocks()) == page.count("<dd>")
    assert page.count("<img") == len(pictures_of(game)) == page.count("<figcaption>")
    assert "{" not in page and "**" not in page and "None" not in page
