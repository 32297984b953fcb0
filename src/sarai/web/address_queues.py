"""A queue for each client address: it has a few requests in work at a time, and its others wait for those."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from sarai.web.client_addresses import with_site


class Turns:
    """The free turns of one address, and how many pieces of work have or want one."""

    def __init__(self, at_once: int) -> None:
        self.free, self.users = asyncio.Semaphore(at_once), 0


class AddressQueues:
    """The turns of all addresses, and of sites of IPv6, which have as many as some addresses."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self.addresses: dict[str, Turns] = {}  # that have or want a turn, and their sites

    def has_free(self, address: str | None) -> bool:
        """Say whether a turn of an address begins without waiting."""
        keys = [key for key, _ in with_site(address, self._at_once)]
        return not any(key in self.addresses and self.addresses[key].free.locked() for key in keys)

    @asynccontextmanager
    async def turn(self, address: str | None) -> AsyncIterator[None]:
        """Wait for a turn of an address, then of its site, and have both; this machine itself (None) waits for none."""
        async with AsyncExitStack() as had:
            for key, at_once in with_site(address, self._at_once):
                await had.enter_async_context(self._turn(key, at_once))
            yield

    @asynccontextmanager
    async def _turn(self, key: str, at_once: int) -> AsyncIterator[None]:
        turns = self.addresses.setdefault(key, Turns(at_once))
        turns.users += 1
        try:
            async with turns.free:
                yield
        finally:
            turns.users -= 1
            if not turns.users:
                del self.addresses[key]
