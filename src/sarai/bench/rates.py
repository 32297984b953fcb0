"""Rates: how much work of a kind is done in a second of processor time on one thread."""

from collections.abc import Callable
from time import thread_time
from typing import NamedTuple


class PlayCounts(NamedTuple):
    """How much was played: in all, or per second."""

    games: float = 0
    moves: float = 0  # of players
    chances: float = 0  # outcomes

    @property
    def nodes(self) -> float:
        """Player moves and chance outcomes together."""
        return self.moves + self.chances


Work = Callable[[int], PlayCounts]  # does a number of portions and returns what was played


def measure_rates(work: Work, seconds: float) -> PlayCounts:
    """Work for some seconds of processor time, which leaves out other programs; return what was played per second."""
    done, total, portions = 0, PlayCounts(), 1
    began = thread_time()
    while True:
        played = work(portions)
        spent = thread_time() - began
        done += portions
        total = PlayCounts(*(before + more for before, more in zip(total, played, strict=True)))
        if spent >= seconds and spent > 0:
            return PlayCounts(*(amount / spent for amount in total))
        left = (seconds - spent) * done / spent if spent else 2 * portions
        portions = max(1, min(int(left), 2 * portions))
