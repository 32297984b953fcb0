"""A pool of processes for bots, so that neither thinking nor compiling ever holds up a page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from sarai.core.errors import Error
from sarai.core.processes import Worker, start_worker, stop_workers
from sarai.core.registry import game_ids
from sarai.table.bots.preparation import READY, TRIES, Preparation, Progress
from sarai.table.bots.worker import LEVELS, QUICK_LEVELS, think

if TYPE_CHECKING:
    from sarai.core.state import View

__all__ = ["READY", "TRIES", "BotPool", "Bots", "Progress"]


class Bots(Protocol):
    """What tables need of bots."""

    is_interpreted: bool  # whether games are played, and quick levels think, before anything is compiled

    def prepare_later(self, game_id: str) -> None:
        """Prepare a game after all others."""

    def prepare_soon(self, game_id: str) -> None:
        """Prepare a game for a player who waits for it."""

    def status(self, game_id: str) -> Progress:
        """Say how far a game is prepared."""

    async def choose(self, view: View, level: str, seed: int) -> int:
        """Return a move for the seat of a view; Error if no bot can choose one."""


@dataclass
class Task:
    """Something a process is asked to do, and the future of its answer."""

    kind: str  # "load" or "choose"
    game_id: str
    arguments: tuple[Any, ...] = ()
    answer: asyncio.Future[int] | None = None
    is_interpreted: bool = False
    tries: int = 0


@dataclass(eq=False)
class Thinker:
    """A process that chooses moves, its task, and the games it still has to load."""

    worker: Worker
    is_interpreted: bool = False
    task: Task | None = None
    to_load: deque[str] = field(default_factory=deque)


class BotPool:
    """Processes that think, and others that compile games for them.

    In a server that runs without a compiler, until everything is compiled, one more process thinks for the quick
    levels without it, and those that think compiled are started when a slow level is asked for.
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
        self._count = max(2, processes or os.cpu_count() or 2)
        self.preparation = Preparation(game_ids() if games is None else games, levels, self._on_ready)
        self._ready: list[str] = []
        self._waiting: deque[Task] = deque()
        self._thinkers: list[Thinker] = []
        self._closed = False

    def start(self) -> None:
        """Start the processes; call it inside the running loop."""
        self._loop = asyncio.get_running_loop()
        if self.is_interpreted:
            self._add_thinker(is_interpreted=True)
        else:
            for _ in range(self._count):
                self._add_thinker()
        self.preparation.start()

    async def close(self) -> None:
        """Stop all processes."""
        self._closed = True
        await self.preparation.close()
        await asyncio.to_thread(stop_workers, [thinker.worker for thinker in self._thinkers])

    def prepare_later(self, game_id: str) -> None:
        """Prepare a game after all others."""
        self.preparation.later(game_id)

    def prepare_soon(self, game_id: str) -> None:
        """Prepare a game before the others that wait."""
        self.preparation.soon(game_id)

    def status(self, game_id: str) -> Progress:
        """Say how far a game is prepared."""
        return self.preparation.status(game_id)

    async def choose(self, view: View, level: str, seed: int) -> int:
        """Return a bot's move for the seat of a view, when its level is prepared and a process is free."""
        game_id, is_interpreted = view.game.id, self.is_interpreted and level in QUICK_LEVELS
        if not is_interpreted:
            await self.preparation.wait(game_id, level)
        answer: asyncio.Future[int] = self._loop.create_future()
        self._waiting.append(Task("choose", game_id, (view.to_bytes(), level, seed), answer, is_interpreted))
        if not is_interpreted and sum(not thinker.is_interpreted for thinker in self._thinkers) < self._count:
            self._add_thinker()
        self._assign()
        return await answer

    # --- processes and their tasks --------------------------------------------------------------------------------

    def _on_ready(self, game_id: str) -> None:
        """Have every process load a game that is compiled, when it is idle."""
        self._ready.append(game_id)
        for thinker in self._thinkers:
            if not thinker.is_interpreted:
                thinker.to_load.append(game_id)
        self._assign()

    def _add_thinker(self, is_interpreted: bool = False) -> None:
        worker = start_worker(think, self._levels, is_interpreted)
        thinker = Thinker(worker, is_interpreted, to_load=deque(() if self.is_interpreted else self._ready))
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

    def _answered(self, thinker: Thinker, message: tuple[str, Any]) -> None:
        kind, content = message
        task, thinker.task = thinker.task, None
        if task is not None and task.answer is not None and not task.answer.done():
            if kind == "done":
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
        self._add_thinker(thinker.is_interpreted)
        if (task := thinker.task) is not None and task.answer is not None:
            task.tries += 1
            if task.tries < TRIES:
                self._waiting.appendleft(task)
            elif not task.answer.done():
                task.answer.set_exception(Error("bot_lost", why=why))
        self._assign()

    def _assign(self) -> None:
        """Give every idle process a task: moves, then games to load."""
        for thinker in self._thinkers:
            if thinker.task is not None or self._closed:
                continue
            for task in self._waiting:
                if task.is_interpreted == thinker.is_interpreted:
                    thinker.task = task
                    self._waiting.remove(task)
                    break
            else:
                if thinker.to_load:
                    thinker.task = Task("load", thinker.to_load.popleft())
            if thinker.task is not None:
                with contextlib.suppress(OSError):  # it is gone: the listener will say so
                    thinker.worker.pipe.send((thinker.task.kind, thinker.task.game_id, *thinker.task.arguments))
