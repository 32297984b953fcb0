"""The heartbeat of this process: what others see of it in the database."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable

from sqlalchemy.exc import DBAPIError

from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.processes import WEB, Processes

BEAT_SECONDS = 5.0  # between two heartbeats
logger = logging.getLogger("sarai.table")


class Heartbeat:
    """Writes every few seconds that this process is alive, under an id of its own."""

    def __init__(self, processes: Processes, now: Callable[[], float], kind: str = WEB) -> None:
        self.id = secrets.token_hex(8)
        self._processes, self._now, self._kind = processes, now, kind

    async def beat(self) -> None:
        """Write a heartbeat; what cannot be written now is written by the next."""
        try:
            await self._processes.beat(self.id, self._kind, self._now())
        except (StorageFailed, DBAPIError, OSError) as error:
            logger.debug("no heartbeat: %s", type(error).__name__)

    async def run(self) -> None:
        """Beat for ever."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self.beat()

    async def end(self) -> None:
        """Write that this process ends."""
        with contextlib.suppress(StorageFailed, DBAPIError, OSError):
            await self._processes.beat(self.id, self._kind, self._now(), ended=True)
