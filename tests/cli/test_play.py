"""`sarai play`: whole games by script, what each person may see, and records that are saved whatever happens."""

import re
import shlex
from pathlib import Path

import pytest

import sarai
from cli.person import PASS, ROUND, Person, plain, sentences
from sarai.cli.seats import resolve_seats
from sarai.cli.terminal_game import TerminalGame
from sarai.cli.terminal_io import LONGEST_NAME, Screen, printable_name, terminal
from sarai.core.errors import BadRecord
from sarai.core.records import Record, load


@pytest.mark.parametrize("id", sarai.game_ids())
def test_one_person_plays_a_whole_game_against_bots(cli, tmp_path, id):
    game, path = sarai.game(id), tmp_path / "whole.sarai.json"
    options = ROUND if id == "sixnimmt" else ()
    code, out, err = cli(
        "play", id, *options, "--players", game.players[-1], "--seed", 7, "--record", path, keyboard=Person()
    )
    assert (code, sentences(err)) == (0, [])
    assert PASS not in out
    record = load(path)
    assert record.result is not None and record.names[0] == "Player 1"
    winners = [name for name, rank in zip(record.names, record.result.ranks, strict=True) if rank == 1]
    assert f"{winners[0]} wins." in out if len(winners) == 1 else "share the win." in out
    for name, score in zip(record.names, record.result.scores, strict=True):
        assert re.search(rf"│ +{re.escape(name)} +│ +{score} │", out)
    assert f"The record is saved: {path}" in out


def test_two_people_pass_the_keyboard_and_see_nothing_of_each_other(cli, tmp_path):
    path = tmp_path / "two.sarai.json"
    code, out, err = cli(
        "play",
        "sixnimmt",
        *ROUND,
        "--players",
        3,
        "--people",
        2,
        "--name",
        "Ada",
        "--name",
        "Ben",
        "--record",
        path,
        keyboard=Person(),
    )
    assert (code, sentences(err)) == (0, [])
    record = load(path)
    assert record.result is not None
    assert record.names == ["Ada", "Ben", "Bot 3"]
    assert out.count(PASS) >= 20
    turns = re.split(rf"{PASS}(\w+), who then presses Enter: ", out)
    for name, shown in zip(turns[1::2], turns[2::2], strict=True):
        mine, _, everybody = shown.partition("The end ──")
        other = {"Ada": "Ben", "Ben": "Ada"}[name]
        text = " ".join(mine.split())
        assert "your hand" in mine
        assert f"{other} chooses" not in re.sub(r"chooses a card", "", text)
        assert not re.search(rf"{other} is dealt \d", text)
        assert not re.search(rf"{other} .* has chosen \d", mine)
        assert "your hand" not in everybody
    for seat, shown in enumerate(turns[2:5:2]):  # at the first look of each, all ten cards of the own hand
        dealt = {card + 1 for _, card in record.moves[seat * 10 : seat * 10 + 10]}
        assert {int(card) for card in re.findall(r"(\d+)×\d", shown.partition("your hand")[2].splitlines()[0])} == dealt


def test_the_screen_is_cleared_before_and_after_the_keyboard_is_passed(cli):
    _, out, _ = cli("play", "sixnimmt", *ROUND, "--players", 2, "--people", 2, keyboard=Person(), terminal=True)
    clear = "\x1b[H\x1b[2J\x1b[3J"
    prompts = plain(out).split(PASS)
    assert len(prompts) > 20
    shown = [part.rpartition(clear)[2] for part in prompts[:-1]]  # nothing but what everybody saw
    assert not any(re.search(r"your hand|\d×\d|chooses", part) for part in shown)
    assert shown[0] == "The cards are dealt.\n" and shown[1] == "Cards are being chosen.\n"
    assert any("turns up" in part for part in shown)
    assert all(part.partition("presses Enter: ")[2].lstrip("\n").startswith(clear) for part in prompts[1:])


def test_one_person_needs_no_cleared_screen(cli):
    _, out, _ = cli("play", "sixnimmt", keyboard=["h"], terminal=True)
    assert "\x1b[2J" not in out


def test_commands_and_bad_answers_ask_again(cli, tmp_path):
    path = tmp_path / "talk.sarai.json"
    answers = [
        "?",
        "? zebra",
        "",
        "h",
        "b",
        "l",
        "help",
        "board",
        "log",
        "zz",
        "105",
        "0",
        "r1",
        "\x07\x1b[31m",
        "save",
    ]
    code, out, err = cli("play", "sixnimmt", "--record", path, keyboard=[*answers, "q"])
    assert (code, sentences(err)) == (0, [])
    assert out.count("your move (? h q):") == len(answers) + 1
    assert len(re.findall(r"play \d+ \(\d heads?\)", out)) == 10
    assert "None of your 10 moves has 'zebra' in it." in out
    assert out.count("those with that word") == 2
    assert out.count("your hand") == 3
    assert " ".join(out.split()).count("The cards are dealt.") == 3
    for refused in (
        "'zz' is no move",
        "'105' is no move",
        "'0' is no move",
        "Now is not the time to take a row.",
        "'[31m' is no move",
    ):
        assert refused in out
    assert f"Saved: {path}" in out and "The game stops here." in out
    assert load(path).result is None


def test_an_illegal_card_is_refused_with_its_reason(cli):
    _, out, _ = cli("play", "sixnimmt", "--seed", 1, keyboard=[*(str(card) for card in range(1, 105) if card % 2), "q"])
    assert re.search(r"Card \d+ is not in your hand. Type \? for the moves you may make.", out)


def test_a_list_can_be_cut_down_to_a_word(cli):
    _, out, _ = cli(
        "play", "sixnimmt", "--option", "variant=tactical", keyboard=["? 7 heads", "? PLAY", "? take 4", "?"]
    )
    listed = out.split("(? h q):")
    assert "None of your 44 moves has '7 heads' in it." in listed[1]
    assert "None of your 44 moves has 'PLAY' in it." in listed[2]
    assert sorted(re.findall(r"take (\d+) \(", listed[3])) == ["4", *map(str, range(40, 45))]
    assert "These are" not in listed[3] and "These are 44;" in listed[4]


def test_moves_are_given_by_number_where_the_notation_has_no_numbers():
    game = sarai.game("sixnimmt")
    played = TerminalGame(Screen(), Record.begin(game, 2), resolve_seats(game, 2, 1, None), 0, Path("unused"))
    for seat in (0, 1):
        for _ in range(10):
            played.play(played.state.chance()[seat * 20][0], sarai.CHANCE)
    for _ in range(4):
        played.play(played.state.chance()[-1][0], sarai.CHANCE)
    texts = played.state.legal(0)
    assert played.read("1", 0, texts) == 0 and played.read("10", 0, texts) == 9
    played.play(0, 0)
    played.play(played.state.legal(1)[-1], 1)
    rows = played.state.legal(0)
    assert [played.read(answer, 0, rows) for answer in ("1", "r1", "R1", "4", "r4")] == [104, 104, 104, 107, 107]
    with pytest.raises(sarai.Illegal, match="take a row"):
        played.play(played.read("5", 0, rows) or 0, 0)


def test_what_happened_stands_between_the_board_and_the_prompt(cli):
    _, out, _ = cli("play", "sixnimmt", "--seed", 1, keyboard=Person(["q"]))
    shown = out.partition("Player 1 ──")[2]
    assert shown.index("your hand") < shown.index("The cards are dealt.") < shown.index("Player 1, your move")


def test_a_person_who_must_take_a_row_is_told_so(cli):
    _, out, _ = cli("play", "sixnimmt", *ROUND, "--seed", 1, keyboard=Person())
    said = re.findall(r"Your card \d+ is lower than every row: take r1 to r4.\n(.*)", out)
    assert said and all("your move" in line for line in said)


@pytest.mark.parametrize("id", sarai.game_ids())
def test_help_has_moves_of_the_game_and_where_its_rules_are(cli, id):
    _, out, _ = cli("play", id, keyboard=["h"])
    game = sarai.game(id)
    rules = Path(out.partition("clause by clause: ")[2].splitlines()[0])
    assert rules.read_text(encoding="utf-8") == game.rules_text() and f"`{id}`" in game.rules_text()
    if id in ("sixnimmt", "desert"):  # where moves are numbers themselves, and where they are not
        assert ("or its number there" in out) == (id == "desert")
    samples = terminal(game).HELP
    assert 2 <= len(samples.strip().splitlines()) <= 4 and samples.strip("\n") in out


def test_the_last_lines_are_commands_that_bring_the_game_again(cli, tmp_path):
    path = tmp_path / f"{'long ' * 30}.sarai.json"
    arguments = ["play", "sixnimmt", "--players", 3, "--people", 1, *ROUND, "--name", "Ada B", "--seed", 5]
    _, out, _ = cli(*arguments, "--record", path, keyboard=["q"])
    replay, again = map(shlex.split, out.splitlines()[-2:])
    assert replay == ["sarai", "replay", str(path)]
    assert again == [
        "sarai",
        "play",
        "sixnimmt",
        "--players",
        "3",
        "--people",
        "1",
        *ROUND,
        "--name=Ada B",
        "--seed",
        "5",
    ]
    code, same, _ = cli(*again[1:], keyboard=["q"])
    assert code == 0 and same.splitlines()[:20] == out.splitlines()[:20]


def test_enter_plays_the_only_move(cli, tmp_path):
    path = tmp_path / "enter.sarai.json"
    person = Person()
    plays, asked = person.readline, []

    def readline(limit):
        if " or Enter for " in person.screen.getvalue().splitlines()[-1]:
            asked.append(person.screen.getvalue().splitlines()[-1])
            person.read = person.screen.tell()
            return "\n"
        return plays(limit)

    person.readline = readline
    code, _, _ = cli("play", "sixnimmt", *ROUND, "--players", 2, "--record", path, keyboard=person)
    assert code == 0 and len(asked) == 1
    assert load(path).result is not None


def test_without_a_game_it_asks_and_enter_takes_the_usual(cli):
    code, out, err = cli("play", keyboard=["", "", "", "q"] if len(sarai.game_ids()) > 1 else ["", "", "q"])
    assert (code, sentences(err)) == (0, [])
    assert all(sarai.game(id).title in out for id in sarai.game_ids())
    assert (
        "How many players" in out
        and "[4]:" in out
        and "How many of them are people at this keyboard (0 to 4) [1]:" in out
    )
    assert "Player 1, Bot 2, Bot 3, Bot 4" in out


def test_questions_are_asked_again_after_nonsense_and_left_at_the_end_of_input(cli):
    code, out, err = cli("play", "--people", 2, keyboard=(["1"] if len(sarai.game_ids()) > 1 else []) + ["x", "99"])
    assert (code, sentences(err)) == (0, [])
    assert out.count("Type a whole number from 2 to") == 2


def test_bots_alone_can_be_watched(cli, tmp_path):
    path = tmp_path / "bots.sarai.json"
    code, out, _ = cli("play", "sixnimmt", *ROUND, "--bots", "random,random", "--players", 2, "--record", path)
    assert code == 0 and "Bot 1" in out and "Round 1 is over." in " ".join(out.split())
    assert load(path).result is not None


def test_the_same_seed_brings_the_same_game(cli, tmp_path):
    def game(seed, name):
        path = tmp_path / f"{name}.sarai.json"
        cli("play", "sixnimmt", *ROUND, "--seed", seed, "--record", path, keyboard=Person())
        return load(path)

    assert game(3, "first") == game(3, "again")
    assert game(4, "other") != game(3, "more")


@pytest.mark.parametrize(
    "end", [[], ["q"], ["quit"], [KeyboardInterrupt()]], ids=["end of input", "q", "quit", "Ctrl-C"]
)
def test_leaving_saves_the_unfinished_record_in_the_data_folder(cli, tmp_path, end):
    code, out, err = cli("play", "sixnimmt", "--people", 2, keyboard=Person([*end], forever=bool(end)))
    assert (code, sentences(err)) == (0, [])
    (path,) = (tmp_path / "data" / "sarai" / "records").iterdir()
    assert path.name.startswith("sixnimmt-") and path.name.endswith(".sarai.json")
    assert f"The record is saved: {path}" in out
    assert load(path).result is None


def test_records_of_the_same_moment_have_names_of_their_own(cli, tmp_path):
    for _ in range(3):
        cli("play", "sixnimmt")
    assert len(list((tmp_path / "data" / "sarai" / "records").iterdir())) == 3


def test_names_are_shown_as_they_are_and_cannot_disturb_the_terminal(cli, record):
    _, out, _ = cli(
        "play", "sixnimmt", "--name", "[red]Ada[/red]", "--name", ":cow:", "--people", 2, keyboard=Person(["b", "q"])
    )
    assert "[red]Ada[/red], :cow:, Bot 3, Bot 4" in out
    assert "[red]Ada[/red], your move" in out
    _, out, _ = cli("replay", record, "--all")
    assert "\x1b" not in out and "[bold]Ben[/bold]" in out and "Cleo [2J" in out


def test_names_become_printable():
    assert printable_name("  a\tb\n", 0) == "a b"
    assert printable_name("\x1b\ud800", 3) == "seat 3"
    assert len(printable_name("x" * 99, 0)) == LONGEST_NAME


def test_a_record_that_cannot_be_saved_is_an_error_but_does_not_stop_the_game(cli, monkeypatch):
    def fail(self, path):
        raise BadRecord("file_unwritable", path=path, why="No space left on device")

    monkeypatch.setattr(Record, "save", fail)
    code, out, err = cli("play", "sixnimmt", *ROUND, keyboard=Person())
    assert (code == 2 and "wins." in out) or "share the win." in out
    assert len(sentences(err)) == 1 and "No space left on device." in err
