"""What other processes changed beside the logs of tables, heard by looking every second."""

from __future__ import annotations

import logging
from collections.abc import Callable

from sarai.table.service.beats import until_beat
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.news import NewsReader
from sarai.table.storage.outages import PEOPLE
from sarai.table.storage.store import Store

TICK = 1.0
logger = logging.getLogger("sarai.table")


class NewsFromProcesses:
    """Calls `heard` with each person, or table, of which everything has to be read again.

    `forget_all` is called after a time in which nothing could be heard: what happened then may be told no more.
    """

    def __init__(
        self, store: Store, heard: Callable[[str | None, str | None], None], forget_all: Callable[[], None]
    ) -> None:
        self._reader, self._heard, self._forget_all = NewsReader(store.own_engine), heard, forget_all
        self._outages, self._hearing = store.outages, store.hearing
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
            await until_beat(TICK)

    async def hear(self) -> None:
        """Take over what is new."""
        began = self._hearing.elapsed()
        found = await self._reader.read()
        if self._hearing.is_deaf:
            logger.warning("nothing was heard of other processes for long: people and tables are read again")
            self._hearing.forget()
            self._forget_all()
        for news in found:
            self._heard(news.person, news.table_id)
        self._hearing.heard(began)
