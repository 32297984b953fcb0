"""The command `sarai arena`: what it prints and refuses, its processes, and how it is stopped and goes on."""

import contextlib
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import sarai
from arena.matches import small
from sarai.arena import play_deal, tabulate
from sarai.arena.deals import Deal
from sarai.arena.local_workers import play_here
from sarai.cli import run
from sarai.core.errors import Error
from sarai.core.records import load


@pytest.fixture
def cli(monkeypatch, tmp_path):
    """Run the command here; return its exit code, output and error output."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("SARAI_TRACEBACK", raising=False)

    def command(*arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(["arena", *map(str, arguments)])
        return code, out.getvalue(), err.getvalue()

    return command


TWO = ("sixnimmt", "random", "novice")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess", "random", "random"), "no game called 'chess'"),
        (("sixnimmt", "random", "deep-thought"), "no bot 'deep-thought'"),
        (("sixnimmt", "random"), "2 to 10 players, not 1"),
        (("sixnimmt",), "BOT"),
        ((*TWO, "--players", "11"), "2 to 10 players"),
        (("sixnimmt", "random", "novice", "regular", "--players", "2"), "3 bots cannot sit at a table for 2"),
        ((*TWO, "--games", "0"), "games cannot be '0'"),
        ((*TWO, "--games", "many"), "--games"),
        ((*TWO, "--jobs", "0"), "jobs cannot be '0'"),
        ((*TWO, "--jobs", "-2"), "jobs cannot be '-2'"),
        ((*TWO, "--seconds", "1", "--simulations", "5"), "not for both"),
        ((*TWO, "--seconds", "-1"), "seconds cannot be '-1"),
        ((*TWO, "--simulations", "0"), "simulations cannot be '0'"),
        ((*TWO, "--option", "target"), "NAME=VALUE"),
        ((*TWO, "--option", "target=none"), "target"),
        ((*TWO, "--records", "/dev/null"), "/dev/null cannot be written"),
        ((*TWO, "--resume", "/dev"), "/dev cannot be written"),
        ((*TWO, "--resume", "/no/such/folder/file"), "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(cli, arguments, words):
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_journal_of_another_match_is_refused_by_the_command(cli, journal):
    path, _, _ = journal
    code, out, err = cli(*TWO, "--seed", "2", "--resume", path)
    assert (code, out) == (2, "")
    assert "another match" in err


def test_a_match_that_is_over_is_told_from_its_journal(cli, journal):
    path, match, done = journal
    arguments = (*TWO, "--option", "rounds=1", "--games", "4", "--resume", path)
    code, out, err = cli(*arguments, "--json")
    assert code == 0
    assert json.loads(out) == tabulate(match, done).to_json()
    assert "2 of 2 deals" in err
    code, out, _ = cli(*arguments)
    assert code == 0
    for words in (
        "6 nimmt!",
        "2 players",
        "rounds=1",
        "4 games: 2 deals in 2 line-ups",
        "random",
        "novice",
        "mean rank",
        "finishes above",
        "%",
        "rounds_played 4",
    ):
        assert words in out
    assert path.exists()


# --- processes ---

MATCH = ("sixnimmt", "random", "novice", "regular", "--games", "60", "--option", "rounds=5", "--seed", "11", "--json")


@pytest.fixture
def start(tmp_path):
    """Start the program as a shell starts it in the background: with SIGINT ignored."""
    environment = os.environ | {
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "PYTHONPATH": os.pathsep.join([str(Path(sarai.__file__).parent.parent), str(tmp_path)]),
    }
    code, started = "from sarai.cli import main; main()", []

    def command(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", sys.executable, "-c", code, "arena", *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        started.append(process)
        return process

    yield command
    for process in started:
        process.kill()
        process.communicate()


def finished(process: subprocess.Popen[str], code: int = 0) -> tuple[str, str]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == code, err
    return out, err


def wait_for_lines(path: Path, lines: int) -> None:
    end = time.monotonic() + 300
    while time.monotonic() < end:
        if path.exists() and path.read_bytes().count(b"\n") > lines:
            return
        time.sleep(0.005)
    raise AssertionError("no deal was written down")


def children(process: subprocess.Popen[str]) -> list[int]:
    found = [
        line.split()
        for line in subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
        ).stdout.splitlines()
    ]
    return [int(pid) for pid, parent in found if int(parent) == process.pid]


def is_gone(pid: int) -> bool:
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return not state or state.startswith("Z")


def wait_until_gone(pids: list[int]) -> None:
    end = time.monotonic() + 30
    while not all(map(is_gone, pids)):
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.program
def test_a_killed_match_goes_on_and_ends_as_one_that_was_not(tmp_path, start):
    records = tmp_path / "records"
    killed = start(*MATCH, "--jobs", "2", "--resume", "match.jsonl", "--records", str(records))
    wait_for_lines(tmp_path / "match.jsonl", 3)
    killed.send_signal(signal.SIGSTOP)  # else the match may end while its children are looked for
    workers = children(killed)
    assert len(workers) >= 2
    killed.send_signal(signal.SIGKILL)
    finished(killed, -signal.SIGKILL)
    wait_until_gone(workers)  # no process plays on for a match that is gone
    before = (tmp_path / "match.jsonl").read_bytes().count(b"\n") - 1
    assert 3 <= before < 20
    out, err = finished(start(*MATCH, "--jobs", "2", "--resume", "match.jsonl", "--records", str(records)))
    assert f"{before} of 20 deals are in match.jsonl already." in err
    whole, _ = finished(start(*MATCH, "--jobs", "1"))
    assert out == whole
    assert list((tmp_path / "state" / "sarai" / "arena").iterdir()) == []  # a match that is over leaves nothing behind
    check_records(sorted(records.iterdir()), json.loads(whole))


def check_records(files: list[Path], table: dict) -> None:
    """Every record replays, and together they are the table."""
    assert len(files) == table["games"] == 60
    wins: Counter[str] = Counter()
    for number, file in enumerate(files):
        record = load(file)
        assert record.result is not None
        assert sorted(record.names) == ["novice", "random", "regular"]
        assert record.names[number % 3] == "random"
        for name, share in zip(record.names, record.result.utilities, strict=True):
            wins[name] += share
    for bot in table["bots"]:
        assert bot["win"]["mean"] == pytest.approx(wins[bot["bot"]] / 60)


@pytest.mark.program
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tmp_path, start):
    process = start(*MATCH, "--games", "9000", "--jobs", "2", "--resume", "match.jsonl")
    wait_for_lines(tmp_path / "match.jsonl", 2)
    workers = children(process)
    process.send_signal(signal.SIGINT)
    out, err = finished(process, 130)
    assert out == ""
    assert "Stopped after" in err
    assert "match.jsonl, and the same command goes on from there." in err
    assert "Traceback" not in err
    wait_until_gone(workers)


@pytest.mark.program
def test_processes_play_what_one_would_and_their_errors_are_told(own, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(own), os.environ.get("PYTHONPATH", "")]))
    match, warm = small("own_bots:First", "random"), []
    played = sorted(play_here(match, range(5), 2, True, lambda: warm.append(True)))
    assert played == [play_deal(match, deal) for deal in range(5)]
    assert warm == [True]
    assert all(isinstance(deal, Deal) for deal in played)
    with pytest.raises(Error, match="no idea"):
        list(play_here(small("own_bots:Broken", "random"), range(5), 1, False, lambda: None))
    playing = play_here(match, range(500), 1, False, lambda: None)
    next(playing)
    (worker,) = multiprocessing.active_children()
    worker.kill()
    with pytest.raises(Error) as error:
        list(playing)
    assert (error.value.key, error.value.facts["code"]) == ("worker_lost", -signal.SIGKILL)
    assert multiprocessing.active_children() == []
