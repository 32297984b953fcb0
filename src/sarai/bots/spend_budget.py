"""A budget of time or simulations, spent in batches."""

import time
from collections.abc import Iterator

from sarai.core.policy.levels import Budget

MOST_SIMULATIONS = 1 << 40  # where only time is set


def batches(budget: Budget, first: int) -> Iterator[int]:
    """Yield numbers of simulations to run until a budget is spent: all at once, or growing while time is left."""
    left = budget.simulations if budget.simulations is not None else MOST_SIMULATIONS
    if budget.seconds is None:
        yield left
        return
    end = time.monotonic() + budget.seconds
    size = first
    while left > 0:
        size = min(size, left)
        start = time.monotonic()
        yield size
        now = time.monotonic()
        left -= size
        spent, time_left = now - start, end - now
        if time_left <= spent / 4:
            return
        size = max(1, min(2 * size, int(size * min(time_left, 0.1) / max(spent, 1e-6))))
