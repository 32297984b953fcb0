"""A queue for each client address: it has a few requests in work at a time, and its others wait for those."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from sarai.web.client_addresses import ADDRESSES_OF_SITE, site_of


class Turns:
    """The free turns of one address, and how many pieces of work have or want one."""

    def __init__(self, at_once: int) -> None:
        self.free, self.users = asyncio.Semaphore(at_once), 0


class AddressQueues:
    """The turns of all addresses, and of sites of IPv6, which have as many as some addresses."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self.addresses: dict[str | None, Turns] = {}  # that have or want a turn, and their sites

    def has_free(self, address: str | None) -> bool:
        """Say whether a turn of an address begins without waiting."""
        return not any(key in self.addresses and self.addresses[key].free.locked() for key, _ in self._keys(address))

    @asynccontextmanager
    async def turn(self, address: str | None) -> AsyncIterator[None]:
        """Wait for a turn of an address, then of its site, and have both."""
        async with AsyncExitStack() as had:
            for key, at_once in self._keys(address):
                await had.enter_async_context(self._turn(key, at_once))
            yield

    def _keys(self, address: str | None) -> list[tuple[str | None, int]]:
        site = site_of(address) if address is not None else None
        sites = [(site, ADDRESSES_OF_SITE * self._at_once)] if site is not None else []
        return [(address, self._at_once), *sites]

    @asynccontextmanager
    async def _turn(self, key: str | None, at_once: int) -> AsyncIterator[None]:
        turns = self.addresses.setdefault(key, Turns(at_once))
        turns.users += 1
        try:
            async with turns.free:
                yield
        finally:
            turns.users -= 1
            if not turns.users:
                del self.addresses[key]
