"""Timers of all periodic work in a process expire together, so that a sleeping process is woken once."""

from __future__ import annotations

import asyncio
import os
import time

LONGEST = 10.0  # seconds; work with a longer period is not aligned
SOONEST = 0.02  # the part of a period; a run that is nearer than this is skipped: a timer fired early
OWN = os.getpid() * 0.137  # seconds; so that processes do not all wake at once


def seconds_to_tick(seconds: float) -> float:
    """Return the seconds until the next run of work that runs every `seconds`."""
    if seconds > LONGEST:
        return seconds
    left = seconds - (time.monotonic() + OWN) % seconds
    return left if left > SOONEST * seconds else left + seconds


async def until_tick(seconds: float) -> None:
    """Sleep until the next run of work that runs every `seconds`."""
    await asyncio.sleep(seconds_to_tick(seconds))
