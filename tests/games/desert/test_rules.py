"""Through the Desert, clause by clause (RULES.md), and the printed examples."""

import pickle
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import sarai
from sarai.core.random_play import random_move
from sarai.core.records import load
from sarai.games.desert.terrain import BOARD, SAND

GAME = sarai.game("desert")
COLOURS = ["lilac", "mint", "lemon", "sky", "salmon"]
NUMBERS = {name: number for number, name in enumerate(BOARD.names)}
OASES = ["d3", "j3", "q3", "b8", "h11"]
HEXES = len(BOARD.names)
RECORDS = Path(__file__).parents[2] / "records"


# --- positions ------------------------------------------------------------------------------------------------------


def around(name: str) -> list[str]:
    """Return the hexes next to one."""
    return [BOARD.names[number] for number in BOARD.ring[NUMBERS[name]] if number >= 0]


def distances(sources: list[str]) -> dict[str, int]:
    """Return how far every hex is from the nearest of some."""
    found, queue = dict.fromkeys(sources, 0), list(sources)
    for name in queue:
        for other in around(name):
            if other not in found:
                found[other] = found[name] + 1
                queue.append(other)
    return found


def in_play(players: int) -> list[str]:
    return list(BOARD.names if players >= 4 else BOARD.names[: BOARD.inside])


def position(
    *caravans: str,
    players: int = 2,
    turn: int = 0,
    left: int = 2,
    phase: str = "camels",
    oases: list[str] = OASES,
    water: dict[str, int] | None = None,
    taken: dict[int, str] | None = None,
    moves: int = 100,
    aside: str = "",
    options: str = "",
) -> sarai.State:
    """Return a position with these caravans, seat by seat (`lilac f7 f8, mint c4`), the leader first.

    All other leaders are put as far away as possible. Water holes have 1, 2, 3, 1, 2, 3, … unless `water` says
    otherwise; what lies under camels, and what `taken` says was enclosed, was taken.
    """
    given: list[dict[str, list[str]]] = [{} for _ in range(players)]
    for seat, text in enumerate(caravans):
        for part in filter(None, text.split(",")):
            colour, *camels = part.split()
            given[seat][colour] = camels
    stated = [name for seat in given for camels in seat.values() for name in camels]
    leaders = [camels[0] for seat in given for camels in seat.values()]
    far = distances(stated or ["a3"])
    spots = [
        name
        for name in sorted(in_play(players), key=lambda name: -far[name])
        if BOARD.kinds[NUMBERS[name]] == SAND and far[name] > 1
    ]
    gone = aside.split(",") if aside else [""] * players
    for seat in range(players):
        for colour in COLOURS:
            if colour in given[seat] or colour == gone[seat]:
                continue
            spot = next(name for name in spots if name not in leaders and not set(around(name)) & {*leaders, *oases})
            given[seat][colour] = [spot]
            leaders.append(spot)
    holes = [
        name
        for name in in_play(players)
        if BOARD.kinds[NUMBERS[name]] == 1 or (BOARD.kinds[NUMBERS[name]] == 2 and name not in oases)
    ]
    values = {name: number % 3 + 1 for number, name in enumerate(holes)} | (water or {})
    took: list[Counter[int]] = []
    for seat in range(players):
        own = [name for camels in given[seat].values() for name in camels] + (taken or {}).get(seat, "").split()
        took.append(Counter(values.pop(name) for name in own if name in values))
    fields = {
        "players": players,
        "phase": phase,
        "moves": moves,
        "oases": ",".join(oases),
        "water": "".join(str(values.get(name, 0)) for name in holes),
        "caravans": "/".join(
            ",".join(f"{colour[:2]}:{''.join(camels)}" for colour, camels in seat.items()) for seat in given
        ),
        "tokens": "/".join(f"{count[1]}.{count[2]}.{count[3]}" for count in took),
        **({"aside": aside} if aside else {}),
        **({"ending": "move_limit"} if phase == "over" else {"turn": turn, "left": left}),
    }
    return GAME.parse(f"desert {options} " + " ".join(f"{name}={value}" for name, value in fields.items()))


def finished(*caravans: str, **more: object) -> sarai.State:
    """Return a position as it is counted at the end."""
    return position(*caravans, phase="over", moves=200, **more)  # type: ignore[arg-type]


def move(text: str) -> int:
    """Return the id of a move like `lilac f7`."""
    colour, name = text.split()
    return COLOURS.index(colour) * HEXES + NUMBERS[name]


def play(state: sarai.State, *moves: str) -> sarai.State:
    for text in moves:
        state = state.play(move(text))
    return state


def legal(state: sarai.State, colour: str | None = None) -> set[str]:
    """Return the legal moves in notation, or the hexes of one colour."""
    texts = [GAME.move_text(state, number) for number in state.legal()]
    return set(texts) if colour is None else {text.split()[1] for text in texts if text.split()[0] == colour}


def refusal(state: sarai.State, text: str) -> str:
    with pytest.raises(sarai.Illegal) as caught:
        state.play(move(text))
    assert str(caught.value)
    return caught.value.key


def events(state: sarai.State, text: str) -> list[tuple[str, dict[str, object]]]:
    return [(event.key, event.args) for event in GAME.events(state, move(text), None)]


def keys(state: sarai.State, text: str) -> list[str]:
    return [key for key, _ in events(state, text)]


def json(state: sarai.State) -> dict[str, object]:
    return state.view(None).to_json()


def field(state: sarai.State, name: str) -> str:
    return dict(word.split("=") for word in state.text().split()[1:])[name]


def points(state: sarai.State, seat: int) -> dict[str, int]:
    return state.view(None).to_json()["points"][seat]


def set_up(players: int = 2, seed: int = 1, rules_version: int | None = None) -> sarai.State:
    """Return a state in which the first leader is to be placed."""
    state, rng = GAME.start(players, rules_version=rules_version), Random(seed)
    while state.actor == sarai.CHANCE:
        state = state.play(*random_move(state, rng))
    return state


def led(players: int = 2, seed: int = 1) -> sarai.State:
    """Return a state in which all leaders were placed at random."""
    state, rng = set_up(players, seed), Random(seed)
    while "phase=leaders" in state.text():
        state = state.play(*random_move(state, rng))
    return state


# --- board and pieces -----------------------------------------------------------------------------------------------


def test_D_01_the_board_has_189_hexes_inside_the_line_and_53_beyond():
    assert (BOARD.columns, BOARD.rows) == (22, 13)
    kinds = [[BOARD.kinds[: BOARD.inside].count(kind), BOARD.kinds[BOARD.inside :].count(kind)] for kind in range(3)]
    assert kinds == [[151, 41], [32, 11], [6, 1]]
    assert GAME.num_actions == 5 * 242


def test_D_01_even_columns_are_half_a_hex_lower():
    assert around("m4") == ["m3", "n4", "n5", "m5", "l5", "l4"]  # column 12
    assert around("n5") == ["n4", "o4", "o5", "n6", "m5", "m4"]  # column 13
    assert legal(position("lilac m4"), "lilac") == set(around("m4"))
    assert legal(position("lilac n6"), "lilac") == {"n5", "o5", "o6", "n7", "m6", "m5"}


def test_D_02_the_board_is_data_and_its_middle_is_a_mountain_range():
    assert {"f7", "g7", "f8", "g8", "h8", "i8", "j8"}.isdisjoint(NUMBERS)
    assert {(5, 6), (6, 6), (5, 7), (6, 7), (7, 7), (8, 7), (9, 7)} == set(BOARD.mountains)
    assert GAME.num_actions == 5 * len(BOARD.places)


@pytest.mark.parametrize("players", [2, 3])
def test_D_03_with_two_or_three_players_the_line_is_an_edge(players):
    state = set_up(players)
    assert {text.split()[1] for text in legal(state)} <= set(BOARD.names[: BOARD.inside])
    assert refusal(state, "lilac s5") == "hex_not_in_play"
    assert legal(position("lilac r5", players=players), "lilac").isdisjoint({"s4", "s5"})


def test_D_03_with_four_or_five_players_all_is_in_play():
    for players in (4, 5):
        assert any(text.endswith(" s5") for text in legal(set_up(players)))
    assert {"s4", "s5"} <= legal(position("lilac r5", players=4), "lilac")


def test_D_03_the_line_helps_as_a_wall():
    after = play(position("lilac r7 q7"), "lilac q8")
    assert json(after)["enclosed"][0] == ["r8"] and points(after, 0)["areas"] == 1
    after = play(position("lilac r7 q7", players=4), "lilac q8")
    assert json(after)["enclosed"][0] == []


def test_D_04_five_colours_of_34_camels_and_45_water_tokens():
    for players in GAME.players:
        state = led(players)
        left_in_the_box, leaders = {2: 10, 3: 5}.get(players, 0), min(players, 4)
        assert set(json(state)["piles"]) == set(COLOURS)
        assert set(json(state)["piles"].values()) == {34 - leaders - left_in_the_box}
    state, rng = GAME.start(4), Random(3)
    while "phase=water" not in state.text():
        state = state.play(*random_move(state, rng))
    assert state.chance() == [(0, Fraction(1, 3)), (1, Fraction(1, 3)), (2, Fraction(1, 3))]
    for _ in range(15):
        state = state.play(2)
    assert state.chance() == [(0, Fraction(1, 2)), (1, Fraction(1, 2))]


def test_D_05_every_player_has_a_leader_of_each_colour():
    for players in (2, 3, 4):
        state = led(players)
        assert [sorted(caravans) for caravans in json(state)["caravans"]] == [sorted(COLOURS)] * players
        assert all(len(camels) == 1 for caravans in json(state)["caravans"] for camels in caravans.values())


def test_D_06_five_players_set_one_leader_aside_each_by_chance():
    state = GAME.start(5)
    assert state.chance() == [(colour, Fraction(1, 5)) for colour in range(5)]
    state = state.play(3)
    assert GAME.move_text(state, 0) == "lilac"
    assert state.chance() == [(colour, Fraction(1, 4)) for colour in (0, 1, 2, 4)]
    for colour in (0, 1, 2):
        state = state.play(colour)
    assert state.chance() == [(4, Fraction(1))]
    assert json(state.play(4))["aside"] == ["sky", "lilac", "mint", "lemon", "salmon"]
    for players in (2, 3, 4):
        assert json(set_up(players))["aside"] == []


def test_D_06_a_leader_set_aside_is_out_of_the_game():
    state = set_up(5)
    mine = json(state)["aside"][0]
    spot = sorted(legal(state))[0].split()[1]
    assert refusal(state, f"{mine} {spot}") == "leader_is_set_aside"
    after = led(5)
    assert [len(caravans) for caravans in json(after)["caravans"]] == [4] * 5
    free = next(
        name
        for name in BOARD.names
        if refusal(after, f"{json(after)['aside'][0]} {name}") not in ("hex_has_camel", "hex_is_oasis")
    )
    assert refusal(after, f"{json(after)['aside'][0]} {free}") == "camel_without_caravan"


@pytest.mark.parametrize(("players", "camels"), [(2, 22), (3, 26), (4, 30), (5, 30)])
def test_D_07_the_piles(players, camels):
    assert json(set_up(players))["piles"] == dict.fromkeys(COLOURS, camels)


@pytest.mark.parametrize(("players", "camels"), [(2, 22), (3, 26), (4, 30), (5, 29)])
def test_D_07_the_piles_in_version_1_of_the_rules(players, camels):
    assert json(set_up(players, rules_version=1))["piles"] == dict.fromkeys(COLOURS, camels)


def test_D_06_the_camel_of_a_leader_set_aside_goes_back_to_its_pile():
    state, piles = GAME.start(5), dict.fromkeys(COLOURS, 29)
    assert json(state)["piles"] == piles
    for colour in (3, 0, 4, 2, 1):
        state = state.play(colour)
        piles[COLOURS[colour]] += 1
        assert json(state)["piles"] == piles
        assert GAME.parse(state.text()) == state
    old = GAME.start(5, rules_version=1).play(3)
    assert json(old)["piles"] == dict.fromkeys(COLOURS, 29)


def test_D_07_a_game_of_version_1_keeps_its_piles_to_the_end():
    state, rng = GAME.start(5, rules_version=1), Random(4)
    while state.actor != sarai.OVER:
        assert state.rules_version == 1
        if rng.random() < 0.1:
            assert "rules_version=1" in state.text().split()
            assert GAME.parse(state.text()) == state
            assert pickle.loads(pickle.dumps(state)) == state
            view = state.view(rng.choice([None, *range(5)]))
            assert view.to_json()["rules_version"] == 1
            assert GAME.read_view(view.to_json()) == view and view.sample(1) == state
        state = state.play(*random_move(state, rng))
    placed = Counter(
        colour for caravans in json(state)["caravans"] for colour, camels in caravans.items() for _ in camels[1:]
    )
    assert json(state)["piles"] == {colour: 29 - placed[colour] for colour in COLOURS}
    assert GAME.parse(state.text()) == state


def test_D_07_the_last_camel_is_another_one_in_each_version_of_the_rules():
    """The position after 29 lemon camels is the end in version 1, and not in version 2."""
    over = end_by_lemons(rules_version=1)
    assert over.result is not None and over.result.reason == "pile_empty"
    assert json(over)["piles"]["lemon"] == 0
    text = over.text().replace(" rules_version=1", "")
    with pytest.raises(sarai.BadText, match="no pile is empty"):
        GAME.parse(text)
    again = end_by_lemons(rules_version=2)
    assert json(again)["piles"]["lemon"] == 0
    with pytest.raises(sarai.BadText, match="more camels than the pile had"):
        GAME.parse(again.text().replace("players=5", "players=5 rules_version=1"))


@pytest.mark.parametrize(
    ("name", "version", "why"),
    [("desert-3", 1, "record_unfinished_result"), ("desert-4", 2, "record_bad_move")],
)
def test_D_07_a_recorded_game_of_five_ends_by_its_own_version_of_the_rules_only(name, version, why):
    record = load(RECORDS / f"{name}.sarai.json")
    assert (record.players, record.rules_version) == (5, version)
    assert record.result is not None and record.result.reason == "pile_empty"
    with pytest.raises(sarai.BadRecord) as caught:
        replace(record, rules_version=3 - version).check()
    assert caught.value.key == why


def end_by_lemons(rules_version: int) -> sarai.State:
    """Return the end of a game for five in which lemon camels are placed whenever they can be."""
    state, rng = set_up(5, 1, rules_version), Random(1)
    while state.actor != sarai.OVER:
        lemons = [number for number in state.legal() if GAME.move_text(state, number).startswith("lemon")]
        state = state.play(rng.choice(lemons or state.legal()))
    return state


@pytest.mark.parametrize(("players", "spaces"), [(2, 6), (3, 6), (4, 7), (5, 7)])
def test_D_08_five_palms_on_the_palm_spaces_in_play(players, spaces):
    state, rng = GAME.start(players), Random(5)
    while "phase=aside" in state.text():
        state = state.play(*random_move(state, rng))
    for planted in range(5):
        assert [share for _, share in state.chance()] == [Fraction(1, spaces - planted)] * (spaces - planted)
        assert len(json(state)["oases"]) == planted
        state = state.play(*random_move(state, rng))
    assert len(json(state)["oases"]) == 5 and "phase=water" in state.text()
    assert set(json(state)["oases"]) < {"d3", "j3", "q3", "m7", "b8", "h11", "s8"}


@pytest.mark.parametrize(("players", "tokens"), [(2, 33), (3, 33), (4, 45), (5, 45)])
def test_D_09_a_water_token_on_every_dot_and_free_palm_space(players, tokens):
    state = set_up(players)
    water = json(state)["water"]
    assert len(water) == tokens
    dots = {name for name in in_play(players) if BOARD.kinds[NUMBERS[name]] == 1}
    palm_spaces = {name for name in in_play(players) if BOARD.kinds[NUMBERS[name]] == 2}
    assert set(water) == dots | palm_spaces - set(json(state)["oases"])
    counts = Counter(water.values())
    assert max(counts.values()) <= 15 and (tokens < 45 or set(counts.values()) == {15})


def test_D_09_the_tokens_are_drawn_without_putting_back():
    state = GAME.start(2)
    for space in range(5):
        state = state.play(space)
    state = state.play(0).play(0).play(1)
    assert state.chance() == [(0, Fraction(13, 42)), (1, Fraction(14, 42)), (2, Fraction(15, 42))]
    with pytest.raises(sarai.Illegal, match="Chance cannot"):
        state.play(3)
    told = GAME.events(state, 2, None)
    assert [(event.key, event.args, event.reveals) for event in told] == [
        ("water_laid", {"hex": "l2", "value": 3}, True)
    ]


def test_D_10_seat_0_begins():
    for players in GAME.players:
        assert set_up(players).actor == 0
        assert led(players).actor == 0


# --- leaders --------------------------------------------------------------------------------------------------------


def test_D_11_leaders_are_placed_in_turn_until_all_stand():
    for players in GAME.players:
        state, rng, order = set_up(players), Random(2), []
        while "phase=leaders" in state.text():
            order.append(state.actor)
            state = state.play(*random_move(state, rng))
        rounds = 4 if players == 5 else 5
        assert order == list(range(players)) * rounds
        assert "phase=first" in state.text()
    first = set_up(2)
    assert events(first, sorted(legal(first))[0])[0][0] == "leader_placed"


def test_D_11_a_leader_is_placed_once():
    state = play(set_up(2), "lilac l10", "mint n6")
    assert refusal(state, "lilac d10") == "leader_already_placed"


def test_D_12_leaders_begin_on_empty_sand():
    state = set_up(2)
    assert all(BOARD.kinds[NUMBERS[text.split()[1]]] == SAND for text in legal(state))
    assert refusal(state, "lilac d1") == "leader_on_water"
    assert refusal(state, f"lilac {json(state)['oases'][0]}") == "hex_is_oasis"
    assert refusal(play(state, "lilac l10"), "mint l10") == "hex_has_camel"
    free = ({"d3", "j3", "q3", "m7", "b8", "h11"} - set(json(state)["oases"])).pop()
    assert refusal(state, f"lilac {free}") == "leader_on_water"


def test_D_13_not_next_to_an_oasis_and_not_next_to_a_leader():
    state = set_up(2)
    oasis = json(state)["oases"][0]
    assert all(refusal(state, f"lilac {name}") in ("leader_next_to_oasis", "leader_on_water") for name in around(oasis))
    assert "leader_next_to_oasis" in {refusal(state, f"lilac {name}") for name in around(oasis)}
    state = play(state, "lilac n6")
    assert refusal(state, "mint n7") == "leader_next_to_leader"  # a foreign one
    state = play(state, "mint l10")
    assert {refusal(state, f"sky {name}") for name in around("n6") if BOARD.kinds[NUMBERS[name]] == SAND} == {
        "leader_next_to_leader"
    }  # an own one
    oases = {name for oasis in json(state)["oases"] for name in [oasis, *around(oasis)]}
    closed = {"n6", *around("n6"), "l10", *around("l10")} | oases
    sand = {name for name in in_play(2) if BOARD.kinds[NUMBERS[name]] == SAND}
    assert legal(state, "sky") == sand - closed


def test_D_14_in_the_first_round_every_colour_is_used_once():
    state = play(set_up(3), "lilac n6")
    assert refusal(state, "lilac d10") == "leader_colour_used"
    assert {text.split()[0] for text in legal(state)} == {"mint", "lemon", "sky", "salmon"}
    state = play(state, "mint l10")
    assert {text.split()[0] for text in legal(state)} == {"lemon", "sky", "salmon"}
    state = play(state, "lemon d10")
    assert {text.split()[0] for text in legal(state)} == {"mint", "lemon", "sky", "salmon"}  # the second round
    state = play(state, "mint g3")
    assert "mint" not in {text.split()[0] for text in legal(state)} and "lilac" in {
        text.split()[0] for text in legal(state)
    }


def set_aside(*colours: str) -> sarai.State:
    """Return five players' set-up in which these colours were set aside."""
    state, rng = GAME.start(5), Random(1)
    for colour in colours:
        state = state.play(COLOURS.index(colour))
    while state.actor == sarai.CHANCE:
        state = state.play(*random_move(state, rng))
    return state


def test_D_15_nobody_is_left_without_a_colour_in_the_first_round():
    state = play(set_aside("lilac", "mint", "lemon", "sky", "salmon"), "mint n6", "lilac l10", "sky d10")
    assert {text.split()[0] for text in legal(state)} == {
        "salmon"
    }  # lemon would leave seat 4 with salmon, which it set aside
    assert refusal(state, "lemon g3") == "leader_colour_needed"
    state = play(state, "salmon g3")
    assert {text.split()[0] for text in legal(state)} == {"lemon"}
    free = play(set_aside("lilac", "mint", "lemon", "sky", "salmon"), "mint n6", "salmon l10", "lilac d10")
    assert {text.split()[0] for text in legal(free)} == {"lemon"}


# --- caravans -------------------------------------------------------------------------------------------------------


def test_D_16_a_turn_is_two_camels_of_one_colour_or_two():
    state = position("lilac l10, mint n6")
    one = play(state, "lilac l11")
    assert one.actor == 0 and json(one)["camels_left"] == 1
    assert json(one)["piles"]["lilac"] == json(state)["piles"]["lilac"] - 1
    for second in ("lilac l12", "mint n7"):
        assert play(one, second).actor == 1
        assert json(play(one, second))["camels_left"] == 2


TURNS = {2: [0, 1, 1, 0, 0], 3: [0, 1, 2, 2, 0, 0], 4: [0, 1, 2, 2, 3, 3, 0, 0], 5: [0, 1, 2, 2, 3, 3, 4, 4, 0, 0]}


@pytest.mark.parametrize(("players", "turns"), TURNS.items())
def test_D_17_in_the_first_round_the_first_two_players_place_one_camel(players, turns):
    state, rng, order = led(players), Random(1), []
    for _ in turns:
        order.append(state.actor)
        state = state.play(*random_move(state, rng))
    assert order == turns


def test_D_18_a_camel_stands_on_empty_sand_or_water():
    state = position("lilac g2 h3, mint j5", "sky h1")
    assert "h2" in legal(state, "lilac")  # water
    assert refusal(state, "lilac h3") == "hex_has_camel"
    assert refusal(position("lilac l10 k10 j10 i9 h10"), "lilac h11") == "hex_is_oasis"
    assert refusal(position("lilac r5"), "lilac s5") == "hex_not_in_play"


def test_D_19_a_camel_touches_the_caravan_of_its_player():
    state = position("lilac l10 l11", "lilac n6")
    assert legal(state, "lilac") == {"l9", "m9", "m10", "m11", "l12", "k11", "k10", "k9"}
    assert refusal(state, "lilac n7") == "camel_not_touching"  # a foreign caravan does not help
    assert refusal(state, "lilac e3") == "camel_not_touching"


def test_D_20_a_camel_touches_no_other_caravan_of_its_colour():
    state = position("lilac l10", "lilac n11 m11")
    assert {refusal(state, f"lilac {name}") for name in ("m10", "l11")} == {"camel_touches_other"}
    assert legal(state, "lilac") == {"l9", "m9", "k10", "k9"}


def test_D_21_other_colours_do_not_matter():
    state = position("lilac l10, sky j10 k10", "mint n11 m11")
    assert legal(state, "lilac") == {"l9", "m9", "m10", "l11", "k9"}


def race_for(colour: str, players: int = 2, until: int = 1) -> sarai.State:
    """Return a state in which a pile has so many camels left, because everybody took that colour where possible."""
    state, rng = led(players), Random(4)
    while json(state)["piles"][colour] > until or json(state)["camels_left"] < 2:
        wanted = [number for number in state.legal() if number // HEXES == COLOURS.index(colour)]
        if json(state)["piles"][colour] == until:
            wanted = [number for number in state.legal() if number // HEXES != COLOURS.index(colour)]
        state = state.play(rng.choice(wanted or state.legal()))
    return state


def test_D_22_a_colour_whose_pile_is_empty_cannot_be_placed():
    state = race_for("lemon")
    spot = sorted(legal(state, "lemon"))[0]
    told = events(state, f"lemon {spot}")
    assert ("pile_emptied", {"colour": "lemon"}) in told
    after = play(state, f"lemon {spot}")
    assert json(after)["piles"]["lemon"] == 0 and after.actor == state.actor
    assert legal(after, "lemon") == set()
    assert "camel_pile_empty" in {refusal(after, f"lemon {name}") for name in in_play(2)}


# Seat 0's five leaders are each shut in by seat 1's caravan of its colour.
SHUT_IN = "lilac f1, mint n1, lemon a3, sky i7, salmon r8"
GUARDS = "lilac g2 f3 e2, mint n3 m2 o2, lemon b5 c4 c3, sky j6 i5 h6, salmon p7 p8 q6"


def test_D_23_who_has_no_legal_placement_places_none():
    state = play(position(SHUT_IN, GUARDS, turn=1), "mint l3")
    assert ("camel_not_placed", {"seat": 0}) in events(state, "mint l2")
    after = play(state, "mint l2")
    assert after.actor == 1 and json(after)["camels_left"] == 2
    with pytest.raises(sarai.BadText, match="cannot"):
        position(SHUT_IN, GUARDS, turn=0)


def test_D_23_a_second_camel_that_is_not_possible_is_not_placed():
    guards = GUARDS.replace("lilac g2 f3 e2", "lilac g3 f3 e2 h3 i2 i1")
    state = position(SHUT_IN, guards, turn=0)
    assert legal(state) == {"lilac g1"}
    assert events(state, "lilac g1") == [
        ("camel_placed", {"seat": 0, "colour": "lilac", "hex": "g1"}),
        ("camel_not_placed", {"seat": 0}),
    ]
    after = play(state, "lilac g1")
    assert after.actor == 1 and json(after)["camels_left"] == 2


# --- points on the way ----------------------------------------------------------------------------------------------


def test_D_24_a_camel_on_water_takes_the_token():
    for value in (1, 2, 3):
        state = position("lilac g2", water={"h2": value})
        assert events(state, "lilac h2")[:2] == [
            ("camel_placed", {"seat": 0, "colour": "lilac", "hex": "h2"}),
            ("water_taken", {"seat": 0, "hex": "h2", "value": value}),
        ]
        after = play(state, "lilac h2")
        assert points(after, 0)["water"] == value and after.scores == [value, 0]
        assert "h2" not in json(after)["water"] and json(after)["tokens"][0][value - 1] == 1
    assert GAME.move_words(state, move("lilac h2")) == "place a lilac camel on h2 (water 3)"


def test_D_24_hidden_scores_change_no_rule():
    shown, hidden = position("lilac g2"), position("lilac g2", options="scores=hidden")
    assert [option.display for option in GAME.options if option.name == "scores"] == [True]
    assert shown.legal() == hidden.legal()
    assert play(shown, "lilac h2").scores == play(hidden, "lilac h2").scores
    assert json(play(shown, "lilac h2"))["tokens"] == json(play(hidden, "lilac h2"))["tokens"]


def test_D_25_a_camel_next_to_an_oasis_links_its_caravan_once():
    state = position("lilac b3, mint f4", "lilac f2")
    one = play(state, "lilac c2")
    assert events(state, "lilac c2")[1] == ("oasis_linked", {"seat": 0, "colour": "lilac", "hex": "d3"})
    assert GAME.move_words(state, move("lilac c2")) == "place a lilac camel on c2 (oasis d3)"
    assert one.scores == [5, 0]
    assert keys(one, "lilac c3") == ["camel_placed"]  # linked already
    assert keys(one, "mint e3") == ["camel_placed", "oasis_linked"]  # another caravan of the same player
    two = play(one, "mint e3")
    assert two.scores == [10, 0]
    assert play(two, "lilac e2").scores == [10, 5]  # another player, even with the same colour
    with pytest.raises(sarai.Illegal):
        play(two, "mint e2")


def test_D_25_a_caravan_may_link_several_oases():
    state = position("lilac f2 f3 g3 h4 i3")  # next to j3
    assert points(state, 0)["oases"] == 5
    assert points(play(state, "lilac e2"), 0)["oases"] == 10


def links(state: sarai.State) -> int:
    """Return how many links to oases all players have."""
    return sum(points(state, seat)["oases"] for seat in range(state.players)) // 5


def test_D_26_links_are_not_limited_by_the_twenty_markers():
    state = set_up(4)
    oases = json(state)["oases"]
    ways = {oasis: distances([oasis]) for oasis in oases}

    while state.actor >= 0 and links(state) <= 20:
        caravans = json(state)["caravans"][state.actor]
        linked = {
            colour: {name for camel in camels for name in around(camel) if name in oases}
            for colour, camels in caravans.items()
        }
        near = {}
        for number in state.legal():  # how far a move leaves its caravan from an oasis that it is not linked to
            colour, name = COLOURS[number // HEXES], BOARD.names[number % HEXES]
            near[number] = (
                min((ways[oasis][name] for oasis in oases if oasis not in linked.get(colour, ())), default=99),
                len(caravans.get(colour, ())),
            )
        state = state.play(min(near, key=lambda number: near[number]))
    assert links(state) == 21


# --- enclosing ------------------------------------------------------------------------------------------------------


def enclosed(state: sarai.State, seat: int = 0) -> set[str]:
    return set(json(state)["enclosed"][seat])


def test_D_27_a_caravan_and_the_edge_enclose_an_area():
    state = position("lilac e1 f2")
    assert enclosed(state) == set()
    assert events(state, "lilac g1")[1] == ("area_enclosed", {"seat": 0, "colour": "lilac", "hexes": 1})
    assert enclosed(play(state, "lilac g1")) == {"f1"}


def test_D_27_a_caravan_alone_encloses_an_area():
    state = position("lilac n4 o4 o5 n6 m5")
    assert enclosed(play(state, "lilac m4")) == {"n5"}


def test_D_27_mountains_help():
    state = position("lilac i9 h10", oases=["d3", "j3", "q3", "m7", "b8"])
    assert enclosed(play(state, "lilac g9")) == {"h9"}


def test_D_27_other_camels_do_not_help():
    assert enclosed(play(position("lilac e1 f2, mint h3 g2"), "mint g1")) == set()
    assert enclosed(play(position("lilac e1, mint h3 g2 g1"), "lilac f2")) == set()
    assert enclosed(play(position("lilac e1", "mint h3 g2 g1"), "lilac f2")) == set()
    assert enclosed(play(position("lilac e1", "lilac h3, mint h1 g1"), "lilac f2")) == set()


def test_D_27_an_area_with_a_camel_is_not_enclosed():
    for state in (position("lilac g3 g2 f2 e1, mint f1"), position("lilac g3 g2 f2 e1", "mint f1")):
        after = play(state, "lilac g1")
        assert enclosed(after) == set() and enclosed(after, 1) == set()


def test_D_27_the_larger_part_holds_camels_and_is_not_enclosed():
    after = play(position("lilac e1 f2"), "lilac g1")
    assert len(enclosed(after)) == 1


def test_D_28_an_oasis_is_no_wall_and_does_not_prevent_enclosing():
    state = position("lilac b2 c1 b3 c3")
    after = play(state, "lilac d2")
    assert enclosed(after) == set()  # c2 is open through the oasis on d3
    state = position("lilac b2 c1 b3 c3 d2 d4 e3")
    after = play(state, "lilac e2")
    assert enclosed(after) == {"c2", "d3"}
    assert points(after, 0)["areas"] == 1
    assert points(after, 0)["oases"] == 5  # it was linked before


def test_D_29_water_and_new_oases_inside_count_at_once():
    state = position("lilac e8 e7 d7 d6 c5 d9 d10 c10 b11 b5", "mint n6", water={"a6": 3, "b10": 2, "c5": 1, "d9": 1})
    before = state.scores
    told = events(state, "lilac a5")
    assert told[1] == ("area_enclosed", {"seat": 0, "colour": "lilac", "hexes": 13})
    assert told[2:4] == [
        ("water_taken", {"seat": 0, "hex": "a6", "value": 3}),
        ("water_taken", {"seat": 0, "hex": "b10", "value": 2}),
    ]
    assert told[4] == ("oasis_linked", {"seat": 0, "colour": "lilac", "hex": "b8"})
    after = play(state, "lilac a5")
    assert after.scores[0] - before[0] == 13 + 5 + 5
    assert {"a6", "b10"}.isdisjoint(json(after)["water"])


def test_D_29_an_oasis_linked_before_is_not_paid_again():
    state = position("lilac b6 b7 c7 c8 b9 a9", "mint n6")
    assert points(state, 0)["oases"] == 5
    after = play(state, "lilac a7")
    assert enclosed(after) == {"a8", "b8"} and points(after, 0) == points(state, 0) | {"areas": 1}


def test_D_30_nobody_enters_an_enclosed_area():
    state = position("lilac e8 e7 d7 d6 c5 d9 d10 c10 b11 b5", "mint a3 a4", water={"a6": 3})
    assert "a5" in legal(state, "lilac")
    after = play(state, "lilac a5")
    assert refusal(after, "lilac b6") == "hex_enclosed"
    assert legal(after, "lilac").isdisjoint(enclosed(after))
    turned = play(after, "lilac e6")
    assert turned.actor == 1 and {text.split()[1] for text in legal(turned)}.isdisjoint(enclosed(after))
    assert refusal(turned, "mint a6") == "hex_enclosed"


def test_D_31_one_camel_may_enclose_several_areas():
    state = position("lilac e1 f2 f3 g3 h3 h2 i1", "mint g2")  # f1, g1, h1 and g2, where a camel stands
    assert enclosed(state) == set()
    told = [args for key, args in events(state, "lilac g1") if key == "area_enclosed"]
    assert told == [{"seat": 0, "colour": "lilac", "hexes": 1}] * 2
    after = play(state, "lilac g1")
    assert enclosed(after) == {"f1", "h1"} and points(after, 0)["areas"] == 2
    assert enclosed(play(after, "lilac e2")) == {"f1", "h1"}


# --- the end --------------------------------------------------------------------------------------------------------


def test_D_32_the_second_camel_of_the_last_turn_is_still_placed():
    state = race_for("lemon")
    after = play(state, f"lemon {sorted(legal(state, 'lemon'))[0]}")
    assert after.actor == state.actor and after.result is None
    last = after.play(after.legal()[0])
    assert last.actor == sarai.OVER and last.result.reason == "pile_empty"


def test_D_32_the_game_ends_with_the_turn_of_the_last_camel():
    state = race_for("lemon")
    other = next(number for number in state.legal() if number // HEXES != COLOURS.index("lemon"))
    after = state.play(other)
    spot = sorted(legal(after, "lemon"))[0]
    told = [event.key for event in GAME.events(after, move(f"lemon {spot}"), 0)]
    assert {"pile_emptied", "game_over", "largest_caravan", "final_score"} <= set(told)
    assert play(after, f"lemon {spot}").result.reason == "pile_empty"


def test_D_33_the_largest_caravan_of_a_colour_gets_ten_a_tie_five_each():
    state = finished("lilac l10 l11, sky n6 n7 o6", players=3)
    rows = [points(state, seat)["largest"] for seat in range(3)]
    # lilac 2 : 1 : 1, sky 3 : 1 : 1; mint, lemon and salmon 1 : 1 : 1
    assert rows == [10 + 10 + 15, 15, 15]
    state = finished("lilac l10 l11", "lilac p8 p9", players=3)
    assert [points(state, seat)["largest"] for seat in range(3)] == [25, 25, 20]
    assert state.result.scores == [25, 25, 20]


def test_D_33_a_leader_alone_counts_like_any_caravan():
    state = finished("", "", aside="")
    assert [points(state, seat)["largest"] for seat in range(2)] == [25, 25]
    five = finished("", players=5, aside="lilac,mint,lemon,sky,salmon")
    assert [points(five, seat)["largest"] for seat in range(5)] == [20] * 5


def test_D_33_counts_at_the_end_only():
    assert position("lilac l10 l11").scores == [0, 0]
    assert finished("lilac l10 l11").scores == [30, 20]


def test_D_34_enclosed_areas_are_worth_a_point_per_hex_but_not_for_an_oasis():
    state = finished("lilac e1 f2 g1, mint b2 c1 b3 c3 d2 d4 e3 e2")
    assert enclosed(state) == {"f1", "c2", "d3"}
    assert points(state, 0)["areas"] == 2


def test_D_35_the_score_is_water_links_areas_and_largest_caravans():
    state = finished("lilac e1 f2 g1 h2, mint b3 c2", "sky f6 e6", water={"h2": 3, "e6": 2})
    assert points(state, 0) == {"water": 3, "oases": 5, "areas": 1, "largest": 10 + 10 + 5 + 0 + 5}
    assert points(state, 1) == {"water": 2, "oases": 0, "areas": 0, "largest": 0 + 0 + 5 + 10 + 5}
    assert state.result.scores == [39, 22]


def test_D_36_most_points_win_and_a_tie_is_shared():
    assert finished("lilac l10 l11").result == sarai.Result([30, 20], [1, 2], [1.0, 0.0], "move_limit")
    assert finished("lilac l10 l11", "mint p8 p9").result == sarai.Result([25, 25], [1, 1], [0.5, 0.5], "move_limit")


def test_D_37_nothing_is_hidden():
    state = position("lilac l10 l11", "sky n6", options="scores=hidden")
    for seat in (None, 0, 1):
        view = state.view(seat)
        assert view.sample(7) == state
        assert {name: value for name, value in view.to_json().items() if name != "seat"} == {
            name: value for name, value in json(state).items() if name != "seat"
        }
    assert (
        GAME.events(state, move("lilac l12"), 0)
        == GAME.events(state, move("lilac l12"), 1)
        == GAME.events(state, move("lilac l12"), None)
    )


# --- the examples of the book ---------------------------------------------------------------------------------------


def test_example_nine_hexes_for_a_lemon_camel():
    state = position("", "lemon h7 i7", "lemon h5 g5 g4 f4", players=3, turn=2, water={"h4": 3})
    assert legal(state, "lemon") == {"e3", "e4", "f3", "f5", "f6", "g3", "h4", "i4", "i5"}
    assert {refusal(state, f"lemon {name}") for name in ("g6", "h6")} == {"camel_touches_other"}
    first = play(state, "lemon i4")  # beside the water hole of 3
    assert "h4" in around("i4") and first.scores == state.scores
    assert play(first, "lemon i3").scores[2] == state.scores[2] + 5  # the oasis on j3


def test_example_one_caravan_cannot_reach_the_oasis_another_can():
    state = position("mint o5 o4, lilac n4 o3", "mint q5 q4")
    assert refusal(state, "mint p4") == "camel_touches_other"
    assert "p4" in legal(state, "lilac")
    assert play(state, "lilac p4").scores[0] == state.scores[0] + 5


def test_example_two_caravans_do_not_enclose_an_area_but_one_and_the_edge_do():
    lilac = "lilac e8 e7 d7 d6 c5 d9 d10 c10 b11"
    state = position("", f"{lilac}, mint a4 b4 c4", turn=1, water={"a6": 2, "b10": 3})
    assert enclosed(state, 1) == set()
    first = play(state, "lilac b5")
    assert enclosed(first, 1) == set()
    after = play(first, "lilac a5")
    assert enclosed(after, 1) == {"a6", "a7", "a8", "a9", "b6", "b7", "b8", "b9", "b10", "c6", "c7", "c8", "c9", "d8"}
    assert points(after, 1)["water"] - points(first, 1)["water"] == 5
    assert points(after, 1)["oases"] - points(first, 1)["oases"] == 5
    assert points(after, 1)["areas"] == 13
