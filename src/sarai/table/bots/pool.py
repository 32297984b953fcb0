"""A pool of processes for bots, so that neither thinking nor compiling ever holds up a page."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
import time
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from sarai.core.errors import Error
from sarai.core.processor_affinity import processors
from sarai.core.registry import game_ids
from sarai.core.worker_processes import Worker, start_forked_worker, start_worker, stop_workers
from sarai.table import metrics
from sarai.table.bots.compile_queue import READY, TRIES, CompileQueue, Progress
from sarai.table.bots.fair_queue import Asker, FairQueue
from sarai.table.bots.worker import LEVELS, QUICK_LEVELS, think

if TYPE_CHECKING:
    from sarai.core.state_and_view import View

AGAIN = 0.2  # seconds before it is tried again to start a process
BUSY = 4  # moves that wait for each process, beyond which others may choose
CAN_COPY = sys.platform == "linux"
PRELOAD = "sarai.table.bots.preload"
NOBODY = Asker()
__all__ = ["READY", "TRIES", "Asker", "BotPool", "Bots", "Progress"]


class Bots(Protocol):
    """What tables need of bots."""

    is_interpreted: bool  # whether games are played, and quick levels think, before anything is compiled

    @property
    def thinks(self) -> bool:
        """Whether it can choose moves: if not, another process has to."""

    @property
    def is_busy(self) -> bool:
        """Whether another process that is not should choose."""

    def prepare_later(self, game_id: str) -> None:
        """Prepare a game after all others."""

    def prepare_soon(self, game_id: str) -> None:
        """Prepare a game for a player who waits for it."""

    def status(self, game_id: str) -> Progress:
        """Say how far a game is prepared."""

    async def choose(self, view: View, level: str, seed: int, asker: Asker = NOBODY) -> int:
        """Return a move for the seat of a view; Error if no bot can choose one. Askers get equal parts of the time."""


@dataclass
class Task:
    """A move that is to be chosen."""

    choice: tuple[str, bytes, str, int]  # the game, the view, the level and the seed
    answer: asyncio.Future[int]
    is_interpreted: bool
    asker: Asker = NOBODY
    tries: int = 0
    asked: float = field(default_factory=time.monotonic)
    begun: float = 0.0

    @property
    def level(self) -> str:
        """The level of the bot."""
        return self.choice[2]

    @property
    def kind(self) -> tuple[str, str]:
        """The game and the level, which say about how long it takes."""
        return self.choice[0], self.choice[2]


@dataclass(eq=False)
class Thinker:
    """A process that chooses moves, and its task."""

    worker: Worker
    is_interpreted: bool = False
    task: Task | None = None
    is_retired: bool = False  # it ends when it has finished its task


class BotPool:
    """Processes that think, and others that compile games for them.

    In a server that runs without a compiler, until everything is compiled, one more process thinks for the quick
    levels without it, and those that think compiled are started when a slow level is asked for. Where all games are
    compiled, the first processes load what they are asked for; copies of one that has loaded everything take over.
    """

    def __init__(
        self,
        processes: int | None = None,
        games: Iterable[str] | None = None,
        levels: Sequence[str] = LEVELS,
        is_interpreted: bool = False,
    ) -> None:
        self.is_interpreted = is_interpreted
        self._levels = tuple(levels)  # those that are compiled ahead; others compile when they first think
        self._count = processors() if processes is None else processes
        self.compile_queue = CompileQueue(game_ids() if games is None else games, levels, self._on_ready)
        self._ready: set[str] = set()
        self._copying: asyncio.Task[None] | None = None
        self._queues: dict[bool, FairQueue[Task]] = {False: FairQueue(), True: FairQueue()}  # by `is_interpreted`
        self._thinkers: list[Thinker] = []
        self._starting: dict[asyncio.Task[None], bool] = {}  # thinkers that will be here, by `is_interpreted`
        self._closed = False

    @property
    def thinks(self) -> bool:
        """Whether there are processes that think."""
        return self._count > 0

    @property
    def is_busy(self) -> bool:
        """Whether many more moves wait to be chosen than there are processes."""
        return sum(map(len, self._queues.values())) > BUSY * self._count

    def start(self) -> None:
        """Start the processes; call it inside the running loop."""
        self._loop = asyncio.get_running_loop()
        if self.is_interpreted and self._count:
            self._start_thinker(is_interpreted=True)
        elif not self.is_interpreted:
            for _ in range(self._count):
                self._start_thinker()
        self.compile_queue.start()

    async def close(self) -> None:
        """Stop all processes."""
        self._closed = True
        starting = [*self._starting, *([self._copying] if self._copying is not None else [])]
        await asyncio.gather(*starting, return_exceptions=True)
        await self.compile_queue.close()
        await asyncio.to_thread(stop_workers, [thinker.worker for thinker in self._thinkers])

    def prepare_later(self, game_id: str) -> None:
        """Prepare a game after all others."""
        self.compile_queue.later(game_id)

    def prepare_soon(self, game_id: str) -> None:
        """Prepare a game before the others that wait."""
        self.compile_queue.soon(game_id)

    def status(self, game_id: str) -> Progress:
        """Say how far a game is prepared."""
        return self.compile_queue.status(game_id)

    async def choose(self, view: View, level: str, seed: int, asker: Asker = NOBODY) -> int:
        """Return a bot's move for the seat of a view, when its level is prepared and a process is free."""
        game_id, is_interpreted = view.game.id, self.is_interpreted and level in QUICK_LEVELS
        if not is_interpreted:
            await self.compile_queue.wait(game_id, level)
        answer: asyncio.Future[int] = self._loop.create_future()
        choice = game_id, view.to_bytes(), level, seed
        self._queues[is_interpreted].put(Task(choice, answer, is_interpreted, asker))
        if not is_interpreted and self._compiled_thinkers < self._count:
            self._start_thinker()
        self._assign()
        return await answer

    # --- processes and their tasks --------------------------------------------------------------------------------

    def _on_ready(self, game_id: str) -> None:
        """When all games are compiled, let copies of a process that has loaded them take over."""
        self._ready.add(game_id)
        may_copy = CAN_COPY and not self.is_interpreted and self._levels == LEVELS
        if self._copying is None and may_copy and self._ready.issuperset(game_ids()):
            self._copying = self._loop.create_task(self._take_over())

    async def _take_over(self) -> None:
        """Start copies of a process that has loaded everything, and retire the others."""
        for old in [thinker for thinker in self._thinkers if not thinker.is_interpreted]:
            await self._start_copy()
            old.is_retired = True
            self._assign()

    @property
    def _compiled_thinkers(self) -> int:
        """How many processes think compiled, or will soon."""
        here = sum(not thinker.is_interpreted for thinker in self._thinkers)
        return here + sum(not is_interpreted for is_interpreted in self._starting.values())

    def _start_thinker(self, is_interpreted: bool = False) -> None:
        """Start a process that thinks: a copy, if there is one to copy, or one that loads what it is asked for."""
        if self._copying is not None and self._copying.done() and not is_interpreted:
            self._start_soon(self._start_copy(), is_interpreted)
            return
        try:
            self._add(Thinker(start_worker(think, is_interpreted), is_interpreted))
        except OSError:  # it was killed at once
            self._start_soon(self._start_again(is_interpreted), is_interpreted)

    def _start_soon(self, starting: Coroutine[object, object, None], is_interpreted: bool) -> None:
        """Start a process beside all else."""
        task = self._loop.create_task(starting)
        self._starting[task] = is_interpreted
        task.add_done_callback(self._starting.pop)

    async def _start_copy(self) -> None:
        """Start a copy of a process that has loaded everything: if that was killed, it has to load all of it again."""
        while not self._closed:
            try:
                worker = await asyncio.to_thread(start_forked_worker, PRELOAD, think, False)
            except (OSError, EOFError):  # either of them was killed meanwhile
                await asyncio.sleep(AGAIN)
            else:
                self._add(Thinker(worker))
                self._assign()
                return

    async def _start_again(self, is_interpreted: bool) -> None:
        """Try again to start a process."""
        await asyncio.sleep(AGAIN)
        if not self._closed:
            self._start_thinker(is_interpreted)
            self._assign()

    def _add(self, thinker: Thinker) -> None:
        self._thinkers.append(thinker)
        threading.Thread(target=self._listen, args=(thinker,), daemon=True).start()

    def _listen(self, thinker: Thinker) -> None:
        """Hand on the messages of a process, in a thread of its own, until the process is gone."""
        with contextlib.suppress(RuntimeError):  # the loop may be closed already
            try:
                while True:
                    self._loop.call_soon_threadsafe(self._answered, thinker, thinker.worker.pipe.recv())
            except (EOFError, OSError):
                self._loop.call_soon_threadsafe(self._lost, thinker)

    def _answered(self, thinker: Thinker, message: tuple[bool, Any]) -> None:
        is_chosen, content = message
        task, thinker.task = thinker.task, None
        if task is not None:
            seconds = time.monotonic() - task.begun
            self._queues[task.is_interpreted].done(task, seconds)
            metrics.BOT_SECONDS.labels(task.level).observe(seconds)
        if task is not None and not task.answer.done():
            if is_chosen:
                task.answer.set_result(content)
            else:
                task.answer.set_exception(Error("bot_lost", why=content))
        self._assign()

    def _lost(self, thinker: Thinker) -> None:
        """Replace a process that died and have its task done again, unless the task is what kills processes."""
        if self._closed:
            return
        thinker.worker.process.join()
        why = f"its process stopped with exit code {thinker.worker.process.exitcode}"
        self._thinkers.remove(thinker)
        if (task := thinker.task) is not None:
            task.tries += 1
            if task.tries < TRIES:
                self._queues[task.is_interpreted].put(task, is_first=True)
            elif not task.answer.done():
                task.answer.set_exception(Error("bot_lost", why=why))
        if not thinker.is_retired:
            self._start_thinker(thinker.is_interpreted)
        self._assign()

    def _assign(self) -> None:
        """Give every idle process a move to choose; end those that are retired."""
        for thinker in self._thinkers:
            if thinker.task is not None or self._closed:
                continue
            if thinker.is_retired:
                thinker.worker.process.terminate()  # the listener will say that it is gone
                continue
            task = self._queues[thinker.is_interpreted].pop()
            if task is not None:
                thinker.task, task.begun = task, time.monotonic()
                metrics.BOT_WAIT_SECONDS.observe(task.begun - task.asked)
                with contextlib.suppress(OSError):  # it is gone: the listener will say so
                    thinker.worker.pipe.send(task.choice)
        metrics.BOT_QUEUE.set(sum(map(len, self._queues.values())))
