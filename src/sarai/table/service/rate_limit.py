"""Limits on how often something may be asked for, so that nobody can fill the disk, take all bots or flood a table."""

from collections import deque
from collections.abc import Callable, Hashable, Mapping
from math import ceil
from typing import NamedTuple

from sarai.table.refusals import Refused

MOST_KNOWN = 10_000  # people whose requests are counted
MOST_KEYS = 20_000  # whose use of one limit is known
REPORTS = 8  # parts of a limit; others are told whenever one more was used up


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


class Limit(NamedTuple):
    """So many at once; they come back evenly over some seconds."""

    most: int
    seconds: float


class Use:
    """What a key has used of its limit, at a moment; it grows less with time."""

    __slots__ = ("at", "untold", "used")

    def __init__(self, at: float) -> None:
        self.used, self.at, self.untold = 0.0, at, 0

    def pass_time(self, limit: Limit, now: float) -> None:
        """Give back what time has given back; a clock that was set back gives nothing."""
        self.used = max(0.0, self.used - max(0.0, now - self.at) * limit.most / limit.seconds)
        self.at = now


class Limiter:
    """The use of all limits, by key: the name of a limit, then who uses it, such as `talk:address:192.0.2.1`.

    Several processes share their limits by telling each other: `on_spent` is called with a key and an amount whenever
    another eighth of the limit was used here, and `hear` takes what another process told.
    """

    def __init__(self, now: Callable[[], float], limits: Mapping[str, Limit] | None = None) -> None:
        self._now = now
        self.limits = dict(limits or {})  # by name
        self.on_spent: Callable[[str, int], None] | None = None
        # by name, then by who: many who use one limit a little do not make another forgotten
        self._uses: dict[str, dict[str, Use]] = {}

    def spend(self, name: str, who: str) -> None:
        """Count one more use of a limit; Refused if it is used up, with the seconds until it is not."""
        limit = self.limits[name]
        use = self._use(name, who, limit)
        if use.used + 1 > limit.most:
            seconds = (use.used + 1 - limit.most) * limit.seconds / limit.most
            raise Refused("too_much", seconds=max(1, ceil(min(seconds, limit.seconds))))
        use.used += 1
        if self.on_spent is not None:
            use.untold += 1
            if use.untold * REPORTS >= limit.most:
                untold, use.untold = use.untold, 0
                self.on_spent(f"{name}:{who}", untold)

    def hear(self, key: str, amount: int) -> None:
        """Count what was used at another process; a limit that is not known here is not counted."""
        cost, scope, who = (*key.split(":", 2), "", "")[:3]
        limit = self.limits.get(f"{cost}:{scope}")
        if limit is not None:
            use = self._use(f"{cost}:{scope}", who, limit)
            use.used = min(limit.most, use.used + max(0, amount))

    def _use(self, name: str, who: str, limit: Limit) -> Use:
        """Return the use of a limit as it is now; who came last is forgotten last."""
        now, uses = self._now(), self._uses.setdefault(name, {})
        use = uses.pop(who, None)
        if use is None:
            use = Use(now)
            if len(uses) >= MOST_KEYS:
                del uses[next(iter(uses))]
        else:
            use.pass_time(limit, now)
        uses[who] = use
        return use


class OpenCount:
    """How many of something each key has open at once; Refused beyond the limit."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds  # after which it is worth trying again
        self._open: dict[str, int] = {}

    def open(self, key: str, most: int) -> None:
        """Count one more."""
        count = self._open.get(key, 0)
        if count >= most:
            raise Refused("too_much", seconds=self._seconds)
        self._open[key] = count + 1

    def close(self, key: str) -> None:
        """Count one less."""
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]
