"""Through the Desert in words: positions, moves, views, events, and the board in a terminal."""

import io
from random import Random

import pytest
from rich.cells import cell_len
from rich.console import Console

import sarai
from sarai.core.events import sentence
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly, random_move
from sarai.games.desert.terminal import board
from sarai.testing.contract import damaged

GAME = sarai.game("desert")
NAMES = ["Ann", "Bartholomew", "Çelik", "Dora", "Eve"]

BASE = (
    "desert players=2 phase=camels moves=100 oases=d3,j3,q3,b8,h11 water=123123123123123123123123023123123 "
    "caravans=li:e1g1f2,mi:b3c2,le:c11,sk:l10l9,sa:p1/li:m8n8,mi:r2,le:d10,sk:n1,sa:e8 tokens=1.0.0/0.0.0 turn=0 left=2"
)
OVER = (
    "desert players=2 phase=over ending=move_limit moves=200 oases=d3,j3,q3,b8,h11 water=123123123123123123123123123123123 "
    "caravans=li:e1g1f2,mi:b3c2,le:i13,sk:q9,sa:o10/li:m11,mi:j12,le:g13,sk:r8,sa:r2 tokens=0.0.0/0.0.0"
)
FIRST = (
    "desert players=3 phase=first moves=15 oases=d3,j3,q3,b8,h11 water=223113231231331123212112211122133 caravans=li:g13,mi:e11,le:k5,sk:f4,sa:l10/"
    "li:e1,mi:n2,le:g2,sk:c9,sa:p1/li:a3,mi:m8,le:h9,sk:g5,sa:n10 tokens=0.0.0/0.0.0/0.0.0 turn=0 left=1"
)
LEADERS = "desert players=3 phase=leaders moves=2 oases=d3,j3,q3,b8,h11 water=223113231231331123212112211122133 caravans=li:n6/mi:l10/- tokens=0.0.0/0.0.0/0.0.0"
FIVE = (
    "desert players=5 phase=leaders moves=3 aside=lilac,mint,lemon,sky,salmon oases=d3,q3,m7,b8,s8 water=223113231231331123212112211122133323312333221 "
    "caravans=mi:n6/li:l10/sk:d10/-/- tokens=0.0.0/0.0.0/0.0.0/0.0.0/0.0.0"
)
ASIDE = "desert players=5 phase=aside moves=0 aside=lilac,lemon oases=- water=- caravans=-/-/-/-/- tokens=0.0.0/0.0.0/0.0.0/0.0.0/0.0.0"
PALMS = "desert players=2 phase=palms moves=0 oases=d3,q3 water=- caravans=-/- tokens=0.0.0/0.0.0"
WATER = "desert players=2 phase=water moves=0 oases=d3,j3,q3,m7,b8 water=32 caravans=-/- tokens=0.0.0/0.0.0"
SHUT_IN = (
    "desert players=2 phase=camels moves=100 oases=d3,j3,q3,b8,h11 water=123100123120123123123123123123123 "
    "caravans=li:f1,mi:n1,le:a3,sk:i7,sa:r8/li:g2e2f3,mi:n3m2o2,le:b5c3c4,sk:j6i5h6,sa:p7q6p8 tokens=0.0.0/0.1.2 turn=1 left=2"
)
ENCLOSED = (  # h1 and h2, where the token was
    "desert players=2 scores=hidden phase=camels moves=40 oases=d3,j3,q3,b8,h11 water=120123123123123123123123123123123 "
    "caravans=li:g2g1i1i2h3,mi:o10,le:q9,sk:m11,sa:r8/li:g13,mi:j12,le:i13,sk:c11,sa:e8 tokens=0.0.1/0.0.0 turn=1 left=1"
)
POSITIONS = {
    "base": BASE,
    "over": OVER,
    "first": FIRST,
    "leaders": LEADERS,
    "five": FIVE,
    "aside": ASIDE,
    "palms": PALMS,
    "water": WATER,
    "shut in": SHUT_IN,
    "enclosed": ENCLOSED,
}


# --- positions ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_a_position_is_one_line_that_reads_back(text):
    state = GAME.parse(text)
    assert state.text() == text
    assert GAME.parse(state.text()) == state
    rng = Random(1)
    for _ in range(400 if COMPILED else 3):
        if state.actor != sarai.OVER:
            state = state.play(*random_move(state, rng))
    assert GAME.parse(state.text()) == state


def test_positions_of_whole_games_read_back():
    for players in GAME.players if COMPILED else (2,):
        for state in play_randomly(GAME, players, seed=players).replay():
            assert GAME.parse(state.text()) == state


def test_the_order_of_camels_does_not_matter_but_the_leader_is_first():
    assert GAME.parse(BASE.replace("li:e1g1f2", "li:e1f2g1")) == GAME.parse(BASE)
    assert GAME.parse(BASE.replace("li:e1g1f2,mi:b3c2", "mi:b3c2,li:e1g1f2")) == GAME.parse(BASE)
    assert GAME.parse(BASE.replace("li:e1g1f2", "li:g1e1f2")) != GAME.parse(BASE)


EDITS = [
    (BASE, "turn=0", "turn=1", None),  # what is fine shows that these edits can be read
    (BASE, "left=2", "left=1", None),
    (BASE, "li:e1g1f2", "li:e1g1f2f1", None),
    (BASE, "tokens=1.0.0", "tokens=0.1.0", None),
    (BASE, "turn=0", "turn=2", "text_bad_value"),
    (BASE, "left=2", "left=0", "text_bad_value"),
    (BASE, "left=2", "left=3", "text_bad_value"),
    (BASE, "moves=100", "moves=200", "text_inconsistent"),
    (BASE, "moves=100", "moves=201", "text_bad_value"),
    (BASE, "phase=camels", "phase=first", "text_inconsistent"),
    (BASE, "phase=camels", "phase=leaders", "text_bad_value"),
    (BASE, "phase=camels", "phase=aside", "text_bad_value"),
    (BASE, "phase=camels", "phase=over", "text_missing_field"),
    (BASE, "phase=camels", "phase=camel", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:e1g1", "text_inconsistent"),  # not connected
    (BASE, "li:e1g1f2", "li:e1g1f2g1", "text_inconsistent"),  # twice on one hex
    (BASE, "li:e1g1f2", "li:e1g1f2d1", "text_inconsistent"),  # on water
    (BASE, "li:e1g1f2", "li:f2g1", None),
    (BASE, "mi:b3c2", "mi:c2b3", "text_inconsistent"),  # a leader next to an oasis
    (BASE, "mi:b3c2", "mi:b3c2d3", "text_inconsistent"),  # on an oasis
    (BASE, "sa:e8", "sa:d11", "text_inconsistent"),  # next to a leader
    (BASE, "sa:e8", "sa:s4", "text_inconsistent"),  # beyond the line
    (BASE, "li:m8n8", "li:g2", "text_inconsistent"),  # next to a caravan of its colour
    (BASE, "sk:l10l9", "sk:l9l10", "text_inconsistent"),  # a leader on a water hole
    (BASE, ",sa:e8", "", "text_inconsistent"),
    (BASE.replace(",sa:p1", ""), ",sa:e8", "", "text_inconsistent"),  # there is room for them
    (BASE, "li:e1g1f2", "xx:e1g1f2", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:e1g1f99", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:e1g1f02", "text_bad_value"),
    (BASE, "li:e1g1f2", "li:e1 g1f2", "text_bad_field"),
    (BASE, "li:e1g1f2", "li:e1,li:g1", "text_bad_value"),
    (BASE, "/li:m8n8", "/li:m8n8/-", "text_bad_value"),
    (BASE, "tokens=1.0.0", "tokens=2.0.0", "text_inconsistent"),
    (BASE, "tokens=1.0.0/0.0.0", "tokens=0.0.0/1.0.0", "text_inconsistent"),
    (BASE, "tokens=1.0.0", "tokens=1.0", "text_bad_value"),
    (BASE, "tokens=1.0.0", "tokens=16.0.0", "text_bad_value"),
    (BASE, "water=123", "water=023", "text_inconsistent"),  # a token is missing
    (BASE, "23023", "23123", "text_inconsistent"),  # a token under a camel
    (BASE, "water=123", "water=423", "text_bad_value"),
    (BASE, "water=123", "water=23", "text_bad_value"),
    (BASE, "water=123", "water=1123", "text_bad_value"),
    (BASE, "water=123123123123123123", "water=111111111111111123", "text_inconsistent"),  # sixteen of one value
    (BASE, "oases=d3,", "oases=", "text_bad_value"),
    (BASE, "oases=d3,", "oases=j3,", "text_bad_value"),
    (BASE, "oases=d3,", "oases=e3,", "text_bad_value"),
    (BASE, "oases=d3,", "oases=d,", "text_bad_value"),
    (ENCLOSED, "water=120", "water=123", "text_inconsistent"),  # water in an enclosed area
    (ENCLOSED, "scores=hidden", "scores=shut", "bad_option_value"),
    (SHUT_IN, "turn=1", "turn=0", "text_inconsistent"),
    (OVER, "ending=move_limit", "ending=pile_empty", "text_inconsistent"),
    (OVER, "ending=move_limit", "ending=nobody_can_place", "text_inconsistent"),
    (OVER, "ending=move_limit", "ending=", "text_inconsistent"),
    (OVER, "ending=move_limit", "ending=because", "text_bad_value"),
    (OVER, "moves=200", "moves=199", "text_inconsistent"),
    (OVER, "tokens=", "turn=0 left=2 tokens=", "text_unknown_field"),
    (FIRST, "left=1", "left=2", "text_inconsistent"),
    (FIRST, "turn=0", "turn=1", None),
    (FIRST, "turn=0", "turn=2", "text_inconsistent"),
    (FIRST, "turn=0 left=1", "turn=2 left=2", None),
    (FIRST, "li:a3", "li:a3a4", "text_inconsistent"),  # before its turn
    (FIRST, "phase=first", "phase=leaders", "text_inconsistent"),  # all stand
    (LEADERS, "li:n6/mi:l10", "li:n6/li:l10", "text_inconsistent"),
    (LEADERS, "li:n6/mi:l10/-", "-/mi:l10/-", "text_inconsistent"),
    (LEADERS, "li:n6/mi:l10/-", "li:n6/mi:l10/sk:g3", None),
    (LEADERS, "li:n6", "li:n6n7", "text_inconsistent"),
    (LEADERS, "tokens=0.0.0", "tokens=1.0.0", "text_inconsistent"),
    (FIVE, "sk:d10/-/-", "sk:d10/sa:g3/-", None),
    (FIVE, "sk:d10/-/-", "sk:d10/le:g3/-", "text_inconsistent"),  # seat 4 would have no colour
    (FIVE, "mi:n6/li:l10", "li:n6/mi:l10", "text_inconsistent"),  # set aside
    (FIVE, "aside=lilac,", "aside=", "text_inconsistent"),
    (FIVE, "aside=lilac,mint", "aside=mint,mint", "text_inconsistent"),
    (FIVE, "players=5", "players=4", "text_bad_value"),
    (ASIDE, "lilac,lemon", "lilac,pink", "text_bad_value"),
    (ASIDE, "lilac,lemon", "lilac,lilac", "text_inconsistent"),
    (ASIDE, "lilac,lemon", "lilac,mint,lemon,sky,salmon", "text_inconsistent"),
    (ASIDE, "oases=-", "oases=d3", "text_inconsistent"),
    (PALMS, "d3,q3", "d3,d3", "text_inconsistent"),
    (PALMS, "d3,q3", "d3,s8", "text_inconsistent"),
    (PALMS, "d3,q3", "d3,e4", "text_inconsistent"),
    (PALMS, "d3,q3", "d3,j3,q3,m7,b8", "text_inconsistent"),
    (PALMS, "water=-", "water=1", "text_inconsistent"),
    (PALMS, "caravans=-/-", "caravans=li:n6/-", "text_inconsistent"),
    (PALMS, "phase=palms", "phase=aside", "text_inconsistent"),
    (PALMS, "tokens=0.0.0", "tokens=1.0.0", "text_inconsistent"),
    (WATER, "water=32", "water=30", "text_bad_value"),
    (LEADERS, "water=223", "water=023", "text_bad_value"),
    (WATER, "water=32", "water=" + "123" * 11, "text_inconsistent"),
    (WATER, "water=32", "water=" + "1" * 16, "text_inconsistent"),
]


@pytest.mark.parametrize(("text", "old", "new", "key"), EDITS)
def test_what_no_game_comes_to_is_refused(text, old, new, key):
    assert old in text
    edited = text.replace(old, new, 1)
    if key is None:
        assert GAME.parse(GAME.parse(edited).text()) == GAME.parse(edited)
    else:
        with pytest.raises(sarai.BadText) as refused:
            GAME.parse(edited)
        assert refused.value.key == key, str(refused.value)
        assert str(refused.value)


def last_lemon() -> sarai.State:
    """Return a state with one lemon camel left, at the beginning of a turn."""
    state, rng = GAME.start(2), Random(3)
    while state.actor >= -1:
        view = state.view(None).to_json()
        if view["piles"]["lemon"] == 1 and view["camels_left"] == 2:
            return state
        lemons = [
            move
            for move in state.legal()
            if GAME.move_text(state, move).startswith("lemon") == (view["piles"]["lemon"] > 1)
        ]
        state = state.play(rng.choice(lemons)) if lemons else state.play(*random_move(state, rng))
    raise AssertionError("the lemons ran out")


def test_piles_that_are_empty_or_more_than_empty():
    state = last_lemon()
    lemons = [move for move in state.legal() if GAME.move_text(state, move).startswith("lemon")]
    spots = [GAME.move_text(state, move).split()[1] for move in lemons]
    after = state.play(lemons[0])
    assert GAME.parse(after.text()) == after and after.text().endswith("left=1")
    with pytest.raises(sarai.BadText, match="would be over"):
        GAME.parse(after.text().replace("left=1", "left=2"))
    mine = ",".join(state.view(None).to_json()["caravans"][state.actor]["lemon"]).replace(",", "")
    dry = [spot for spot in spots if spot not in state.view(None).to_json()["water"]]
    with pytest.raises(sarai.BadText, match="more camels"):
        GAME.parse(state.text().replace(f"le:{mine}", f"le:{mine}{dry[0]}{dry[1]}"))


def test_a_finished_game_reads_back_only_with_its_reason():
    over = last_lemon()
    while over.actor >= 0:
        lemons = [move for move in over.legal() if GAME.move_text(over, move).startswith("lemon")]
        over = over.play((lemons or over.legal())[0])
    assert "ending=pile_empty" in over.text() and GAME.parse(over.text()) == over
    with pytest.raises(sarai.BadText):
        GAME.parse(over.text().replace("pile_empty", "nobody_can_place"))


def test_damaged_texts_are_refused_or_can_be_played_on():
    rng = Random(9)
    for text in POSITIONS.values():
        for _ in range(120 if COMPILED else 4):
            try:
                state = GAME.parse(damaged(text, rng))
            except sarai.BadText as refused:
                assert str(refused)
                continue
            assert GAME.parse(state.text()) == state
            for _ in range(60 if COMPILED else 2):
                if state.actor != sarai.OVER:
                    state = state.play(*random_move(state, rng))


def test_the_move_limit_ends_a_game_of_leaders_too():
    state = GAME.parse(LEADERS.replace("moves=2", "moves=199"))
    after = state.play(state.legal()[0])
    assert after.result is not None and after.result.reason == "move_limit"
    assert GAME.parse(after.text()) == after


# --- moves -------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["lilac d2", "LILAC D2", "li d2", "lid2", "lilacd2", "lilac-d2", "lil d2", "lilac   d2"]
)
def test_a_move_is_a_colour_and_a_hex(text):
    state = GAME.parse(BASE)
    move = GAME.parse_move(state, text)
    assert GAME.move_text(state, move) == "lilac d2"
    assert move in state.legal()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "move_unreadable"),
        ("d2", "move_unreadable"),
        ("lilac", "move_unreadable"),
        ("pink d2", "move_unreadable"),
        ("lilac z9", "move_unreadable"),
        ("lilac d99", "move_unreadable"),
        ("lilac d02", "move_unreadable"),
        ("lilac f7", "move_unreadable"),  # a mountain
        ("lilac d٢", "move_unreadable"),
        ("l d2", "move_ambiguous"),
        ("s d2", "move_ambiguous"),
    ],
)
def test_moves_that_cannot_be_read(text, key):
    with pytest.raises(sarai.BadText) as refused:
        GAME.parse_move(GAME.parse(BASE), text)
    assert refused.value.key == key and str(refused.value)


def test_every_move_has_a_notation_of_its_own():
    state = GAME.parse(BASE)
    texts = [GAME.move_text(state, move) for move in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions
    assert [GAME.parse_move(state, text) for text in texts] == list(range(GAME.num_actions))


def test_outcomes_are_colours_hexes_and_values():
    for text, outcomes in (
        (ASIDE, ["mint", "sky", "salmon"]),
        (PALMS, ["j3", "m7", "b8", "h11"]),
        (WATER, ["1", "2", "3"]),
    ):
        state = GAME.parse(text)
        assert [GAME.move_text(state, outcome) for outcome, _ in state.chance()] == outcomes
        assert [GAME.parse_move(state, word) for word in outcomes] == [outcome for outcome, _ in state.chance()]
        for nonsense in ("", "4", "a3", "pink", "0"):
            with pytest.raises(sarai.BadText):
                GAME.parse_move(state, nonsense)


def test_moves_in_words():
    assert GAME.move_words(GAME.parse(ASIDE), 1) == "the green rider's mint leader is set aside"
    assert GAME.move_words(GAME.parse(PALMS), 1) == "a palm on j3"
    assert GAME.move_words(GAME.parse(WATER), 0) == "a water token of 1 on h2"
    state = GAME.parse(LEADERS)
    assert GAME.move_words(state, GAME.parse_move(state, "sky g3")) == "place the sky leader on g3"
    state = GAME.parse(BASE)
    assert GAME.move_words(state, GAME.parse_move(state, "lilac e2")) == "place a lilac camel on e2 (oasis d3)"
    assert GAME.move_words(state, GAME.parse_move(state, "lilac h2")) == "place a lilac camel on h2 (water 3)"
    assert GAME.move_words(state, GAME.parse_move(state, "mint c3")) == "place a mint camel on c3"


# --- views and events --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS)
def test_views_survive_json(text):
    state = GAME.parse(text)
    for seat in (None, 0, 1):
        view = state.view(seat)
        assert GAME.read_view(view.to_json()) == view
        assert view.sample(1) == state


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "sand"},
        {"moves_made": 201},
        {"camels_left": 3},
        {"camels_left": 0},
        {"actor": 1},
        {"to_act": [1]},
        {"actor": -1, "to_act": []},
        {"aside": ["lilac"]},
        {"oases": ["d3"]},
        {"water": {}},
        {"water": {"d1": 4}},
        {"caravans": [{}, {}]},
        {"caravans": [{"lilac": []}, {}]},
        {"caravans": []},
        {"tokens": [[0, 0, 0]]},
        {"tokens": [[0, 0], [0, 0]]},
        {"enclosed": [[], []]},
        {"piles": {"lilac": 1}},
        {"points": []},
    ],
)
def test_views_whose_parts_do_not_fit_are_refused(change):
    data = GAME.parse(BASE).view(0).to_json()
    with pytest.raises(sarai.BadText) as refused:
        GAME.read_view(data | change)
    assert refused.value.key == "view_unreadable"


def test_every_event_has_a_sentence_and_every_sentence_can_be_said():
    keys = {telling.key for telling in GAME.definition.events}
    assert keys == set(GAME.definition.sentences)
    said = set()
    for players in (2, 5) if COMPILED else (2,):
        record = play_randomly(GAME, players, seed=2)
        for state, (seat, move) in zip(record.replay(), record.moves, strict=False):
            for event in GAME.events(state, move, None, by=seat):
                assert "{" not in sentence(event, GAME.definition.sentences, NAMES)
                assert event.reveals == (seat == sarai.CHANCE)
                said.add(event.key)
    assert said >= {
        "palm_planted",
        "water_laid",
        "leader_placed",
        "camel_placed",
        "water_taken",
        "oasis_linked",
        "final_score",
        "game_over",
    }


# --- the terminal --------------------------------------------------------------------------------------------------------------------


def drawn(state: sarai.State, seat: int | None, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    console.print(board(state.view(seat).to_json(), NAMES[: state.players]))
    text = console.file.getvalue()
    assert all(cell_len(line) <= width for line in text.splitlines())
    return text


def row(text: str, word: str) -> list[str]:
    """Return the cells of a table's row that has a word."""
    line = next(line for line in text.splitlines() if word in line and "│" in line)
    return [cell.strip() for cell in line.split("│")]


@pytest.mark.parametrize("width", [80, 100])
def test_the_board_shows_riders_colours_water_palms_and_areas(width):
    text = drawn(GAME.parse(BASE), 0, width)
    for shown in (
        "RLI",
        "rli",
        "RMI",
        "rmi",
        "RSK",
        "BLI",
        "bli",
        "~1~",
        "~2~",
        "~3~",
        "*P*",
        "/r/",
        "▲▲▲",
        "Ann is to place a camel: 2 left",
    ):
        assert shown in text, shown
    assert text.count("*P*") == 5 + 1 and text.count("rli") == 2 + 1  # and once in the legend
    assert "a hex's name stands under what lies on it" in " ".join(text.split())
    assert (
        " a3" in text and "i13" in text and " s5" not in text and " v9" not in text
    )  # the hexes beyond the line are not in play
    assert row(text, "Ann")[1:8] == ["▶", "r Ann (red)", "1", "5", "1", "40", "47"]
    assert row(text, "Bartholomew")[3:8] == ["0", "0", "0", "10", "10"]


@pytest.mark.parametrize("width", [80, 100])
def test_the_piles_and_the_lengths_of_the_caravans(width):
    text = drawn(GAME.parse(BASE), None, width)
    assert "li lilac  │ 19   │ 3 │ 2" in text and "le lemon  │ 22   │ 1 │ 1" in text


@pytest.mark.parametrize("width", [80, 100])
def test_five_players_use_the_whole_board(width):
    state = GAME.parse(FIVE)
    text = drawn(state, None, width)
    assert "v9" in text and "Dora is to place a leader." in text and "Ann (red), no lilac" in text
    assert all(letters in text for letters in ("RMI", "BLI", "GSK"))


def test_hidden_scores_show_only_the_own_points():
    state = GAME.parse(ENCLOSED)
    assert row(drawn(state, 0, 100), "Bartholomew")[3:8] == ["?"] * 5
    assert row(drawn(state, 0, 100), "Ann")[3:8] == ["3", "5", "2", "30", "40"]
    assert row(drawn(state, None, 100), "Ann")[3:8] == ["?"] * 5
    shown = GAME.parse(ENCLOSED.replace("scores=hidden ", ""))
    assert row(drawn(shown, None, 100), "Ann")[3:8] == ["3", "5", "2", "30", "40"]
    over = GAME.parse(OVER.replace("players=2", "players=2 scores=hidden"))
    assert row(drawn(over, None, 100), "Ann")[7] == str(over.scores[0])


@pytest.mark.parametrize(
    ("text", "turn"),
    [(ASIDE, "set aside"), (PALMS, "planted"), (WATER, "laid"), (FIRST, "first round"), (OVER, "over")],
)
def test_every_phase_can_be_drawn(text, turn):
    for width in (80, 100):
        assert turn in drawn(GAME.parse(text), None, width).splitlines()[-1]


def test_an_enclosed_oasis_shows_whose_it_is():
    state = GAME.parse(BASE.replace("mi:b3c2", "mi:b3c2d2e2e3d4c3").replace("water=123123", "water=123123"))
    text = drawn(state, None, 100)
    assert "*r*" in text.split("RLI: red's")[0] and text.split("RLI: red's")[0].count("*P*") == 4
