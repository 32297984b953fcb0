"""Processes of this machine that play deals, all busy all the time."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from sarai.arena.deals import WARM_UP, Deal, attempt
from sarai.arena.match import Match
from sarai.core.errors import Error


def work(pipe: Connection, match: Match, keep_moves: bool) -> None:
    """Be a process that plays the deals it is given until there are no more, or until the process that gives them is gone."""
    threading.Thread(target=die_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        while (task := pipe.recv()) is not None:
            pipe.send(attempt(match, task, keep_moves))


def die_with_parent() -> None:
    """Stop at once, in the middle of a deal, when the parent is gone: nobody would take the result."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def play_here(
    match: Match, deals: Sequence[int], jobs: int, keep_moves: bool, ready: Callable[[], None]
) -> Generator[Deal, None, None]:
    """Play deals in processes of this machine; yield each as it is over, in no order. Whoever stops listening stops the processes."""
    left, due = iter(deals), len(deals)
    spawning = multiprocessing.get_context("spawn")
    crew: dict[Connection, SpawnProcess] = {}
    try:
        with nobody_interrupted():
            for _ in range(min(jobs, due)):
                ours, its = spawning.Pipe()
                process = spawning.Process(target=work, args=(its, match, keep_moves), daemon=True)
                process.start()
                its.close()
                crew[ours] = process
        first, *others = crew
        first.send(WARM_UP)  # it compiles; the others load what it compiled
        playing = [first]
        while due:
            heard = wait(playing)
            for pipe in [pipe for pipe in playing if pipe in heard]:
                answer = receive(pipe, crew[pipe])
                if answer is None and pipe is first:
                    ready()
                    for other in others:
                        other.send(WARM_UP)
                    playing += others
                if (task := next(left, None)) is not None:
                    pipe.send(task)
                if answer is not None:
                    due -= 1
                    yield answer
    finally:
        for pipe, process in crew.items():
            pipe.close()
            process.terminate()
        for process in crew.values():
            process.join()


def receive(pipe: Connection, process: SpawnProcess) -> Deal | None:
    """Return what a process has to say, None that it is warm; its error is ours."""
    try:
        answer: Deal | Exception | None = pipe.recv()
    except (EOFError, OSError):
        process.join()
        raise Error("worker_lost", code=process.exitcode) from None
    if isinstance(answer, Exception):
        raise answer
    return answer


@contextlib.contextmanager
def nobody_interrupted() -> Iterator[None]:
    """Start processes that do not mind Ctrl-C: it is for the one that reads the keyboard, which will stop them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
