"""Camel Up, second edition: every clause of RULES-2018.md, and the examples of the book."""

from fractions import Fraction
from typing import Any

import pytest

import sarai
from sarai import CHANCE, OVER

GAME = sarai.game("camelup-2018")
CAMELS = "1:b,2:y,3:grp,14:W,16:K"
RACING = ["blue", "yellow", "green", "red", "purple"]


def table(
    camels: str = CAMELS,
    players: int = 3,
    cards: tuple[str, ...] = (),
    dice: str = "-",
    partnerships: str = "auto",
    **given: Any,
) -> sarai.State:
    """Return a position: seat 0 has the pyramid tickets of the dice; cards were laid with all camels on space 1."""
    out = 0 if dice == "-" else dice.count(".") + 1
    fields: dict[str, Any] = {
        "phase": "turn",
        "moves": 100,
        "leg": 1,
        "turn": 0,
        "start": 0,
        "camels": camels,
        "dice": dice,
        "tiles": ",".join("-" * players),
        "tickets": "-/-/-/-/-",
        "pyramid": ",".join([str(out)] + ["0"] * (players - 1)),
        "pounds": ",".join("3" * players),
        **({"partners": ",".join("-" * players)} if players >= 6 and partnerships == "auto" else {}),
        "cards": ",".join(f"{card}:1bygrpWK:-" for card in cards) or "-",
    }
    assert set(given) <= set(fields)
    head = [GAME.id, f"players={players}", f"partnerships={partnerships}"]
    return GAME.parse(" ".join(head + [f"{name}={value}" for name, value in (fields | given).items()]))


def play(state: sarai.State, *moves: str) -> sarai.State:
    """Play moves and outcomes in notation."""
    for move in moves:
        state = state.play(GAME.parse_move(state, move))
    return state


def field(state: sarai.State, name: str) -> str:
    """Return a field of a position's text."""
    return dict(word.split("=") for word in state.text().split()[1:])[name]


def refusal(state: sarai.State, move: str) -> str:
    """Return why a move is refused."""
    with pytest.raises(sarai.Illegal) as caught:
        play(state, move)
    assert GAME.parse_move(state, move) not in state.legal()
    assert str(caught.value)
    return caught.value.key


def told(state: sarai.State, move: str, seat: int | None = None) -> list[dict[str, Any]]:
    """Return the events of a move, each as its arguments with its key."""
    return [{"key": event.key, **event.args} for event in GAME.events(state, GAME.parse_move(state, move), seat)]


def camels_after(camels: str, outcome: str, **given: Any) -> str:
    """Return the stacks after a die comes out."""
    return field(play(table(camels, **given), "roll", outcome), "camels")


# --- what is on the table --------------------------------------------------------------------------------------------


def test_C2_01_sixteen_spaces_and_then_the_finish_line():
    assert camels_after("1:b,2:y,13:WK,15:grp", "g1") == "1:b,2:y,13:WK,16:grp"
    assert play(table("1:b,2:y,13:WK,16:grp"), "roll", "g1").actor == OVER


def test_C2_02_five_racing_camels_each_with_a_die():
    assert table().view(None).to_json()["dice_left"] == [*RACING, "grey"]
    rolling = play(table(dice="W1"), "roll")
    assert [GAME.move_text(rolling, outcome) for outcome, _ in rolling.chance()] == [
        f"{die}{number}" for die in "bygrp" for number in (1, 2, 3)
    ]
    assert {share for _, share in rolling.chance()} == {Fraction(1, 15)}


def test_C2_03_two_crazy_camels_and_one_grey_die_of_six_faces():
    rolling = play(table(dice="b1.y1.g1.r1", camels="4:bygrp,14:W,16:K"), "roll")
    shares = {GAME.move_text(rolling, outcome): share for outcome, share in rolling.chance()}
    assert {face: share for face, share in shares.items() if face[0] in "WK"} == {
        f"{camel}{number}": Fraction(1, 12) for camel in "WK" for number in (1, 2, 3)
    }
    stacks = table().view(None).to_json()["camels"]
    assert {"space": 14, "camels": ["white"]} in stacks and {"space": 16, "camels": ["black"]} in stacks


def test_C2_04_four_betting_tickets_a_camel_and_five_pyramid_tickets():
    tickets = table().view(None).to_json()["tickets"]
    assert tickets == {camel: [{"worth": worth, "owner": None} for worth in (5, 3, 2, 2)] for camel in RACING}
    state = play(table(), "roll", "b1", "roll", "y1", "roll", "g1", "roll", "r1")
    assert field(state, "leg") == "1" and field(play(state, "roll", "p1"), "leg") == "2"


def test_C2_05_three_pounds_five_finish_cards_and_a_spectator_tile():
    view = GAME.start(3).view(1).to_json()
    assert (
        view["pounds"] == [3, 3, 3]
        and view["hand"] == RACING
        and view["cards_left"] == [5, 5, 5]
        and view["tiles"] == [None] * 3
    )


def set_up_racing(players: int = 3) -> sarai.State:
    """Return a game whose racing camels are set up."""
    return play(GAME.start(players), "b1", "y1", "place 2", "g2", "r3", "p3", "place 1")


def test_C2_06_racing_camels_are_set_up_as_in_the_first_edition():
    state = play(GAME.start(3), "b1")
    assert [(GAME.move_text(state, outcome), share) for outcome, share in state.chance()] == [
        (f"y{number}", Fraction(1, 3)) for number in (1, 2, 3)
    ]
    state = play(state, "y1")
    assert [(GAME.move_text(state, outcome), share) for outcome, share in state.chance()] == [
        ("place 1", Fraction(1, 2)),
        ("place 2", Fraction(1, 2)),
    ]
    assert field(set_up_racing(), "camels") == "1:by,2:g,3:pr"


def test_C2_06_example_green_yellow_and_red_on_one_blue_and_purple_on_three():
    state = play(GAME.start(3), "b3", "y1", "g1", "place 1", "r1", "place 3", "p3", "place 2")
    assert field(state, "camels") == "1:gyr,3:bp"


def test_C2_06_the_grey_die_places_one_crazy_camel_and_then_the_other():
    state = set_up_racing()
    assert [(GAME.move_text(state, outcome), share) for outcome, share in state.chance()] == [
        (f"{camel}{number}", Fraction(1, 6)) for camel in "WK" for number in (1, 2, 3)
    ]
    state = play(state, "K3")
    assert [(GAME.move_text(state, outcome), share) for outcome, share in state.chance()] == [
        (f"W{number}", Fraction(1, 3)) for number in (1, 2, 3)
    ]
    with pytest.raises(sarai.Illegal):
        play(state, "K2")
    assert field(play(state, "W2"), "camels") == "1:by,2:g,3:pr,14:K,15:W"


def test_C2_06_on_the_same_space_the_second_stands_on_the_first():
    assert field(play(set_up_racing(), "K2", "W2"), "camels").endswith("15:KW")
    assert field(play(set_up_racing(), "W1", "K1"), "camels").endswith("16:WK")


def test_C2_06_example_white_on_15_and_black_on_16():
    state = play(set_up_racing(), "W2")
    assert field(state, "camels") == "1:by,2:g,3:pr,15:W"
    assert field(play(state, "K1"), "camels") == "1:by,2:g,3:pr,15:W,16:K"


def test_C2_07_seat_0_starts():
    state = play(set_up_racing(4), "W2", "K1")
    assert state.actor == 0 and field(state, "start") == "0"


# --- a turn ----------------------------------------------------------------------------------------------------------


def kinds(state: sarai.State) -> set[str]:
    """Return the kinds of moves that are legal."""
    return {GAME.move_text(state, move).split()[0] for move in state.legal()}


def test_C2_08_one_of_four_things_and_with_six_players_of_five():
    assert kinds(table(players=5)) == {"bet", "tile", "roll", "win", "lose"}
    assert kinds(table(players=6)) == {"bet", "tile", "roll", "win", "lose", "partner"}
    state = play(table(players=6), "bet b", "tile 9 cheering", "roll", "b1", "win g", "lose purple", "partner 1")
    assert state.actor == 0


def test_C2_09_betting_tickets_from_the_top_until_the_stack_is_empty():
    state = table(tickets="-/-/010/-/-")
    assert told(state, "bet g") == [{"key": "took_ticket", "seat": 0, "camel": "green", "worth": 2}]
    assert refusal(play(state, "bet g"), "bet g") == "betting_stack_empty"


def test_C2_09_finish_cards_are_hidden_and_laid_once():
    state = table(cards=("1wg",))
    assert state.view(0) == table(cards=("1wp",)).view(0) and state.view(1) != table(cards=("1wp",)).view(1)
    assert refusal(table(cards=("0wg",)), "lose g") == "race_card_laid"
    assert refusal(table(cards=("0wg", "0wb", "0wy", "0lr", "0lp")), "lose g") == "no_race_card_left"


def test_C2_10_a_spectator_tile_needs_an_empty_space_and_crazy_camels_fill_one():
    state = table(tiles="-,7-,-")
    assert refusal(state, "tile 3+") == refusal(state, "tile 14+") == refusal(state, "tile 16-") == "tile_on_camel"
    assert refusal(state, "tile 7 booing") == "tile_on_tile"
    assert refusal(state, "tile 8 cheering") == "tile_next_to_tile"
    assert refusal(table(tiles="7+,-,-"), "tile 7-") == "tile_stays_in_place"
    assert field(play(table(tiles="7+,-,-"), "tile 8-"), "tiles") == "8-,-,-"


def test_C2_10_example_any_space_but_the_first_and_those_next_to_a_tile():
    state = table("3:bygrp,5:WK", tiles="-,10+,-")
    spaces = [
        GAME.move_text(state, move)[5:-1] for move in state.legal() if GAME.move_text(state, move).startswith("tile")
    ]
    assert spaces == [str(space) for space in (2, 4, 6, 7, 8, 12, 13, 14, 15, 16) for _ in "+-"]


def test_C2_11_cheering_sends_a_racing_unit_on_and_booing_back_under():
    state = play(table("1:b,2:yr,5:gp,14:W,16:K", tiles="-,4+,-"), "roll", "y2")
    assert field(state, "camels") == "1:b,5:gpyr,14:W,16:K" and state.scores == [3, 4, 3]
    state = play(table("1:b,2:yr,4:gp,14:W,16:K", tiles="-,-,5-"), "roll", "y3")
    assert field(state, "camels") == "1:b,4:yrgp,14:W,16:K" and state.scores == [3, 3, 4]
    assert camels_after("1:b,4:gypr,14:W,16:K", "p1", tiles="-,-,5-") == "1:b,4:prgy,14:W,16:K"


def test_C2_12_a_pyramid_ticket_brings_out_one_of_six_dice_each_equally_likely():
    rolling = play(table(), "roll")
    assert rolling.actor == CHANCE and field(rolling, "pyramid") == "1,0,0"
    shares: dict[str, Fraction] = {}
    for outcome, share in rolling.chance():
        die = GAME.move_text(rolling, outcome)[0].replace("W", "grey").replace("K", "grey")
        shares[die] = shares.get(die, Fraction(0)) + share
    assert shares == dict.fromkeys(["b", "y", "g", "r", "p", "grey"], Fraction(1, 6))
    assert len(rolling.chance()) == 21 and dict(rolling.chance())[GAME.parse_move(rolling, "b2")] == Fraction(1, 18)


def test_C2_13_a_racing_camel_carries_all_on_it_forward_crazy_ones_too():
    assert camels_after("1:b,2:y,3:gWrK,5:p", "g2") == "1:b,2:y,5:pgWrK"
    assert camels_after("1:b,2:y,3:gWrK,5:p", "r1") == "1:b,2:y,3:gW,4:rK,5:p"


def test_C2_13_example_red_carries_yellow_and_purple_carries_green_onto_yellow():
    assert camels_after("1:b,2:g,3:p,5:ry,14:W,16:K", "r3") == "1:b,2:g,3:p,8:ry,14:W,16:K"
    assert camels_after("1:b,4:pg,6:y,9:r,14:W,16:K", "p2") == "1:b,6:ypg,9:r,14:W,16:K"


def test_C2_14_the_grey_die_moves_a_crazy_camel_and_its_riders_counter_clockwise():
    assert camels_after("1:b,2:y,3:gr,6:Wp,16:K", "W3") == "1:b,2:y,3:grWp,16:K"
    assert camels_after("1:b,2:y,3:grp,9:W,16:K", "W2") == "1:b,2:y,3:grp,7:W,16:K"


def test_C2_15_the_colour_of_the_number_says_which_crazy_camel_moves():
    assert camels_after(CAMELS, "W1") == "1:b,2:y,3:grp,13:W,16:K"
    assert camels_after(CAMELS, "K1") == "1:b,2:y,3:grp,14:W,15:K"
    assert camels_after("1:b,2:yp,5:Wr,7:Kg", "K2") == "1:b,2:yp,5:WrKg"  # both carry, apart: the colour counts
    assert camels_after("1:b,2:yp,5:WrKg", "W2") == "1:b,2:yp,3:WrKg"
    assert camels_after("1:b,2:yp,5:WrKg", "K2") == "1:b,2:yp,3:Kg,5:Wr"


def test_C2_16_if_only_one_carries_racing_camels_it_moves():
    assert camels_after("1:b,2:y,3:gp,9:Wr,16:K", "K2") == "1:b,2:y,3:gp,7:Wr,16:K"
    assert camels_after("1:b,2:y,3:gp,9:W,12:Kr", "W2") == "1:b,2:y,3:gp,9:W,10:Kr"
    assert {"key": "only_one_carries", "camel": "white"} in told(play(table("1:b,2:y,3:gp,9:Wr,16:K"), "roll"), "K2")


def test_C2_16_anywhere_above_it_also_with_the_other_in_between_riders():
    assert camels_after("1:b,2:y,3:gp,9:KrW", "W2") == "1:b,2:y,3:gp,7:KrW"


def test_C2_17_if_one_sits_directly_on_the_other_the_upper_one_moves():
    assert camels_after("1:b,2:y,3:grp,9:KW", "K1") == "1:b,2:y,3:grp,8:W,9:K"
    assert camels_after("1:b,2:y,3:grp,9:WK", "W1") == "1:b,2:y,3:grp,8:K,9:W"
    assert camels_after("1:b,2:y,3:gp,9:KWr", "K1") == "1:b,2:y,3:gp,8:Wr,9:K"
    assert {"key": "upper_one_moves", "camel": "white"} in told(play(table("1:b,2:y,3:grp,9:KW"), "roll"), "K1")
    assert "upper_one_moves" not in [event["key"] for event in told(play(table("1:b,2:y,3:grp,9:KW"), "roll"), "W1")]


def test_C2_18_tiles_work_mirrored_for_a_unit_moved_by_a_crazy_camel():
    state = play(table("1:b,2:y,5:gp,9:Wr,16:K", tiles="-,6+,-"), "roll", "W3")
    assert field(state, "camels") == "1:b,2:y,5:gpWr,16:K" and state.scores == [3, 4, 3]
    state = play(table("1:b,2:y,7:gp,9:Wr,16:K", tiles="-,6-,-"), "roll", "W3")
    assert field(state, "camels") == "1:b,2:y,7:Wrgp,16:K" and state.scores == [3, 4, 3]
    state = play(table("1:b,2:y,7:gpWr,16:K", tiles="-,-,6-"), "roll", "W1")
    assert field(state, "camels") == "1:b,2:y,7:Wrgp,16:K"


def test_C2_18_a_tile_on_2_does_not_take_a_crazy_camel_over_the_line():
    state = play(table("1:b,4:W,5:ygrp,16:K", tiles="-,2+,-"), "roll", "W2")
    assert field(state, "camels") == "1:bW,5:ygrp,16:K" and state.actor == 1


def test_C2_19_a_camel_that_was_carried_back_still_runs_forward():
    state = play(table("1:b,2:y,3:gp,9:Wr,16:K"), "roll", "W3", "roll", "r2")
    assert field(state, "camels") == "1:b,2:y,3:gp,6:W,8:r,16:K"


def test_C2_20_dice_stay_visible_and_the_sixth_stays_in_the_pyramid():
    state = play(table(), "roll", "K2", "roll", "b1", "roll", "y1", "roll", "g1")
    view = state.view(None).to_json()
    assert view["dice"][-1] == {"die": "grey", "camel": "black", "number": 2} and view["dice_left"] == ["red", "purple"]
    assert field(state, "dice") == "b1.y1.g1.K2"
    after = play(state, "roll", "r1")
    assert field(after, "dice") == "-" and len(after.view(None).to_json()["dice_left"]) == 6


# --- the end of a leg ------------------------------------------------------------------------------------------------


def test_C2_21_the_leg_ends_with_the_fifth_of_six_dice():
    with_grey = play(table("4:bygrp,14:W,16:K", dice="b1.y1.g1.W1"), "roll", "r1")
    without = play(table("4:bygrp,14:W,16:K", dice="b1.y1.g1.r1"), "roll", "p1")
    by_grey = play(table("4:bygrp,14:W,16:K", dice="b1.y1.g1.r1"), "roll", "K1")
    assert {field(state, "leg") for state in (with_grey, without, by_grey)} == {"2"}


def test_C2_22_crazy_camels_do_not_count_in_the_ranking():
    over = told(play(table("4:byg,8:rpWK", dice="b1.y1.r1.p1"), "roll"), "g1")
    assert {"key": "leg_over", "leg": 1, "first": "purple", "second": "red"} in over
    over = told(play(table("4:byg,8:rWpK", dice="b1.y1.r1.p1"), "roll"), "g1")
    assert {"key": "leg_over", "leg": 1, "first": "purple", "second": "red"} in over


def test_C2_23_tickets_pay_5_3_2_2_for_the_leader_1_for_the_second_and_cost_1_otherwise():
    state = table(
        "4:byg,8:rp,14:W,16:K", dice="b1.y1.r1.p1", players=4, tickets="3/-/-/0123/0123", pounds="9,9,9,0", turn=1
    )
    after = play(state, "roll", "g1")
    assert after.scores == [9 + 5 + 1 + 4, 9 + 3 + 1 + 1, 9 + 2 + 1, 0 + 2 + 1 - 1]
    assert (
        play(
            table("4:byg,8:rp,14:W,16:K", dice="b1.y1.r1.p1", tickets="22/-/-/-/-", pounds="3,3,1"), "roll", "g1"
        ).scores[2]
        == 0
    )


def test_C2_24_clean_up_and_the_start_marker():
    state = table(
        "4:byg,8:rp,14:W,16:K", dice="b1.y1.r1.p1", tickets="3/-/-/0123/0123", players=4, tiles="12+,-,10-,-", turn=1
    )
    after = play(state, "roll", "g1")
    assert [field(after, name) for name in ("dice", "tiles", "tickets", "pyramid", "start")] == [
        "-",
        "-,-,-,-",
        "-/-/-/-/-",
        "0,0,0,0",
        "2",
    ]
    assert after.actor == 2


def test_C2_24_example_nine_pounds_in_all():
    state = table(
        "4:b,5:p,6:r,8:yg,14:W,16:K",
        dice="g1.y1.r1.p1",
        tickets="0/0/0110/-/-",
        pyramid="1,1,1,1",
        players=4,
        pounds="0,9,9,9",
    )
    assert play(state, "roll", "b1").scores[0] == 5 + 2 + 1 - 1 + 2 == 9


# --- the end of the game ---------------------------------------------------------------------------------------------


def test_C2_25_the_game_ends_when_a_unit_crosses_the_line_forward():
    over = play(table("1:b,2:y,3:gr,14:W,16:pK"), "roll", "p2")
    assert over.actor == OVER and field(over, "camels") == "1:b,2:y,3:gr,14:W,18:pK"
    over = play(table("1:b,2:y,3:g,14:Wr,15:pK", tiles="-,16+,-"), "roll", "p1")
    assert over.actor == OVER and over.scores == [4, 4, 3]


def test_C2_25_the_game_ends_when_a_crazy_camel_runs_over_the_line_backwards():
    over = play(table("2:W,3:bygrp,16:K", tiles="-,15+,-"), "roll", "W3")
    assert over.actor == OVER and field(over, "camels") == "-1:W,3:bygrp,16:K"
    assert over.scores == [4, 3, 3]  # what lies beyond the line is not triggered
    assert over.result is not None and over.result.reason == "line_crossed"
    assert "line_crossed_backwards" in [event["key"] for event in told(play(table("2:W,3:bygrp,16:K"), "roll"), "W3")]
    still = play(table("2:W,3:bygrp,16:K"), "roll", "W1")
    assert still.actor == 1 and field(still, "camels") == "1:W,3:bygrp,16:K"


def test_C2_25_camels_beyond_the_line_are_not_joined():
    assert camels_after("2:Wb,3:ygrp,16:K", "W2") == "0:Wb,3:ygrp,16:K"


def test_C2_26_a_racing_camel_carried_back_over_the_line_is_last():
    state = table("1:b,2:Wrp,5:yg,16:K", tickets="-/-/-/-/2", cards=("1lr", "2lb", "2wg"), pounds="9,9,9")
    over = play(state, "roll", "W3")
    events = told(play(state, "roll"), "W3")
    assert {"key": "leg_over", "leg": 1, "first": "green", "second": "yellow"} in events
    assert {"key": "race_over", "first": "green", "last": "red"} in events
    assert over.scores == [10, 9 + 8, 9 - 1 - 1 + 8]


def test_C2_26_in_the_last_leg_too_they_are_behind_all_others():
    state = table("2:Wygrp,4:b,16:K", tickets="0/1/-/-/1", pounds="3,3,3")
    events = told(play(state, "roll"), "W3")
    assert {"key": "leg_over", "leg": 1, "first": "blue", "second": "purple"} in events
    assert {"key": "race_over", "first": "blue", "last": "yellow"} in events


def test_C2_26_if_all_five_were_carried_the_topmost_wins():
    events = told(play(table("2:Wbygrp,16:K"), "roll"), "W2")
    assert {"key": "race_over", "first": "purple", "last": "blue"} in events
    events = told(play(table("1:KrWbygp"), "roll"), "K1")
    assert {"key": "race_over", "first": "purple", "last": "red"} in events


def test_C2_27_the_leg_is_scored_once_then_both_piles():
    state = table("1:by,3:g,5:WK,16:rp", dice="b1.y1.g1.p1", tickets="-/-/-/-/1", cards=("2lb", "2wp", "1wp"))
    over = play(state, "roll", "r1")
    assert over.scores == [3 + 5, 3 + 5 + 5, 3 + 8 + 8]


def test_C2_27_winner_and_loser_are_racing_camels_whoever_crossed():
    events = told(play(table("1:Wb,2:y,3:g,16:rpK"), "roll"), "r1")
    assert {"key": "race_over", "first": "purple", "last": "blue"} in events
    events = told(play(table("1:KW,2:by,3:g,9:rp"), "roll"), "K2")
    assert {"key": "race_over", "first": "purple", "last": "blue"} in events


def test_C2_27_example_green_wins_and_purple_loses():
    state = table(
        "2:p,3:b,5:ry,7:WK,16:g", players=4, pounds="9,9,9,9", cards=("0wg", "1wg", "2wb", "1lp", "3lp", "2ly", "3wr")
    )
    assert play(state, "roll", "g3").scores == [9 + 1 + 8, 9 + 5 + 8, 9 - 1 - 1, 9 + 5 - 1]


def test_C2_27_a_tie_is_a_shared_victory():
    over = play(table("1:by,3:g,5:WK,16:rp", pounds="8,9,2"), "roll", "r1")
    assert over.result == sarai.Result([9, 9, 2], [1, 1, 3], [0.5, 0.5, 0.0], "line_crossed")


# --- six or more players ---------------------------------------------------------------------------------------------


def test_C2_28_every_partnership_card_is_available_at_the_start_of_a_leg():
    state = play(GAME.start(6), "b1", "y2", "g3", "r1", "place 1", "p2", "place 1", "W1", "K2")
    assert state.view(None).to_json()["partners"] == [None] * 6
    assert [GAME.move_text(state, move) for move in state.legal()][-5:] == [
        f"partner {seat}" for seat in (1, 2, 3, 4, 5)
    ]


def test_C2_29_two_available_players_become_partners_for_the_leg():
    state = play(table(players=6), "partner 4")
    assert field(state, "partners") == "4,-,-,-,0,-" and state.actor == 1
    assert refusal(state, "partner 0") == refusal(state, "partner 4") == "partner_not_available"
    assert refusal(state, "partner 1") == "partner_is_self"
    assert refusal(state, "partner 7") == "no_such_partner"
    bound = table(players=6, partners="4,-,-,-,0,-", turn=4)
    assert refusal(bound, "partner 1") == "partner_bound"
    assert told(table(players=6), "partner 4") == [{"key": "became_partners", "seat": 0, "partner": 4}]


def leg_end(
    partners: str = "1,0,-,-,-,-",
    tickets: str = "-/-/-/-/-",
    pyramid: str = "0,0,4,0,0,0",
    pounds: str = "3,3,3,3,3,3",
    turn: int = 3,
) -> list[int]:
    """Return the pounds after a leg that red leads and purple is second in; the last pyramid ticket is the turn's."""
    state = table(
        "4:byg,8:pr,14:W,16:K",
        dice="b1.y1.r1.p1",
        players=6,
        partners=partners,
        tickets=tickets,
        pyramid=pyramid,
        pounds=pounds,
        turn=turn,
        moves=101,
    )
    return play(state, "roll", "g1").scores


def test_C2_30_each_partner_adds_the_best_ticket_of_the_other():
    assert leg_end(tickets="-/-/-/001/1") == [3 + 8 + 2, 3 + 3 + 5, 7, 4, 3, 3]
    assert leg_end(tickets="-/-/-/001/1", partners="-,-,-,-,-,-") == [3 + 8, 3 + 3, 7, 4, 3, 3]


def test_C2_30_a_pyramid_ticket_counts_and_none_is_added_if_none_pays():
    assert leg_end(tickets="0/1/-/-/-", pyramid="2,0,2,0,0,0") == [3 - 1 + 2, 3 - 1 + 1, 5, 4, 3, 3]
    assert leg_end(tickets="0/1/-/-/-") == [2, 2, 7, 4, 3, 3]


def test_C2_30_the_floor_applies_to_the_whole_sum():
    assert leg_end(tickets="000/00/-/1/-", pounds="0,0,0,0,0,0")[0] == 0
    assert leg_end(tickets="000/0/-/1/-", pounds="0,0,0,0,0,0")[:2] == [5 - 4, 5]


def test_C2_30_it_holds_in_the_last_leg():
    state = table("1:by,3:g,5:WK,16:rp", players=6, tickets="-/-/-/-/1", partners="1,0,-,-,-,-")
    over = play(state, "roll", "r1")
    assert over.scores == [3 + 1 + 5, 3 + 5 + 1, 3, 3, 3, 3]


def test_C2_31_after_scoring_the_cards_go_back():
    state = table("4:byg,8:pr,14:W,16:K", dice="b1.y1.r1.p1", players=6, partners="1,0,-,4,3,-")
    after = play(state, "roll", "g1")
    assert field(after, "partners") == "-,-,-,-,-,-"
    assert play(after, "partner 0").actor == 2


def test_C2_32_no_partnerships_with_fewer_than_six():
    assert refusal(table(players=5), "partner 1") == "no_partnerships"
    assert table(players=5).view(None).to_json()["partners"] is None


def test_C2_33_the_option_money_changes_nothing_but_the_page():
    hidden = GAME.start(6, {"money": "hidden"})
    assert "money=hidden" in hidden.text() and hidden.view(0).to_json()["pounds"] == [3] * 6
    assert GAME.start(6).options == {"money": "open", "partnerships": "auto"}


def test_C2_34_partnerships_can_be_off():
    state = table(players=8, partnerships="off")
    assert refusal(state, "partner 1") == "no_partnerships" and "partner" not in kinds(state)
    assert "partnerships=off" in GAME.start(8, {"partnerships": "off"}).text()
    with pytest.raises(sarai.BadStart):
        GAME.start(8, {"partnerships": "on"})
