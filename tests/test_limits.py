"""No test runs for ever, whatever it waits for; and nothing that it started goes on without it."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

SLEEP = [sys.executable, "-c", "import time; time.sleep(1000)"]
WAITS = f"""
import signal, subprocess
def test_that_waits():
    BEFORE
    with subprocess.Popen({SLEEP}) as process:
        open("pid", "w").write(str(process.pid))
        process.wait()
def test_after_it():
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
"""
LIMITS = {
    "a signal ends it": ("pass", ["-o", "timeout=3"], "Timeout"),
    "no signal reaches it": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})",
        ["-n", "1", "-o", "timeout=3", "-o", "faulthandler_timeout=5", "-o", "faulthandler_exit_on_timeout=true"],
        "crashed",
    ),
}
IN_THE_BACKGROUND = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh"]


@pytest.mark.program
@pytest.mark.parametrize(("before", "arguments", "reason"), LIMITS.values(), ids=LIMITS)
def test_a_test_that_takes_too_long_fails_and_its_processes_are_gone(tmp_path, before, arguments, reason):
    (tmp_path / "test_waits.py").write_text(WAITS.replace("BEFORE", before))
    plugins = ["-p", "pytest_timeout", "-p", "xdist", "-p", "processes"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [*IN_THE_BACKGROUND, sys.executable, "-m", "pytest", *plugins, *arguments],
        cwd=tmp_path,
        env=clean | {"PYTHONPATH": str(Path(__file__).parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 1 passed" in done.stdout and reason in done.stdout, done.stdout + done.stderr
    wait_until_gone(int((tmp_path / "pid").read_text()))


def wait_until_gone(pid):
    """Wait until a process is over; who has to take note of it may take a moment."""
    until = time.monotonic() + 60
    with contextlib.suppress(psutil.NoSuchProcess):
        while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < until
            time.sleep(0.02)
