"""What the tests of the commands share: the program in this process, and a record."""

import contextlib
import io
import sys

import pytest

import sarai
from cli.person import Person, Terminal
from sarai.cli import run
from sarai.core.random_play import play_randomly


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
