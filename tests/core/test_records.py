"""Records: written, read, replayed, and refused with a reason for every kind of damage."""

import copy
import json
from pathlib import Path
from random import Random

import pytest

import sarai
from sarai.core.kernels.compile import COMPILED
from sarai.core.random_play import play_randomly, random_move
from sarai.core.records import Record, load, read

ROUND = {"sixnimmt": {"rounds": 1}}


def made(id: str, seed: int = 3) -> Record:
    return play_randomly(sarai.game(id), 3, ROUND.get(id, {}), seed, names=["Ali", "בת־שבע", "<b>Ζωή</b>"])


@pytest.mark.parametrize("id", sarai.game_ids())
def test_a_record_is_saved_and_loaded(id, tmp_path):
    record = made(id)
    path = tmp_path / "game.sarai.json"
    record.save(path)
    again = load(path)
    assert again == record
    assert again.check().result == record.result
    assert [file.name for file in tmp_path.iterdir()] == ["game.sarai.json"]


def test_an_unfinished_game_is_a_record_too(tmp_path):
    record = made("sixnimmt")
    short = Record(record.game, record.players, record.options, record.names, record.moves[:50])
    short.save(tmp_path / "short.sarai.json")
    assert load(tmp_path / "short.sarai.json").result is None


def test_the_same_seed_gives_the_same_game():
    assert made("sixnimmt", 1) == made("sixnimmt", 1)
    assert made("sixnimmt", 1).moves != made("sixnimmt", 2).moves


GOOD = made("sixnimmt").to_json()


def changed(**fields: object) -> dict[str, object]:
    return copy.deepcopy(GOOD) | fields


def without(name: str) -> dict[str, object]:
    return {key: value for key, value in copy.deepcopy(GOOD).items() if key != name}


def moved(number: int, step: object) -> dict[str, object]:
    moves = copy.deepcopy(GOOD["moves"])
    moves[number] = step
    return changed(moves=moves)


RESULT = GOOD["result"]


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ([], "record_not_record"),
        ({}, "record_not_record"),
        ("sixnimmt", "record_not_record"),
        (None, "record_not_record"),
        (changed(format=2), "record_format"),
        (changed(format="1"), "record_not_record"),
        *[(without(name), "record_not_record") for name in GOOD if name != "format"],
        (changed(game="chess"), "unknown_game"),
        (changed(game=7), "record_not_record"),
        (changed(rules_version=99), "record_rules_version"),
        (changed(rules_version=0), "record_rules_version"),
        (changed(players=1), "wrong_player_count"),
        (changed(players=True), "record_not_record"),
        (changed(players=4), "record_not_record"),
        (changed(options={"colour": 1}), "unknown_option"),
        (changed(options={"target": 0}), "bad_option_value"),
        (changed(options={"deal": "draft"}), "conflicting_options"),
        (changed(names=["a", "b"]), "record_not_record"),
        (changed(names=["a", "b", 3]), "record_not_record"),
        (changed(extra=1), "record_not_record"),
        (changed(moves=[[0]]), "record_not_record"),
        (changed(moves=["c1"]), "record_not_record"),
        (changed(moves=[[0, True]]), "record_not_record"),
        (changed(moves=[[0, 1.0]]), "record_not_record"),
        (changed(result=None), "record_missing_result"),
        (changed(result={"scores": [1, 2, 3]}), "record_not_record"),
        (changed(result=RESULT | {"scores": [0, 0]}), "record_not_record"),
        (changed(result=RESULT | {"scores": [0, 0, 1]}), "record_wrong_result"),
        (changed(result=RESULT | {"reason": "because"}), "record_wrong_result"),
        (changed(result=RESULT | {"more": 1}), "record_not_record"),
        (changed(moves=GOOD["moves"][:-1]), "record_unfinished_result"),
        (changed(moves=GOOD["moves"] + [[0, 5]]), "record_bad_move"),
        (changed(moves=GOOD["moves"][1:]), "record_bad_move"),
        (moved(0, GOOD["moves"][1]), "record_bad_move"),
        (moved(0, [0, 5]), "record_bad_move"),
        (moved(0, [-1, 104]), "record_bad_move"),
        (moved(0, [-1, -1]), "record_bad_move"),
        (moved(0, [-1, 1 << 80]), "record_bad_move"),
        (moved(40, [1 << 80, 0]), "record_bad_move"),
        (moved(40, [-7, 0]), "record_bad_move"),
    ],
)
def test_damaged_records(data, key):
    with pytest.raises(sarai.BadRecord) as refused:
        read(json.dumps(data))
    assert refused.value.key == key
    assert str(refused.value)


@pytest.mark.parametrize(
    "text", ["", "{", json.dumps(GOOD)[:-20], "\x00", b"\xff\xfe", b"\x1f\x8b\x08", "[" * 100_000, "NaN x"]
)
def test_files_that_are_no_json(text):
    with pytest.raises(sarai.BadRecord) as refused:
        read(text)
    assert refused.value.key == "record_not_json"


def test_unreadable_and_unwritable_files(tmp_path):
    with pytest.raises(sarai.BadRecord) as refused:
        load(tmp_path / "absent.sarai.json")
    assert refused.value.key == "file_unreadable"
    with pytest.raises(sarai.BadRecord) as refused:
        load(tmp_path)
    assert refused.value.key == "file_unreadable"
    with pytest.raises(sarai.BadRecord) as refused:
        made("sixnimmt").save(tmp_path / "no such folder" / "game.sarai.json")
    assert refused.value.key == "file_unwritable"


def test_too_large_files(tmp_path, monkeypatch):
    monkeypatch.setattr("sarai.core.records.LIMIT", 100)
    path = tmp_path / "large.sarai.json"
    made("sixnimmt").save(path)
    with pytest.raises(sarai.BadRecord) as refused:
        load(path)
    assert refused.value.key == "file_unreadable"


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[1] / "records").glob("*.sarai.json")), ids=lambda path: path.name
)
def test_recorded_games_replay_to_the_exact_result(path):
    assert load(path).result is not None


def test_every_game_has_recorded_games():
    names = [path.name for path in (Path(__file__).parents[1] / "records").glob("*.sarai.json")]
    for id in sarai.game_ids():
        assert sum(name.startswith(id) for name in names) >= 3, id


# --- views as data ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", sarai.game_ids())
def test_damaged_views_are_refused(id):
    game = sarai.game(id)
    states = list(made(id).replay())
    good = states[min(60, len(states) // 2)].view(1).to_json()
    assert game.read_view(good).to_json() == good
    for damage in (
        {},
        {name: value for name, value in good.items() if name != "actor"},
        good | {"seat": 99},
        good | {"seat": "1"},
        good | {"players": 0},
        good | {"game": "chess"},
        good | {"rules_version": 99},
        good | {"options": {"colour": 1}},
        good | {"options": None},
        good | {"actor": 1 << 70},
        good | {"to_act": ["x"]},
    ):
        with pytest.raises(sarai.BadText) as refused:
            game.read_view(damage)
        assert refused.value.key == "view_unreadable"
        assert str(refused.value)


def test_views_that_no_seat_has():
    game = sarai.game("sixnimmt")
    state = game.start(2, {"deck": "known"})
    while state.actor == sarai.CHANCE:
        state = state.play(state.chance()[0][0])
    good = state.view(0).to_json()
    both = copy.deepcopy(good)
    both["hands"]["1"] = state.view(1).to_json()["hands"]["1"]
    for bad in (
        both,
        good | {"to_act": [10**13]},
        good | {"to_act": [0, 0]},
        good | {"seat": 0.0},
        good | {"seat": False},
        good | {"actor": 0.9},
        good | {"more": 1},
    ):
        with pytest.raises(sarai.BadText) as refused:
            game.read_view(bad)
        assert refused.value.key == "view_unreadable"


def test_names_that_no_file_can_hold():
    game = sarai.game("sixnimmt")
    for names in (["one"], ["a", "\ud800"], ["a", 7]):
        with pytest.raises(sarai.BadRecord):
            Record.begin(game, 2, names=names)
    with pytest.raises(sarai.BadRecord) as refused:
        load(Path("/tmp/\0x"))
    assert refused.value.key == "file_unreadable"


def nested(data: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Return the paths of all numbers and lists in plain data."""
    if isinstance(data, dict):
        return [path, *[found for key, value in data.items() for found in nested(value, (*path, key))]]
    if isinstance(data, list):
        return [path, *[found for key, value in enumerate(data) for found in nested(value, (*path, key))]]
    return [path]


def set_at(data: object, path: tuple[object, ...], value: object) -> None:
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


@pytest.mark.parametrize("id", sarai.game_ids())
def test_views_with_any_value_changed_are_refused_or_can_be_played_on(id):
    game, rng = sarai.game(id), Random(id)
    states, refusals = list(made(id).replay()), set()
    for _ in range(300 if COMPILED else 20):
        data = json.loads(json.dumps(rng.choice(states).view(rng.choice([None, 0, 1, 2])).to_json()))
        set_at(
            data,
            rng.choice([path for path in nested(data) if path]),
            rng.choice([-1, 0, 1, 2, 3, 7, 99, 127, 1000, 1 << 40, 1 << 70, None, "x", [], {}, [1, 2], 1.5, True]),
        )
        try:
            view = game.read_view(data)
        except sarai.BadText as refused:
            refusals.add(refused.key)
            continue
        state = view.sample(1)
        assert state.view(view.seat) == view
        for _ in range(20):
            if state.actor != sarai.OVER:
                state = state.play(*random_move(state, rng))
    assert refusals == {"view_unreadable"}


# --- position texts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", sarai.game_ids())
def test_broken_position_texts(id):
    game = sarai.game(id)
    text = game.start(3).text()
    for broken, key in (
        ("", "text_empty"),
        ("   ", "text_empty"),
        ("chess " + text.split(" ", 1)[1], "text_other_game"),
        (text + " colour=red", "text_unknown_field"),
        (text + " " + text.split()[-1], "text_repeated_field"),
        (text + " nonsense", "text_bad_field"),
        (text + " =7", "text_bad_field"),
        (text.rsplit(" ", 1)[0], "text_missing_field"),
        (text.replace("players=3", "players=33"), "wrong_player_count"),
        (text.replace("players=3", "players=x"), "text_bad_value"),
        (text.replace("players=3", ""), "text_missing_field"),
        (text.replace("moves=0", "moves=-1"), "text_bad_value"),
        (text.replace("moves=0", "moves=00"), "text_bad_value"),
        (text.replace("moves=0", "moves=99999999999"), "text_bad_value"),
        (text.replace("moves=0", "moves=٣"), "text_bad_value"),
    ):
        with pytest.raises(sarai.BadText) as refused:
            game.parse(broken)
        assert refused.value.key == key, broken
        assert str(refused.value)
