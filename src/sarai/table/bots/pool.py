"""A pool of processes for bots, so that neither thinking nor compiling ever holds up a page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sarai.core.errors import Error
from sarai.core.processes import Worker, start_worker, stop_workers
from sarai.core.registry import game_ids
from sarai.table.bots.worker import LEVELS, USES, work

if TYPE_CHECKING:
    from sarai.core.state import View

TRIES = 3


class Progress(NamedTuple):
    """How far the rules and bots of a game are compiled or loaded."""

    ready: bool
    step: str
    done: int
    of: int
    failure: str | None = None  # why it cannot be prepared, when that was tried often enough


READY = Progress(True, "", 1, 1)


class Bots(Protocol):
    """What tables need of bots."""

    def prepare_later(self, game_id: str) -> None:
        """Prepare a game after all others."""

    def prepare_soon(self, game_id: str, is_compiled: bool = False) -> None:
        """Prepare a game for a player who waits for it; one that is compiled only has to be loaded."""

    def status(self, game_id: str) -> Progress:
        """Say how far a game is prepared."""

    async def choose(self, view: View, level: str, seed: int) -> int:
        """Return a move for the seat of a view; Error if no bot can choose one."""


@dataclass
class Task:
    """Something a process is asked to do, and the future of its answer."""

    kind: str  # "prepare" or "choose"
    game_id: str
    arguments: tuple[Any, ...] = ()
    answer: asyncio.Future[int] | None = None
    tries: int = 0


@dataclass(eq=False)
class BotWorker:
    """A process, its task, and the games it still has to load for itself."""

    process: SpawnProcess
    pipe: Connection
    compiles: bool
    task: Task | None = None
    to_load: deque[str] = field(default_factory=deque)


class BotPool:
    """Processes for bots: the first compiles games, one after the other, while the others think; then all think."""

    def __init__(
        self, processes: int | None = None, games: Iterable[str] | None = None, levels: Sequence[str] = LEVELS
    ) -> None:
        self._levels = tuple(levels)  # those that are compiled ahead; others compile when they first think
        self._steps = (*USES, *self._levels)
        self._count = max(2, processes or os.cpu_count() or 2)
        self._to_compile = deque(games if games is not None else game_ids())
        self._status: dict[str, Progress] = {}
        self._settled: dict[str, asyncio.Event] = {}  # set when a game is ready, and when it cannot be
        self._waiting: deque[Task] = deque()
        self._workers: list[BotWorker] = []
        self._failures: Counter[str] = Counter()
        self._closed = False

    def start(self) -> None:
        """Start the processes; call it inside the running loop."""
        self._loop = asyncio.get_running_loop()
        self._workers = [self._worker(compiles=number == 0) for number in range(self._count)]
        self._assign()

    async def close(self) -> None:
        """Stop all processes."""
        self._closed = True
        workers = [Worker(worker.process, worker.pipe) for worker in self._workers]
        await asyncio.to_thread(stop_workers, workers)

    async def choose(self, view: View, level: str, seed: int) -> int:
        """Return a bot's move for the seat of a view, when the game is prepared and a process is free."""
        game_id = view.game.id
        self.prepare_soon(game_id)
        await self._settled_event(game_id).wait()
        if (failure := self.status(game_id).failure) is not None:
            raise Error("bot_lost", why=failure)
        answer: asyncio.Future[int] = self._loop.create_future()
        self._waiting.append(Task("choose", game_id, (view.to_bytes(), level, seed), answer))
        self._assign()
        return await answer

    # --- which game is prepared when ------------------------------------------------------------------------------

    def prepare_later(self, game_id: str) -> None:
        """Prepare a game after all others."""
        if not self._is_known(game_id):
            self._to_compile.append(game_id)
            self._assign()

    def prepare_soon(self, game_id: str, is_compiled: bool = False) -> None:
        """Prepare a game before the others that wait.

        While another game is compiled a second process takes it, unless it has to be compiled and bots play already.
        """
        if game_id in self._to_compile:
            self._to_compile.remove(game_id)
        elif self._is_known(game_id):
            return
        is_compiling = any(worker.compiles and worker.task is not None for worker in self._workers)
        idle = next((worker for worker in self._workers if not worker.compiles and worker.task is None), None)
        may_block = is_compiled or not any(progress.ready for progress in self._status.values())
        if is_compiling and idle is not None and may_block:
            idle.to_load.appendleft(game_id)
        else:
            self._to_compile.appendleft(game_id)
        self._assign()

    def status(self, game_id: str) -> Progress:
        """Say how far a game is prepared."""
        return self._status.get(game_id, Progress(False, "", 0, len(self._steps)))

    def _is_known(self, game_id: str) -> bool:
        """Say whether a game is prepared, or is going to be, or cannot be."""
        doing = (
            worker
            for worker in self._workers
            if (worker.task and worker.task.game_id == game_id) or game_id in worker.to_load
        )
        return game_id in self._to_compile or game_id in self._status or any(doing)

    def _settled_event(self, game_id: str) -> asyncio.Event:
        return self._settled.setdefault(game_id, asyncio.Event())

    def _prepared(self, worker: BotWorker, game_id: str) -> None:
        """Note that a process has prepared a game; the others load it when they are idle."""
        if not self.status(game_id).ready:
            self._status[game_id] = READY
            self._settled_event(game_id).set()
            for other in self._workers:
                if other is not worker and game_id not in other.to_load:
                    other.to_load.append(game_id)

    def _not_prepared(self, game_id: str, why: str) -> None:
        """Try again to prepare a game, a few times; then give it up, so that its tables need not wait for bots."""
        if self.status(game_id).ready:
            return
        self._failures[game_id] += 1
        if self._failures[game_id] < TRIES:
            self._to_compile.append(game_id)
        else:
            self._status[game_id] = self.status(game_id)._replace(failure=why)
            self._settled_event(game_id).set()

    # --- processes and their tasks --------------------------------------------------------------------------------

    def _worker(self, compiles: bool) -> BotWorker:
        process, pipe = start_worker(work, self._levels)
        ready = deque(game_id for game_id, progress in self._status.items() if progress.ready)
        worker = BotWorker(process, pipe, compiles, to_load=ready)
        threading.Thread(target=self._listen, args=(worker,), daemon=True).start()
        return worker

    def _listen(self, worker: BotWorker) -> None:
        """Hand on the messages of a process, in a thread of its own, until the process is gone."""
        with contextlib.suppress(RuntimeError):  # the loop may be closed already
            try:
                while True:
                    self._loop.call_soon_threadsafe(self._answered, worker, worker.pipe.recv())
            except (EOFError, OSError):
                self._loop.call_soon_threadsafe(self._lost, worker)

    def _answered(self, worker: BotWorker, message: tuple[str, Any]) -> None:
        kind, content = message
        task = worker.task
        if kind == "step":
            if task is not None and not self._settled_event(task.game_id).is_set():
                self._status[task.game_id] = Progress(False, self._steps[content], content, len(self._steps))
            return
        worker.task = None
        if task is not None and task.kind == "prepare":
            if kind == "done":
                self._prepared(worker, task.game_id)
            else:
                self._not_prepared(task.game_id, content)
        elif task is not None and task.answer is not None and not task.answer.done():
            if kind == "done":
                task.answer.set_result(content)
            else:
                task.answer.set_exception(Error("bot_lost", why=content))
        self._assign()

    def _lost(self, worker: BotWorker) -> None:
        """Replace a process that died and have its task done again, unless the task is what kills processes."""
        if self._closed:
            return
        worker.process.join()
        why = f"its process stopped with exit code {worker.process.exitcode}"
        self._workers[self._workers.index(worker)] = self._worker(worker.compiles)
        if (task := worker.task) is not None:
            task.tries += 1
            if task.kind == "prepare":
                self._not_prepared(task.game_id, why)
            elif task.tries < TRIES:
                self._waiting.appendleft(task)
            elif task.answer is not None and not task.answer.done():
                task.answer.set_exception(Error("bot_lost", why=why))
        self._assign()

    def _assign(self) -> None:
        """Give every idle process a task: games to compile for the one that compiles, moves, then games to load."""
        for worker in self._workers:
            if worker.task is not None or self._closed:
                continue
            if worker.compiles and self._to_compile:
                worker.task = Task("prepare", self._to_compile.popleft())
            elif self._waiting:
                worker.task = self._waiting.popleft()
            elif worker.to_load:
                worker.task = Task("prepare", worker.to_load.popleft())
            if worker.task is not None:
                with contextlib.suppress(OSError):  # it is gone: the listener will say so
                    worker.pipe.send((worker.task.kind, worker.task.game_id, *worker.task.arguments))
