"""What the status line asks for: always something, of the right people, in the viewer's language."""

import pytest

import sarai
from sarai.core.catalogs import read_catalog
from sarai.core.language import TEMPLATE
from sarai.core.messages import Message, Said
from sarai.core.registry import game as find
from sarai.testing.boards import marked, plain, scenes

SAID = {  # sentences that a game of three must come to, to the viewer and about others
    "sixnimmt": ({"Choose a card to play."}, {"Waiting for {names} to choose a card."}),
    "camelup-2014": (
        {"Your turn: bet on the leg, lay your tile, bet on the race or roll."},
        {"Waiting for {names} to bet, lay a tile or roll."},
    ),
    "camelup-2018": (
        {"Your turn: bet on the leg, lay your tile, bet on the race or roll."},
        {"Waiting for {names} to bet, lay a tile or roll."},
    ),
    "desert": (
        {
            "Choose one of your leaders, then a hex for it.",
            "Place two camels: choose a colour, then a hex.",
            "Place your second camel: choose a colour, then a hex.",
        },
        {
            "Waiting for {names} to place a leader.",
            "Waiting for {names} to place two camels.",
            "Waiting for {names} to place a second camel.",
        },
    ),
    "anubixx": (
        {
            "Mark a lit stone, or two by the bar between them.",
            "Mark a lit stone.",
            "Mark one more lit stone, or stop.",
        },
        {"Waiting for {names} to mark stones.", "Waiting for {names} to mark one more stone or stop."},
    ),
}


def prompt(scene):
    return find(scene.view["game"]).module("board").render(scene).prompt


def asked(game_id, players, options, seed, say=plain):
    """Return what was asked of viewers who could move, and what others were waited for."""
    told = [
        (bool(scene.moves), prompt(scene))
        for scene in scenes(find(game_id), players, options, seed, say)
        if scene.view["phase"] != "over"
    ]
    return {found.own for can, found in told if can}, {of_others(found, say) for can, found in told if not can}


def of_others(found, say):
    """Return what the status line says of others, with `{names}` for them."""
    if isinstance(found.others, Message):
        return say(found.others.text, names=Said("{names}"), **found.others.arguments)
    return found.others


@pytest.mark.parametrize("game_id", sarai.game_ids())
def test_every_moment_of_a_game_asks_for_something(game_id):
    yours, others = asked(game_id, 3, {}, 5)
    said_to_viewers, said_of_others = SAID.get(game_id, (set(), set()))
    assert said_to_viewers <= yours and said_of_others <= others
    assert all(sentence[0].isupper() and sentence.endswith(".") and "{" not in sentence for sentence in yours)
    assert all(
        sentence.count("{names}") == 1 and "<b>Ann</b>" in sentence.format(names="<b>Ann</b>") for sentence in others
    )


@pytest.mark.parametrize("game_id", sarai.game_ids())
def test_nothing_that_is_asked_stays_untranslated(game_id):
    for sentences in asked(game_id, 3, {}, 5, marked):
        assert all(
            sentence.startswith("⟦") and sentence.endswith("⟧") and "&amp;" not in sentence for sentence in sentences
        )


@pytest.mark.parametrize("game_id", sarai.game_ids())
def test_everything_that_is_said_of_others_is_in_the_catalogs(game_id):
    texts = {message.id for message in read_catalog(TEMPLATE)}
    said = [prompt(scene).others for scene in scenes(find(game_id), 3, {}, 5) if scene.view["phase"] != "over"]
    assert {others.text if isinstance(others, Message) else others for others in said} <= texts


def test_a_row_to_take_is_asked_for_with_the_card_that_is_too_low():
    yours, others = asked("sixnimmt", 4, {}, 5)
    assert any(sentence.endswith("is lower than every row: choose a row to take.") for sentence in yours)
    assert "Waiting for {names} to choose a row to take." in others


def test_cards_that_lie_open_are_taken_into_the_hand():
    yours, others = asked("sixnimmt", 3, {"variant": "tactical"}, 5)
    assert "Take a card into your hand." in yours and "Waiting for {names} to take a card." in others


def test_only_whoever_chose_is_reminded_of_the_card():
    game = find("sixnimmt")
    scene = next(scene for scene in scenes(game, 3, {}, 5) if scene.view["my_choice"] and not scene.moves)
    card, without = scene.view["my_choice"], scene._replace(view={**scene.view, "my_choice": None})
    assert of_others(prompt(scene), plain) == f"You have chosen {card}. Waiting for {{names}} to choose a card."
    assert of_others(prompt(without), plain) == "Waiting for {names} to choose a card."


def test_a_partner_is_offered_at_large_tables_of_the_second_edition():
    assert any("take a partner" in sentence for sentence in asked("camelup-2018", 6, {}, 1)[0])
