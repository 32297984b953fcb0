"""Which games can be played in this process: compiled by others first, then loaded here in a thread.

So no page ever waits for a compiler. A process that runs without a compiler can play at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from sarai.core.game import Game
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

    def is_ready(self, game_id: str) -> bool:
        """Say whether a game can be played here."""
        return game_id in self._settled and self._settled[game_id].is_set() and game_id not in self._failures

    def status(self, game_id: str) -> Progress:
        """Say how far a game is prepared; one that is played without a compiler meanwhile is not ready yet."""
        if self.is_ready(game_id) and not self.bots.is_interpreted:
            return READY
        progress, failure = self.bots.status(game_id), self._failures.get(game_id)
        if self.bots.is_interpreted and progress.failure is not None and failure is None:
            return READY  # it is played without a compiler
        return progress._replace(ready=progress.ready and self.is_ready(game_id), failure=failure)

    def prepare(self, game_id: str) -> None:
        """Have a game prepared for a player, before others that no player waits for."""
        if not self.is_ready(game_id) or self.bots.is_interpreted:
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

    async def load_here(self, game_id: str) -> None:
        """Load a game that is compiled, or is played without a compiler, and wait until it is loaded."""
        await self._begin(game_id).wait()

    async def wait_for_compiler(self, game_id: str) -> bool:
        """Wait until a game is compiled, or cannot be; say whether it is."""
        while not (progress := self.bots.status(game_id)).ready and progress.failure is None:
            await asyncio.sleep(POLL)
        return progress.ready

    def _begin(self, game_id: str) -> asyncio.Event:
        if game_id not in self._settled:
            self._settled[game_id] = asyncio.Event()
            self._spawn(self._prepare(game_id))
        return self._settled[game_id]

    async def _prepare(self, game_id: str) -> None:
        if self.bots.is_interpreted:
            await self._load(game_id)
            await self._follow(game_id)
            return
        progress = await self._follow(game_id)
        if progress.failure is not None and progress.done < len(USES):
            await self._settle(game_id, progress.failure)
        else:  # where only bots cannot be prepared, tables get random moves
            await self._load(game_id)

    async def _follow(self, game_id: str) -> Progress:
        """Show how far a game is compiled, until it is or cannot be."""
        progress = self.bots.status(game_id)
        while not progress.ready and progress.failure is None:
            await asyncio.sleep(POLL)
            last, progress = progress, self.bots.status(game_id)
            if progress != last:
                await self._on_progress(game_id)
        return progress

    async def _load(self, game_id: str) -> None:
        try:
            await asyncio.to_thread(load, find(game_id))
        except Exception as error:
            await self._settle(game_id, f"{type(error).__name__}: {error}")
        else:
            await self._settle(game_id)

    async def _settle(self, game_id: str, failure: str | None = None) -> None:
        """Let tables of a game be played, or say why they cannot be."""
        if failure is not None:
            self._failures[game_id] = failure
        self._settled[game_id].set()
        await self._on_progress(game_id)


def load(game: Game) -> None:
    """Load what tables and pages need of a game from the cache; in a thread, for it takes a moment."""
    from sarai.core.kernels.warm import warm

    for _ in warm(game, USES):
        pass
