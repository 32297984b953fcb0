"""Coalesce concurrent requests for the same query."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedAnswer(Generic[T]):
    """Runs `ask` at most once at a time; callers that arrive before a run starts share its result.

    A result is never older than the request for it, and many requests cannot use up all connections.
    """

    def __init__(self, ask: Callable[[], Awaitable[T]]) -> None:
        self._ask = ask
        self._running: asyncio.Task[T] | None = None
        self._next: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the result of a run that starts after this call."""
        if self._next is None:
            self._next = asyncio.create_task(self._run())
            # marks an error as retrieved, also if all callers have left
            self._next.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(self._next)

    async def _run(self) -> T:
        while self._running is not None and not self._running.done():
            await asyncio.wait([self._running])
        self._running, self._next = self._next, None
        return await self._ask()
