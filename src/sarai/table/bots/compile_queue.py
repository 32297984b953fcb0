"""Which games are compiled: a queue of games, processes that compile one each, and how far each game is."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sarai.core.errors import Error
from sarai.core.kernels.cache import mark_failed, was_compiled
from sarai.core.processor_affinity import processors
from sarai.core.worker_processes import Worker, start_worker, stop_workers
from sarai.table.bots.worker import LEVELS, USES, compile_game

TRIES = 3
STOPPED = ("stopped", "")  # the answer of a process that was stopped for another
MOST_COMPILERS = 2  # processes; each takes some hundred megabytes
logger = logging.getLogger("sarai.table")


class Progress(NamedTuple):
    """How far the rules and bots of a game are compiled or loaded."""

    ready: bool
    step: str
    done: int
    of: int
    failure: str | None = None  # why it cannot be prepared, when that was tried often enough


READY = Progress(True, "", 1, 1)


@dataclass(eq=False)
class Compiler:
    """A process that compiles a game."""

    worker: Worker
    game_id: str
    answer: tuple[str, str] | None = None  # what it said at its end, and why


class CompileQueue:
    """Games that are compiled, are being compiled, or wait for it; `on_ready` is called with each that is ready."""

    def __init__(self, games: Iterable[str], levels: Sequence[str], on_ready: Callable[[str], None]) -> None:
        self._levels, self._on_ready = tuple(levels), on_ready
        self.steps = (*USES, *self._levels)
        self._count = min(MOST_COMPILERS, processors())
        self._waiting = deque(games)
        self._urgent: set[str] = set()
        self._compilers: list[Compiler] = []
        self._status: dict[str, Progress] = {}
        self._failures: Counter[str] = Counter()
        self._changed: dict[str, asyncio.Event] = {}  # by game: set, and replaced, whenever its status changes
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin to compile; call it inside the running loop."""
        self._loop = asyncio.get_running_loop()
        self._assign()

    async def close(self) -> None:
        """Stop all processes."""
        self._loop = None
        await asyncio.to_thread(stop_workers, [compiler.worker for compiler in self._compilers])

    # --- what is asked ----------------------------------------------------------------------------------------------

    def later(self, game_id: str) -> None:
        """Compile a game after all others."""
        if not self._is_known(game_id):
            self._waiting.append(game_id)
            self._assign()

    def soon(self, game_id: str) -> None:
        """Compile a game before the others that wait."""
        if game_id in self._waiting:
            self._waiting.remove(game_id)
        elif self._is_known(game_id):
            return
        self._waiting.appendleft(game_id)
        self._assign()

    def status(self, game_id: str) -> Progress:
        """Say how far a game is."""
        return self._status.get(game_id, Progress(False, "", 0, len(self.steps)))

    def is_ready(self, game_id: str, level: str) -> bool:
        """Say whether a level of a game is compiled; its levels are compiled one after the other."""
        progress = self.status(game_id)
        return progress.ready or (level in self._levels and progress.done > self.steps.index(level))

    async def wait(self, game_id: str, level: str) -> None:
        """Wait until a level of a game is compiled, other games paused for it; Error if it cannot be."""
        self.soon(game_id)
        self._urgent.add(game_id)
        self._make_way()
        while not self.is_ready(game_id, level):
            if (failure := self.status(game_id).failure) is not None:
                raise Error("bot_lost", why=failure)
            await self._changed.setdefault(game_id, asyncio.Event()).wait()

    # --- processes --------------------------------------------------------------------------------------------------

    def _is_known(self, game_id: str) -> bool:
        """Say whether a game is compiled, or is going to be, or cannot be."""
        is_compiling = any(compiler.game_id == game_id for compiler in self._compilers)
        return is_compiling or game_id in self._waiting or game_id in self._status

    def _set_status(self, game_id: str, progress: Progress) -> None:
        self._status[game_id] = progress
        if (event := self._changed.pop(game_id, None)) is not None:
            event.set()
        if progress.ready:
            self._on_ready(game_id)

    def _assign(self) -> None:
        """Compile what waits, as many games at a time as there are processors for."""
        while self._loop is not None and self._waiting and len(self._compilers) < self._count:
            game_id = next((game_id for game_id in self._waiting if game_id in self._urgent), self._waiting[0])
            self._waiting.remove(game_id)
            if self._levels == LEVELS and was_compiled(game_id):
                self._set_status(game_id, READY)
                continue
            try:
                compiler = Compiler(start_worker(compile_game, game_id, self._levels), game_id)
            except OSError as error:  # it was killed at once
                self._failed(game_id, str(error))
                continue
            self._compilers.append(compiler)
            threading.Thread(target=self._listen, args=(compiler, self._loop), daemon=True).start()

    def _make_way(self) -> None:
        """Stop compiling games that nobody waits for while others that somebody waits for have to wait.

        What was compiled of them is in the cache, so little is done twice.
        """
        stopping = sum(compiler.answer == STOPPED for compiler in self._compilers)
        missing = len(self._urgent.intersection(self._waiting)) - stopping
        others = [compiler for compiler in self._compilers if compiler.game_id not in self._urgent]
        for compiler in [other for other in others if other.answer is None][: max(0, missing)]:
            compiler.answer = STOPPED
            compiler.worker.process.terminate()

    def _listen(self, compiler: Compiler, loop: asyncio.AbstractEventLoop) -> None:
        """Hand on the messages of a process, in a thread of its own, until the process is gone."""
        with contextlib.suppress(RuntimeError):  # the loop may be closed already
            try:
                while True:
                    loop.call_soon_threadsafe(self._answered, compiler, compiler.worker.pipe.recv())
            except (EOFError, OSError):
                compiler.worker.process.join()
                loop.call_soon_threadsafe(self._ended, compiler)

    def _answered(self, compiler: Compiler, message: tuple[str, object]) -> None:
        kind, content = message
        if kind == "step" and isinstance(content, int):
            progress = Progress(False, self.steps[content], content, len(self.steps))
            self._set_status(compiler.game_id, progress)
        elif compiler.answer is None:
            compiler.answer = (kind, str(content))
            if kind == "done":
                self._set_status(compiler.game_id, READY)

    def _ended(self, compiler: Compiler) -> None:
        """Go on when a process has ended; try again, a few times, if it did not come to its end."""
        if self._loop is None:
            return
        self._compilers.remove(compiler)
        compiler.worker.pipe.close()
        game_id = compiler.game_id
        exit_code = compiler.worker.process.exitcode
        kind, why = compiler.answer or ("lost", f"its process stopped with exit code {exit_code}")
        if (kind, why) == STOPPED:
            self._waiting.append(game_id)
        elif kind != "done":
            self._failed(game_id, why)
        self._assign()

    def _failed(self, game_id: str, why: str) -> None:
        """Have a game that could not be prepared tried again, a few times."""
        self._failures[game_id] += 1
        if self._failures[game_id] < TRIES:
            self._waiting.append(game_id)
        else:  # its tables need not wait for bots any more, nor other games for this one
            logger.error("%s cannot be compiled: %s", game_id, why)
            if self._levels == LEVELS:
                mark_failed(game_id)
            self._set_status(game_id, self.status(game_id)._replace(failure=why))
