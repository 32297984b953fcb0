"""A lock for requests: those of one client address wait for each other, and addresses have it in turn."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from contextvars import ContextVar

ADDRESS: ContextVar[str] = ContextVar("address", default="")  # of the request that is being answered


class LockByAddress:
    """A lock that is passed from address to address, and at each to the request that has waited longest."""

    def __init__(self) -> None:
        self._is_held = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def acquire(self) -> None:
        """Wait for the lock, and hold it."""
        if not self._is_held:
            self._is_held = True
            return
        address, turn = ADDRESS.get(), asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the lock had just been passed to this request
                self.release()
            raise

    def release(self) -> None:
        """Pass the lock on to the next who waits."""
        while self._waiting:
            address, waiting = self._waiting.popitem(last=False)
            turn = waiting.popleft()
            if waiting:
                self._waiting[address] = waiting  # at the end
            if not turn.done():
                turn.set_result(None)
                return
        self._is_held = False
