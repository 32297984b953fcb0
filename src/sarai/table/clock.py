"""Clocks: none, live (minutes for the game, seconds added after each move), or days for each move; for people only."""

from collections.abc import Collection

from msgspec import Struct

from sarai.table.refusals import Refused

MINUTE, DAY = 60.0, 86_400.0


class ClockRule(Struct, frozen=True, omit_defaults=True):
    """How much time players have: `kind` is none, live or days."""

    kind: str = "none"
    minutes: int = 0
    increment: int = 0  # seconds more after each move
    days: int = 0  # for each move

    def check(self) -> "ClockRule":
        """Return the rule without the settings that its kind does not use; Refused if there is no such clock."""
        if self.kind not in ("none", "live", "days"):
            raise Refused("bad_clock", why="it is none, live or days")
        if self.kind == "live" and not (1 <= self.minutes <= 180 and 0 <= self.increment <= 300):
            raise Refused("bad_clock", why="a live clock has 1 to 180 minutes, and 0 to 300 seconds more for each move")
        if self.kind == "days" and not 1 <= self.days <= 30:
            raise Refused("bad_clock", why="it has 1 to 30 days for each move")
        if self.kind == "live":
            return ClockRule("live", self.minutes, self.increment)
        return ClockRule("days", days=self.days) if self.kind == "days" else ClockRule()

    @property
    def start(self) -> float:
        """Seconds at the beginning of the game or, with days, of a move."""
        return self.minutes * MINUTE if self.kind == "live" else self.days * DAY


def pause_after(moment: float, since: float, until: float) -> float:
    """Return the seconds of a pause that come after a moment, which moves on by them."""
    return max(0.0, until - max(since, moment))


class Clock:
    """The time that each seat has left, by the times of events."""

    def __init__(self, rule: ClockRule, players: int) -> None:
        self.rule = rule
        self.left = [rule.start] * players
        self.running: frozenset[int] = frozenset()
        self.since = 0.0

    def turn(self, at: float, running: Collection[int], mover: int | None = None, begin: float = 0.0) -> None:
        """Stop the running clocks and run those of other seats; the seat that moved gets its time for a move.

        They begin to run at a later time if people are still shown what happened.
        """
        for seat in self.running:
            self.left[seat] -= max(0.0, at - self.since)
        now = frozenset(running)
        if self.rule.kind == "live" and mover in self.running and mover is not None:
            self.left[mover] += self.rule.increment
        if self.rule.kind == "days":
            for seat in now:
                if seat not in self.running or seat == mover:
                    self.left[seat] = self.rule.start
        self.running, self.since = now, max(at, begin)

    def limit(self, seat: int, most: float) -> None:
        """Give a seat no more time than it had before something that was undone."""
        self.left[seat] = min(self.left[seat], most)

    def pause(self, since: float, until: float) -> None:
        """Take no time from anybody for a pause."""
        self.since += pause_after(self.since, since, until)

    def seconds(self, now: float) -> list[float] | None:
        """Return the seconds that each seat has left, None without a clock."""
        if self.rule.kind == "none":
            return None
        passed = max(0.0, now - self.since)
        return [max(0.0, left - passed) if seat in self.running else left for seat, left in enumerate(self.left)]

    @property
    def due(self) -> float | None:
        """When the first running clock runs out if nothing happens before."""
        if self.rule.kind == "none" or not self.running:
            return None
        return self.since + min(self.left[seat] for seat in self.running)
