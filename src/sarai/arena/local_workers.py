"""Playing deals in processes of this machine, all busy all the time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from multiprocessing.connection import Connection, wait

from sarai.arena.deals import WARM_UP, Deal, attempt
from sarai.arena.match_settings import Match
from sarai.core.errors import Error
from sarai.core.worker_processes import Worker, start_worker, stop_workers


def play_deals(pipe: Connection, match: Match, keep_moves: bool) -> None:
    """Play the deals that come over a pipe; runs in a worker process."""
    while True:
        pipe.send(attempt(match, pipe.recv(), keep_moves))


def play_here(
    match: Match, deals: Sequence[int], jobs: int, keep_moves: bool, ready: Callable[[], None]
) -> Generator[Deal, None, None]:
    """Play deals in processes of this machine; yield each as it is over, in no order.

    `ready` is called when everything is compiled. Closing the generator stops the processes.
    """
    left, due = iter(deals), len(deals)
    workers: dict[Connection, Worker] = {}
    try:
        for _ in range(min(jobs, due)):
            worker = start_worker(play_deals, match, keep_moves)
            workers[worker.pipe] = worker
        first, *others = workers
        first.send(WARM_UP)  # it compiles; the others load what it compiled
        playing = [first]
        while due:
            answering = wait(playing)
            for pipe in [pipe for pipe in playing if pipe in answering]:
                answer = receive(workers[pipe])
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
        stop_workers(workers.values())


def receive(worker: Worker) -> Deal | None:
    """Return a worker's answer, None when it is warm; raise the error that it sent."""
    try:
        answer: Deal | Exception | None = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        raise Error("worker_lost", code=worker.process.exitcode) from None
    if isinstance(answer, Exception):
        raise answer
    return answer
