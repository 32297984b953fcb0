"""Worker processes: spawned, spoken to over a pipe, untouched by Ctrl-C, and gone when their parent is."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess, SpawnContext, SpawnProcess
from typing import Any, NamedTuple

from sarai.core.processor_affinity import on_all_processors


class Worker(NamedTuple):
    """A process and our end of its pipe."""

    process: SpawnProcess | ForkServerProcess
    pipe: Connection


def start_worker(work: Callable[..., None], *arguments: Any) -> Worker:
    """Start a process that runs `work(pipe, *arguments)` until it returns or the pipe is closed."""
    return start(multiprocessing.get_context("spawn"), work, arguments)


def start_forked_worker(preload: str, work: Callable[..., None], *arguments: Any) -> Worker:
    """Start such a process as a copy of one that has imported a module, whose memory all copies share.

    The first waits for that import; all copies of a program are of the same module. Linux only.
    """
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload([preload])
    return start(forking, work, arguments)


def start(context: SpawnContext | ForkServerContext, work: Callable[..., None], arguments: tuple[Any, ...]) -> Worker:
    """Start a worker's process."""
    ours, theirs = context.Pipe()
    process = context.Process(target=run_worker, args=(work, theirs, arguments), daemon=True)
    with interrupts_ignored(), on_all_processors():
        process.start()
    theirs.close()
    return Worker(process, ours)


def stop_workers(workers: Iterable[Worker]) -> None:
    """Stop processes in the middle of what they do, and wait until they are gone."""
    workers = list(workers)
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join()
        worker.pipe.close()


def run_worker(work: Callable[..., None], pipe: Connection, arguments: tuple[Any, ...]) -> None:
    """Do a worker's work, in its process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=die_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        work(pipe, *arguments)


def die_with_parent() -> None:
    """End this process at once when its parent is gone: no process would read its answer."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


@contextlib.contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C, so that a process which is started meanwhile ignores it from its first moment on.

    It is sent to the whole group of processes, and the parent stops its workers itself.
    """
    if threading.current_thread() is not threading.main_thread():  # only this one may set handlers
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
