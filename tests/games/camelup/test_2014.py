"""Camel Up, first edition: every clause of RULES.md, and the examples of the book."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

import sarai
from sarai import CHANCE, OVER

GAME = sarai.game("camelup-2014")
CAMELS = "1:b,2:g,3:oyw"


def table(
    camels: str = CAMELS, players: int = 3, cards: tuple[str, ...] = (), dice: str = "-", **given: Any
) -> sarai.State:
    """Return a position: seat 0 has the pyramid tiles of the dice; cards were laid with all camels on space 1."""
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
        "cards": ",".join(f"{card}:1bgoyw:-" for card in cards) or "-",
    }
    assert set(given) <= set(fields)
    return GAME.parse(
        " ".join([GAME.id, f"players={players}", *(f"{name}={value}" for name, value in (fields | given).items())])
    )


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


def camels_after(state: sarai.State, outcome: str) -> str:
    """Return the stacks after a die comes out."""
    return field(play(state, "roll", outcome), "camels")


# --- what is on the table --------------------------------------------------------------------------------------------


def test_C1_01_sixteen_spaces_and_then_the_finish_line():
    on_the_last_space = play(table("1:b,2:g,15:oyw"), "roll", "o1")
    assert field(on_the_last_space, "camels") == "1:b,2:g,16:oyw" and on_the_last_space.result is None
    across = play(table("1:b,2:g,16:oyw"), "roll", "o1")
    assert field(across, "camels") == "1:b,2:g,17:oyw" and across.actor == OVER


def test_C1_02_five_camels_each_with_a_die_of_one_two_and_three():
    view = table().view(None).to_json()
    assert view["dice_left"] == ["blue", "green", "orange", "yellow", "white"]
    assert sorted(camel for stack in view["camels"] for camel in stack["camels"]) == [
        "blue",
        "green",
        "orange",
        "white",
        "yellow",
    ]
    rolling = play(table(), "roll")
    assert [GAME.move_text(rolling, outcome) for outcome, _ in rolling.chance()] == [
        f"{die}{number}" for die in "bgoyw" for number in (1, 2, 3)
    ]
    assert {share for _, share in rolling.chance()} == {Fraction(1, 15)}


def test_C1_03_three_betting_tiles_a_camel_and_five_pyramid_tiles():
    tickets = table().view(None).to_json()["tickets"]
    assert tickets == {
        camel: [{"worth": worth, "owner": None} for worth in (5, 3, 2)]
        for camel in ("blue", "green", "orange", "yellow", "white")
    }
    state = play(table("1:bgoyw"), "roll", "b1", "roll", "g1", "roll", "o1", "roll", "y1")
    assert sum(state.view(None).to_json()["pyramid_tickets"]) == 4 and field(state, "leg") == "1"
    assert field(play(state, "roll", "w1"), "leg") == "2"


def test_C1_04_three_pounds_five_race_cards_and_a_desert_tile():
    state = GAME.start(4)
    assert state.scores == [3, 3, 3, 3]
    view = state.view(2).to_json()
    assert (
        view["hand"] == ["blue", "green", "orange", "yellow", "white"]
        and view["cards_left"] == [5, 5, 5, 5]
        and view["tiles"] == [None] * 4
    )


def test_C1_05_every_camel_starts_where_its_die_shows():
    state = GAME.start(2)
    for camel in "bgoyw":
        assert [GAME.move_text(state, outcome) for outcome, _ in state.chance()] == [
            f"{camel}1",
            f"{camel}2",
            f"{camel}3",
        ]
        assert {share for _, share in state.chance()} == {Fraction(1, 3)}
        state = play(state, f"{camel}{'bgoyw'.index(camel) % 3 + 1}")
        if field(state, "phase") == "stack":
            state = play(state, "place 2")
    assert field(state, "camels") == "1:by,2:gw,3:o" and state.actor == 0


def test_C1_05_every_order_of_a_stack_is_equally_likely():
    orders: Counter[str] = Counter()

    def follow(state: sarai.State, weight: Fraction) -> None:
        if state.actor != CHANCE:
            orders[field(state, "camels")] += weight
            return
        for outcome, share in state.chance():
            if field(state, "phase") == "stack":
                follow(state.play(outcome), weight * share)
            elif GAME.move_text(state, outcome).endswith("2"):
                follow(state.play(outcome), weight)

    follow(GAME.start(2), Fraction(1))
    assert len(orders) == 120 and set(orders.values()) == {Fraction(1, 120)}


def test_C1_05_example_two_stacks_on_spaces_one_and_three():
    state = play(GAME.start(2), "b3", "g1", "o1", "place 1", "y1", "place 2", "w3", "place 2")
    assert field(state, "camels") == "1:oyg,3:bw"


def test_C1_06_seat_0_starts():
    state = play(GAME.start(5), "b1", "g2", "o3", "y1", "place 1", "w2", "place 1")
    assert state.actor == 0 and state.to_act == (0,) and field(state, "start") == "0"


# --- a turn ----------------------------------------------------------------------------------------------------------


def test_C1_07_each_player_does_one_thing_in_clockwise_order():
    state = play(table(turn=1), "bet b")
    assert state.actor == 2
    state = play(state, "tile 9+")
    assert state.actor == 0
    state = play(state, "win w")
    assert state.actor == 1
    state = play(state, "roll", "g1")
    assert state.actor == 2


def test_C1_07_there_is_no_passing():
    state = table(tickets="000/000/000/000/000", cards=("0wb", "0wg", "0wo", "0wy", "0ww"))
    assert {GAME.move_text(state, move).split()[0] for move in state.legal()} == {"tile", "roll"}
    with pytest.raises(sarai.BadText):
        GAME.parse_move(state, "pass")


def test_C1_08_take_the_top_betting_tile_as_often_as_you_like():
    state = play(table(players=2), "bet g", "bet b", "bet green", "roll", "b1", "bet g")
    assert field(state, "tickets") == "1/000/-/-/-"
    assert [ticket["owner"] for ticket in state.view(None).to_json()["tickets"]["green"]] == [0, 0, 0]
    assert told(table(tickets="-/12/-/-/-"), "bet g") == [
        {"key": "took_ticket", "seat": 0, "camel": "green", "worth": 2}
    ]


def test_C1_09_an_empty_stack_cannot_be_bet_on():
    assert refusal(table(tickets="-/012/-/-/-"), "bet g") == "betting_stack_empty"
    assert play(table(tickets="-/01/-/-/-"), "bet g").actor == 1


def test_C1_10_the_desert_tile_lies_on_an_empty_space_away_from_other_tiles():
    state = table(tiles="-,7-,-")
    assert refusal(state, "tile 3+") == "tile_on_camel"
    assert refusal(state, "tile 7+") == "tile_on_tile"
    assert refusal(state, "tile 6-") == "tile_next_to_tile"
    assert refusal(state, "tile 8-") == "tile_next_to_tile"
    with pytest.raises(sarai.BadText) as never:  # there is no such move at all
        GAME.parse_move(state, "tile 1+")
    assert never.value.key == "no_tile_on_first_space"
    tiles = [GAME.move_text(state, move) for move in state.legal() if GAME.move_text(state, move).startswith("tile")]
    assert tiles == [f"tile {space}{side}" for space in (4, 5, 9, 10, 11, 12, 13, 14, 15, 16) for side in "+-"]
    assert field(play(state, "tile 5+"), "tiles") == "5+,7-,-"


def test_C1_11_a_tile_on_the_track_may_move_to_another_space_and_is_lifted_first():
    state = table(tiles="7+,12-,-")
    assert field(play(state, "tile 8+"), "tiles") == "8+,12-,-"
    assert field(play(state, "tile 6-"), "tiles") == "6-,12-,-"
    assert refusal(state, "tile 7+") == refusal(state, "tile 7-") == "tile_stays_in_place"
    assert refusal(state, "tile 11+") == "tile_next_to_tile"
    assert told(state, "tile 9-") == [{"key": "moved_tile", "seat": 0, "origin": 7, "space": 9, "side": "mirage"}]


def test_C1_12_the_side_is_chosen_anew():
    state = play(table(players=2, camels="1:bgoyw"), "tile 5 oasis", "roll", "b1", "tile 6 mirage")
    assert field(state, "tiles") == "6-,-"
    assert told(table(), "tile 5+") == [{"key": "laid_tile", "seat": 0, "space": 5, "side": "oasis"}]


def test_C1_13_a_pyramid_tile_brings_out_any_die_left():
    rolling = play(table(dice="b2.y1"), "roll")
    assert rolling.actor == CHANCE and field(rolling, "pyramid") == "3,0,0"
    assert {GAME.move_text(rolling, outcome): share for outcome, share in rolling.chance()} == {
        f"{die}{number}": Fraction(1, 9) for die in "gow" for number in (1, 2, 3)
    }
    assert field(play(rolling, "g3"), "camels") == "1:b,3:oyw,5:g"
    with pytest.raises(sarai.Illegal) as caught:
        play(rolling, "b1")
    assert caught.value.key == "impossible_outcome"


# --- movement --------------------------------------------------------------------------------------------------------


def test_C1_14_a_camel_carries_all_above_it_and_leaves_those_below():
    assert camels_after(table("1:b,2:g,3:oyw"), "y3") == "1:b,2:g,3:o,6:yw"
    assert told(play(table(), "roll"), "y3")[1] == {
        "key": "unit_moved",
        "camel": "yellow",
        "unit": ["yellow", "white"],
        "origin": 3,
        "space": 6,
    }


def test_C1_14_example_orange_carries_yellow_three_spaces():
    assert camels_after(table("1:b,2:g,3:w,5:oy"), "o3") == "1:b,2:g,3:w,8:oy"


def test_C1_15_a_unit_lands_on_top():
    assert camels_after(table("1:bg,3:oyw"), "b2") == "3:oywbg"


def test_C1_15_example_white_and_green_land_on_yellow():
    assert camels_after(table("1:b,4:wg,6:y,9:o"), "w2") == "1:b,6:ywg,9:o"


def test_C1_16_an_oasis_sends_the_unit_on_and_pays_its_owner():
    state = play(table("1:b,2:gy,5:ow", tiles="-,4+,-"), "roll", "g2")
    assert field(state, "camels") == "1:b,5:owgy" and state.scores == [3, 4, 3]
    assert field(state, "tiles") == "-,4+,-"
    assert [event["key"] for event in told(play(table("1:b,2:gy,5:ow", tiles="-,4+,-"), "roll"), "g2")] == [
        "die_came_out",
        "unit_moved",
        "tile_paid",
        "unit_sent_on",
    ]


def test_C1_16_mirage_slides_the_unit_under():
    state = play(table("2:bg,4:oyw", tiles="-,-,5-"), "roll", "b3")
    assert field(state, "camels") == "4:bgoyw" and state.scores == [3, 3, 4]
    assert field(state, "tiles") == "-,-,5-"
    assert told(play(table("2:bg,4:oyw", tiles="-,-,5-"), "roll"), "b3")[-1] == {
        "key": "unit_sent_back",
        "camel": "blue",
        "unit": ["blue", "green"],
        "space": 4,
    }


def test_C1_16_mirage_slides_the_unit_under_the_camels_it_left_behind():
    assert camels_after(table("1:b,4:goyw", tiles="5-,-,-"), "y1") == "1:b,4:ywgo"


def test_C1_17_further_is_ahead_and_in_a_stack_the_higher():
    over = told(play(table("4:bg,6:oy,9:w", dice="g1.o1.y1.w1"), "roll"), "b1")
    assert {"key": "leg_over", "leg": 1, "first": "white", "second": "yellow"} in over
    over = told(play(table("4:bg,9:oyw", dice="g1.o1.y1.w1"), "roll"), "b3")
    assert {"key": "leg_over", "leg": 1, "first": "white", "second": "yellow"} in over
    over = told(play(table("4:b,9:g,10:oyw", dice="b1.o1.y1.w1"), "roll"), "g1")
    assert {"key": "leg_over", "leg": 1, "first": "green", "second": "white"} in over


def test_C1_18_the_dice_that_came_out_stay_visible():
    view = play(table(), "roll", "g2", "roll", "w3").view(None).to_json()
    assert view["dice"] == [
        {"die": "green", "camel": "green", "number": 2},
        {"die": "white", "camel": "white", "number": 3},
    ]
    assert view["dice_left"] == ["blue", "orange", "yellow"]


# --- race bets -------------------------------------------------------------------------------------------------------


def test_C1_19_a_race_card_goes_on_a_pile_and_stays_there():
    state = play(table(players=2), "win g", "lose w", "win b", "win g")
    cards = state.view(None).to_json()["cards"]
    assert [(card["seat"], card["pile"]) for card in cards] == [
        (0, "winner"),
        (1, "loser"),
        (0, "winner"),
        (1, "winner"),
    ]
    assert field(state, "cards").count(":1b.2g.3oyw:-") == 4
    assert refusal(state, "win g") == refusal(state, "lose g") == "race_card_laid"
    later = play(state, "roll", "b1", "roll", "g1", "roll", "o1", "roll", "y1", "roll", "w1")
    assert field(later, "cards") == field(state, "cards") and refusal(play(later, "bet b"), "win g") == "race_card_laid"


def test_C1_20_only_its_owner_knows_which_camel_a_laid_card_shows():
    state = table(cards=("1wg", "2lb"))
    assert [card["camel"] for card in state.view(1).to_json()["cards"]] == ["green", None]
    assert [card["camel"] for card in state.view(0).to_json()["cards"]] == [None, None]
    assert [card["camel"] for card in state.view(None).to_json()["cards"]] == [None, None]
    assert state.view(0) == table(cards=("1ww", "2ly")).view(0)
    assert state.view(1) != table(cards=("1ww", "2ly")).view(1)
    assert told(table(), "win g", 0) == [{"key": "laid_card", "seat": 0, "pile": "winner", "camel": "green"}]
    assert (
        told(table(), "win g", 1)
        == told(table(), "win b", None)
        == [{"key": "laid_card_hidden", "seat": 0, "pile": "winner"}]
    )


def test_C1_20_all_race_cards_are_known_when_the_game_is_over():
    over = play(table("1:b,2:g,16:oyw", cards=("1wg", "2lb")), "roll", "o1")
    assert [card["camel"] for card in over.view(0).to_json()["cards"]] == ["green", "blue"]


def test_C1_20_a_view_remembers_what_the_track_was_like_when_a_card_was_laid():
    card = play(table(dice="b1"), "win g", "roll", "w3").view(2).to_json()["cards"][0]
    assert card["camels"] == [
        {"space": 1, "camels": ["blue"]},
        {"space": 2, "camels": ["green"]},
        {"space": 3, "camels": ["orange", "yellow", "white"]},
    ]
    assert card["dice_out"] == ["blue"]


def test_C1_21_without_race_cards_there_is_no_race_bet():
    state = table(cards=("0wb", "0lg", "0wo", "0wy", "0ww"))
    assert refusal(state, "win b") == refusal(state, "lose y") == "no_race_card_left"
    assert state.view(1).to_json()["cards_left"] == [0, 5, 5]


# --- the end of a leg ------------------------------------------------------------------------------------------------


def test_C1_22_the_leg_ends_when_the_fifth_die_has_moved_and_before_the_next_turn():
    state = table("4:b,5:g,6:oyw", dice="b1.g1.o1.y1", tickets="1/-/-/-/-")
    rolling = play(state, "roll")
    assert field(rolling, "leg") == "1" and state.scores == rolling.scores == [3, 3, 3]
    after = play(rolling, "w1")
    assert field(after, "leg") == "2" and after.scores == [8, 2, 3] and after.actor == 1


def test_C1_23_the_start_marker_goes_to_the_left_of_who_took_the_last_pyramid_tile():
    state = play(table("4:b,5:g,6:oyw", dice="b1.g1.o1.y1", turn=2, moves=101), "roll", "w1")
    assert state.actor == 0 and field(state, "start") == "0"
    state = play(table("4:b,5:g,6:oyw", dice="b1.g1.o1.y1", turn=1), "roll", "w1")
    assert state.actor == 2 and field(state, "start") == "2"
    assert state.view(None).to_json()["start_player"] == 2


def test_C1_24_the_leading_camel_pays_the_number_the_second_1_others_cost_1():
    state = table("4:b,5:g,6:oyw", dice="b1.g1.o1.y1", tickets="0/12/-/012/210", pounds="9,9,9")
    after = play(state, "roll", "w1")  # white leads, yellow is second
    assert after.scores == [9 - 1 + 1 + 2 + 5, 9 - 1 + 1 + 3, 9 - 1 + 1 + 5]
    assert [event for event in told(play(state, "roll"), "w1") if event["key"] == "leg_paid"] == [
        {"key": "leg_paid", "seat": 0, "bets": 2, "pyramid": 5, "shared": 0, "change": 7, "total": 16},
        {"key": "leg_paid", "seat": 1, "bets": 3, "pyramid": 0, "shared": 0, "change": 3, "total": 12},
        {"key": "leg_paid", "seat": 2, "bets": 5, "pyramid": 0, "shared": 0, "change": 5, "total": 14},
    ]


def test_C1_24_example_nine_pounds_in_all():
    state = table(
        "4:b,5:w,6:o,8:yg", dice="g1.y1.o1.w1", tickets="0/010/-/0/-", pyramid="1,1,1,1", players=4, pounds="0,9,9,9"
    )
    after = play(state, "roll", "b1")  # seat 0 has green 5, green 2, yellow, blue, and takes its second pyramid tile
    assert after.scores[0] == 5 + 2 + 1 - 1 + 2 == 9


def test_C1_25_nobody_goes_below_nothing_and_the_sum_counts():
    state = table("4:b,5:g,6:oyw", dice="b1.g1.o1.y1", tickets="111/12/1/2/-", pounds="0,3,0")
    after = play(state, "roll", "w1")
    assert after.scores == [5, 0, 0]  # seat 1: −5 of 3; seat 2: +1 for yellow, −1 for green
    events = told(play(state, "roll"), "w1")
    assert {"key": "leg_paid", "seat": 1, "bets": -5, "pyramid": 0, "shared": 0, "change": -3, "total": 0} in events


def test_C1_26_tiles_and_dice_return():
    after = play(table("4:b,5:g,6:oyw", dice="b1.g1.o1.y1", tickets="111/12/1/2/-", tiles="12+,14-,-"), "roll", "w1")
    assert [field(after, name) for name in ("dice", "tiles", "tickets", "pyramid")] == [
        "-",
        "-,-,-",
        "-/-/-/-/-",
        "0,0,0",
    ]
    assert field(after, "camels") == "4:b,5:g,6:oy,7:w"
    assert len(play(after, "roll").chance()) == 15


# --- the end of the game ---------------------------------------------------------------------------------------------


def test_C1_27_the_game_ends_at_once_when_a_unit_crosses_the_line():
    over = play(table("1:b,2:g,15:oyw"), "roll", "y2")
    assert over.actor == OVER and over.result is not None and over.result.reason == "line_crossed"
    assert field(over, "camels") == "1:b,2:g,15:o,17:yw"
    assert "line_crossed" in [event["key"] for event in told(play(table("1:b,2:g,15:oyw"), "roll"), "y2")]
    with pytest.raises(sarai.Illegal) as caught:
        over.play(0, 1)
    assert caught.value.key == "game_over"


def test_C1_27_an_oasis_on_16_takes_a_unit_over_the_line_and_pays_first():
    over = play(table("1:b,2:g,14:oyw", tiles="-,16+,-"), "roll", "o2")
    assert over.actor == OVER and field(over, "camels") == "1:b,2:g,17:oyw" and over.scores == [4, 4, 3]


def test_C1_27_a_mirage_on_16_sends_the_unit_back_to_15():
    state = play(table("1:b,2:g,14:oyw", tiles="-,16-,-"), "roll", "o2")
    assert state.actor == 1 and field(state, "camels") == "1:b,2:g,15:oyw" and state.scores == [3, 4, 3]


def test_C1_27_nothing_beyond_the_line_plays_a_part():
    over = play(table("1:b,3:g,16:oyw", tiles="-,2+,-"), "roll", "o2")
    assert field(over, "camels") == "1:b,3:g,18:oyw" and over.scores == [4, 3, 3]
    over = play(table("1:b,3:g,16:oyw"), "roll", "o3")
    assert field(over, "camels") == "1:b,3:g,19:oyw"


def test_C1_28_the_leg_is_scored_once_then_the_winner_pile_then_the_loser_pile():
    state = table("1:bg,3:o,16:yw", dice="b1.g1.o1.w1", tickets="-/-/-/-/1", cards=("2lb", "2ww"))
    over = play(state, "roll", "y1")
    assert over.scores == [3 + 5, 3 + 5, 3 + 8 + 8]  # the fifth pyramid tile too pays once
    keys = [
        (event["key"], event.get("pile"))
        for event in told(play(state, "roll"), "y1")
        if event["key"] in ("leg_over", "race_over", "card_shown")
    ]
    assert keys == [("leg_over", None), ("race_over", None), ("card_shown", "winner"), ("card_shown", "loser")]


def test_C1_28_the_winner_is_the_top_of_the_unit_and_the_loser_the_lowest_of_the_last():
    events = told(play(table("2:gb,3:o,16:yw"), "roll"), "y1")
    assert {"key": "race_over", "first": "white", "last": "green"} in events


def test_C1_29_right_cards_pay_8_5_3_2_and_then_1_wrong_ones_cost_1():
    state = table(
        "1:bg,3:o,16:yw",
        players=8,
        pyramid="0,0,0,0,0,0,0,0",
        cards=("7ww", "6wy", "5ww", "4ww", "3ww", "2ww", "1ww", "6lo"),
    )
    over = play(state, "roll", "y1")
    assert over.scores == [4, 3 + 1, 3 + 1, 3 + 2, 3 + 3, 3 + 5, 3 - 1 - 1, 3 + 8]


def test_C1_29_what_cannot_be_paid_is_forgiven_card_by_card():
    wrong_first = table("1:bg,3:o,16:yw", pounds="3,0,0", cards=("1wb", "1ww", "2ww", "2wb"))
    assert play(wrong_first, "roll", "y1").scores == [4, 8, 5 - 1]


def test_C1_29_example_green_wins_and_white_loses():
    state = table(
        "2:w,3:b,5:oy,16:g", players=4, pounds="9,9,9,9", cards=("0wg", "1wg", "2wb", "1lw", "3lw", "2ly", "3wo")
    )
    over = play(state, "roll", "g3")
    assert over.scores == [9 + 1 + 8, 9 + 5 + 8, 9 - 1 - 1, 9 + 5 - 1]


def test_C1_30_most_money_wins_and_a_tie_is_shared():
    over = play(table("1:bg,3:o,16:yw", pounds="4,9,9"), "roll", "y1")
    assert over.result == sarai.Result([5, 9, 9], [3, 1, 1], [0.0, 0.5, 0.5], "line_crossed")
    over = play(table("1:bg,3:o,16:yw", pounds="9,9,2"), "roll", "y1")
    assert over.result == sarai.Result([10, 9, 2], [1, 2, 3], [1.0, 0.0, 0.0], "line_crossed")


# --- beyond the clauses ----------------------------------------------------------------------------------------------


def test_the_option_money_changes_nothing_but_the_page():
    hidden = GAME.start(3, {"money": "hidden"})
    assert "money=hidden" in hidden.text() and GAME.parse(hidden.text()) == hidden
    assert hidden.view(0).to_json()["pounds"] == [3, 3, 3]
    with pytest.raises(sarai.BadStart):
        GAME.start(3, {"money": "secret"})


@pytest.mark.parametrize("move", ["bet w", "roll"])
def test_at_the_move_limit_the_race_is_scored_as_it_stands(move: str):
    state = table("1:bg,3:o,8:yw", turn=1, moves=9_999, tickets="-/-/-/-/2", cards=("0ww", "0lb"), pounds="3,3,3")
    over = play(state, move)
    assert over.result is not None and over.result.reason == "move_limit"
    assert over.scores == [3 + 8 + 8, 3 + (3 if move == "bet w" else 1), 3 + 5]
    assert GAME.parse(over.text()) == over


def test_two_to_eight_players():
    assert list(GAME.players) == [2, 3, 4, 5, 6, 7, 8]
    with pytest.raises(sarai.BadStart):
        GAME.start(9)
    assert not any(
        GAME.move_text(table(players=8, pyramid="0,0,0,0,0,0,0,0"), move).startswith("partner")
        for move in range(GAME.num_actions)
    )
