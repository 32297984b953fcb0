"""The tables whose bots this process computes: all on SQLite; elsewhere those of which it holds a lease."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import DBAPIError

from sarai.table.service.tasks import Tasks
from sarai.table.storage.bot_leases import LEASE_SECONDS, BotLeases
from sarai.table.storage.failures import StorageFailed

GATHER_SECONDS = 0.005  # that tables wait for each other, so that many leases are taken together
RENEW_SECONDS = 2.0  # between two renewals
MARGIN = LEASE_SECONDS - RENEW_SECONDS  # a lease that lasts longer need not be renewed before a turn
FAILURES = (StorageFailed, DBAPIError, OSError)
logger = logging.getLogger("sarai.table")


class HeldBotLeases:
    """The leases that this process holds; without `leases` it is the only process, and holds all."""

    def __init__(self, leases: BotLeases | None, tasks: Tasks) -> None:
        self._leases, self._tasks = leases, tasks
        self._held: dict[str, float] = {}  # until when, by the loop's clock; rather too early than too late
        self._new: set[str] = set()  # tables whose leases were not held before
        self._thinking: set[str] = set()
        self._asked: dict[str, list[asyncio.Future[float]]] = {}

    @property
    def is_shared(self) -> bool:
        """Whether other processes may think for the same tables."""
        return self._leases is not None

    async def take(self, id: str) -> float:
        """Take the lease of a table for a turn; return 0, or how many seconds another process holds it."""
        if self._leases is None:
            return 0.0
        loop = asyncio.get_running_loop()
        if self._held.get(id, 0.0) - loop.time() > MARGIN / 2:
            self._thinking.add(id)
            return 0.0
        if not self._asked:
            self._tasks.start(self._take_soon())
        answer: asyncio.Future[float] = loop.create_future()
        self._asked.setdefault(id, []).append(answer)
        wait = await answer
        if not wait:
            self._thinking.add(id)
        return wait

    def is_new(self, id: str) -> bool:
        """Say once of a lease that was taken whether another process may have written moves before."""
        is_new = id in self._new
        self._new.discard(id)
        return is_new

    def rest(self, id: str) -> None:
        """Note that no turn of a table is thought about any more; its lease is not renewed, and soon ends."""
        self._thinking.discard(id)

    async def give_up(self, id: str) -> None:
        """Leave a table to others."""
        self.rest(id)
        if self._leases is not None and self._held.pop(id, None) is not None:
            try:
                await self._leases.give_up([id])
            except FAILURES as error:
                logger.debug("a lease is not given up: %s", type(error).__name__)

    async def orphans(self, most: int) -> list[str]:
        """Take the leases of tables for which nobody thinks, and return those that were taken."""
        if self._leases is None:
            return []
        found = [id for id in await self._leases.orphans(most) if id not in self._thinking]
        missed = await self._take(found) if found else {}
        return [id for id in found if id not in missed]

    async def run(self) -> None:
        """Renew the leases of the tables that are thought about, for ever."""
        if self._leases is None:
            return
        try:
            await self._leases.clear()
        except FAILURES as error:
            logger.debug("old leases stay: %s", type(error).__name__)
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            now = asyncio.get_running_loop().time()
            self._held = {id: until for id, until in self._held.items() if until > now or id in self._thinking}
            self._new.intersection_update(self._held)
            if self._thinking:
                try:
                    await self._take(sorted(self._thinking))
                except FAILURES as error:  # until it works again others may think, too: one answer is written
                    logger.debug("leases are not renewed: %s", type(error).__name__)

    async def close(self) -> None:
        """Leave all tables to others."""
        if self._leases is not None:
            try:
                await self._leases.give_up()
            except FAILURES as error:
                logger.debug("leases are not given up: %s", type(error).__name__)

    async def _take(self, ids: list[str]) -> dict[str, float]:
        assert self._leases is not None
        until = asyncio.get_running_loop().time() + LEASE_SECONDS
        missed = await self._leases.take(ids)
        now = asyncio.get_running_loop().time()
        for id in ids:
            if id in missed:
                self._held.pop(id, None)
            else:
                if self._held.get(id, 0.0) < now:  # another process may have held it meanwhile
                    self._new.add(id)
                self._held[id] = until
        return missed

    async def _take_soon(self) -> None:
        """Take the leases that are asked for within a moment."""
        await asyncio.sleep(GATHER_SECONDS)
        asked, self._asked = self._asked, {}
        try:
            missed = await self._take(sorted(asked))
        except BaseException as error:
            for answer in (answer for answers in asked.values() for answer in answers if not answer.done()):
                answer.set_exception(error if isinstance(error, Exception) else StorageFailed("database_away"))
            if not isinstance(error, Exception):
                raise
            return
        for id, answers in asked.items():
            for answer in answers:
                if not answer.done():
                    answer.set_result(missed.get(id, 0.0))
