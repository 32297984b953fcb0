"""The heartbeat of this process in the database: it tells that the process lives, and lets its clocks run on."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Awaitable, Callable

from sqlalchemy.exc import DBAPIError

from sarai.table.service.aligned_timers import until_tick
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.processes import WEB, Processes
from sarai.table.time_source import TimeSource

BEAT_SECONDS = 5.0  # between two heartbeats
logger = logging.getLogger("sarai.table")


class Heartbeat:
    """Writes every few seconds that this process is alive, under an id of its own.

    `catch_up` is awaited before time runs on that stood still: the tables in memory have to know of the pause.
    """

    def __init__(self, processes: Processes, source: TimeSource, kind: str = WEB) -> None:
        self.id = secrets.token_hex(8)
        self.processes, self.source = processes, source
        self.catch_up: Callable[[], Awaitable[None]] | None = None
        self.kind, self._has_begun = kind, False

    async def begin(self) -> None:
        """Write the first heartbeat; if that fails, stop the time at the last heartbeat of any process.

        The machine's clock must not be used then: the time since the last heartbeat would count against the players.
        """
        await self.beat()
        if not self._has_begun and (last := await self.processes.last_alive()) is not None:
            self.source.stand_at(last)

    async def beat(self, *, ended: bool = False) -> None:
        """Write a heartbeat; if that cannot be done, time stands still soon, and the next one says how long."""
        may_pause = not (self.source.is_given and self._has_begun)  # tests set a time that passes at once
        try:
            until = await self.processes.beat(self.id, self.kind, self.source, ended=ended, may_pause=may_pause)
            if self.source.stands_still and self.catch_up is not None:
                await self.catch_up()
            self.source.run_until(until)
            self._has_begun = True
        except (StorageFailed, DBAPIError, OSError) as error:
            logger.debug("no heartbeat: %s", type(error).__name__)
        except Exception as error:  # the next may succeed, and without any there is no time
            logger.error("the heartbeat", exc_info=error)

    async def run(self) -> None:
        """Beat for ever."""
        while True:
            await until_tick(BEAT_SECONDS)
            await self.beat()

    async def end(self) -> None:
        """Write that this process ends."""
        await self.beat(ended=True)
