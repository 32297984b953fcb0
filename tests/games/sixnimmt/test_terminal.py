"""The table of 6 nimmt! in a terminal shows every fact a player needs, wide and narrow."""

import io
import re
from random import Random

import pytest
from rich.console import Console

import sarai
from sarai.core.random_play import random_move
from sarai.games.sixnimmt.rules import HEADS
from sarai.games.sixnimmt.terminal import board, demand

GAME = sarai.game("sixnimmt")
NAMES = ["Ada", "[b]Ben[/b]", "Cleo", "Dora"]


def drawn(state, seat, names, width=100):
    out = io.StringIO()
    Console(file=out, width=width, markup=False, emoji=False, highlight=False).print(
        board(state.view(seat).to_json(), names)
    )
    assert all(len(line) <= width for line in out.getvalue().splitlines())
    return out.getvalue()


def walk(options, players, seed):
    """Yield the states of a random game in which a player is to act, and its end."""
    state, rng = GAME.start(players, options), Random(seed)
    while state.actor != sarai.OVER:
        if state.actor != sarai.CHANCE:
            yield state
        state = state.play(*random_move(state, rng))
    yield state


def cards(text):
    return [(int(number), int(heads)) for number, heads in re.findall(r"(\d+)×(\d)", text)]


def written(numbers):
    return [(number, int(HEADS[number])) for number in numbers]


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "options", [{"rounds": 2}, {"rounds": 1, "variant": "tactical", "memory": "on"}], ids=["standard", "tactical"]
)
def test_board_shows_rows_hand_heads_and_who_is_waited_for(options, width):
    for number, state in enumerate(walk(options, 4, 1)):
        view = state.view(1).to_json()
        if number % 7 and state.actor != sarai.OVER:
            continue
        text = drawn(state, 1, NAMES, width)
        for row in range(4):
            (line,) = re.findall(rf"│ r{row + 1} │.*", text)
            heads = sum(int(HEADS[card]) for card in view["rows"][row])
            assert cards(line) == written(view["rows"][row])
            assert re.search(rf" {heads} heads? ", line)
        for seat, name in enumerate(NAMES):
            (line,) = re.findall(rf"^ +{re.escape(name)}  .*\d.*", text, re.MULTILINE)[:1]
            assert [int(word) for word in line.replace(name, "").split()[:3]] == [
                view["heads"][seat],
                view["pile_heads"][seat],
                state.scores[seat],
            ]
            if view["phase"] == "choose":
                assert ("chooses a card" in line) == (seat in state.to_act)
                assert ("has chosen" in line) == (seat not in state.to_act)
        if state.actor != sarai.OVER:
            hand = text.partition("your hand")[2]
            hand = hand.partition("Cleo")[0] if view["options"]["deal"] == "draft" else hand
            assert cards(hand) == written(view["hands"]["1"])


def test_own_choice_is_shown_to_its_player_only():
    state = next(state for state in walk({"rounds": 1}, 3, 2))
    card = state.legal(0)[0]
    after = state.play(card, 0)
    assert f"has chosen {card + 1}" in drawn(after, 0, NAMES[:3])
    for other in (1, None):
        assert "has chosen " in drawn(after, other, NAMES[:3])
        assert f"has chosen {card + 1}" not in drawn(after, other, NAMES[:3])


def test_cards_turned_up_wait_while_a_row_is_taken():
    state = next(state for state in walk({"target": 66}, 4, 3) if state.view(None).to_json()["phase"] == "row")
    view = state.view(None).to_json()
    text = drawn(state, None, NAMES)
    for seat, card in view["turned_up"].items():
        assert f"takes a row for {card}" in text if int(seat) == state.actor else f"waits with {card}" in text


def test_a_spectator_sees_no_hand_unless_hands_are_open():
    text = drawn(next(walk({"rounds": 1}, 4, 1)), None, NAMES)
    assert (
        "your hand" not in text and len(cards(text)) == 4 + 1
    )  # the rows, and the card that explains how cards are written
    drafted = next(
        state
        for state in walk({"rounds": 1, "variant": "tactical"}, 2, 1)
        if state.view(None).to_json()["phase"] == "choose"
    )
    assert len(cards(drawn(drafted, None, NAMES[:2]))) == 4 + 20 + 1


def test_the_draft_shows_what_lies_on_the_table():
    start = GAME.start(2, {"variant": "tactical"})
    text = drawn(start.play(6), 1, NAMES[:2])
    assert "draft, card 2 of 20" in text
    assert cards(text.partition("on the table")[2].partition("your hand")[0].partition("Ada")[0]) == written(
        [card for card in range(1, 25) if card != 7]
    )
    assert "takes a card" in text


def test_memory_lists_the_cards_seen_this_round():
    for state in walk({"rounds": 1, "memory": "on"}, 2, 4):
        view = state.view(0).to_json()
        seen = set(sum(view["rows"] + view["piles"] + view["played"], []))
        line = drawn(state, 0, NAMES[:2], 120).partition(" seen ")[2].partition("your hand")[0]
        assert {int(word) for word in line.split()} == seen
    assert " seen " not in drawn(GAME.start(2), 0, NAMES[:2])


def test_the_end_says_so():
    *_, last = walk({"rounds": 1}, 2, 1)
    text = drawn(last, 0, NAMES[:2])
    assert "the game is over" in text and "your hand" not in text


def test_only_the_player_who_must_take_a_row_is_told_so():
    told = set()
    for state in walk({"rounds": 1}, 3, 4):
        for seat in (None, 0, 1, 2):
            view = state.view(seat).to_json()
            must = view["phase"] == "row" and seat == state.actor
            assert demand(view) == (
                f"Your card {view['turned_up'][str(seat)]} is lower than every row: take r1 to r4." if must else ""
            )
            told.add(must)
    assert told == {True, False}
