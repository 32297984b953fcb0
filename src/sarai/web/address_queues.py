"""A queue for each client address: it has a few requests in work at a time, and its others wait for those."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """The free turns of one address, and how many pieces of work have or want one."""

    def __init__(self, at_once: int) -> None:
        self.free, self.users = asyncio.Semaphore(at_once), 0


class AddressQueues:
    """The turns of all addresses."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self.addresses: dict[str | None, Turns] = {}  # that have or want a turn

    def has_free(self, address: str | None) -> bool:
        """Say whether a turn of an address begins without waiting."""
        return address not in self.addresses or not self.addresses[address].free.locked()

    @asynccontextmanager
    async def turn(self, address: str | None) -> AsyncIterator[None]:
        """Wait for a turn of an address, and have it."""
        turns = self.addresses.setdefault(address, Turns(self._at_once))
        turns.users += 1
        try:
            async with turns.free:
                yield
        finally:
            turns.users -= 1
            if not turns.users:
                del self.addresses[address]
