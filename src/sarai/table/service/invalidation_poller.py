"""Reads every second which people and tables other processes changed, beyond the events that are notified."""

from __future__ import annotations

import logging
from collections.abc import Callable

from sarai.table.service.aligned_timers import until_tick
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.invalidations import InvalidationReader
from sarai.table.storage.outage_log import PEOPLE
from sarai.table.storage.store import Store

TICK = 1.0
logger = logging.getLogger("sarai.table")


class InvalidationPoller:
    """Calls `heard` with each person, or table, of which everything has to be read again.

    `forget_all` is called after a time in which nothing could be heard: what happened then may be told no more.
    """

    def __init__(
        self, store: Store, heard: Callable[[str | None, str | None], None], forget_all: Callable[[], None]
    ) -> None:
        self._reader, self._heard, self._forget_all = InvalidationReader(store.own_engine), heard, forget_all
        self._outages, self._fence = store.outages, store.write_fence
        self._is_shared = store.engine.dialect.name == "postgresql"  # a file has one process

    async def begin(self) -> None:
        """Note what others have changed until now, before anything is read that they may change from now on."""
        if self._is_shared:
            await self.hear()

    async def run(self) -> None:
        """Listen for ever."""
        while self._is_shared:
            try:
                await self.hear()
                self._outages.works(PEOPLE)
            except StorageFailed as error:
                self._outages.failed(PEOPLE, error)
            except Exception as error:
                logger.error("news of people", exc_info=error)
            await until_tick(TICK)

    async def hear(self) -> None:
        """Take over what is new."""
        began = self._fence.elapsed()
        found = await self._reader.read()
        if self._fence.is_deaf:
            logger.warning("nothing was heard of other processes for long: people and tables are read again")
            self._fence.forget()
            self._forget_all()
        for news in found:
            self._heard(news.person, news.table_id)
        self._fence.heard(began)
