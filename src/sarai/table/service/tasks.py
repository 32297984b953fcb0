"""Tasks that run beside the requests, until they end or the server is closed."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

AGAIN_SECONDS = 5.0  # after which a task that has not ended is cancelled again
T = TypeVar("T")


class Tasks:
    """The running tasks; asyncio itself would forget those that no one awaits."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[object]] = set()
        self.closed = False

    def start(self, work: Coroutine[object, object, T]) -> asyncio.Task[T]:
        """Start a task."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def close(self) -> None:
        """Cancel all tasks, and wait until they have ended; Python 3.11's `wait_for` can lose a cancellation."""
        self.closed = True
        while self._running:
            for task in self._running:
                task.cancel()
            await asyncio.wait(self._running, timeout=AGAIN_SECONDS)
