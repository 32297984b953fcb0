"""Stops the writes of a process that has not polled for invalidations for too long.

Its caches may hold people who were erased meanwhile: it empties them first, and then writes again.
"""

from __future__ import annotations

from collections.abc import Callable

from sarai.table.storage.failures import StorageFailed
from sarai.table.time_source import elapsed

DEAF_SECONDS = 40.0  # after the last look; an erased person is looked for again after more than this and OPEN_SECONDS
OPEN_SECONDS = 15  # after which PostgreSQL ends a transaction whose writer stands still


class WriteFence:
    """When this process last looked at what others changed; `edition` grows when it forgets what it knew."""

    def __init__(self, elapsed: Callable[[], float] = elapsed) -> None:
        self.elapsed = elapsed
        self.edition = 0
        self._last: float | None = None  # None: it does not look, there are no others

    @property
    def is_deaf(self) -> bool:
        """Whether it did not look for too long."""
        return self._last is not None and self.elapsed() - self._last > DEAF_SECONDS

    def heard(self, moment: float) -> None:
        """Note that it knows all that others had changed at a moment."""
        self._last = moment

    def forget(self) -> None:
        """Let nothing be written that was decided until now."""
        self.edition += 1

    def require(self, edition: int) -> None:
        """Refuse to write what was decided in an edition, if it is over or nothing is heard."""
        if self.is_deaf or edition != self.edition:
            raise StorageFailed("database_away")
