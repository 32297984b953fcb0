"""One query for all who ask the same at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedAnswer(Generic[T]):
    """What `ask` answers: one question at a time, whose answer all get who asked before it was put.

    So an answer is never older than the request for it, and many requests cannot keep all connections busy.
    """

    def __init__(self, ask: Callable[[], Awaitable[T]]) -> None:
        self._ask = ask
        self._running: asyncio.Task[T] | None = None
        self._next: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the answer to a question that is put from now on."""
        if self._next is None:
            self._next = asyncio.create_task(self._run())
            self._next.add_done_callback(lambda task: task.cancelled() or task.exception())  # if nobody waits any more
        return await asyncio.shield(self._next)

    async def _run(self) -> T:
        while self._running is not None and not self._running.done():
            await asyncio.wait([self._running])
        self._running, self._next = self._next, None
        return await self._ask()
