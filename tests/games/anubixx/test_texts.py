"""Anubixx in words: positions, moves, views, events, and the board in a terminal."""

import re
from pathlib import Path
from random import Random

import pytest
from markupsafe import Markup
from rich.console import Console

import sarai
from sarai.core.event_sentences import EventSentences, sentence
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly, random_move
from sarai.core.records import load
from sarai.games.anubixx.state import STONES
from sarai.games.anubixx.terminal import board
from sarai.games.anubixx.words import stone_words
from sarai.testing.contract import damaged
from sarai.web.language import find_language

GAME = sarai.game("anubixx")
NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve"]

# Seat 1 is active and has used a green die; seat 2 has marked a stone with a blue one; seat 0 won the scarab before.
BASE = (
    "anubixx players=3 phase=build moves=30 round=5 idle=0 turn=2 marked=1 built=1 dice=rr gone=g taken=b "
    "closed=scarab sheets=A/B/C pyramids=xxx--.xx--.---.--.-/---x-.----.---.--.-/---x-.----.---.--.- arches=10/00/00 "
    "reliefs=-/xx--.----.----/- quarries=1.4/-/- jokers=3/3/2 bonuses=scarab/-/-"
)
ROLL = (
    "anubixx players=2 phase=roll moves=4 round=2 idle=0 dice=rv closed=- sheets=A/F pyramids=-/x----.----.---.--.- "
    "arches=00/00 reliefs=-/- quarries=-/- jokers=2/2 bonuses=-/-"
)
OVER = (
    "anubixx players=2 phase=over ending=two_buildings moves=90 round=30 idle=0 dice=- closed=ankh.falcon.lotus.cat "
    "sheets=A/F pyramids=-/- arches=55k/11 reliefs=xxxx.xxxx.xxxx/- quarries=-/- jokers=2/1 "
    "bonuses=ankh.falcon.lotus.cat.end/-"
)
DEAL = (
    "anubixx players=2 phase=deal moves=0 round=1 idle=0 dice=- closed=- sheets=B/- pyramids=-/- arches=00/00 "
    "reliefs=-/- quarries=-/- jokers=2/2 bonuses=-/-"
)

BASE_1 = BASE.replace("players=3", "players=3 rules_version=1")
IDLE = (
    "anubixx players=2 phase=over ending=nothing_marked moves=70 round=31 idle=30 dice=- closed=- sheets=A/F "
    "pyramids=-/x----.----.---.--.- arches=00/00 reliefs=-/- quarries=-/- jokers=2/2 bonuses=-/-"
)
IDLE_1 = (
    IDLE.replace("players=2", "players=2 rules_version=1").replace("idle=30", "idle=3").replace("round=31", "round=4")
)


@pytest.mark.parametrize("text", [BASE, ROLL, OVER, DEAL, BASE_1, IDLE, IDLE_1])
def test_a_position_is_one_line_that_reads_back(text):
    assert GAME.parse(text).text() == text


def test_positions_of_whole_games_read_back():
    for players in GAME.players if COMPILED else (2, 5):
        for state in play_randomly(GAME, players, seed=players).replay():
            assert GAME.parse(state.text()) == state


RECORDS = sorted((Path(__file__).parents[2] / "records").glob("anubixx-*.sarai.json"))


@pytest.mark.parametrize("path", RECORDS if COMPILED else RECORDS[-2:], ids=lambda path: path.name)
def test_positions_and_views_of_recorded_games_of_both_versions_read_back(path):
    record = load(path)
    for number, state in enumerate(record.replay()):
        assert state.rules_version == record.rules_version
        assert GAME.parse(state.text()) == state
        if number % 7 == 0:
            view = state.view(number % record.players)
            assert GAME.read_view(view.to_json()) == view


def longest_idle(path: Path) -> tuple[int, int, str]:
    """Return a recorded game's rules version, its longest run of idle rounds, and how it ended."""
    record = load(path)
    rounds = max(state.view(None).to_json()["idle_rounds"] for state in record.replay())
    return record.rules_version, rounds, record.result.reason


def test_recorded_games_show_the_end_after_idle_rounds_of_both_versions():
    games = [longest_idle(path) for path in RECORDS]
    assert (1, 3, "nothing_marked") in games
    assert any(version == 2 and rounds > 3 and reason == "two_buildings" for version, rounds, reason in games)
    assert all(rounds <= 3 for version, rounds, _ in games if version == 1)


BAD_POSITIONS = [
    (BASE, "dice=rr", "dice=rb", None),  # another die is fine: the case that shows these edits can be read
    (BASE, "turn=2", "turn=3", "text_bad_value"),
    (BASE, "turn=2", "turn=1", "text_inconsistent"),
    (BASE, "turn=2", "turn=0", None),
    (BASE, "marked=1", "marked=0", "text_inconsistent"),
    (BASE, "marked=1", "marked=2", "text_bad_value"),
    (BASE, "built=1", "built=0", "text_inconsistent"),
    (BASE, "dice=rr", "dice=r", "text_inconsistent"),
    (BASE, "dice=rr", "dice=rrr", "text_inconsistent"),
    (BASE, "dice=rr", "dice=x", "text_bad_value"),
    (BASE, "gone=g", "gone=rg", "text_inconsistent"),
    (BASE, "dice=rr gone=g taken=b", "dice=- gone=ggg taken=b", "text_inconsistent"),
    (BASE, "dice=rr gone=g taken=b", "dice=r gone=g taken=rb", "text_inconsistent"),
    (BASE, "dice=rr", "dice=br", "text_bad_value"),
    (BASE, "closed=scarab", "closed=snake", "text_inconsistent"),
    (BASE, "closed=scarab", "closed=scarab.ankh", "text_inconsistent"),
    (BASE, "closed=scarab", "closed=scarab.scarab", "text_bad_value"),
    (BASE, "closed=scarab", "closed=", "text_bad_value"),
    (BASE, "bonuses=scarab/-/-", "bonuses=scarab/eye/-", "text_inconsistent"),
    (BASE, "bonuses=scarab/-/-", "bonuses=end.scarab/-/-", "text_bad_value"),
    (BASE, "bonuses=scarab/-/-", "bonuses=scarab.end/-/-", "text_inconsistent"),
    (BASE, "sheets=A/B/C", "sheets=A/B/B", "text_inconsistent"),
    (BASE, "sheets=A/B/C", "sheets=A/B/-", "text_inconsistent"),
    (BASE, "sheets=A/B/C", "sheets=A/-/C", "text_inconsistent"),
    (BASE, "sheets=A/B/C", "sheets=A/B/G", "text_bad_value"),
    (BASE, "pyramids=xxx--.xx", "pyramids=xx---.xx", "text_inconsistent"),
    (BASE, "pyramids=xxx--.xx", "pyramids=xxx-.xx", "text_bad_value"),
    (BASE, "pyramids=xxx--.xx", "pyramids=xyx--.xx", "text_bad_value"),
    (BASE, "/---x-.----.---.--.- arches", "/-----.----.---.--.- arches", "text_bad_value"),
    (BASE, "/---x-.----.---.--.- arches", "/- arches", "text_inconsistent"),
    (BASE, "arches=10/00/00", "arches=10k/00/00", "text_inconsistent"),
    (BASE, "arches=10/00/00", "arches=16/00/00", "text_bad_value"),
    (BASE, "arches=10/00/00", "arches=1/00/00", "text_bad_value"),
    (BASE, "arches=10/00/00", "arches=10kk/00/00", "text_bad_value"),
    (BASE, "reliefs=-/xx--.----.----", "reliefs=-/x-x-.----.----", "text_inconsistent"),
    (BASE, "reliefs=-/xx--.----.----", "reliefs=-/---x.x---.----", "text_inconsistent"),
    (BASE, "reliefs=-/xx--.----.----", "reliefs=-/x---.x---.----", None),
    (BASE, "quarries=1.4", "quarries=1.13", "text_bad_value"),
    (BASE, "quarries=1.4", "quarries=4.1", "text_bad_value"),
    (BASE, "quarries=1.4", "quarries=7", "text_inconsistent"),
    (BASE, "quarries=1.4", "quarries=1.2.3.4.5.6.7", "text_inconsistent"),
    (BASE, "jokers=3/3/2", "jokers=4/3/2", "text_bad_value"),
    (BASE, "jokers=3/3/2", "jokers=3/3/0", "text_inconsistent"),
    (BASE, "idle=0", "idle=1", None),
    (BASE, "idle=0", "idle=2", "text_inconsistent"),  # six stones in two rounds
    (BASE, "idle=0", "idle=3", "text_inconsistent"),
    (BASE, "idle=0", "idle=30", "text_inconsistent"),
    (BASE, "idle=0", "idle=31", "text_bad_value"),
    (BASE, "round=5 idle=0", "round=50 idle=29", None),
    (BASE, "round=5 idle=0", "round=50 idle=30", "text_inconsistent"),
    (BASE, "players=3", "players=3 rules_version=0", "unknown_rules_version"),
    (BASE, "players=3", "players=3 rules_version=3", "unknown_rules_version"),
    (BASE_1, "round=5 idle=0", "round=50 idle=2", None),
    (BASE_1, "round=5 idle=0", "round=50 idle=3", "text_inconsistent"),
    (BASE_1, "round=5 idle=0", "round=50 idle=4", "text_bad_value"),
    (IDLE, "idle=30", "idle=29", "text_inconsistent"),
    (IDLE, "idle=30", "idle=3", "text_inconsistent"),
    (IDLE, "round=31", "round=30", "text_inconsistent"),
    (IDLE_1, "idle=3", "idle=2", "text_inconsistent"),
    (IDLE_1, "idle=3", "idle=30", "text_bad_value"),
    (IDLE_1, "rules_version=1 ", "", "text_inconsistent"),
    (BASE, "round=5", "round=2", "text_inconsistent"),
    (BASE, "round=5", "round=0", "text_bad_value"),
    (BASE, "moves=30", "moves=5000", "text_inconsistent"),
    (
        BASE,
        "arches=10/00/00 reliefs=-/xx--.----.----/-",
        "arches=55k/00/00 reliefs=xxxx.xxxx.xxxx/-/-",
        "text_inconsistent",
    ),
    (ROLL, "dice=rv", "dice=rvv", "text_inconsistent"),
    (ROLL, "idle=0", "idle=2", "text_inconsistent"),
    (ROLL, "phase=roll", "phase=deal", "text_inconsistent"),
    (ROLL, "closed=- sheets", "turn=0 closed=- sheets", "text_unknown_field"),
    (OVER, "ending=two_buildings", "ending=nothing_marked", "text_inconsistent"),
    (OVER, "ending=two_buildings", "ending=move_limit", "text_inconsistent"),
    (OVER, "ending=two_buildings", "ending=", "text_inconsistent"),
    (OVER, "cat.end/-", "cat/-", "text_inconsistent"),
    (OVER, "cat.end/-", "cat.end/end", "text_inconsistent"),
    (OVER, "closed=ankh.falcon.lotus.cat", "closed=ankh.falcon.lotus", "text_inconsistent"),
    (OVER, "dice=-", "dice=r", "text_inconsistent"),
    (OVER, "phase=over ending=two_buildings", "phase=roll", "text_inconsistent"),
    (DEAL, "sheets=B/-", "sheets=B/C", "text_inconsistent"),
    (DEAL, "sheets=B/-", "sheets=-/C", "text_inconsistent"),
    (DEAL, "round=1", "round=2", "text_inconsistent"),
    (DEAL, "dice=-", "dice=r", "text_inconsistent"),
    (DEAL, "arches=00/00", "arches=00/10", "text_inconsistent"),
]


@pytest.mark.parametrize(
    ("base", "old", "new", "key"), BAD_POSITIONS, ids=[f"{old} to {new}" for _, old, new, _ in BAD_POSITIONS]
)
def test_a_position_that_no_game_comes_to_is_refused(base, old, new, key):
    text = base.replace(old, new, 1)
    assert text != base
    if key is None:
        assert GAME.parse(text).text() == text
        return
    with pytest.raises(sarai.BadText) as caught:
        GAME.parse(text)
    assert caught.value.key == key, str(caught.value)
    assert str(caught.value)


def test_damaged_positions_are_refused_or_can_be_played_to_the_end():
    rng, reasons = Random(7), []
    states = [state for players in (2, 4) for state in play_randomly(GAME, players, seed=players).replay()]
    reasons = []
    for _ in range(400 if COMPILED else 40):
        text = damaged(rng.choice(states).text(), rng)
        try:
            state = GAME.parse(text)
        except sarai.BadText as error:
            reasons.append(str(error))
            continue
        for _ in range(3000 if COMPILED else 30):
            if state.actor == sarai.OVER:
                break
            state = state.play(*random_move(state, rng))
            assert GAME.parse(state.text()) == state
    assert reasons and all(reasons)


def test_the_move_limit_ends_the_game_as_it_stands():
    state = GAME.parse(BASE.replace("moves=30", "moves=4999"))
    after = state.play(GAME.parse_move(state, "stop"))
    assert after.result.reason == "move_limit"
    assert GAME.parse(after.text()) == after
    assert after.scores == state.scores


# --- moves ------------------------------------------------------------------------------------------------------------


def test_every_move_id_has_a_notation_of_its_own():
    state = GAME.parse(BASE)
    texts = [GAME.move_text(state, move) for move in range(GAME.num_actions)]
    assert len(set(texts)) == GAME.num_actions == 232
    alike = [
        (move, GAME.parse_move(state, text)) for move, text in enumerate(texts) if GAME.parse_move(state, text) != move
    ]
    assert [(texts[move], texts[meant]) for move, meant in alike] == [
        ("f2.1q-2.2", "f2.1-2.2q"),
        ("f2.1j-2.2", "f2.1-2.2j"),
        ("f2.1j-2.2q", "f2.1q-2.2j"),
    ]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("P1.1Q", "p1.1q"),
        ("p1.1d", "p1.1"),
        ("KEYJ", "keyj"),
        (" al1 ", "al1"),
        ("f1.2q-1.1j", "f1.1j-1.2q"),
        ("f1.1-f1.2", "f1.1-1.2"),
        ("f1.1d-1.2dq", None),
    ]
    + [
        (text, None)
        for text in (
            "",
            "p",
            "p5.2",
            "p6.1",
            "al6",
            "key3",
            "f1.1",
            "f1.1-1.1",
            "f1.1-3.1",
            "f1.5-1.4",
            "p1.1x",
            "r",
            "A",
            "stop!",
            "²",
        )
    ],
)
def test_moves_are_read_leniently_or_refused(text, same):
    state = GAME.parse(BASE)
    if same is None:
        with pytest.raises(sarai.BadText):
            GAME.parse_move(state, text)
    else:
        assert GAME.move_text(state, GAME.parse_move(state, text)) == same


def test_outcomes_are_sheets_and_colours():
    start = GAME.start(2)
    assert [GAME.move_text(start, outcome) for outcome in range(6)] == list("ABCDEF")
    assert GAME.parse_move(start, "c") == 2
    assert GAME.move_words(start, 2) == "deal sheet C"
    rolling = GAME.parse(ROLL)
    assert [GAME.move_text(rolling, outcome) for outcome in range(6)] == list("roygbv")
    assert GAME.parse_move(rolling, "Violet") == GAME.parse_move(rolling, "v") == 5
    assert GAME.move_words(rolling, 5) == "roll violet"
    for state, text in ((start, "red"), (start, "G"), (rolling, "a"), (rolling, "stop")):
        with pytest.raises(sarai.BadText):
            GAME.parse_move(state, text)


def test_moves_in_words():
    state = GAME.parse(
        BASE.replace("marked=1", "marked=0").replace("dice=rr gone=g taken=b", "dice=rrv gone=g taken=-")
    )

    def words(text: str) -> str:
        return GAME.move_words(state, GAME.parse_move(state, text))

    assert words("stop") == "mark nothing"
    assert GAME.move_words(GAME.parse(BASE), GAME.num_actions - 1) == "stop"
    assert words("p1.1") == "mark pyramid, row 1 from below, stone 1, eye (violet) with a die"
    assert words("p1.3q") == "mark pyramid, row 1 from below, stone 3 (orange) from the quarry, skipping 1 quarry stone"
    assert words("al1j") == "mark arch, left column, stone 1 from below (orange) with a joker"
    assert words("f1.1q-1.2") == (
        "mark relief, row 1, stone 1, cat (blue) from the quarry and relief, row 1, stone 2 (red) with a die, "
        "skipping 4 quarry stones"
    )
    assert words("f2.1q-2.2q") == (
        "mark relief, row 2, stone 1 (yellow) from the quarry and relief, row 2, stone 2 (yellow) from the quarry, "
        "skipping 7 quarry stones"
    )


def test_a_refusal_names_the_stone_and_its_colour():
    state = GAME.parse(
        BASE.replace("marked=1", "marked=0").replace("dice=rr gone=g taken=b", "dice=rrv gone=g taken=-")
    )
    for text, said in (
        ("p1.4q", "p1.4 is marked already."),
        ("p1.1q", "A die in violet lies in the middle and must be used for p1.1."),
        ("f1.2-1.1j", None),
        ("f1.2-1.3", "No orange die is there for f1.3: pay from the quarry or with a joker."),
        ("f1.2q-1.3q", "A die in red lies in the middle and must be used for f1.2."),
        ("p2.1", "p2.1 needs both stones under it."),
    ):
        move = GAME.parse_move(state, text)
        if said is None:
            assert state.play(move)
            continue
        with pytest.raises(sarai.Illegal) as caught:
            state.play(move)
        assert str(caught.value) == said


# --- events, views ----------------------------------------------------------------------------------------------------


def test_every_event_has_a_sentence_and_all_see_the_same():
    seen = set()
    for seed in range(3 if COMPILED else 1):
        record = play_randomly(GAME, 3, seed=seed)
        for before, (seat, move) in zip(record.replay(), record.moves, strict=False):
            told = GAME.events(before, move, None, by=seat)
            assert all(
                GAME.events(before, move, observer, by=seat) == told for observer in (range(3) if COMPILED else (0,))
            )
            for event in told:
                seen.add(event.key)
                assert sentence(event, GAME.definition.sentences, NAMES)
                assert event.reveals == (seat == sarai.CHANCE)
    assert seen == {key.removesuffix("_you") for key in GAME.definition.sentences}


def test_a_view_is_the_table():
    state = GAME.parse(BASE)
    for seat in (None, 0, 1, 2):
        view = state.view(seat)
        assert view.sample(1) == state
        assert GAME.read_view(view.to_json()) == view
        assert view.legal() == ([] if seat is None else state.legal(seat))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("phase", "roll"),
        ("phase", "none"),
        ("actor", 1),
        ("actor", 7),
        ("to_act", [0]),
        ("round", 0),
        ("moves_made", -1),
        ("idle_rounds", -1),
        ("marked_this_turn", 3),
        ("built_this_round", False),
        ("closed", ["nothing"]),
        ("seats", []),
        ("ending", "two_buildings"),
        ("dice", {"middle": [], "gone": [], "taken": []}),
    ],
)
def test_a_view_that_no_game_shows_is_refused(name, value):
    data = GAME.parse(BASE).view(0).to_json()
    data[name] = value
    with pytest.raises(sarai.BadText):
        GAME.read_view(data)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("crossed", [13]),
        ("crossed", [0]),
        ("jokers", 4),
        ("jokers", -1),
        ("sheet", "Z"),
        ("sheet", None),
        ("marked", ["p9.9"]),
    ],
)
def test_a_view_with_a_broken_seat_is_refused(name, value):
    data = GAME.parse(BASE).view(0).to_json()
    data["seats"][0][name] = value
    with pytest.raises(sarai.BadText):
        GAME.read_view(data)


# --- the board in a terminal ------------------------------------------------------------------------------------------


def rendered(state: sarai.State, seat: int | None, width: int) -> str:
    console = Console(width=width, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(board(state.view(seat).to_json(), NAMES[: state.players], find_language("en").say))
    text = capture.get()
    assert max(len(line.rstrip()) for line in text.splitlines()) <= width
    return text


@pytest.mark.parametrize("width", [80, 100])
def test_the_board_shows_the_own_sheet_the_others_the_dice_and_the_bonuses(width):
    text = rendered(GAME.parse(BASE), 0, width)
    flat = " ".join(text.split())
    assert "Round 5, Bob is active, Cleo builds · one more stone" in flat
    assert "dice in the middle: R R · used by Bob: G · used by Cleo: B" in flat
    assert "scarab (s) closed: Ann" in flat and "snake (n) open" in flat and "end (two buildings) open" in flat
    assert "your sheet A" in text and "Bob, sheet B" in text and "Cleo, sheet C builds" in text
    assert "[Ge][R ][V ] Y   Oe" in text  # the bottom row: marked stones in brackets, symbols behind the colour
    assert "al1 [V ]     O   ar1  0" in text  # the arch's first level
    rows = [line for line in text.splitlines() if re.search(r" al[1-5] ", line)]
    assert len(rows) == 5 and len({(line.index("al"), line.index(" ar"), line.rindex("│")) for line in rows}) == 1
    assert len({line.rindex(" f") for line in text.splitlines() if re.search(r" f[1-3]  ?[ \[]", line)}) == 1
    assert "small sheets: ■ marked or crossed off" in flat
    assert "quarry: ■ · · ■ Y G V B R G O Y" in text
    assert "jokers: 3" in text and "jokers: 2" in text
    assert "B O R ■ Y" in text  # Bob's bottom row
    points = [line.split() for line in text.splitlines() if line.split()[:1] in (["Ann"], ["Bob"], ["Cleo"])]
    assert points == [
        ["Ann", "5", "0", "0", "3", "8", "6", "22"],
        ["Bob", "2", "0", "0", "0", "12", "6", "20"],
        ["Cleo", "2", "0", "0", "0", "12", "4", "18"],
    ]


def test_the_board_of_a_spectator_shows_all_sheets():
    text = rendered(GAME.parse(BASE), None, 100)
    assert "your sheet" not in text
    assert all(f"{name}, sheet" in text for name in NAMES[:3])


def test_the_board_while_sheets_are_dealt_dice_rolled_and_at_the_end():
    assert "the sheets are dealt" in rendered(GAME.parse(DEAL), 1, 80)
    assert "your sheet B" in rendered(GAME.parse(DEAL), 0, 80)
    rolling = rendered(GAME.parse(ROLL), 0, 80)
    assert "Bob rolls the dice" in rolling and "dice in the middle: R V" in rolling
    over = rendered(GAME.parse(OVER), 0, 80)
    assert "the game is over: two buildings" in over and "end (two buildings) closed: Ann" in " ".join(over.split())
    idle = ROLL.replace("round=2", "round=6").replace("idle=0", "idle=2")
    for text, limit in ((idle, 30), (idle.replace("players=2", "players=2 rules_version=1"), 3)):
        flat = " ".join(rendered(GAME.parse(text), None, 80).split())
        assert f"rounds without a stone: 2 ({limit} end the game)" in flat
    fresh = GAME.parse(
        BASE.replace("marked=1", "marked=0").replace("dice=rr gone=g taken=b", "dice=rrv gone=g taken=-")
    )
    assert "up to two stones, or a relief pair" in " ".join(rendered(fresh, 2, 80).split())


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_board_fits_the_terminal_all_game_long(players):
    rng, state = Random(players), GAME.start(players)
    number = 0
    while state.actor != sarai.OVER:
        if number % (25 if COMPILED else 150) == 0:
            rendered(state, rng.choice([None, *range(players)]), 80)
        state = state.play(*random_move(state, rng))
        number += 1
    rendered(state, 0, 80)


def test_stones_are_named_as_the_sheet_shows_them_and_the_notation_stays():
    names = {stone: stone_words(stone, find_language("en").say) for stone in STONES}
    assert len(set(names.values())) == len(STONES)
    assert names["p2.2"] == "pyramid, row 2 from below, stone 2, scarab" and names["key"] == "arch, keystone"
    state = GAME.parse(BASE)
    marked = GAME.events(state, state.legal()[0], None)[0]
    assert marked.key == "stone_marked" and marked.args["stone"] in names
    said = EventSentences(GAME, 2, {}, find_language("en")).sentence(
        marked, [Markup("Ada"), Markup("Bat")], None, False
    )
    assert names[marked.args["stone"]] in said and marked.args["stone"] not in said
