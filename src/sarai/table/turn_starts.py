"""Since when each seat has its decision to make, and what its clock had left before moves that can be taken back."""

from collections.abc import Collection
from typing import NamedTuple

from sarai.table.clock import Clock, ClockRule, pause_after


class TimesBefore(NamedTuple):
    """The clocks before a move: what each seat had left, and those that ran."""

    left: list[float]
    running: frozenset[int]

    def lost(self, left: list[float], mover: int) -> dict[int, float]:
        """Return the time that other seats lost since then whose clocks ran because of the move."""
        return {
            seat: before - now
            for seat, (before, now) in enumerate(zip(self.left, left, strict=True))
            if seat != mover and seat not in self.running and now < before
        }


class TimeLent(NamedTuple):
    """A seat when a bot took it over: the last change for it, what it had left, and since when if its clock ran."""

    last_change: int
    left: float
    since: float | None

    def left_at(self, at: float) -> float:
        """Return what it would have left if its clock had run on."""
        return self.left - max(0.0, at - (at if self.since is None else self.since))


class TurnTimes:
    """The last change for each seat, with its time, and the clocks."""

    def __init__(self, rule: ClockRule, players: int, number: int, at: float) -> None:
        self.clock = Clock(rule, players)
        self.last_changes, self.changed_at = [number] * players, [at] * players
        self._before: dict[int, TimesBefore] = {}  # by the number of a move: taking it back gives no time
        self._time_lent: dict[int, TimeLent] = {}  # by seat
        self._since: dict[int, float] = {}  # by the number of a move: since when its seat had to make it
        self._decision_lent: dict[int, int] = {}  # by seat: the last change for it when it was lent
        self._ran_out: dict[int, int] = {}  # by seat: the last change for it when its time was over

    def begin(self, at: float) -> None:
        """Count from the start of the game."""
        self.changed_at = [at] * len(self.changed_at)

    def change(self, number: int, at: float, unchanged: Collection[int] = ()) -> None:
        """Give all seats another decision, apart from those for which nothing changed."""
        for seat in range(len(self.last_changes)):
            if seat not in unchanged:
                self.last_changes[seat], self.changed_at[seat] = number, at

    def pause(self, since: float, until: float) -> None:
        """Let all times go on after a pause as they stood before it."""
        self.clock.pause(since, until)
        self.changed_at = [at + pause_after(at, since, until) for at in self.changed_at]
        self._since = {number: at + pause_after(at, since, until) for number, at in self._since.items()}
        for seat, lent in self._time_lent.items():
            if lent.since is not None:
                self._time_lent[seat] = lent._replace(since=lent.since + pause_after(lent.since, since, until))

    def note_move(self, number: int, seat: int, at: float) -> None:
        """Note what the clocks had left before a move, and since when its seat had to make it."""
        self._since[number] = self.changed_at[seat]
        if (left := self.clock.seconds(at)) is not None:
            self._before[number] = TimesBefore(left, self.clock.running)

    def left_after_take_back(self, number: int, seat: int, at: float) -> float | None:
        """Return the time that a seat would have left if it took back a move alone; None without a live clock."""
        left, before = self.clock.seconds(at), self._before.get(number)
        if self.clock.rule.kind != "live" or left is None or before is None:
            return None
        return min(left[seat], before.left[seat]) - max(before.lost(left, seat).values(), default=0.0)

    def limit_after_take_back(self, number: int, seat: int, pays: bool) -> None:
        """Give a seat no more time than it had before the move that it took back.

        If it `pays`, what others thought about that move is theirs again, and taken from this seat; and without a clock
        it has been to act for as long as it had before.
        """
        if pays:
            self.changed_at[seat] = self._since.get(number, self.changed_at[seat])
        if (before := self._before.get(number)) is None:
            return
        self.clock.limit(seat, before.left[seat])
        if pays and self.clock.rule.kind == "live":
            lost = before.lost(self.clock.left, seat)
            self.clock.left[seat] -= max(lost.values(), default=0.0)
            for other, seconds in lost.items():
                self.clock.left[other] += seconds

    def note_lent(self, seat: int, at: float) -> None:
        """Note which decision a seat had to make that a bot plays from now on, and what its clock had left."""
        self._decision_lent[seat] = self.last_changes[seat]
        if (left := self.clock.seconds(at)) is not None:
            since = max(at, self.clock.since) if seat in self.clock.running else None
            self._time_lent[seat] = TimeLent(self.last_changes[seat], left[seat], since)

    def note_returned(self, seat: int, at: float) -> None:
        """Count from the return, unless the decision is the one that was lent: that puts off nothing."""
        if self._decision_lent.pop(seat, None) != self.last_changes[seat]:
            self.changed_at[seat] = at

    def left_after_return(self, seat: int, at: float) -> float | None:
        """Return the time that a seat would have left for the decision that it lent; None if it has another one now."""
        lent = self._time_lent.get(seat)
        return lent.left_at(at) if lent is not None and lent.last_change == self.last_changes[seat] else None

    def limit_after_return(self, seat: int, at: float, pays: bool) -> None:
        """Give a seat no more time than it had when it was lent, if it has the same decision to make as then.

        If it `pays`, the clock is as if it had run on: who thinks while a bot does has no time for nothing.
        """
        if (left := self.left_after_return(seat, at)) is not None:
            self.clock.limit(seat, left if pays else self._time_lent[seat].left)
        self._time_lent.pop(seat, None)

    def note_time_over(self, seat: int) -> None:
        """Note for which decision a seat had no time left."""
        self._ran_out[seat] = self.last_changes[seat]

    def is_time_over(self, seat: int) -> bool:
        """Say whether a seat still has the decision to make for which its time ran out."""
        return self._ran_out.get(seat) == self.last_changes[seat]
