"""Several processes that serve the same socket: one starts, watches and stops them, and serves nothing itself.

A worker that dies is started again: at once if it has served for a while, else later each time. The first is started
alone, and the others when it serves and all games are compiled: so there is never more than one that compiles.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sarai.core.kernels.cache import was_tried
from sarai.core.registry import game_ids

WORKER = "SARAI_WORKER"  # variables of the environment: which worker this is, of whom, and where it says it is ready
SOCKETS = "SARAI_SOCKET"  # numbers, with commas between
LOOK = 0.2  # seconds between two looks at the workers
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0  # seconds before a worker is started again
HEALTHY = 3.0  # seconds of serving after which a worker that dies is started again at once
STOP_SECONDS = 20.0  # in which workers end when they are asked to
BAD_START = 2  # the exit code of a worker that has said why it cannot serve
logger = logging.getLogger("sarai.web")


class Place(NamedTuple):
    """Which worker this process is, counted from 0, and who started it."""

    number: int
    supervisor: int
    ready: int  # what it writes to when it serves; -1 when it has
    is_later: int  # 1 if the server was open already: then what is missing will come back

    @classmethod
    def of_this_process(cls) -> Place | None:
        """Return the place of this process among the workers of a server, None if it is all of a server."""
        told = os.environ.get(WORKER)
        return cls(*map(int, told.split(","))) if told else None

    def tell_ready(self) -> None:
        """Tell who started this worker that it serves; once, also if the worker replaces itself."""
        if self.ready >= 0:
            os.environ[WORKER] = f"{self.number},{self.supervisor},-1,{self.is_later}"
            with contextlib.suppress(OSError):
                os.write(self.ready, b".")
                os.close(self.ready)

    @property
    def is_orphan(self) -> bool:
        """Whether the process that started this one is gone."""
        return os.getppid() != self.supervisor


def share_of(total: int, workers: int, index: int) -> int:
    """Return how many of some processes belong to a worker, if they are divided evenly."""
    return total // workers + (index < total % workers)


def is_all_compiled() -> bool:
    """Say whether all games are compiled on this machine, those that cannot be aside."""
    return all(map(was_tried, game_ids()))


@dataclass
class WorkerProcess:
    """A worker, and its process if it runs."""

    index: int
    sockets: Sequence[socket.socket]
    variables: Mapping[str, str] = field(default_factory=dict)  # of its environment
    process: subprocess.Popen[bytes] | None = None
    ready: int = -1  # our end of the pipe, until it serves
    serving_since: float | None = None
    pause: float = field(default=FIRST_PAUSE)
    not_before: float = 0.0

    def start(self, is_later: bool) -> None:
        """Start this program once more, as this worker."""
        self.ready, theirs = os.pipe()
        numbers = [one.fileno() for one in self.sockets]
        environment = {
            **os.environ,
            **self.variables,
            WORKER: f"{self.index},{os.getpid()},{theirs},{is_later:d}",
            SOCKETS: ",".join(map(str, numbers)),
        }
        self.serving_since = None
        self.process = subprocess.Popen(
            sys.orig_argv,
            executable=sys.executable,
            stdin=subprocess.DEVNULL,
            env=environment,
            pass_fds=[*numbers, theirs],
        )
        os.close(theirs)

    def ended(self) -> int | None:
        """Return the exit code of its process if that has ended, and when it may be started again."""
        if self.process is None or (code := self.process.poll()) is None:
            return None
        now = time.monotonic()
        if self.serving_since is not None and now - self.serving_since >= HEALTHY:
            self.pause = FIRST_PAUSE
        self.not_before, self.pause = now + self.pause, min(2 * self.pause, LONGEST_PAUSE)
        self.process = None
        self.forget_pipe()
        return code

    def forget_pipe(self) -> None:
        """Close our end of the pipe."""
        if self.ready >= 0:
            os.close(self.ready)
            self.ready = -1


class Supervisor:
    """The process that starts the workers; `on_open` is called when the first of them serves."""

    def __init__(
        self,
        sockets: Sequence[Sequence[socket.socket]],
        on_open: Callable[[], None],
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.workers = [WorkerProcess(index, own, variables or {}) for index, own in enumerate(sockets)]
        self._on_open = on_open
        self._is_open = self._is_stopping = False

    def run(self) -> int:
        """Run until stopped; return the exit code, which is not 0 if the first worker cannot serve."""
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self._stop) for number in numbers}
        try:
            while not self._is_stopping:
                for worker in self.workers:
                    code = worker.ended()
                    if code == BAD_START and not self._is_open:
                        return BAD_START
                    if code is not None:
                        logger.warning("worker %d ended with exit code %d", worker.index, code)
                self._start()
                self._wait()
            return 0
        finally:
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, *_: object) -> None:
        self._is_stopping = True

    def _start(self) -> None:
        """Start the workers that are missing; one alone until it serves, and until all games are compiled."""
        now = time.monotonic()
        for worker in self.workers:
            if worker.process is None and now >= worker.not_before and not self._is_stopping:
                if worker.index and not (self._is_open and is_all_compiled()):
                    return
                worker.start(self._is_open)

    def _wait(self) -> None:
        """Wait a moment, or until a worker serves."""
        pipes = {worker.ready: worker for worker in self.workers if worker.ready >= 0}
        for pipe in select.select(list(pipes), [], [], LOOK)[0]:
            is_ready = os.read(pipe, 1) != b""  # otherwise it is gone
            pipes[pipe].forget_pipe()
            if is_ready:
                pipes[pipe].serving_since = time.monotonic()
                if not self._is_open:
                    self._is_open = True
                    self._on_open()

    def _end(self) -> None:
        """End all workers in order: each closes its streams and writes what waits."""
        running = [worker.process for worker in self.workers if worker.process is not None]
        for process in running:
            process.terminate()
        until = time.monotonic() + STOP_SECONDS
        for process in running:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for worker in self.workers:
            worker.forget_pipe()
