"""Camel Up in text and as data: notation, positions and views that are refused, and what must stay hidden."""

import json
from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest

import sarai
from sarai.core.kernels.dispatch import draw
from sarai.core.random_play import play_randomly, random_move
from sarai.core.state_and_view import generator
from sarai.testing.contract import damaged

FIRST, SECOND = sarai.game("camelup-2014"), sarai.game("camelup-2018")
TURN = (
    "camelup-2014 players=2 phase=turn moves=60 leg=2 turn=0 start=1 camels=1:b,2:g,3:oyw dice=b1.g2 tiles=5+,9- "
    "tickets=01/-/1/-/- pyramid=2,0 pounds=3,7 cards=0wg:1bg.2oyw:bw,1lw:1bgoyw:-"
)
TURN_2018 = (
    "camelup-2018 players=6 phase=turn moves=60 leg=2 turn=0 start=1 camels=1:b,2:y,3:grp,14:WK dice=b1.K3 "
    "tiles=5+,9-,-,-,-,- tickets=0123/-/1/-/- pyramid=2,0,0,0,0,0 pounds=3,7,3,3,3,3 "
    "partners=3,-,-,0,-,- cards=0wg:1by.2grpWK:bx"
)
START = (
    "camelup-2018 players=2 phase=set_up moves=0 leg=1 turn=0 start=0 camels=- dice=- tiles=-,- "
    "tickets=-/-/-/-/- pyramid=0,0 pounds=3,3 cards=-"
)


def changed(text: str, **fields: object) -> str:
    """Return a position text with some fields changed; None drops one."""
    words = text.split()
    for name, value in fields.items():
        assert any(word.startswith(f"{name}=") for word in words) or name == "ending"
        words = [word for word in words if not word.startswith(f"{name}=")]
        words += [] if value is None else [f"{name}={value}"]
    return " ".join(words)


def refused(text: str) -> str:
    """Return why a position text is refused."""
    game = SECOND if "2018" in text else FIRST
    with pytest.raises(sarai.BadText) as caught:
        game.parse(text)
    assert str(caught.value)
    return caught.value.key


# --- moves -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("bet g", 1),
        ("bet white", 4),
        (" BET  Blue ", 0),
        ("tile 2+", 5),
        ("tile 2-", 6),
        ("tile 16 -", 34),
        ("tile 16 mirage", 34),
        ("tile 9 Oasis", 19),
        ("roll", 35),
        ("win b", 36),
        ("lose w", 45),
    ],
)
def test_moves_are_read_by_letter_and_by_name(text: str, means: int):
    state = FIRST.parse(TURN)
    assert FIRST.parse_move(state, text) == means
    assert FIRST.parse_move(state, FIRST.move_text(state, means)) == means


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bet",
        "bet r",
        "bet gg",
        "tile 17+",
        "tile 5",
        "tile 5 cheering",
        "win",
        "lose 3",
        "partner 1",
        "g2",
        "place 1",
        "roll g",
    ],
)
def test_what_is_no_move_cannot_be_read(text: str):
    with pytest.raises(sarai.BadText) as caught:
        FIRST.parse_move(FIRST.parse(TURN), text)
    assert caught.value.key == "move_unreadable"


@pytest.mark.parametrize("text", ["bet W", "bet black", "win k", "partner 8", "tile 5 oasis"])
def test_what_is_no_move_of_the_second_edition_cannot_be_read(text: str):
    with pytest.raises(sarai.BadText):
        SECOND.parse_move(SECOND.parse(TURN_2018), text)


def test_outcomes_are_read_by_letter_and_by_name():
    rolling = SECOND.parse(TURN_2018).play(35)
    for text, means in (
        ("b1", 0),
        ("purple 3", 14),
        ("P3", 14),
        ("W1", 20),
        ("white 3", 22),
        ("K1", 23),
        ("black3", 25),
        ("place 5", 19),
    ):
        assert SECOND.parse_move(rolling, text) == means
        assert SECOND.parse_move(rolling, SECOND.move_text(rolling, means)) == means
    for text in ("b4", "b0", "o1", "place 6", "roll", "bet g", "x2"):
        with pytest.raises(sarai.BadText):
            SECOND.parse_move(rolling, text)


def test_every_move_has_words():
    state = FIRST.parse(changed(TURN, tickets="010/-/1/-/-"))
    assert FIRST.move_words(state, 0) == "bet on the blue camel for this leg: take its betting tile which is gone"
    assert FIRST.move_words(state, 2) == "bet on the orange camel for this leg: take its betting tile worth 3"
    assert FIRST.move_words(state, 19) == "move your desert tile to space 9, oasis side up"
    assert (
        FIRST.move_words(FIRST.parse(changed(TURN, tiles="-,-")), 20)
        == "lay your desert tile on space 9, mirage side up"
    )
    assert FIRST.move_words(state, 35) == "take a pyramid tile and let a die come out"
    assert FIRST.move_words(state, 45) == "lay your white race card for the overall loser"
    second = SECOND.parse(TURN_2018)
    assert SECOND.move_words(second, 37) == "lay your yellow finish card for the overall winner"
    assert SECOND.move_words(second, 48) == "become the partner of the player in seat 2"
    rolling = second.play(35)
    assert SECOND.move_words(rolling, 4) == "the yellow die shows 2"
    assert SECOND.move_words(rolling, 24) == "the grey die shows a black 2"
    assert SECOND.move_words(SECOND.start(2), 24) == "the grey die shows 2 for the crazy black camel"
    assert SECOND.move_words(SECOND.start(2), 16) == "place 2 from the bottom of the stack"


# --- positions -------------------------------------------------------------------------------------------------------


def test_the_texts_of_this_file_round_trip():
    assert SECOND.parse(changed(START, phase="stack", camels="1:yb,2:gr")).actor == sarai.CHANCE
    assert FIRST.parse(TURN).text() == TURN
    assert SECOND.parse(TURN_2018).text() == TURN_2018


@pytest.mark.parametrize(
    "change",
    [
        {"camels": "1:b,2:g,3:oy"},  # one is missing
        {"camels": "1:b,2:g,3:oywg"},  # one is there twice
        {"camels": "2:g,1:b,3:oyw"},  # out of order
        {"camels": "1:b,1:g,3:oyw"},
        {"camels": "1:b,2:g,3:oywK"},  # of the other edition
        {"camels": "1:b,2:,3:goyw"},
        {"camels": "0:b,2:g,3:oyw"},
        {"camels": "1:b,2:g,17:oyw"},
        {"camels": "1:b,2:g,20:oyw"},
        {"camels": "-"},
        {"dice": "b1"},  # fewer than pyramid tiles
        {"dice": "b1.b2"},
        {"dice": "b1.g4"},
        {"dice": "b1.K1"},
        {"dice": "b1.g2.o1.y1.w1", "pyramid": "5,0"},  # the leg would be over
        {"pyramid": "2,-1"},
        {"pyramid": "2"},
        {"tiles": "5+,6-"},
        {"tiles": "3+,-"},
        {"tiles": "1+,-"},
        {"tiles": "5,-"},
        {"tiles": "+,-"},
        {"tiles": ",-"},
        {"tickets": "2/-/1/-/-"},
        {"tickets": "0101/-/1/-/-"},
        {"tickets": "0/-/1/-"},
        {"tickets": "é/-/1/-/-"},
        {"pounds": "3,-1"},
        {"pounds": "3,900"},
        {"moves": 9},  # 5 for the first leg, 2 dice, 2 tiles, 3 tickets, 2 cards
        {"moves": 10_000},
        {"leg": 1},  # seat 1 did not begin the first leg
        {"leg": 20},
        {"turn": 2},
        {"start": 7},
        {"phase": "roll"},  # a pyramid tile more than dice
        {"phase": "set_up"},
        {"phase": "stack"},
        {"phase": "crazy"},
        {"phase": "sleep"},
        {"phase": "over"},
        {"cards": "0wg:1bgoyw:b,0lg:1bgoyw:b"},  # laid twice
        {"cards": "2wg:1bgoyw:b"},
        {"cards": "0xg:1bgoyw:b"},
        {"cards": "0wK:1bgoyw:b"},
        {"cards": "0wg:1bgoy:b"},
        {"cards": "0wg:1bgoyw:bgoyw"},
        {"cards": "0wg:1bgoyw:gb"},
        {"cards": "0wg:1bgoyw:x"},
        {"cards": "0wg:17bgoyw:b"},
        {"cards": "0wg:bgoyw:b"},
        {"cards": "0wg:1bgoyw"},
        {"cards": ",".join(["0wg:1bgoyw:-"] * 41)},
        {"cards": None},
    ],
)
def test_a_position_that_no_game_comes_to_is_refused(change: dict[str, Any]):
    assert FIRST.parse(TURN)
    assert refused(changed(TURN, **change)).startswith("text_")


@pytest.mark.parametrize(
    "change",
    [
        {"partners": "3,-,-,1,-,-"},
        {"partners": "0,-,-,-,-,-"},
        {"partners": "3,-,-,-,-,-"},
        {"partners": "6,-,-,0,-,-"},
        {"partners": None},
        {"camels": "1:b,2:y,3:grp,14:W"},
        {"dice": "b1.K3.W1", "pyramid": "3,0,0,0,0,0"},
        {"tickets": "01230/-/1/-/-"},
        {"cards": "0wW:1by.2grpWK:b"},
        {"cards": "0wg:1by.2grp:b"},
    ],
)
def test_a_position_that_no_game_of_the_second_edition_comes_to_is_refused(change: dict[str, Any]):
    assert SECOND.parse(TURN_2018)
    assert refused(changed(TURN_2018, **change)).startswith("text_")


@pytest.mark.parametrize(
    "change",
    [
        {"camels": "1:y"},  # not in the order of the colours
        {"camels": "4:b"},
        {"camels": "1:bygrp"},  # nothing left to roll
        {"camels": "1:b,16:W"},
        {"phase": "stack", "camels": "1:b"},
        {"phase": "stack", "camels": "1:yb"},
        {"phase": "stack"},
        {"phase": "crazy", "camels": "1:b"},
        {"phase": "crazy", "camels": "1:bygrp,14:WK"},
        {"phase": "crazy", "camels": "1:bygrp,13:W"},
        {"phase": "turn", "camels": "1:bygrp"},
        {"tiles": "5+,-", "moves": 1},
        {"leg": 2, "moves": 5},
        {"turn": 1},
    ],
)
def test_a_set_up_that_no_game_comes_to_is_refused(change: dict[str, Any]):
    assert SECOND.parse(START) == SECOND.start(2)
    assert refused(changed(START, **change)) == "text_inconsistent"
    assert refused("camelup-2014 " + changed(START, phase="crazy", camels="1:bgoyw").partition(" ")[2])


OVER = (
    START.replace("set_up", "over ending=line_crossed")
    .replace("moves=0", "moves=50")
    .replace("camels=-", "camels=1:by,3:g,5:WK,17:rp")
)


@pytest.mark.parametrize(
    "change",
    [
        {"camels": "1:by,3:g,5:WK,16:rp"},  # no unit crossed
        {"camels": "1:by,3:g,5:W,16:rp"},  # one is missing
        {"camels": "1:by,3:g,16:rp"},
        {"camels": "1:by,3:g,5:W,17:rp,18:K"},  # two did
        {"camels": "1:by,3:g,5:W,17:Krp"},  # a crazy camel does not run forward
        {"camels": "0:b,1:y,3:g,5:WKrp"},  # nor a racing one backward
        {"ending": "move_limit"},
        {"ending": ""},
        {"moves": 10_000},
        {"moves": 0},
        {"tiles": "9+,-"},
        {"tickets": "0/-/-/-/-"},
        {"dice": "b1", "pyramid": "1,0"},
    ],
)
def test_an_end_that_no_game_comes_to_is_refused(change: dict[str, Any]):
    assert SECOND.parse(OVER).text() == OVER
    assert SECOND.parse(changed(OVER, camels="-2:WKb,1:y,3:g,5:rp")).result is not None
    assert refused(changed(OVER, **change)) == "text_inconsistent"


def test_a_text_of_the_other_edition_is_refused():
    with pytest.raises(sarai.BadText) as caught:
        SECOND.parse(TURN)
    assert caught.value.key == "text_other_game"


@pytest.mark.parametrize("game", [FIRST, SECOND])
def test_damaged_texts_are_refused_or_can_be_played_on(game: sarai.Game):
    rng = Random(5)
    states = list(play_randomly(game, 6, seed=8).replay())
    accepted = 0
    for _ in range(150):
        try:
            state = game.parse(damaged(rng.choice(states).text(), rng))
        except sarai.BadText:
            continue
        accepted += 1
        assert game.parse(state.text()) == state
        for _ in range(12):
            if state.actor != sarai.OVER:
                state = state.play(*random_move(state, rng))
        assert game.parse(state.text()) == state
    assert accepted > 3


# --- views -----------------------------------------------------------------------------------------------------------


def test_a_view_survives_json():
    for state in (
        FIRST.parse(TURN),
        SECOND.parse(TURN_2018),
        SECOND.parse(TURN_2018).play(35),
        SECOND.parse(OVER),
        SECOND.start(3),
    ):
        for seat in (None, 0, 1):
            view = state.view(seat)
            assert state.game.read_view(json.loads(json.dumps(view.to_json()))) == view


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "sleep"},
        {"turn": 2},
        {"turn": 1},  # then seat 1 would be to act
        {"actor": 1},
        {"to_act": [1]},
        {"ending": "x"},
        {"moves_made": 3},
        {"camels": []},
        {"camels": [{"space": 1, "camels": ["blue", "blue", "orange", "yellow", "white"]}]},
        {"camels": [{"space": 1, "camels": ["pink"]}]},
        {"camels": [{"space": 1, "camels": ["blue"]}, {"space": 1, "camels": ["green", "orange", "yellow", "white"]}]},
        {"camels": [{"space": 1.5, "camels": ["blue"]}]},
        {"dice": [{"die": "grey", "camel": "white", "number": 1}]},
        {"dice": [{"die": "blue", "camel": "blue", "number": 1}, {"die": "green", "camel": "white", "number": 1}]},
        {"dice": []},
        {"tiles": [{"space": 5, "side": "oasis"}]},
        {"tiles": [{"space": 5, "side": "up"}, None]},
        {"tiles": [{"space": 5, "side": "oasis"}, {"space": 6, "side": "oasis"}]},
        {"tiles": [None] * 9},
        {"tickets": {}},
        {"pyramid_tickets": [2]},
        {"pounds": [3]},
        {"pounds": [3, True]},
        {"cards": [{}]},
        {"cards": None},
    ],
)
def test_a_view_that_no_game_comes_to_is_refused(change: dict[str, Any]):
    data = FIRST.parse(TURN).view(0).to_json()
    assert set(change) <= set(data)
    with pytest.raises(sarai.BadText) as caught:
        FIRST.read_view(data | change)
    assert caught.value.key == "view_unreadable" and str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"camel": "green"},
        {"camel": "black"},
        {"seat": 2},
        {"pile": "middle"},
        {"dice_out": ["grey"]},
        {"camels": [{"space": 17, "camels": ["blue"]}]},
    ],
)
def test_a_view_with_a_race_card_that_cannot_be_is_refused(change: dict[str, Any]):
    data = FIRST.parse(TURN).view(0).to_json()
    assert data["cards"][1]["camel"] is None
    data["cards"][1] |= change
    with pytest.raises(sarai.BadText):
        FIRST.read_view(data)


def test_a_view_with_betting_tiles_that_were_not_taken_from_the_top_is_refused():
    data = FIRST.parse(TURN).view(0).to_json()
    data["tickets"]["blue"][0]["owner"] = None
    with pytest.raises(sarai.BadText):
        FIRST.read_view(data)
    second = SECOND.parse(TURN_2018).view(0).to_json()
    second["dice"][1]["camel"] = "blue"
    with pytest.raises(sarai.BadText):
        SECOND.read_view(second)


def test_a_view_that_forgets_an_own_race_card_is_refused():
    data = FIRST.parse(TURN).view(0).to_json()
    data["cards"][0]["camel"] = None
    with pytest.raises(sarai.BadText):
        FIRST.read_view(data)


# --- chance ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "state",
    [
        SECOND.parse(START),
        SECOND.parse(changed(START, phase="stack", camels="1:byg")),
        SECOND.parse(changed(START, phase="crazy", camels="1:bygrp")),
        SECOND.parse(changed(START, phase="crazy", camels="1:bygrp,14:W")),
        SECOND.parse(changed(START, phase="crazy", camels="1:bygrp,14:K")),
        SECOND.parse(TURN_2018).play(35),
        SECOND.parse(changed(TURN_2018, dice="b1.g3")).play(35),
        FIRST.parse(TURN).play(35),
    ],
)
def test_draw_has_the_distribution_that_chance_lists(state: sarai.State):
    rng, shares = generator(11), dict(state.chance())
    draws = 40 * len(shares)
    counts = Counter(draw(state._cell[0], rng) for _ in range(draws))
    assert set(counts) <= set(shares)
    chi_squared = sum((counts[outcome] - draws * share) ** 2 / (draws * share) for outcome, share in shares.items())
    assert chi_squared < len(shares) + 6 * sqrt(2 * len(shares))


# --- what must stay hidden -------------------------------------------------------------------------------------------


def test_games_that_differ_in_hidden_cards_only_look_the_same():
    true, other = FIRST.parse(TURN), FIRST.parse(TURN.replace("0wg:", "0wo:"))
    for seat in (1, None):
        rng = Random(2)
        a, b = true, other
        assert a.view(seat) == b.view(seat)
        for _ in range(60):
            move, by = random_move(a, rng)
            if by != sarai.CHANCE and move not in b.legal(by):
                continue
            assert FIRST.events(a, move, seat) == FIRST.events(b, move, seat)
            a, b = a.play(move), b.play(move)
            assert a.actor != sarai.OVER
            assert a.view(seat) == b.view(seat) and a.view(seat).to_json() == b.view(seat).to_json()
            assert a.legal(1) == b.legal(1)


def test_hidden_cards_are_sampled_uniformly_from_what_the_owner_had():
    state = FIRST.parse(TURN.replace("1lw:", "0lw:"))
    assert state.view(0).sample(3) == state and state.view(0).legal() == state.legal()
    view, seen = state.view(1), {}
    for seed in range(600):
        cards = tuple(card["camel"] for card in view.sample(seed).view(0).to_json()["cards"])
        seen[cards] = seen.get(cards, 0) + 1
    assert len(seen) == 20 and all(first != second for first, second in seen)
    assert sum((count - 30) ** 2 / 30 for count in seen.values()) < 60  # χ², 19 degrees of freedom
