"""The room where bots think: processes of their own, so that neither thinking nor compiling ever holds up a page."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import threading
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple, Protocol

from sarai.core.errors import Error
from sarai.core.registry import game as find
from sarai.core.registry import game_ids
from sarai.table.bots.worker import LEVELS, USES, work

TRIES = 3


class Warmth(NamedTuple):
    """How far the rules and bots of a game are prepared."""

    ready: bool
    step: str
    done: int
    of: int


WARM = Warmth(True, "", 1, 1)


class Bots(Protocol):
    """Who chooses moves for bots."""

    def plan(self, game_id: str) -> None:
        """Prepare a game when there is nothing else to do."""

    def want(self, game_id: str, quick: bool = False) -> None:
        """Prepare a game for somebody who waits for it; quick: it only has to be loaded."""

    def status(self, game_id: str) -> Warmth:
        """Say how far a game is prepared."""

    async def choose(self, game_id: str, view: Mapping[str, Any], level: str, seed: int) -> int:
        """Return a move for the seat of a view."""


class QuickBots:
    """Bots for tests and measurements: they choose at random, in this process, at once."""

    def plan(self, game_id: str) -> None:
        """Prepare nothing."""

    def want(self, game_id: str, quick: bool = False) -> None:
        """Prepare nothing."""

    def status(self, game_id: str) -> Warmth:
        """Be ready."""
        return WARM

    async def choose(self, game_id: str, view: Mapping[str, Any], level: str, seed: int) -> int:
        """Return a legal move."""
        moves = find(game_id).read_view(view).legal()
        return moves[seed % len(moves)]


@dataclass
class Task:
    """Something a process is asked to do, and who waits for it."""

    kind: str  # "warm" or "choose"
    game: str
    arguments: tuple[Any, ...] = ()
    done: asyncio.Future[int] | None = None
    tries: int = 0


@dataclass(eq=False)
class Worker:
    """A process, what it is doing, and which games it still has to prepare for itself."""

    process: SpawnProcess
    pipe: Connection
    compiles: bool
    task: Task | None = None
    loads: deque[str] = field(default_factory=deque)


class BotRoom:
    """Processes for bots: the first compiles games, one after the other, while the others think; then all think."""

    def __init__(
        self, processes: int | None = None, wanted: Iterable[str] | None = None, levels: Sequence[str] = LEVELS
    ) -> None:
        self._levels = tuple(levels)  # those that are compiled ahead; others compile when they first think
        self._steps = (*USES, *self._levels)
        self._count = max(2, processes or os.cpu_count() or 2)
        self._cold = deque(wanted if wanted is not None else game_ids())
        self._status: dict[str, Warmth] = {}
        self._ready: dict[str, asyncio.Event] = {}
        self._waiting: deque[Task] = deque()
        self._workers: list[Worker] = []
        self._failures: Counter[str] = Counter()
        self._closed = False

    def start(self) -> None:
        """Start the processes; call it inside the running loop."""
        self._loop = asyncio.get_running_loop()
        self._workers = [self._worker(compiles=number == 0) for number in range(self._count)]
        self._assign()

    def _worker(self, compiles: bool) -> Worker:
        spawning = multiprocessing.get_context("spawn")
        ours, its = spawning.Pipe()
        process = spawning.Process(target=work, args=(its, self._levels), daemon=True)
        process.start()
        its.close()
        worker = Worker(process, ours, compiles, loads=deque(id for id, warmth in self._status.items() if warmth.ready))
        threading.Thread(target=self._listen, args=(worker,), daemon=True).start()
        return worker

    def _listen(self, worker: Worker) -> None:
        """Hand on what a process says, in a thread of its own, until it is gone."""
        with contextlib.suppress(RuntimeError):  # the loop may be closed already
            try:
                while True:
                    self._loop.call_soon_threadsafe(self._heard, worker, worker.pipe.recv())
            except (EOFError, OSError):
                self._loop.call_soon_threadsafe(self._lost, worker)

    def _heard(self, worker: Worker, message: tuple[str, Any]) -> None:
        kind, content = message
        task = worker.task
        if kind == "step":
            if task is not None and not self.status(task.game).ready:
                self._status[task.game] = Warmth(False, self._steps[content], content, len(self._steps))
            return
        worker.task = None
        if task is not None and task.kind == "warm":
            if kind == "done":
                self._warmed(worker, task.game)
            else:
                self._failed(task.game)
        elif task is not None and task.done is not None and not task.done.done():
            if kind == "done":
                task.done.set_result(content)
            else:
                task.done.set_exception(Error("bot_lost", why=content))
        self._assign()

    def _warmed(self, worker: Worker, game: str) -> None:
        if not self.status(game).ready:
            self._status[game] = WARM
            self._event(game).set()
            for other in self._workers:
                if other is not worker and game not in other.loads:
                    other.loads.append(game)

    def _failed(self, game: str) -> None:
        """Try again to prepare a game, a few times."""
        self._failures[game] += 1
        if self._failures[game] < TRIES and not self.status(game).ready:
            self._cold.append(game)

    def _lost(self, worker: Worker) -> None:
        """Start another process for one that died, and let it do what that one was doing, unless that is what kills them."""
        if self._closed:
            return
        worker.process.join()
        self._workers[self._workers.index(worker)] = self._worker(worker.compiles)
        if (task := worker.task) is not None:
            task.tries += 1
            if task.kind == "warm":
                self._failed(task.game)
            elif task.tries < TRIES:
                self._waiting.appendleft(task)
            elif task.done is not None and not task.done.done():
                task.done.set_exception(
                    Error("bot_lost", why=f"its process stopped with exit code {worker.process.exitcode}")
                )
        self._assign()

    def _assign(self) -> None:
        """Give every idle process something to do: compiling first for the one that compiles, moves for the others, then games they have not loaded."""
        for worker in self._workers:
            if worker.task is not None or self._closed:
                continue
            if worker.compiles and self._cold:
                worker.task = Task("warm", self._cold.popleft())
            elif self._waiting:
                worker.task = self._waiting.popleft()
            elif worker.loads:
                worker.task = Task("warm", worker.loads.popleft())
            if worker.task is not None:
                with contextlib.suppress(OSError):  # it is gone: the listener will say so
                    worker.pipe.send((worker.task.kind, worker.task.game, worker.task.arguments))

    def _event(self, game: str) -> asyncio.Event:
        return self._ready.setdefault(game, asyncio.Event())

    def plan(self, game_id: str) -> None:
        """Prepare a game after all others."""
        if not self._is_known(game_id):
            self._cold.append(game_id)
            self._assign()

    def want(self, game_id: str, quick: bool = False) -> None:
        """Prepare a game before others that are waiting; if another is being compiled, in a second process, unless bots would wait for that for long."""
        if game_id in self._cold:
            self._cold.remove(game_id)
        elif self._is_known(game_id):
            return
        compiles = any(worker.compiles and worker.task is not None for worker in self._workers)
        helper = next((worker for worker in self._workers if not worker.compiles and worker.task is None), None)
        is_calm = quick or not any(warmth.ready for warmth in self._status.values())
        if compiles and helper is not None and is_calm:
            helper.loads.appendleft(game_id)
        else:
            self._cold.appendleft(game_id)
        self._assign()

    def _is_known(self, game_id: str) -> bool:
        """Say whether a game is prepared, or is going to be, or cannot be."""
        doing = (
            worker
            for worker in self._workers
            if (worker.task and worker.task.game == game_id) or game_id in worker.loads
        )
        return game_id in self._cold or game_id in self._status or any(doing)

    def status(self, game_id: str) -> Warmth:
        """Say how far a game is prepared."""
        return self._status.get(game_id, Warmth(False, "", 0, len(self._steps)))

    async def choose(self, game_id: str, view: Mapping[str, Any], level: str, seed: int) -> int:
        """Return a bot's move for the seat of a view, when the game is prepared and a process is free."""
        self.want(game_id)
        await self._event(game_id).wait()
        task = Task("choose", game_id, (view, level, seed), self._loop.create_future())
        self._waiting.append(task)
        self._assign()
        assert task.done is not None
        return await task.done

    async def close(self) -> None:
        """Stop all processes."""
        self._closed = True
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            await asyncio.to_thread(worker.process.join)
            worker.pipe.close()
