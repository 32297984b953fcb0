"""Games become ready: compiled by the bots' processes first, then loaded by this one in a thread, so that no page ever waits for a compiler."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from sarai.core.game import Game
from sarai.core.kernels.compiled_markers import was_prepared
from sarai.core.registry import game as find
from sarai.table.bots.pool import WARM, Bots, Warmth
from sarai.table.bots.worker import USES

POLL = 0.1  # seconds


class Readiness:
    """Which games can be played in this process; `told` is called with a game whenever it came a step nearer."""

    def __init__(
        self,
        bots: Bots,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        told: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        self.bots = bots
        self._spawn = spawn
        self._told = told
        self._loaded: dict[str, asyncio.Event] = {}
        self._wanted: set[str] = set()  # games that somebody waits for, or waited

    def want(self, game_id: str) -> None:
        """Have a game prepared for somebody, before others that nobody waits for."""
        if not self.has(game_id):
            self._wanted.add(game_id)
            self._begin(game_id)
            self.bots.want(game_id)

    def _begin(self, game_id: str) -> asyncio.Event:
        if game_id not in self._loaded:
            self._loaded[game_id] = asyncio.Event()
            self._spawn(self._prepare(game_id))
        return self._loaded[game_id]

    def has(self, game_id: str) -> bool:
        """Say whether a game can be played here."""
        return game_id in self._loaded and self._loaded[game_id].is_set()

    async def wait(self, game_id: str) -> None:
        """Wait until a game can be played here."""
        self.want(game_id)
        await self._begin(game_id).wait()

    async def ahead(self, game_id: str) -> None:
        """Have a game prepared that nobody asked for yet, without being in the way of who does."""
        self.bots.plan(game_id)
        await self._begin(game_id).wait()

    def status(self, game_id: str) -> Warmth:
        """Say how far a game is prepared."""
        return WARM if self.has(game_id) else self.bots.status(game_id)._replace(ready=False)

    async def _prepare(self, game_id: str) -> None:
        known = await asyncio.to_thread(was_prepared, game_id)
        if known and game_id in self._wanted:
            self.bots.want(game_id, quick=True)
        last = self.bots.status(game_id)
        while not known and not (warmth := self.bots.status(game_id)).ready:
            if warmth != last:
                last = warmth
                await self._told(game_id)
            await asyncio.sleep(POLL)
        await asyncio.to_thread(load, find(game_id))
        self._loaded[game_id].set()
        await self._told(game_id)


def load(game: Game) -> None:
    """Load what tables and pages need of a game from the cache; in a thread, for it takes a moment."""
    from sarai.core.kernels.warm import warm

    for _ in warm(game, USES):
        pass
