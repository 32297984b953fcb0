"""The time of a house: the same for all processes of a database, never going back, standing still without heartbeats.

No wall clock is read after the start, so that setting it changes nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

RUNS_ON = 15.0  # seconds that time runs on after a heartbeat; time without one beyond that is nobody's
MOST_BACK = 1.0  # seconds ahead of the database's clock: more, and that clock was set back, which nobody follows
STEP_BACK = 0.05  # seconds by which a smaller error is corrected at once

if sys.platform == "linux":

    def elapsed() -> float:
        """Return seconds on a clock that nobody sets, and that runs on while the machine sleeps."""
        return time.clock_gettime(time.CLOCK_BOOTTIME)

else:
    elapsed = time.monotonic


class TimeSource:
    """Calling it gives the time, in seconds since 1970."""

    is_given = False

    def __init__(self, elapsed: Callable[[], float] = elapsed, wall: Callable[[], float] = time.time) -> None:
        self.elapsed = elapsed
        self._offset = wall() - elapsed()
        self._limit = self.running()  # before the first heartbeat it stands still
        self._latest: float | None = None  # the last that was given since then
        self._is_calibrated = False

    def __call__(self) -> float:
        """Return the time of tables."""
        now = self._offset + self.elapsed()  # it is asked many times for every move
        if now > self._limit:
            now = self._limit
        if self._latest is not None:
            if now < self._latest:
                return self._latest
            self._latest = now
        return now

    def running(self) -> float:
        """Return the time as it would be if it never stood still."""
        return self._offset + self.elapsed()

    @property
    def stands_still(self) -> bool:
        """Whether the last heartbeat is too long ago."""
        return self.running() > self._limit

    def run_until(self, moment: float) -> None:
        """Let time run on, up to a moment."""
        if self._latest is None:  # the machine's own clock may have been wrong
            self._latest, self._limit = min(self.running(), moment), moment
        self._limit = max(self._limit, moment)

    def stand_at(self, moment: float) -> None:
        """Stand still at an earlier moment, before the first heartbeat."""
        self._limit = min(self._limit, moment)

    def advance_to(self, moment: float) -> None:
        """See to it that it is not earlier than a moment at which somebody else was alive."""
        self._offset += max(0.0, moment - self.running())

    def calibrate(self, database: float, took: float, ahead: float = 0.0) -> None:
        """Follow the database's clock, which showed this time at some moment of the last `took` seconds.

        At first its time is taken over, or that of the other processes if they are `ahead`: the clock was set back.
        """
        now = self.running()
        if not self._is_calibrated:
            self._is_calibrated = True
            self._offset += database + took / 2 - now + (ahead if ahead > MOST_BACK else 0.0)
        elif now < database:
            self._offset += database - now
        elif 0.0 < now - (database + took) < MOST_BACK:
            self._offset -= min(STEP_BACK, now - (database + took))


class GivenTime(TimeSource):
    """A time that tests set: it does what they want, whatever the database says."""

    is_given = True

    def __init__(self, now: Callable[[], float]) -> None:
        super().__init__(now, now)

    def __call__(self) -> float:
        """Return the time that was set."""
        return self.running()

    def advance_to(self, moment: float) -> None:
        """Leave it to the test."""

    def calibrate(self, database: float, took: float, ahead: float = 0.0) -> None:
        """Leave it to the test."""
