"""Anubixx, clause by clause (its RULES.md), and the printed examples.

Most tests rely on these colours. Sheet A: pyramid from the bottom GRVYO, BORG, YBV, VO, B; arch from the bottom left
VROGV, right ORGYB, keystone Y; relief YBVB, RRYG, VOGO; quarry RVBOYGVBRGOY. Every next sheet has each colour one step
further: R → O → Y → G → B → V → R.
"""

from collections import Counter
from fractions import Fraction

import pytest

import sarai

GAME = sarai.game("anubixx")
PRINT = GAME.start(2).view(None).to_json()["print"]
FULL_PYRAMID = "xxxxx.xxxx.xxx.xx.x"
FULL_RELIEF = "xxxx.xxxx.xxxx"


def rows(text: str, widths: tuple[int, ...]) -> str:
    """Fill up the rows that a short text leaves out."""
    given = text.split(".") if text else []
    whole = ".".join((given[i] if i < len(given) else "").ljust(width, "-") for i, width in enumerate(widths))
    return whole if "x" in whole else "-"


def symbols_of(pyramid: str, arch: str, relief: str) -> set[str]:
    """Return the symbols whose stones are all marked."""
    marked = {
        f"p{i}.{j}" for i, row in enumerate(pyramid.split("."), 1) for j, stone in enumerate(row, 1) if stone == "x"
    }
    marked |= {
        f"f{i}.{j}" for i, row in enumerate(relief.split("."), 1) for j, stone in enumerate(row, 1) if stone == "x"
    }
    marked |= {
        f"a{side}{level}" for side, height in zip("lr", arch, strict=False) for level in range(1, int(height) + 1)
    }
    return {symbol for symbol, stones in PRINT["symbols"].items() if set(stones) <= marked}


def position(players=3, active=0, turn=None, dice="rgbb", ending="", rounds=20, **given) -> sarai.State:
    """Return a position in which a seat is to build, from values by seat; the bonuses of its symbols are closed."""
    over, turn = bool(ending), active if turn is None else turn

    def by_seat(name: str, default: str, between: str = "/") -> str:
        return between.join(str(given.get(name, {}).get(seat, default)) for seat in range(players))

    sheets = given.get("sheets", "ABCDE")[:players]
    pyramids = [rows(given.get("pyramids", {}).get(seat, ""), (5, 4, 3, 2, 1)) for seat in range(players)]
    arches = [given.get("arches", {}).get(seat, "00") for seat in range(players)]
    reliefs = [rows(given.get("reliefs", {}).get(seat, ""), (4, 4, 4)) for seat in range(players)]
    names = list(PRINT["symbols"])
    won = given.get("bonuses") or {
        seat: ".".join(sorted(symbols_of(pyramids[seat], arches[seat], reliefs[seat]), key=names.index))
        for seat in range(players)
    }
    closed = given.get("closed") or ".".join(
        sorted(
            {name for names in won.values() for name in names.split(".") if name not in ("", "end")}, key=names.index
        )
    )
    marked = given.get("marked", 0)
    fields = {
        "players": players,
        "rules_version": given.get("rules_version", GAME.rules_version),
        "phase": "over" if over else "build",
        "ending": ending,
        "moves": given.get("moves", 100),
        "round": rounds * players + 1 + active,
        "idle": given.get("idle", 0),
        "turn": turn,
        "marked": marked,
        "built": given.get("built", int(turn != active or marked > 0)),
        "dice": "-" if over else "".join(sorted(dice, key="roygbv".index)),
        "gone": given.get("gone", "-"),
        "taken": given.get("taken", "-"),
        "closed": closed or "-",
        "sheets": "/".join(sheets),
        "pyramids": "/".join(pyramids),
        "arches": "/".join(arches),
        "reliefs": "/".join(reliefs),
        "quarries": by_seat("quarries", "-"),
        "jokers": by_seat("jokers", str(players)),
        "bonuses": "/".join(won.get(seat, "-") or "-" for seat in range(players)),
    }
    left_out = ("turn", "marked", "built", "gone", "taken") if over else ("ending",)
    return GAME.parse(
        "anubixx " + " ".join(f"{name}={value}" for name, value in fields.items() if name not in left_out)
    )


def play(state: sarai.State, *texts: str) -> sarai.State:
    """Play moves, or chance's outcomes, in notation."""
    for text in texts:
        state = state.play(GAME.parse_move(state, text))
    return state


def refusal(state: sarai.State, text: str) -> str:
    """Return the reason why a move is refused; it must not be listed either."""
    move = GAME.parse_move(state, text)
    assert move not in state.legal()
    with pytest.raises(sarai.Illegal) as caught:
        state.play(move)
    assert str(caught.value)
    return caught.value.key


def legal(state: sarai.State) -> list[str]:
    return [GAME.move_text(state, move) for move in state.legal()]


def events(state: sarai.State, text: str, observer: int | None = None) -> list[tuple[str, dict[str, object]]]:
    return [(event.key, event.args) for event in GAME.events(state, GAME.parse_move(state, text), observer)]


def told(state: sarai.State, text: str, key: str) -> list[dict[str, object]]:
    """Return the arguments of the events of one kind that all seats see."""
    return [args for found, args in events(state, text) if found == key]


def seat(state: sarai.State, number: int) -> dict:
    return state.view(None).to_json()["seats"][number]


def dice(state: sarai.State, place: str = "middle") -> str:
    return "".join(colour[0] for colour in state.view(None).to_json()["dice"][place])


def points(state: sarai.State, number: int = 0) -> dict[str, int]:
    return seat(state, number)["points"]


def dealt(players: int = 3, sheets: str = "ABCDE", rules_version: int | None = None) -> sarai.State:
    return play(GAME.start(players, rules_version=rules_version), *sheets[:players])


# --- sheet and dice ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "count"), [(2, 3), (3, 4), (4, 4), (5, 4)])
def test_A_01_four_dice_of_six_colours_and_three_with_two_players(players, count):
    state = dealt(players)
    for _ in range(count):
        assert state.chance() == [(colour, Fraction(1, 6)) for colour in range(6)]
        state = play(state, "red")
    assert state.actor == 0
    assert dice(state) == "r" * count
    assert [GAME.move_text(dealt(), colour) for colour in range(6)] == list("roygbv")


def test_A_02_chance_deals_six_different_sheets():
    state = GAME.start(5)
    for left, sheet in enumerate("FBDAC"):
        assert [share for _, share in state.chance()] == [Fraction(1, 6 - left)] * (6 - left)
        assert sheet in [GAME.move_text(state, outcome) for outcome, _ in state.chance()]
        state = play(state, sheet)
    with pytest.raises(sarai.Illegal) as caught:
        play(GAME.start(5), "F", "B", "F")
    assert caught.value.key == "impossible_outcome"
    assert [seat(state, number)["sheet"] for number in range(5)] == list("FBDAC")
    printed = state.view(None).to_json()["print"]
    assert len({tuple(stones.values()) for stones in printed["stones"].values()}) == 5
    assert len({tuple(stones) for stones in printed["stones"].values()}) == 1


@pytest.mark.parametrize(
    ("pyramid", "worth"),
    [("", 0), ("--x--", 2), ("xx---.x", 5), ("xxx--.xx--.x", 9), ("xxxxx.xxxx.xx-.x", 14), (FULL_PYRAMID, 21)],
)
def test_A_03_pyramid_of_five_rows_with_points_by_level(pyramid, worth):
    assert points(position(pyramids={0: pyramid}))["pyramid"] == worth


@pytest.mark.parametrize(
    ("arch", "worth"), [("00", 0), ("11", 0), ("22", 3), ("33", 6), ("44", 10), ("55", 14), ("55k", 18)]
)
def test_A_04_arch_of_two_columns_and_a_keystone_with_points_by_level(arch, worth):
    assert points(position(arches={0: arch}))["arch"] == worth


@pytest.mark.parametrize(
    ("relief", "worth"),
    [("", 0), ("xx", 0), ("xxxx", 4), ("xxxx.xx", 6), ("xxxx.xxxx", 8), ("xxxx.xxxx.xx", 11), (FULL_RELIEF, 15)],
)
def test_A_05_relief_of_three_rows_with_points_by_stones_covered(relief, worth):
    assert points(position(reliefs={0: relief}))["relief"] == worth


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_A_06_quarry_of_twelve_stones_and_as_many_jokers_as_players(players):
    state = dealt(players)
    for quarry in state.view(None).to_json()["print"]["quarries"].values():
        assert Counter(quarry) == dict.fromkeys(("red", "orange", "yellow", "green", "blue", "violet"), 2)
    assert [seat(state, number)["jokers"] for number in range(players)] == [players] * players


def test_A_07_what_the_book_says_of_points():
    scales = PRINT["points"]
    assert scales["pyramid"][5] == 21
    assert scales["arch"][1] == 0
    assert scales["relief"][2:] == [4, 6, 8, 11, 15]
    assert points(position(players=5)) == {
        "pyramid": 0,
        "arch": 0,
        "relief": 0,
        "bonuses": 0,
        "quarry": 12,
        "jokers": 10,
        "total": 22,
    }


def test_A_08_seven_symbols_at_the_same_places_and_the_end_make_eight_bonuses():
    symbols = PRINT["symbols"]
    assert {symbol: (stones[0][0], len(stones)) for symbol, stones in symbols.items()} == {
        "scarab": ("p", 1),
        "snake": ("p", 1),
        "eye": ("p", 3),
        "ankh": ("a", 1),
        "falcon": ("a", 1),
        "lotus": ("f", 1),
        "cat": ("f", 2),
    }
    won = position(
        ending="two_buildings",
        pyramids={0: FULL_PYRAMID},
        arches={0: "55k"},
        bonuses={0: "scarab.snake.eye.ankh.falcon.end"},
        closed="scarab.snake.eye.ankh.falcon",
    )
    assert points(won)["bonuses"] == 6 * 3
    assert GAME.score_bounds[1] >= 100


# --- a round ----------------------------------------------------------------------------------------------------------


def test_A_09_seat_0_is_active_first_then_clockwise_and_rolls_once():
    state = dealt(3)
    for active in (0, 1, 2, 0):
        assert state.actor == sarai.CHANCE
        assert told(state, "r", "die_rolled") == [{"seat": active, "colour": "red"}]
        state = play(state, "r", "r", "g", "b")
        assert state.actor == active
        state = play(state, "stop")
        assert state.actor == (active + 1) % 3
        state = play(state, "p1.5", "stop", "stop") if active == 1 else play(state, "stop", "stop")


def test_A_10_up_to_two_stones_and_then_the_others_clockwise():
    state = position(active=1, dice="rgbb")
    after_two = play(state, "p1.1", "p1.4")
    assert after_two.actor == 2
    assert seat(after_two, 1)["marked"] == ["p1.1", "p1.4"]
    after_one = play(state, "p1.1")
    assert after_one.actor == 1
    assert play(after_one, "stop").actor == 2
    assert play(state, "stop").actor == 2
    assert play(state, "stop", "stop").actor == 0
    assert play(state, "stop", "stop", "stop").actor == sarai.CHANCE


def test_A_11_a_die_must_be_used_if_one_fits():
    state = position(dice="rgbb")
    assert [text for text in legal(state) if text.startswith("p1.1")] == ["p1.1"]
    assert refusal(state, "p1.1q") == refusal(state, "p1.1j") == "die_must_be_used"
    assert dice(play(state, "p1.1")) == "rbb"
    assert seat(play(state, "p1.1"), 0)["crossed"] == []


def test_A_11_without_a_die_quarry_or_joker_is_the_players_choice():
    state = position(dice="rgbb")
    assert [text for text in legal(state) if text.startswith("p1.3")] == ["p1.3q", "p1.3j"]
    assert refusal(state, "p1.3") == "no_such_die"
    quarry, joker = play(state, "p1.3q"), play(state, "p1.3j")
    assert seat(quarry, 0)["crossed"] == [2] and seat(quarry, 0)["jokers"] == 3
    assert seat(joker, 0)["crossed"] == [] and seat(joker, 0)["jokers"] == 2
    assert dice(quarry) == dice(joker) == "rgbb"


def test_A_11_a_relief_pair_pays_each_stone_by_itself():
    state = position(dice="ogvv")
    assert {text for text in legal(state) if text.startswith("f1.2")} == {
        "f1.2q-1.3",
        "f1.2j-1.3",
        "f1.2q-2.2q",
        "f1.2q-2.2j",
        "f1.2j-2.2q",
        "f1.2j-2.2j",
    }
    assert refusal(state, "f1.2-1.3") == "no_such_die"
    assert refusal(state, "f1.2q-1.3j") == "die_must_be_used"


def test_A_12_a_die_serves_one_stone():
    state = play(position(dice="rgbv"), "p1.2")
    assert dice(state) == "gbv"
    assert dice(state, "gone") == "r"
    two_reds = play(position(dice="rgbv", arches={0: "10"}), "p1.2")
    assert refusal(two_reds, "al2") == "no_such_die"
    assert {"al2q", "al2j"} <= set(legal(two_reds))


def test_A_12_two_stones_of_one_colour_and_one_die_of_it():
    state = position(dice="rgbv")
    assert [text for text in legal(state) if text.startswith("f2.1") and "2.2" in text] == ["f2.1-2.2q", "f2.1-2.2j"]
    assert refusal(state, "f2.1-2.2") == "no_such_die"
    assert (
        refusal(state, "f2.1q-2.2q")
        == refusal(state, "f2.1j-2.2j")
        == refusal(state, "f2.1q-2.2j")
        == "die_must_be_used"
    )
    after = play(state, "f2.1-2.2q")
    assert dice(after) == "gbv" and seat(after, 0)["crossed"] == [1]


def test_A_12_which_of_two_like_stones_gets_the_die_does_not_matter():
    state = position(dice="rgbv")
    assert GAME.parse_move(state, "f2.1q-2.2") == GAME.parse_move(state, "f2.1-2.2q")
    first_pays_second_is_free = 78 + (1 * 3 + 0) * 17 + 3
    with pytest.raises(sarai.Illegal) as caught:
        state.play(first_pays_second_is_free)
    assert caught.value.key == "alike_stones_other_way_round"


def test_A_12_two_dice_for_two_stones_of_one_colour():
    state = position(dice="rrbv")
    assert [text for text in legal(state) if text.startswith("f2.1") and "2.2" in text] == ["f2.1-2.2"]
    assert refusal(state, "f2.1-2.2q") == "die_must_be_used"
    assert dice(play(state, "f2.1-2.2")) == "bv"


def test_A_12_no_die_for_two_stones_of_one_colour():
    state = position(dice="obbv")
    assert [text for text in legal(state) if text.startswith("f2.1") and "2.2" in text] == [
        "f2.1q-2.2q",
        "f2.1q-2.2j",
        "f2.1j-2.2j",
    ]
    assert seat(play(state, "f2.1q-2.2q"), 0)["crossed"] == [1, 9]
    one_left = position(dice="obbv", reliefs={0: "xx"}, quarries={0: "1"})
    assert refusal(one_left, "f2.1q-2.2q") == "no_such_quarry_stone"
    assert {"f2.1q-2.2j", "f2.1j-2.2j"} <= set(legal(one_left))
    one_joker = position(dice="obbv", reliefs={0: "xx"}, jokers={0: 1})
    assert refusal(one_joker, "f2.1j-2.2j") == "no_joker_left"
    assert {"f2.1q-2.2q", "f2.1q-2.2j"} <= set(legal(one_joker))


def test_A_13_dice_of_the_active_player_are_gone_for_the_round():
    state = play(position(dice="rgbb"), "p1.1", "p1.2")
    assert state.actor == 1
    assert dice(state) == "bb" and dice(state, "gone") == "rg"


def test_A_13_dice_of_the_others_go_back_after_their_turn():
    state = position(turn=1, dice="gbb", gone="r")
    during = play(state, "p1.1")
    assert dice(during) == "gb" and dice(during, "taken") == "b"
    assert told(during, "p1.4", "die_put_back") == [{"seat": 1, "colour": "green"}, {"seat": 1, "colour": "blue"}]
    after = play(during, "p1.4")
    assert after.actor == 2
    assert dice(after) == "gbb" and dice(after, "taken") == "" and dice(after, "gone") == "r"
    assert dice(play(during, "stop")) == "gbb"


def test_A_14_skipped_quarry_stones_are_lost():
    state = position(dice="gggg")
    assert told(state, "p1.5q", "quarry_stone_crossed_off") == [
        {"seat": 0, "colour": "orange", "place": 4, "skipped": 3}
    ]
    after = play(state, "p1.5q")
    assert points(after)["quarry"] == 8
    assert play(after, "p1.3q").view(None).to_json()["seats"][0]["crossed"] == [4, 7]


def test_A_14_the_leftmost_free_stone_of_the_colour_is_taken():
    state = position(dice="gggg", pyramids={0: "x"}, quarries={0: "1"}, active=0)
    assert seat(play(state, "p1.2q"), 0)["crossed"] == [1, 9]
    both_gone = position(dice="gggg", pyramids={0: "x--x-"}, quarries={0: "1.9"})
    assert refusal(both_gone, "p1.2q") == "no_such_quarry_stone"
    assert "p1.2j" in legal(both_gone)


def test_A_15_quarry_stones_for_one_column_are_crossed_off_in_building_order():
    state = position(dice="gggg")
    assert refusal(state, "ar2q") == "column_from_the_bottom"
    after = play(state, "ar1q", "ar2q")
    assert seat(after, 0)["crossed"] == [4, 9]


def test_A_15_stones_that_do_not_depend_on_each_other_are_built_in_either_order():
    state = position(dice="gggg")
    assert seat(play(state, "p1.2q", "p1.5q"), 0)["crossed"] == [1, 4]
    assert seat(play(state, "p1.5q", "p1.2q"), 0)["crossed"] == [4, 9]


@pytest.mark.parametrize(
    ("text", "crossed"),
    [("f1.1q-2.1q", [1, 5]), ("f1.2q-1.3q", [2, 3]), ("f2.2q-3.2q", [1, 4]), ("f3.2q-3.1q", [2, 4])],
)
def test_A_15_a_relief_pair_takes_the_order_that_skips_less(text, crossed):
    assert seat(play(position(dice="gggg"), text), 0)["crossed"] == crossed


def test_A_16_a_joker_stands_apart_and_for_any_colour():
    state = position(dice="bbbb", pyramids={0: "x--x-"}, quarries={0: "5.12"})
    state = play(state, "p1.2j", "p1.3j")
    assert seat(state, 0)["jokers"] == 1
    assert seat(state, 0)["crossed"] == [5, 12]
    assert told(position(dice="bbbb"), "p1.2j", "joker_used") == [{"seat": 0, "left": 2}]


def test_A_17_a_stone_that_can_be_paid_neither_way_cannot_be_marked():
    state = position(dice="bbbb", pyramids={0: "xx-xx.x"}, quarries={0: "5.12"}, jokers={0: 0})
    assert refusal(state, "p1.3q") == "no_such_quarry_stone"
    assert refusal(state, "p1.3j") == "no_joker_left"
    assert refusal(state, "p1.3") == "no_such_die"
    assert not [text for text in legal(state) if text.startswith("p1.3")]


def test_A_17_a_relief_pair_is_legal_only_if_both_stones_can_be_paid():
    state = position(dice="bbbb", pyramids={0: "xxxxx"}, quarries={0: "5.12"}, jokers={0: 0})
    assert refusal(state, "f1.1-1.2") == "no_such_die"
    assert refusal(state, "f1.1q-1.2") == "no_such_quarry_stone"
    assert refusal(state, "f1.2-1.3j") == "no_joker_left"
    assert not [text for text in legal(state) if text.startswith("f")]
    one = position(dice="bbbb", pyramids={0: "xxxxx"}, quarries={0: "5.12"}, jokers={0: 1})
    assert {"f1.1j-1.2", "f1.2-1.3j"} <= set(legal(one))
    assert refusal(one, "f1.1j-2.1j") == "no_joker_left"


# --- building ---------------------------------------------------------------------------------------------------------


def test_A_18_the_bottom_row_is_free_and_a_higher_stone_needs_both_under_it():
    state = position(dice="rgbb")
    assert {text[:4] for text in legal(state) if text.startswith("p")} == {"p1.1", "p1.2", "p1.3", "p1.4", "p1.5"}
    assert refusal(state, "p2.1") == "pyramid_needs_support"
    half = position(dice="rgbb", pyramids={0: "x-x--"})
    assert refusal(half, "p2.1") == refusal(half, "p2.2") == "pyramid_needs_support"
    assert refusal(half, "p1.1") == "stone_already_marked"
    for pyramid, stone in (
        ("xx", "p2.1"),
        ("---xx", "p2.4"),
        ("xxx--.xx", "p3.1"),
        ("--xxx.--xx", "p3.3"),
        ("xxxxx.xxxx.xxx.xx", "p5.1"),
    ):
        assert stone in [text.rstrip("qj") for text in legal(position(dice="rgbb", pyramids={0: pyramid}))]
    assert refusal(position(dice="vvvv", pyramids={0: "xxxxx.xxxx.xxx.x-"}), "p5.1j") == "pyramid_needs_support"


def test_A_18_one_of_the_two_may_be_marked_just_now():
    state = play(position(dice="rgbb", pyramids={0: "x"}), "p1.2")
    assert "p2.1" in legal(state)
    assert seat(play(state, "p2.1"), 0)["marked"] == ["p1.1", "p1.2", "p2.1"]


def test_A_19_columns_grow_from_the_bottom_at_any_pace():
    state = position(dice="rgbb")
    assert {text.rstrip("qj") for text in legal(state) if text.startswith("a")} == {"al1", "ar1"}
    assert refusal(state, "al2") == "column_from_the_bottom"
    uneven = position(dice="rgbb", arches={0: "50"})
    assert {text.rstrip("qj") for text in legal(uneven) if text.startswith("a")} == {"ar1"}
    assert seat(play(position(dice="rgbb"), "al1j", "al2"), 0)["marked"] == ["al1", "al2"]


def test_A_19_the_keystone_needs_both_columns():
    assert (
        refusal(position(arches={0: "54"}), "keyj")
        == refusal(position(arches={0: "45"}), "keyj")
        == "keystone_needs_columns"
    )
    assert {"keyq", "keyj"} <= set(legal(position(arches={0: "55"})))
    state = play(position(dice="bbyy", arches={0: "54"}), "ar5", "key")
    assert points(state)["arch"] == 18


def test_A_20_relief_stones_are_marked_in_pairs_that_touch():
    state = position(dice="gggg")
    pairs = {tuple(part.rstrip("qj") for part in text[1:].split("-")) for text in legal(state) if text.startswith("f")}
    assert len(pairs) == 17
    for one, other in pairs:
        (row, place), (row_2, place_2) = (map(int, stone.split(".")) for stone in (one, other))
        assert abs(row - row_2) + abs(place - place_2) == 1
    for text in ("f1.1", "f1.1-1.3", "f1.1-2.2", "f1.4-2.1", "f1.1-1.1"):
        with pytest.raises(sarai.BadText):
            GAME.parse_move(state, text)
    after = play(state, "f1.1q-1.2q")
    assert seat(after, 0)["marked"] == ["f1.1", "f1.2"]
    half = position(dice="gggg", reliefs={0: "xx"})
    assert refusal(half, "f1.2j-1.3j") == refusal(half, "f1.1q-2.1q") == "stone_already_marked"


def test_A_21_two_stones_may_be_split_between_pyramid_and_arch():
    state = play(position(dice="rgbb"), "p1.1", "al1q")
    assert seat(state, 0)["marked"] == ["p1.1", "al1"]


def test_A_21_a_relief_pair_uses_the_whole_turn():
    assert play(position(dice="rgbb"), "f2.1-2.2q").actor == 1
    state = play(position(dice="rgbb"), "p1.1")
    assert not [text for text in legal(state) if text.startswith("f")]
    assert refusal(state, "f2.1-2.2q") == "relief_takes_a_whole_turn"


def test_A_22_a_player_may_always_stop():
    for state in (
        position(),
        play(position(), "p1.1"),
        position(dice="bbbb", pyramids={0: "xxxxx"}, quarries={0: "5.12"}, jokers={0: 0}, arches={0: "55k"}),
    ):
        assert "stop" in legal(state)
        assert play(state, "stop").actor == 1
    assert told(position(), "stop", "stopped") == [{"seat": 0, "stones": 0}]


# --- bonuses ----------------------------------------------------------------------------------------------------------


def test_A_23_the_only_stone_of_a_symbol_wins_its_bonus_and_all_hear_of_it():
    state = position(dice="oooo", pyramids={0: "xxx"})
    for observer in (None, 0, 1, 2):
        assert ("bonus_won", {"seat": 0, "bonus": "scarab"}) in events(state, "p2.2", observer)
    assert seat(play(state, "p2.2"), 0)["bonuses"] == ["scarab"]


def test_A_23_the_last_stone_of_a_symbol_wins_its_bonus():
    state = position(dice="govv", reliefs={0: "xx"})
    assert not told(state, "f3.2-3.3", "bonus_won")
    assert told(state, "f3.3-3.4", "bonus_won") == [{"seat": 0, "bonus": "cat"}]
    eye = position(dice="goyv", pyramids={0: "-xxx-.-xx"})
    after = play(eye, "p1.1")
    assert seat(after, 0)["bonuses"] == ["scarab"]
    eye = position(dice="ggvv", pyramids={0: "x-xxx.--xx"})
    assert seat(play(eye, "p3.3", "stop"), 0)["bonuses"] == ["eye"]


def test_A_24_players_later_in_the_round_can_still_win_it():
    state = position(dice="oyyy", pyramids={0: "xxx", 1: "xxx"})
    state = play(state, "p2.2", "stop")
    assert state.actor == 1
    assert told(state, "p2.2", "bonus_won") == [{"seat": 1, "bonus": "scarab"}]
    state = play(state, "p2.2", "stop", "stop")
    assert [seat(state, number)["bonuses"] for number in range(3)] == [["scarab"], ["scarab"], []]


def test_A_25_after_the_round_it_is_closed():
    state = play(position(dice="oyyy", pyramids={0: "xxx", 1: "xxx"}), "p2.2", "stop", "stop")
    assert state.view(None).to_json()["closed"] == []
    assert told(state, "stop", "bonus_closed") == [{"bonus": "scarab"}]
    state = play(state, "stop", "y", "y", "y", "y")
    assert state.actor == 1
    assert state.view(None).to_json()["closed"] == ["scarab"]
    assert not told(state, "p2.2", "bonus_won")
    assert seat(play(state, "p2.2"), 1)["bonuses"] == []


def test_A_26_several_bonuses_in_one_round_and_by_one_player():
    state = position(dice="ooyy", pyramids={0: "xxx"}, arches={0: "20", 1: "20"})
    state = play(state, "p2.2", "al3")
    assert seat(state, 0)["bonuses"] == ["scarab", "ankh"]
    state = play(state, "al3", "stop", "f1.1q-1.2q")
    assert seat(state, 1)["bonuses"] == ["ankh"]
    assert state.view(None).to_json()["closed"] == ["scarab", "ankh"]


# --- end and scoring --------------------------------------------------------------------------------------------------


def test_A_27_the_game_ends_after_the_round_in_which_a_second_building_is_completed():
    state = position(dice="yooo", arches={0: "55"}, reliefs={0: FULL_RELIEF})
    assert told(state, "key", "building_completed") == [{"seat": 0, "building": "arch"}]
    state = play(state, "key", "stop")
    assert state.actor == 1 and state.result is None
    state = play(state, "stop")
    assert told(state, "stop", "bonus_won") == [{"seat": 0, "bonus": "end"}]
    state = play(state, "stop")
    assert state.actor == sarai.OVER
    assert state.result.reason == "two_buildings"
    assert "end" in seat(state, 0)["bonuses"] and "end" not in seat(state, 1)["bonuses"]


def test_A_27_everyone_with_two_buildings_gets_the_end_of_game_bonus():
    state = position(dice="yggg", arches={0: "55", 1: "55"}, reliefs={0: FULL_RELIEF}, pyramids={1: FULL_PYRAMID})
    state = play(state, "key", "stop", "key", "stop", "stop")
    assert ["end" in seat(state, number)["bonuses"] for number in range(3)] == [True, True, False]


def test_A_27_one_building_does_not_end_the_game():
    state = play(position(dice="yooo", arches={0: "55"}), "key", "stop", "stop", "stop")
    assert state.actor == sarai.CHANCE


def test_A_27_three_buildings_may_be_completed():
    state = play(
        position(dice="bbyy", arches={0: "55"}, reliefs={0: FULL_RELIEF}, pyramids={0: "xxxxx.xxxx.xxx.xx"}),
        "p5.1",
        "key",
        "stop",
        "stop",
    )
    assert points(state) == {
        "pyramid": 21,
        "arch": 18,
        "relief": 15,
        "bonuses": 24,
        "quarry": 12,
        "jokers": 6,
        "total": 96,
    }


def idle_rounds(state: sarai.State) -> int:
    return state.view(None).to_json()["idle_rounds"]


def ends_after_idle_rounds(limit: int, rules_version: int | None) -> None:
    state = dealt(2, rules_version=rules_version)
    for number in range(limit):
        assert state.result is None and idle_rounds(state) == number
        broken = play(state, "r", "r", "g", "p1.3" if number % 2 else "p1.2", "stop", "stop")
        assert broken.actor == sarai.CHANCE and idle_rounds(broken) == 0
        state = play(state, "r", "r", "g", "stop", "stop")
    assert state.result == sarai.Result([16, 16], [1, 1], [0.5, 0.5], "nothing_marked")
    assert seat(state, 0)["bonuses"] == []


def test_A_27_thirty_rounds_running_without_a_stone_end_the_game_without_that_bonus():
    ends_after_idle_rounds(30, None)


def test_A_27_by_version_1_of_the_rules_three_rounds_without_a_stone_end_it():
    ends_after_idle_rounds(3, 1)


def test_A_27_the_rules_version_goes_with_a_position_and_with_a_view():
    for version, idle in ((1, 2), (2, 2), (2, 29)):
        state = position(idle=idle, built=0, rules_version=version, rounds=20)
        assert GAME.parse(state.text()).rules_version == version
        assert GAME.read_view(state.view(1).to_json()).sample(0).rules_version == version
        after = play(GAME.parse(state.text()), "stop", "stop", "stop")
        assert (after.result is not None) == (idle == {1: 3, 2: 30}[version] - 1)


def test_A_28_the_pyramid_counts_by_its_highest_marked_stone():
    assert (
        points(position(pyramids={0: "xxxxx.x"}))["pyramid"]
        == points(position(pyramids={0: "xxxxx.xxxx"}))["pyramid"]
        == 5
    )
    assert points(position(pyramids={0: "--xxx.--xx.--x"}))["pyramid"] == 9


@pytest.mark.parametrize(("arch", "worth"), [("50", 0), ("15", 0), ("25", 3), ("43", 6), ("45", 10)])
def test_A_28_the_arch_counts_by_its_lower_column(arch, worth):
    assert points(position(arches={0: arch}))["arch"] == worth


def test_A_29_bonuses_count_three_each():
    state = position(pyramids={0: "xxx--.xx"}, arches={0: "34"}, reliefs={0: "----.--xx"})
    assert seat(state, 0)["bonuses"] == ["scarab", "ankh", "falcon", "lotus"]
    assert points(state)["bonuses"] == 12
    assert points(state)["relief"] == 0


@pytest.mark.parametrize(("crossed", "worth"), [("-", 12), ("1", 11), ("4", 8), ("1.4", 8), ("5.12", 0)])
def test_A_30_quarry_stones_right_of_the_last_crossed_one_count_one_and_jokers_two(crossed, worth):
    state = position(pyramids={0: "xxxxx"}, quarries={0: crossed}, jokers={0: 2})
    assert points(state)["quarry"] == worth
    assert points(state)["jokers"] == 4
    assert state.scores[0] == points(state)["total"] == 2 + worth + 4


def test_A_31_highest_sum_wins_and_a_tie_goes_to_more_pyramid_stones():
    over = {"ending": "nothing_marked", "idle": 30}
    higher = position(**over, pyramids={1: "x"})
    assert higher.result.ranks == [2, 1, 2] and higher.result.utilities == [0, 1, 0]
    tie = position(**over, pyramids={0: "xx", 1: "xxx", 2: "xx"})
    assert tie.result.scores == [20, 20, 20]
    assert tie.result.ranks == [2, 1, 2]
    shared = position(**over, pyramids={0: "xx", 1: "---xx"})
    assert shared.result.ranks == [1, 1, 3]
    assert shared.result.utilities == [0.5, 0.5, 0]


def test_A_32_example_of_scoring():
    """The whole pyramid, an arch whose second level (red twice) is not done, eight relief stones, five bonuses."""
    state = position(
        ending="two_buildings",
        players=3,
        pyramids={0: FULL_PYRAMID, 1: FULL_PYRAMID},
        arches={0: "21", 1: "55k"},
        reliefs={0: "xxxx.--xx.--xx"},
        quarries={0: "3.8"},
        jokers={0: 1},
        bonuses={0: "scarab.snake.eye.lotus.cat", 1: "scarab.snake.eye.ankh.falcon.end"},
        closed="scarab.snake.eye.ankh.falcon.lotus.cat",
    )
    colours = state.view(None).to_json()["print"]["stones"]["A"]
    assert colours["al2"] == colours["ar2"] == "red"
    assert points(state) == {
        "pyramid": 21,
        "arch": 0,
        "relief": 8,
        "bonuses": 15,
        "quarry": 4,
        "jokers": 2,
        "total": 50,
    }


def test_A_33_example_of_the_quarry():
    """Blue is the last one crossed off, red and violet were skipped: orange is the first that remains."""
    state = position(dice="gggg", pyramids={0: "x"}, quarries={0: "3"}, sheets="ABC")
    quarry = state.view(None).to_json()["print"]["quarries"]["A"]
    assert quarry[:4] == ["red", "violet", "blue", "orange"]
    assert points(state)["quarry"] == len(quarry[3:])
    assert told(state, "p1.5q", "quarry_stone_crossed_off") == [
        {"seat": 0, "colour": "orange", "place": 4, "skipped": 0}
    ]
    assert told(state, "p1.2q", "quarry_stone_crossed_off") == [{"seat": 0, "colour": "red", "place": 9, "skipped": 5}]


def test_A_33_example_of_a_round():
    """Red, green, blue, blue: the active player uses blue and green, the next the red die, then the third."""
    state = play(dealt(3, "DAB"), "r", "g", "b", "b")
    state = play(state, "p1.5", "p1.2")
    assert state.actor == 1 and dice(state) == "rb" and dice(state, "gone") == "gb"
    marked = told(state, "f1.1q-2.1", "stone_marked")
    assert [event["colour"] for event in marked] == ["yellow", "red"]
    assert told(state, "f1.1q-2.1", "die_put_back") == [{"seat": 1, "colour": "red"}]
    state = play(state, "f1.1q-2.1")
    assert seat(state, 1)["crossed"] == [5]
    assert state.actor == 2 and dice(state) == "rb"
    state = play(state, "ar1j")
    assert seat(state, 2)["jokers"] == 2 and dice(state) == "rb"
    assert told(state, "p1.3", "die_taken") == [{"seat": 2, "colour": "red"}]
    state = play(state, "p1.3")
    assert state.actor == sarai.CHANCE
    assert [seat(state, number)["marked"] for number in range(3)] == [
        ["p1.2", "p1.5"],
        ["f1.1", "f2.1"],
        ["p1.3", "ar1"],
    ]
