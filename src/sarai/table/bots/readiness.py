"""Which games can be played: compiled by the bots' processes first, then loaded by this one in a thread.

So no page ever waits for a compiler.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from sarai.core.game import Game
from sarai.core.kernels.cache import was_compiled
from sarai.core.registry import game as find
from sarai.table.bots.pool import READY, Bots, Progress
from sarai.table.bots.worker import USES

POLL = 0.1  # seconds


class Readiness:
    """The games of this process; `on_progress` is called with a game whenever it came a step nearer."""

    def __init__(
        self,
        bots: Bots,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        on_progress: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        self.bots = bots
        self._spawn = spawn
        self._on_progress = on_progress
        self._settled: dict[str, asyncio.Event] = {}  # set when a game is loaded, and when it cannot be
        self._failures: dict[str, str] = {}
        self._wanted: set[str] = set()  # games that a player waits for, or waited

    def is_ready(self, game_id: str) -> bool:
        """Say whether a game can be played here."""
        return game_id in self._settled and self._settled[game_id].is_set() and game_id not in self._failures

    def status(self, game_id: str) -> Progress:
        """Say how far a game is prepared."""
        if self.is_ready(game_id):
            return READY
        return self.bots.status(game_id)._replace(ready=False, failure=self._failures.get(game_id))

    def prepare(self, game_id: str) -> None:
        """Have a game prepared for a player, before others that no player waits for."""
        if not self.is_ready(game_id):
            self._wanted.add(game_id)
            self._begin(game_id)
            self.bots.prepare_soon(game_id)

    async def wait(self, game_id: str) -> None:
        """Have a game prepared for a player, and wait until it is, or cannot be."""
        self.prepare(game_id)
        await self._begin(game_id).wait()

    async def prepare_ahead(self, game_id: str) -> None:
        """Have a game prepared that no player waits for yet, without holding up those that one waits for."""
        self.bots.prepare_later(game_id)
        await self._begin(game_id).wait()

    def _begin(self, game_id: str) -> asyncio.Event:
        if game_id not in self._settled:
            self._settled[game_id] = asyncio.Event()
            self._spawn(self._prepare(game_id))
        return self._settled[game_id]

    async def _prepare(self, game_id: str) -> None:
        is_compiled = await asyncio.to_thread(was_compiled, game_id)
        if is_compiled and game_id in self._wanted:
            self.bots.prepare_soon(game_id, is_compiled=True)
        progress = self.bots.status(game_id)
        while not is_compiled and not progress.ready and progress.failure is None:
            await asyncio.sleep(POLL)
            last, progress = progress, self.bots.status(game_id)
            if progress != last:
                await self._on_progress(game_id)
        if progress.failure is not None and progress.done < len(USES):
            self._failures[game_id] = progress.failure
        else:  # where only bots cannot be prepared, tables get random moves
            try:
                await asyncio.to_thread(load, find(game_id))
            except Exception as error:
                self._failures[game_id] = f"{type(error).__name__}: {error}"
        self._settled[game_id].set()
        await self._on_progress(game_id)


def load(game: Game) -> None:
    """Load what tables and pages need of a game from the cache; in a thread, for it takes a moment."""
    from sarai.core.kernels.warm import warm

    for _ in warm(game, USES):
        pass
