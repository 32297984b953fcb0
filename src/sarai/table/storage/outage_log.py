"""What the database cannot do at the moment, told in the log once when it begins and once when it is over."""

from __future__ import annotations

import logging
import time
from math import inf

from sarai.table.storage.failures import StorageFailed, reason_of

WRITING, CLOCKS = "nothing can be written", "the clocks stand still"  # what does not work then
PEOPLE, FROM_OTHERS, TO_OTHERS = "no news of people", "no news from other processes", "no news to other processes"
OCCASIONAL = {WRITING, TO_OTHERS}  # tried when there is something to do, which may be long after the end
AWAY, BUSY = "database_away", "database_busy"
LATE_SECONDS = 2.0  # after the end of an outage, in which what was begun before can still fail
DOES_NOT_ANSWER = "the database does not answer: until it does nothing can be read or written, and clocks stand still"
logger = logging.getLogger("sarai.table")


class Outages:
    """What fails in this process, by reason: many parts of it notice the same trouble, and the first one says so."""

    def __init__(self) -> None:
        self._failing: dict[str, set[str]] = {}
        self._ended = -inf  # when the database was last there again

    def failed(self, part: str, error: BaseException) -> None:
        """Note that something did not work; what is already known for the same reason is not told again."""
        reason = error.key if isinstance(error, StorageFailed) else reason_of(getattr(error, "orig", error), True)
        reason = reason or AWAY
        if reason not in self._failing:
            if reason == AWAY and time.monotonic() - self._ended < LATE_SECONDS:
                return  # if it is gone again, the next who try will say so
            logger.warning(*((DOES_NOT_ANSWER,) if reason == AWAY else ("%s: %s", part, reason)))
        self._failing.setdefault(reason, set()).add(part)

    def works(self, part: str) -> None:
        """Note that something worked, which may be the end of what failed."""
        for reason, parts in list(self._failing.items()):
            parts.discard(part)
            if not parts or (reason == AWAY and parts <= OCCASIONAL):
                del self._failing[reason]
                if reason == AWAY:
                    self._ended = time.monotonic()
                logger.warning("the database works again, after %s", reason)
