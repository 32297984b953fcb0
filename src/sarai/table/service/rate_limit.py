"""A limit on how often each person may ask for something, so that one person cannot fill the disk or take all bots."""

from collections import deque
from collections.abc import Hashable
from math import ceil

from sarai.table.refusals import Refused

MOST_KNOWN = 10_000  # people whose requests are counted


class RateLimit:
    """A number of times within some seconds, for each person."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self._times: dict[Hashable, deque[float]] = {}

    def count(self, who: Hashable, now: float) -> None:
        """Count one more request; Refused if that is too many."""
        times = self._times.pop(who, None) or deque(maxlen=self.most)
        self._times[who] = times  # who came last is forgotten last
        if len(self._times) > MOST_KNOWN:
            del self._times[next(iter(self._times))]
        if len(times) == self.most and 0 <= now - times[0] < self.seconds:
            raise Refused("too_much", seconds=ceil(self.seconds - (now - times[0])))
        times.append(now)
