"""`sarai replay`: a record move by move, as its observer saw it; a damaged one is refused."""

import json
import re

import pytest

from cli.person import sentences
from sarai.core.kernels.warm import TO_PLAY, TO_REPLAY
from sarai.core.records import load
from sarai.core.state_and_view import State


def test_replay_steps_forth_and_back(cli, record):
    keys = ["", "", "b", "g 3", "g99", "e", "", "g0", "b", "x", "q"]
    code, out, err = cli("replay", record, keyboard=keys)
    assert (code, sentences(err)) == (0, [])
    last = sum(seat >= 0 for seat, _ in load(record).moves)
    assert [int(number) for number in re.findall(r"· move (\d+) of", out)] == [0, 1, 2, 1, 3, last, 0]
    assert f"The last move is number {last}." in out and "This is the end" in out and "This is the beginning" in out
    assert out.count("g N: go to move N") == 2
    assert out.count("wins.") == 1


@pytest.mark.parametrize("end", [[], [KeyboardInterrupt()]], ids=["end of input", "Ctrl-C"])
def test_replay_can_be_left(cli, record, end):
    code, out, err = cli("replay", record, keyboard=["", *end])
    assert (code, sentences(err)) == (0, []) and "move 1 of" in out


def test_replay_all_prints_every_move_as_a_spectator_saw_it(cli, record):
    code, out, _ = cli("replay", record, "--all")
    last = sum(seat >= 0 for seat, _ in load(record).moves)
    assert code == 0 and f"move {last} of {last}" in out and "The game is over: rounds played." in " ".join(out.split())
    assert out.count("· move ") == last + 1
    assert not re.search(r"is dealt \d|chooses \d", " ".join(out.split())) and "your hand" not in out


def test_replay_shows_a_seat_what_it_saw(cli, record):
    _, out, _ = cli("replay", record, "--all", "--seat", 0)
    text = " ".join(out.split())
    assert text.count("The cards are dealt.") == 1 and re.search(r"Ada chooses \d", text) and "your hand" in out
    assert not re.search(r"(Ben\[/bold\]|Cleo \[2J) (is dealt|chooses) \d", text)


def test_replay_uses_no_rule_that_play_does_not_use(cli, record, monkeypatch):
    monkeypatch.setattr(State, "play", None)
    code, out, err = cli("replay", record, keyboard=["e"])
    assert (code, sentences(err)) == (0, []) and "wins." in out
    assert set(TO_REPLAY) <= set(TO_PLAY)


def test_replay_of_an_unfinished_game_says_so(cli, tmp_path):
    cli("play", "sixnimmt", "--record", tmp_path / "open.sarai.json")
    code, out, _ = cli("replay", tmp_path / "open.sarai.json", "--all")
    assert code == 0 and "the game was not finished" in out


def damage(data, **changes):
    return json.dumps(json.loads(data) | changes)


BROKEN = {
    "empty": lambda _: "",
    "truncated": lambda data: data[: len(data) // 2],
    "deep": lambda _: "[" * 100_000,
    "other JSON": lambda _: "[]",
    "other format": lambda data: damage(data, format=2),
    "other rules": lambda data: damage(data, rules_version=99),
    "foreign game": lambda data: damage(data, game="chess"),
    "another game's options": lambda data: damage(data, options={"wind": "north"}),
    "impossible move": lambda data: damage(data, moves=[[-1, 103], [-1, 103]], result=None),
    "impossible seat": lambda data: damage(data, moves=[[10**30, 10**30]], result=None),
    "edited result": lambda data: data.replace('"scores":[', '"scores":[9', 1),
    "edited move": lambda data: damage(data, moves=json.loads(data)["moves"][:-1]),
    "a name with line breaks": lambda data: damage(data, game="a\nb\x1b[31m"),
}


@pytest.mark.parametrize("harm", BROKEN.values(), ids=BROKEN)
def test_a_damaged_record_is_refused_in_one_sentence(cli, record, harm):
    record.write_text(harm(record.read_text(encoding="utf-8")), encoding="utf-8")
    code, out, err = cli("replay", record, "--all")
    assert (code, out) == (2, "")
    assert len(sentences(err)) == 1 and err.endswith(".\n") and "\x1b" not in err and "mistake" not in err


def test_a_seat_that_is_not_there_is_refused(cli, record):
    code, out, err = cli("replay", record, "--seat", 3)
    assert (code, out, sentences(err)) == (2, "", ["There is no seat 3; seats are 0 to 2."])
