"""The command line: whole games by script, what each person may see, and an answer in one sentence to everything that is wrong."""

import contextlib
import io
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
import typer.main

import sarai
from sarai.cli import app, run
from sarai.cli.screen import LONGEST_NAME, Log, clean, paragraph, terminal
from sarai.core.errors import BadRecord
from sarai.core.events import SEATS, Event
from sarai.core.kernels.compiled_markers import was_prepared
from sarai.core.kernels.warm import TO_LOOK_BACK, TO_PLAY
from sarai.core.random_play import play_randomly, random_move
from sarai.core.records import Record, load
from sarai.core.state import State

ROOT = Path(__file__).parents[2]
ROUND = ("--option", "rounds=1")
PASS = "Pass the keyboard to "


class Terminal(io.StringIO):
    """An output that says it is a terminal."""

    def isatty(self):
        return True


def plain(text):
    """Return a text without its colours."""
    return re.sub(r"\x1b\[[\d;]*m", "", text)


class Person:
    """Reads the screen and answers: Enter to take the keyboard, a move from the list when asked for one, or the lines of a script first."""

    def __init__(self, script=(), forever=True):
        self.script = list(script)
        self.forever = forever
        self.screen = None
        self.rng = Random(1)
        self.read = 0

    def isatty(self):
        return False

    def readline(self, limit):  # noqa: ARG002
        self.screen.seek(self.read)
        seen, self.read = plain(self.screen.read()), self.screen.tell()
        if self.script and PASS not in seen[-80:]:
            line = self.script.pop(0)
            if isinstance(line, BaseException):
                raise line
            return line + "\n"
        if not self.forever:
            return ""
        if "your move" not in seen.splitlines()[-1]:
            return "\n"
        if seen.splitlines()[0] != "?":  # the list of moves comes right after its own echo
            return "?\n"
        return self.rng.choice([line.split()[0] for line in seen.splitlines()[1:-1]]) + "\n"


@pytest.fixture
def cli(monkeypatch, tmp_path):
    """Run the command with lines, or a Person, at the keyboard; return its exit code, output and error output."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("SARAI_TRACEBACK", raising=False)

    def command(*arguments, keyboard=(), terminal=False):
        out, err = Terminal() if terminal else io.StringIO(), io.StringIO()
        person = keyboard if isinstance(keyboard, Person) else Person(keyboard, forever=False)
        person.screen = out
        monkeypatch.setattr(sys, "stdin", person)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run([str(argument) for argument in arguments])
        return code, out.getvalue(), err.getvalue()

    return command


@pytest.fixture
def record(tmp_path):
    """A file with a finished game of 6 nimmt!."""
    path = tmp_path / "game.sarai.json"
    play_randomly(
        sarai.game("sixnimmt"), 3, {"rounds": 1}, seed=5, names=["Ada", "[bold]Ben[/bold]", "Cleo\x1b[2J"]
    ).save(path)
    return path


def sentences(text):
    """Return the lines of an error output, leaving out what the compiler announces."""
    return [line for line in text.splitlines() if not line.startswith("Compiling the rules")]


# --- listing ---------------------------------------------------------------------------------------------------------------------


def test_version(cli):
    assert cli("--version") == (0, f"sarai {sarai.__version__}\n", "")


def test_games_lists_every_game_with_every_option(cli):
    code, out, err = cli("games")
    assert (code, err) == (0, "")
    for id in sarai.game_ids():
        game = sarai.game(id)
        assert id in out and game.title in out and f"{game.players[0]}–{game.players[-1]}" in out
        for option in game.options:
            assert f"{option.name}={option.default}" in out
            assert option.help.split()[-1] in out


def test_without_a_command_it_opens_the_house(cli, monkeypatch):
    asked = []
    monkeypatch.setattr("sarai.cli.serve.open_house", lambda *wishes: asked.append(wishes))
    monkeypatch.setenv("SARAI_PORT", "8123")
    code, _, err = cli()
    assert (code, err, asked) == (0, "", [("127.0.0.1", 8123, None, None, None, True, 0.7)])


def test_it_explains_itself(cli):
    code, out, err = cli("--help")
    assert (code, err) == (0, "")
    assert all(name in out for name in ("serve", "games", "play", "replay", "warm", "bench"))


@pytest.mark.program
@pytest.mark.parametrize(
    "code",
    [
        "import sarai; sarai.game_ids()",
        "from sarai.cli import run; run(['games'])",
        "from sarai.cli import run; run(['--version'])",
    ],
)
def test_listing_imports_neither_numba_nor_numpy(code):
    heavy = "import sys; print(sorted({'numba', 'numpy'} & set(sys.modules)), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", f"{code}; {heavy}"], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


@pytest.mark.program
def test_listing_games_takes_less_than_100_ms():
    code = "import time; began = time.process_time(); import sarai; sarai.game_ids(); print(time.process_time() - began)"  # others may keep the machine busy
    took = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(7)
    ]
    assert min(took) < 0.1


# --- playing ---------------------------------------------------------------------------------------------------------------------


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
    assert shown[0] == "The cards are dealt.\n" and shown[1] == "Player 1 has chosen.\n"
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
    from sarai.cli.play import Sitting
    from sarai.cli.screen import Screen
    from sarai.cli.seats import seats

    game = sarai.game("sixnimmt")
    sitting = Sitting(Screen(), Record.begin(game, 2), seats(game, 2, 1, None), 0, Path("unused"))
    for seat in (0, 1):
        for _ in range(10):
            sitting.play(sitting.state.chance()[seat * 20][0], sarai.CHANCE)
    for _ in range(4):
        sitting.play(sitting.state.chance()[-1][0], sarai.CHANCE)
    texts = sitting.state.legal(0)
    assert sitting.read("1", 0, texts) == 0 and sitting.read("10", 0, texts) == 9
    sitting.play(0, 0)
    sitting.play(sitting.state.legal(1)[-1], 1)
    rows = sitting.state.legal(0)
    assert [sitting.read(answer, 0, rows) for answer in ("1", "r1", "R1", "4", "r4")] == [104, 104, 104, 107, 107]
    with pytest.raises(sarai.Illegal, match="take a row"):
        sitting.play(sitting.read("5", 0, rows) or 0, 0)


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
    assert f"docs/rules/{id}.md" in out and (ROOT / f"docs/rules/{id}.md").is_file()
    assert ("or its number there" in out) == (id != "sixnimmt")
    samples = terminal(sarai.game(id)).HELP
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


def test_clean_names():
    assert clean("  a\tb\n", 0) == "a b"
    assert clean("\x1b\ud800", 3) == "seat 3"
    assert len(clean("x" * 99, 0)) == LONGEST_NAME


def test_a_record_that_cannot_be_saved_is_an_error_but_does_not_stop_the_game(cli, monkeypatch):
    def fail(self, path):
        raise BadRecord("file_unwritable", path=path, why="No space left on device")

    monkeypatch.setattr(Record, "save", fail)
    code, out, err = cli("play", "sixnimmt", *ROUND, keyboard=Person())
    assert (code == 2 and "wins." in out) or "share the win." in out
    assert len(sentences(err)) == 1 and "No space left on device." in err


# --- replaying -------------------------------------------------------------------------------------------------------------------


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
    assert set(TO_LOOK_BACK) <= set(TO_PLAY)


def test_replay_of_an_unfinished_game_says_so(cli, tmp_path):
    cli("play", "sixnimmt", "--record", tmp_path / "open.sarai.json")
    code, out, _ = cli("replay", tmp_path / "open.sarai.json", "--all")
    assert code == 0 and "the game was not finished" in out


# --- compiling -------------------------------------------------------------------------------------------------------------------


def test_warm_gets_all_games_ready(cli):
    code, out, err = cli("warm")
    assert (code, sentences(err)) == (0, []) and "All games are ready" in out
    assert all(map(was_prepared, sarai.game_ids()))


@pytest.mark.program
@pytest.mark.parametrize("id", sarai.game_ids())
def test_nothing_is_left_to_compile_after_warming_up_for_play(id):
    code = f"""
import sarai
from sarai.core.kernels import entry_points
from sarai.core.kernels.warm import TO_PLAY, warm
from sarai.core.random_play import random_move
from random import Random
game = sarai.game({id!r})
list(warm(game, TO_PLAY))
def compiled():
    return {{name: len(kernel.signatures) for name, kernel in vars(entry_points).items() if hasattr(kernel, "signatures")}}
before = compiled()
assert sum(before.values()) >= len(TO_PLAY) - 1
rng, state = Random(1), game.start(game.players[0])
for _ in range(300):
    if state.actor == sarai.OVER:
        break
    state.view(0).legal(), state.scores, state.result
    state, seen = game.play_with_events(state, *random_move(state, rng))
    seen(None)
print({{name: count for name, count in compiled().items() if count != before[name]}})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{}\n"


@pytest.mark.program
def test_a_first_start_says_what_it_is_doing_and_a_second_has_nothing_to_say(tmp_path):
    def start():
        code = "from sarai.cli.prepare import prepare; import sarai; prepare(sarai.game('sixnimmt'), ['start'])"
        return subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"SARAI_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stderr

    assert start() == "Compiling the rules of 6 nimmt! for this machine; next time they are ready.\n"
    assert start() == ""


# --- what is wrong ---------------------------------------------------------------------------------------------------------------

WRONG = {
    "unknown command": (("plya",), "No such command 'plya'"),
    "unknown flag": (("games", "--fast"), "No such option"),
    "missing file": (("replay",), "Missing argument"),
    "extra argument": (("games", "x"), "unexpected extra argument"),
    "not a number": (("play", "sixnimmt", "--players", "many"), "--players"),
    "unknown game": (("play", "chess"), "There is no game called 'chess'"),
    "too few players": (("play", "sixnimmt", "--players", "1"), "6 nimmt! is for 2 to 10 players, not 1."),
    "too many people": (("play", "sixnimmt", "--people", "11"), "6 nimmt! is for 2 to 10 players, not 11."),
    "negative people": (("play", "sixnimmt", "--people", "-1"), "--people"),
    "more people than players": (
        ("play", "sixnimmt", "--players", "3", "--people", "4"),
        "3 players cannot be 4 people and 0 bots.",
    ),
    "seats do not add up": (
        ("play", "sixnimmt", "--players", "5", "--people", "1", "--bots", "random,random"),
        "5 players cannot be 1 people and 2 bots.",
    ),
    "unknown bot": (
        ("play", "sixnimmt", "--bots", "deep"),
        "There is no bot called 'deep'; there are random, novice, regular, expert, master.",
    ),
    "too many names": (("play", "sixnimmt", "--name", "A", "--name", "B"), "There are 2 names for 1 people."),
    "option without value": (
        ("play", "sixnimmt", "--option", "target"),
        "An option is written NAME=VALUE, not 'target'.",
    ),
    "option twice": (
        ("play", "sixnimmt", "--option", "target=5", "--option", "target=6"),
        "Option 'target' is given twice.",
    ),
    "unknown option": (("play", "sixnimmt", "--option", "speed=5"), "6 nimmt! has no option 'speed'"),
    "bad option value": (("play", "sixnimmt", "--option", "target=x"), "Option 'target' cannot be 'x'"),
    "conflicting options": (("play", "sixnimmt", "--players", "7", "--option", "deck=known"), "do not go together"),
    "record in no folder": (("play", "sixnimmt", "--record", "/no/such/folder/x"), "its folder does not exist."),
    "record exists": (("play", "sixnimmt", "--record", __file__), "there is something of that name already."),
    "record name too long": (("play", "sixnimmt", "--record", "x" * 300), "cannot be written"),
    "no such record": (("replay", "/no/such/file"), "/no/such/file cannot be read: No such file or directory."),
    "record is a folder": (("replay", "/"), "cannot be read"),
    "record is no JSON": (("replay", __file__), "This is not a JSON file"),
}


@pytest.mark.parametrize("arguments, reason", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_one_sentence(cli, arguments, reason):
    code, out, err = cli(*arguments, keyboard=["q"])
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and err.endswith((".\n", "?\n")) and reason in err


def damage(data, **changes):
    return json.dumps(json.loads(data) | changes)


BROKEN = {
    "empty": lambda data: "",
    "truncated": lambda data: data[: len(data) // 2],
    "deep": lambda data: "[" * 100_000,
    "other JSON": lambda data: "[]",
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


def test_a_mistake_of_the_program_is_one_sentence_too(cli, record, monkeypatch):
    def fail(self, last):
        raise KeyError("x\ny")

    monkeypatch.setattr(Record, "check_result", fail)
    code, out, err = cli("replay", record)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and err.startswith("Sarai itself made a mistake (KeyError")
    monkeypatch.setenv("SARAI_TRACEBACK", "1")
    with pytest.raises(KeyError):
        cli("replay", record)


# --- as a process ----------------------------------------------------------------------------------------------------------------


def program(*arguments):
    return [sys.executable, "-c", "from sarai.cli import main; main()", *map(str, arguments)]


@pytest.mark.program
def test_a_piped_game_runs_as_a_process(tmp_path):
    path = tmp_path / "piped.sarai.json"
    command = program("play", "sixnimmt", "--record", path)
    done = subprocess.run(command, input=b"?\n\xff\xfe\n", capture_output=True, env=os.environ | {"PYTHONUTF8": "1"})
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    assert b"is no move that can be read here" in done.stdout and load(path).result is None
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


@pytest.mark.program
def test_a_closed_pipe_and_a_closed_input_are_no_reason_for_a_traceback(record, tmp_path):
    with subprocess.Popen(program("replay", record, "--all"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as shown:
        assert shown.stdout is not None and shown.stderr is not None
        shown.stdout.read(10)
        shown.stdout.close()
        assert b"Traceback" not in shown.stderr.read()
    code = "import os; os.close(0)\nfrom sarai.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "play", "sixnimmt", "--record", str(tmp_path / "closed")],
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr


@pytest.mark.program
def test_at_a_real_terminal_the_keyboard_is_passed_and_ctrl_c_saves(tmp_path):
    path = tmp_path / "terminal.sarai.json"
    main, other = pty.openpty()
    command = program("play", "sixnimmt", "--people", 2, "--record", path)
    with subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=os.environ | {"TERM": "xterm"}) as game:
        os.close(other)
        read_until(main, "presses Enter:")
        os.write(main, b"\n")
        assert "your hand" in read_until(main, "(? h q):")
        game.send_signal(signal.SIGINT)
        assert f"The record is saved: {path}" in read_until(main, "same luck:").replace("\r\n", "")
        assert game.wait(60) == 0
    os.close(main)
    assert load(path).result is None


def read_until(terminal, wanted):
    """Read what a terminal shows until something is there, for two minutes at most."""
    text, end = "", time.monotonic() + 120
    while wanted not in plain(text):
        assert time.monotonic() < end, text
        if select.select([terminal], [], [], 1)[0]:
            text += os.read(terminal, 10_000).decode(errors="replace")
    return plain(text)


# --- words and documents ---------------------------------------------------------------------------------------------------------


def test_paragraphs_count_what_comes_again():
    assert paragraph(["A.", "B.", "B.", "B.", "A."]) == "A. B (3 times). A."
    assert paragraph([]) == ""


def test_a_log_tells_each_move_once_with_the_chance_after_it():
    log = Log(sarai.game("sixnimmt"), ["Ada", "Ben"])
    log.add([Event("dealt_hidden", {"seat": 1})], by_chance=True)
    log.add([Event("dealt", {"seat": 0, "card": 5})], by_chance=True)
    assert log.news() == ["The cards are dealt."]
    log.add([Event("chose_hidden", {"seat": 1})], by_chance=False)
    log.add([Event("game_over", {"ending": "move_limit"})], by_chance=True)
    assert log.news() == ["Ben has chosen. The game is over: move limit."]
    assert log.news() == [] and len(log.all()) == 2


@pytest.mark.parametrize(
    "id, option, amounts",
    [
        ("camelup-2014", "money=hidden", r"brings WHO 1 pound|WHO: \d+ for bets"),
        ("camelup-2018", "money=hidden", r"brings WHO 1 pound|WHO: \d+ for bets"),
        ("desert", "scores=hidden", r"WHO takes the water on \w+: \d"),
    ],
)
def test_hidden_amounts_of_others_are_not_told_before_the_end(id, option, amounts):
    game, rng, names = sarai.game(id), Random(2), ["Ada", "Bot 2", "Bot 3"]
    option, _, hidden = option.partition("=")
    logs = {(seat, value): Log(game, names, seat, {option: value}) for seat in (None, 0) for value in ("open", hidden)}
    state = game.start(3)
    for _ in range(250):
        if state.actor == sarai.OVER:
            break
        state, seen = game.play_with_events(state, *random_move(state, rng))
        for (seat, _), log in logs.items():
            log.add(seen(seat), by_chance=False, is_over=state.actor == sarai.OVER)
    for (seat, value), log in logs.items():
        before = " ".join(log.all()[:-1])
        assert bool(re.search(amounts.replace("WHO", r"Bot \d"), before)) == (value == "open")
        assert bool(re.search(amounts.replace("WHO", "Ada"), before)) == (value == "open" or seat == 0)


def test_every_discreet_sentence_stands_in_for_one_of_the_game():
    for game in map(sarai.game, sarai.game_ids()):
        for (name, value), texts in getattr(terminal(game), "DISCREET", {}).items():
            (option,) = (option for option in game.options if option.name == name)
            assert value in option.choices and option.display
            for key, text in texts.items():
                assert set(re.findall(r"{(\w+)}", text)) <= set(re.findall(r"{(\w+)}", game.definition.sentences[key]))


def test_sentences_are_right_for_one_and_for_every_colour():
    for game in map(sarai.game, sarai.game_ids()):
        numbers = set(game.definition.words.names) | set(game.definition.words.sets) | SEATS
        for key, text in game.definition.sentences.items():
            for name, noun in re.findall(r"{(\w+)} (heads|pounds|camels|points|cards)\b", text):
                assert name in numbers, f"{key}: 1 {noun}"
            for name in re.findall(r"\ba {(\w+)}", text):
                assert not any(word.startswith(tuple("aeiou")) for word in game.definition.words.names[name]), key


def test_every_flag_is_documented_and_every_documented_flag_exists():
    flags = {"--help"}
    commands = typer.main.get_command(app)
    for command in [commands, *commands.commands.values()]:
        for parameter in command.params:
            flags |= {name for name in [*parameter.opts, *parameter.secondary_opts] if name.startswith("--")}
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert set(re.findall(r"--[a-z][a-z-]*", text)) == flags
    assert set(re.findall(r"`sarai ([a-z]+)", text)) == set(commands.commands)
