"""What every measurement has in common: work that can be done in portions, and its pace on one thread."""

from collections.abc import Callable
from time import thread_time
from typing import NamedTuple


class Pace(NamedTuple):
    """How much was played: in all, or in a second."""

    games: float = 0
    moves: float = 0  # of players
    chances: float = 0  # outcomes

    @property
    def nodes(self) -> float:
        """Player moves and chance outcomes together."""
        return self.moves + self.chances


Work = Callable[[int], Pace]  # does so many portions; returns what was played


def pace(work: Work, seconds: float) -> Pace:
    """Work for so many seconds of processor time, which leaves out what other programs take; return what was played in a second."""
    done, total, portions = 0, Pace(), 1
    began = thread_time()
    while True:
        played = work(portions)
        spent = thread_time() - began
        done += portions
        total = Pace(*(before + more for before, more in zip(total, played, strict=True)))
        if spent >= seconds and spent > 0:
            return Pace(*(amount / spent for amount in total))
        left = (seconds - spent) * done / spent if spent else 2 * portions
        portions = max(1, min(int(left), 2 * portions))
