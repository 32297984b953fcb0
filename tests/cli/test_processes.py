"""The program as a process: pipes, a real terminal, and Ctrl-C."""

import os
import pty
import select
import signal
import subprocess
import sys
import time

import psutil
import pytest

from cli.person import plain
from sarai.core.records import load


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


@pytest.fixture
def real_terminal():
    """Start a command at a real terminal with SIGINT ignored, as a shell starts it in the background."""
    started = []

    def start(command):
        main, other = pty.openpty()
        started.append(main)
        process = subprocess.Popen(
            ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *command],
            stdin=other,
            stdout=other,
            stderr=other,
            env=os.environ | {"TERM": "xterm"},
        )
        started.append(process)
        os.close(other)
        return main, process

    yield start
    for main, process in zip(started[::2], started[1::2], strict=True):
        process.kill()
        process.wait(60)
        os.close(main)


@pytest.mark.program
def test_at_a_real_terminal_the_keyboard_is_passed_and_ctrl_c_saves(tmp_path, real_terminal):
    path = tmp_path / "terminal.sarai.json"
    terminal, game = real_terminal(program("play", "sixnimmt", "--people", 2, "--record", path))
    read_until(terminal, "presses Enter:")
    os.write(terminal, b"\n")
    assert "your hand" in read_until(terminal, "(? h q):")
    wait_until_asleep(game)
    game.send_signal(signal.SIGINT)
    assert f"The record is saved: {path}" in read_until(terminal, "same luck:").replace("\r\n", "")
    assert game.wait(60) == 0
    assert load(path).result is None


def wait_until_asleep(process):
    """Wait until a program that has asked something waits for the keyboard.

    Python sees a signal that comes between the two only with the next key.
    """
    looks, end = 0, time.monotonic() + 120
    while looks < 5:  # a busy machine may let it sleep for a moment before
        assert time.monotonic() < end
        looks = looks + 1 if psutil.Process(process.pid).status() == psutil.STATUS_SLEEPING else 0
        time.sleep(0.02)


def read_until(terminal, wanted):
    """Read what a terminal shows until something is there, for two minutes at most."""
    text, end = "", time.monotonic() + 120
    while wanted not in plain(text):
        assert time.monotonic() < end, text
        if select.select([terminal], [], [], 1)[0]:
            text += os.read(terminal, 10_000).decode(errors="replace")
    return plain(text)
