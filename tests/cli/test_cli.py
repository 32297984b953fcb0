"""The program `sarai`: what it lists and compiles, and an answer in one sentence to everything that is wrong."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

import sarai
from cli.person import sentences
from sarai.cli import app
from sarai.core.kernels.cache import was_compiled
from sarai.core.records import Record
from sarai.web.serve import ServeSettings

ROOT = Path(__file__).parents[2]

# --- listing ---


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
    monkeypatch.setattr("sarai.cli.serve.open_house", asked.append)
    monkeypatch.setenv("SARAI_PORT", "8123")
    code, _, err = cli()
    assert (code, err, asked) == (0, "", [ServeSettings(port=8123)])


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
    clock = "time.process_time()"  # other programs may keep the machine busy
    code = f"import time; began = {clock}; import sarai; sarai.game_ids(); print({clock} - began)"
    took = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(7)
    ]
    assert min(took) < 0.1


# --- compiling ---


def test_warm_gets_all_games_ready(cli):
    code, out, err = cli("warm")
    assert (code, sentences(err)) == (0, []) and "All games are ready" in out
    assert all(map(was_compiled, sarai.game_ids()))


@pytest.mark.program
@pytest.mark.parametrize("id", sarai.game_ids())
def test_nothing_is_left_to_compile_after_warming_up_for_play(id):
    code = f"""
import sarai
from sarai.core.kernels import python_entry_points
from sarai.core.kernels.warm import TO_PLAY, warm
from sarai.core.random_play import random_move
from random import Random
game = sarai.game({id!r})
list(warm(game, TO_PLAY))
def compiled():
    kernels = vars(python_entry_points).items()
    return {{name: len(kernel.signatures) for name, kernel in kernels if hasattr(kernel, "signatures")}}
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
        code = "from sarai.cli.warm import warm_game; import sarai; warm_game(sarai.game('sixnimmt'), ['start'])"
        return subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"SARAI_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stderr

    assert start() == "Compiling the rules of 6 nimmt! for this machine; next time they are ready.\n"
    assert start() == ""


# --- what is wrong ---

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
        "5 players cannot be 1 person and 2 bots.",
    ),
    "unknown bot": (
        ("play", "sixnimmt", "--bots", "deep"),
        "There is no bot called 'deep'; there are random, novice, regular, expert, master.",
    ),
    "too many names": (("play", "sixnimmt", "--name", "A", "--name", "B"), "There are 2 names for 1 person."),
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


@pytest.mark.parametrize(("arguments", "reason"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_one_sentence(cli, arguments, reason):
    code, out, err = cli(*arguments, keyboard=["q"])
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and err.endswith((".\n", "?\n")) and reason in err


def test_a_mistake_of_the_program_is_one_sentence_too(cli, record, monkeypatch):
    def fail(self, last):
        raise KeyError("x\ny")

    monkeypatch.setattr(Record, "check_result", fail)
    code, out, err = cli("replay", record)
    assert (code, out) == (2, "")
    (line,) = sentences(err)
    assert line.startswith("Sarai itself made a mistake (KeyError")
    monkeypatch.setenv("SARAI_TRACEBACK", "1")
    with pytest.raises(KeyError):
        cli("replay", record)


# --- documents ---


def test_every_flag_is_documented_and_every_documented_flag_exists():
    flags = {"--help"}
    commands = typer.main.get_command(app)
    nested = [inner for command in commands.commands.values() for inner in getattr(command, "commands", {}).values()]
    for command in [commands, *commands.commands.values(), *nested]:
        for parameter in command.params:
            flags |= {name for name in [*parameter.opts, *parameter.secondary_opts] if name.startswith("--")}
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert set(re.findall(r"--[a-z][a-z-]*", text)) == flags
    assert set(re.findall(r"`sarai ([a-z]+)", text)) == set(commands.commands)
