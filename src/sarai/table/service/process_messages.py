"""What processes on one PostgreSQL tell each other besides events: who is here, what was used of limits, who died.

Events themselves are told by who writes them, at once or with the index: `tables_loaded_by_processes.py` says which.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from urllib.parse import quote, unquote

from sqlalchemy.exc import DBAPIError

from sarai.table.service.aligned_timers import until_tick
from sarai.table.service.heartbeat import BEAT_SECONDS, Heartbeat
from sarai.table.service.presence import Presence
from sarai.table.service.rate_limit import Limiter
from sarai.table.service.rooms import Rooms
from sarai.table.service.tables_loaded_by_processes import ALSO, DROPPED, HOLDS, TablesLoadedByProcesses
from sarai.table.service.tasks import Tasks
from sarai.table.service.timeouts_and_catch_up import BackgroundWork
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.listen_notify import ProcessNews, listen
from sarai.table.storage.processes import Processes
from sarai.table.storage.store import Store

HERE, GONE, SAW, WHO = "here", "gone", "saw", "who"  # what processes tell, and ask for
CHANGED, SPENT, WATCHED = "changed", "spent", "watched"
logger = logging.getLogger("sarai.table")


class ProcessMessages:
    """What this process tells others and hears from them; `forget_person` is called with whom another one changed."""

    def __init__(
        self,
        store: Store,
        heartbeat: Heartbeat,
        presence: Presence,
        rooms: Rooms,
        background: BackgroundWork,
        tasks: Tasks,
        forget_person: Callable[[str], None],
    ) -> None:
        self._store, self._presence, self._background, self._tasks = store, presence, background, tasks
        self._processes, self._now, self._process = Processes(store.own_engine), background.now, heartbeat.id
        self._forget_person = forget_person
        self._news = ProcessNews(store.own_engine, heartbeat.id, self._told, store.outages)
        self._alive: set[str] = set()
        self._limiter: Limiter | None = None
        self.elsewhere = TablesLoadedByProcesses(rooms, self.tell)

    def start(self) -> None:
        """Begin, where there may be others."""
        if self._store.is_shared:
            self._presence.on_change = lambda person, is_here: self.tell(HERE if is_here else GONE, person)
            self._presence.on_sign = lambda person: self.tell(SAW, person)
            self._background.spectator_counts.on_change = lambda table_id, count: self.tell(
                WATCHED, f"{table_id}={count}"
            )
            self._store.writer.is_elsewhere = self.elsewhere.is_shared
            hear, is_used = self._background.hear, self._background.is_used
            self._tasks.start(listen(self._store.engine, hear, self._news, self._listening, self._deaf, is_used))
            self._tasks.start(self._watch_processes())
            self._tasks.start(self.elsewhere.run())

    def tell(self, word: str, *subjects: str) -> None:
        """Tell the other processes something, where there may be any."""
        if self._store.is_shared and not self._tasks.closed:
            self._tasks.start(self._news.tell(word, subjects))

    def share_limits(self, limiter: Limiter) -> None:
        """Count what is used of limits at all processes together."""
        self._limiter = limiter
        if self._store.is_shared:
            limiter.on_spent = lambda key, amount: self.tell(SPENT, f"{quote(key)}={amount}")

    def _listening(self) -> None:
        """Catch up with what was not heard, and ask who is here."""
        self._background.listening()
        self.elsewhere.begin_again()
        self.tell(WHO)
        self._tell_who()

    def _deaf(self) -> None:
        """Take note that nothing is heard of other processes."""
        self._background.deaf()
        self.elsewhere.begin_again()

    def _tell_who(self) -> None:
        """Tell the others who is here, and how many watch which tables."""
        if here := self._presence.here():
            self.tell(HERE, *here)
        if watched := self._background.spectator_counts.here():
            self.tell(WATCHED, *(f"{table_id}={count}" for table_id, count in watched))

    def _told(self, process: str, word: str, subjects: list[str]) -> None:
        if word in (HERE, GONE):
            for person in subjects:
                self._presence.hear(process, person, word == HERE)
        elif word == SAW:
            for person in subjects:
                self._presence.hear_sign(person)
        elif word == WHO:
            self._tell_who()
        elif word == WATCHED:
            for subject in subjects:
                table_id, _, count = subject.partition("=")
                self._background.spectator_counts.hear(process, table_id, int(count))
        elif word in (HOLDS, ALSO, DROPPED):
            self.elsewhere.hear(process, word, subjects)
        elif word == CHANGED:
            for person in subjects:
                self._forget_person(person)
        elif word == SPENT and self._limiter is not None:
            for subject in subjects:
                key, _, amount = subject.rpartition("=")
                self._limiter.hear(unquote(key), int(amount))

    async def _watch_processes(self) -> None:
        """See which processes die, for ever: their people are not here, and what they left undone is done."""
        while True:
            try:
                await self.look()
            except (StorageFailed, DBAPIError, OSError) as error:
                logger.debug("no look at other processes: %s", type(error).__name__)
            await until_tick(BEAT_SECONDS)

    async def look(self) -> None:
        """See which processes died since the last look."""
        alive = [process.id for process in await self._processes.alive(self._now())]
        lost, self._alive = self._alive.difference(alive, {self._process}), set(alive)
        for process in lost:
            self._presence.lose(process)
            self._background.spectator_counts.lose(process)
            self.elsewhere.lose(process)
        if lost and alive and alive[0] == self._process:  # one of those that are left is enough
            await self._background.resume()
