"""Worker processes: Ctrl-C is not theirs, and they are gone when their parent is or when they are stopped."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from sarai.core.worker_processes import start_worker, stop_workers

SOURCE = str(Path(__file__).parents[2] / "src")
PARENT = """
import time
from sarai.core.worker_processes import start_worker

def rest(pipe):
    time.sleep(100)

if __name__ == "__main__":
    worker = start_worker(rest)
    print(worker.process.pid, flush=True)
    time.sleep(100)
"""
PROGRAM = """
import signal, sys
import sarai.cli

signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for what it starts in the background

def interrupted():
    try:
        print("running", flush=True)
        signal.pause()
    except KeyboardInterrupt:
        return 130

sarai.cli.run = interrupted
sarai.cli.main()
"""


def answer(pipe, factor):
    """Multiply what comes over a pipe."""
    while True:
        pipe.send((factor * pipe.recv(), signal.getsignal(signal.SIGINT) == signal.SIG_IGN))


def environment():
    return os.environ | {"PYTHONPATH": os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")])}


def wait_until(is_true, seconds=30):
    until = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.program
def test_workers_answer_ignore_ctrl_c_and_are_stopped(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2])  # a process imports `answer` from here
    before = signal.getsignal(signal.SIGINT)
    workers = [start_worker(answer, factor) for factor in (2, 3)]
    assert signal.getsignal(signal.SIGINT) is before
    try:
        for worker in workers:
            worker.pipe.send(7)
            os.kill(worker.process.pid, signal.SIGINT)
        assert [worker.pipe.recv() for worker in workers] == [(14, True), (21, True)]
        workers[0].pipe.send(8)
        assert workers[0].pipe.recv() == (16, True)
    finally:
        stop_workers(workers)
    assert [worker.process.exitcode for worker in workers] == [-signal.SIGTERM] * 2
    assert all(worker.pipe.closed for worker in workers)


@pytest.mark.program
def test_a_worker_is_gone_when_its_parent_is_killed(tmp_path):
    program = tmp_path / "parent.py"
    program.write_text(PARENT, encoding="utf-8")
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True, env=environment()) as parent:
        worker = psutil.Process(int(parent.stdout.readline()))
        assert worker.is_running()
        parent.send_signal(signal.SIGKILL)
    wait_until(lambda: not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE)


@pytest.mark.program
def test_the_program_stops_at_ctrl_c_although_it_was_started_with_it_ignored():
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, env=environment()
    ) as program:
        assert program.stdout.readline() == "running\n"
        program.send_signal(signal.SIGINT)
        assert program.wait(30) == 130
