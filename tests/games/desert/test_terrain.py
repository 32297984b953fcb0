"""The desert's terrain as data: what the loader takes and refuses, and games on another board."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sarai
from sarai.core.kernels import cache
from sarai.core.language import ENGLISH, LANGUAGES, find_language
from sarai.core.records import read
from sarai.core.refusal_sentences import say_refusal
from sarai.games.desert.terrain import BOARD, STANDARD_BOARD, BadBoard, load_board, read_board
from sarai.games.desert.words import AREAS

GOOD = """
P . . o P . ,
. . P . . . 0
. # . P . P Q
"""


def refused(text: str) -> BadBoard:
    with pytest.raises(BadBoard) as caught:
        read_board(text)
    assert isinstance(caught.value, sarai.Error) and str(caught.value)
    return caught.value


def test_D_02_a_board_is_read_from_its_letters():
    board = read_board(GOOD)
    assert (board.columns, board.rows, board.inside, len(board.places)) == (7, 3, 17, 20)
    assert board.names[:3] == ("a1", "b1", "c1") and board.names[-1] == "g3"
    assert [board.names[space] for space in board.palm_spaces] == ["a1", "e1", "c2", "d3", "f3", "g3"]
    assert board.mountains == frozenset()  # it is at the edge
    assert read_board(GOOD + "\n\n") == board != read_board(GOOD.replace("o", "."))


def test_the_standard_board_is_the_one_in_the_package():
    assert load_board(STANDARD_BOARD) == BOARD


def test_neighbours_are_mutual_and_a_ring_is_a_ring():
    for number, around in enumerate(BOARD.ring):
        assert len(around) == 6 and number not in around
        for side, other in enumerate(around):
            if other >= 0:
                assert BOARD.ring[other][(side + 3) % 6] == number
                following = around[(side + 1) % 6]
                assert following < 0 or following in BOARD.ring[other]


@pytest.mark.parametrize(
    ("text", "key", "facts"),
    [
        ("", "board_empty", {}),
        ("\n  \n", "board_empty", {}),
        (GOOD.replace("P Q", "P"), "board_ragged", {"row": 3, "found": 6, "wanted": 7}),
        (GOOD.replace("o", "x"), "board_unknown_letter", {"letter": "x", "row": 1, "column": 4}),
        (GOOD.replace("o P", "oP"), "board_unknown_letter", {"letter": "oP", "row": 1, "column": 4}),
        (". " * 27, "board_too_large", {"columns": 26, "rows": 99}),
        (".\n" * 100, "board_too_large", {"columns": 26, "rows": 99}),
        (GOOD.replace("# . P", "# . ."), "board_few_palm_spaces", {"found": 4}),
        ("\n".join(["P P P P P P P P"] * 4), "board_many_palm_spaces", {"found": 32, "most": 30}),
        (GOOD + "\n".join(["o o o o o o o"] * 7), "board_much_water", {"found": 52, "tokens": 45}),
        ("P P P P P . # .", "board_unreachable", {"area": "inside the line", "hex": "h1", "start": "a1"}),
        ("P P P P P . # 0", "board_unreachable", {"area": "on the whole board", "hex": "h1", "start": "a1"}),
    ],
)
def test_a_board_that_cannot_be_played_on_is_refused(text, key, facts):
    error = refused(text)
    assert error.key == key
    assert {name: error.facts[name] for name in facts} == facts


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != ENGLISH])
def test_where_a_hex_cannot_be_reached_is_said_in_the_readers_language(code):
    for text, area in zip(("P P P P P . # .", "P P P P P . # 0"), AREAS, strict=True):
        error, language = refused(text), find_language(code)
        assert error.facts["area"] == area
        assert language.say(area) != area and language.say(area) in say_refusal(error, language)


def test_a_board_that_cannot_be_read_is_refused(tmp_path):
    for path in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(BadBoard) as caught:
            load_board(path)
        assert caught.value.key == "board_unreadable"
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe.")
    with pytest.raises(BadBoard):
        load_board(tmp_path / "bytes.txt")


def test_kernels_of_another_board_are_kept_apart(tmp_path, monkeypatch):
    package = Path(sarai.__file__).parent
    standard = cache.source_hash(package)
    own = tmp_path / "board.txt"
    own.write_text(GOOD)
    monkeypatch.setenv("SARAI_DATA_DESERT_BOARD", str(own))
    first = cache.source_hash(package)
    own.write_text(GOOD.replace("o", "."))
    assert len({standard, first, cache.source_hash(package)}) == 3


# --- games on other boards, in a process of their own ---------------------------------------------------------------

RANDOM_GAMES = """
import json, sarai
from random import Random
from sarai.core.random_play import play_randomly
game = sarai.game("desert")
games = []
for players in game.players:
    for seed in range(3):
        record = play_randomly(game, players, seed=seed)
        states = list(record.replay())
        keys = [event.key for state, (seat, move) in zip(states, record.moves)
                for event in game.events(state, move, None, by=seat)]
        assert all(game.parse(state.text()) == state for state in states)
        assert all(game.read_view(state.view(0).to_json()) == state.view(0) for state in states)
        games.append({"players": players, "reason": record.result.reason, "keys": sorted(set(keys)),
                      "options": record.options,
                      "leaders": [len(caravans) for caravans in states[-1].view(None).to_json()["caravans"]]})
print(json.dumps({"actions": game.num_actions, "games": games}))
"""
ONE_GAME = """
import json, sarai
from sarai.core.random_play import play_randomly
print(json.dumps(play_randomly(sarai.game("desert"), 2).to_json()))
"""
CORRIDOR = """
import json, sarai
from random import Random
game = sarai.game("desert")
state = game.start(2)
while state.actor == sarai.CHANCE:
    state = state.play(state.chance()[0][0])
areas = []
for text in ("lilac b1", "mint g1"):
    state = state.play(game.parse_move(state, text))
while "phase=leaders" in state.text():
    state = state.play(state.legal()[-1])
areas.append(state.view(None).to_json()["enclosed"])
keys = [event.key for event in game.events(state, game.parse_move(state, "lilac c1"), None)]
state = state.play(game.parse_move(state, "lilac c1"))
areas.append(state.view(None).to_json()["enclosed"])
assert game.parse(state.text()) == state
print(json.dumps({"areas": areas, "keys": keys}))
"""


def on_board(tmp_path: Path, text: str, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script with another board, without the compiler."""
    path = tmp_path / "own.txt"
    path.write_text(text)
    settings = {
        **os.environ,
        "SARAI_DATA_DESERT_BOARD": str(path),
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": str(Path(sarai.__file__).parent.parent),
    }
    return subprocess.run([sys.executable, "-c", script], env=settings, capture_output=True, text=True, check=False)


@pytest.mark.program
def test_D_15_and_D_23_on_a_small_board_leaders_and_camels_run_out_of_room(tmp_path):
    run = on_board(tmp_path, GOOD, RANDOM_GAMES)
    assert run.returncode == 0, run.stderr
    played = json.loads(run.stdout)
    assert played["actions"] == 5 * 20
    for game in played["games"]:
        assert game["reason"] == "nobody_can_place"  # D-23: every player in a row had none
        assert {"no_room_for_leaders", "camel_not_placed", "game_over"} <= set(game["keys"])
        assert 1 <= sum(game["leaders"]) < game["players"] * 4  # D-15: who has no hex for a leader places none
        assert game["leaders"] == sorted(game["leaders"], reverse=True)
        assert game["options"]["board"] == read_board(GOOD).fingerprint


@pytest.mark.program
def test_D_15_placing_a_leader_encloses_nothing_until_its_caravan_grows(tmp_path):
    run = on_board(tmp_path, ". . . . . . . . . . P P P P P", CORRIDOR)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["areas"] == [[[], []], [["a1"], []]]
    assert found["keys"][:2] == ["camel_placed", "area_enclosed"]


@pytest.mark.program
def test_a_record_of_another_board_is_refused_here(tmp_path):
    run = on_board(tmp_path, GOOD, ONE_GAME)
    assert run.returncode == 0, run.stderr
    with pytest.raises(sarai.BadRecord) as caught:
        read(run.stdout)
    assert caught.value.key == "unknown_option"


@pytest.mark.program
def test_a_bad_board_is_one_sentence(tmp_path):
    run = on_board(
        tmp_path, "P P", "import sarai\ntry:\n    sarai.game('desert')\nexcept sarai.Error as error:\n    print(error)"
    )
    assert run.returncode == 0
    assert run.stdout == "The board has 2 palm spaces inside the line; the five palms need 5.\n"


TAUGHT = """
import json, sarai
from sarai.core.language import find_language
from sarai.core.lessons import has_lesson, lesson_of
from sarai.web.pages.rulebook import rulebook_page, pictures_of
games = [sarai.game(id) for id in ("desert", "sixnimmt")]
lessons = [(has_lesson(game), lesson_of(game) is not None, len(pictures_of(game)) > 0) for game in games]
print(json.dumps({"lessons": lessons, "rules": rulebook_page(games[0], find_language("en"), "light")}))
"""


@pytest.mark.program
def test_another_board_has_no_lesson_and_rules_without_pictures_of_the_standard_one(tmp_path):
    run = on_board(tmp_path, GOOD, TAUGHT)
    assert run.returncode == 0, run.stderr
    taught = json.loads(run.stdout)
    assert taught["lessons"] == [[False, False, False], [True, True, True]]
    assert "<h2" in taught["rules"] and "<figure" not in taught["rules"] and 'class="example"' not in taught["rules"]
