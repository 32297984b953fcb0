"""Moments at which a process does what it does again and again: a process that sleeps is woken once for all of it."""

from __future__ import annotations

import asyncio
import os
import time

LONGEST = 10.0  # seconds; what is done less often need not be done together with anything
SOONEST = 0.02  # the part of a pause that is left out instead of being slept by itself
OWN = os.getpid() * 0.137  # seconds by which the moments of different processes differ


def seconds_to_beat(seconds: float) -> float:
    """Return how long it is to the next of the moments that lie so many seconds apart."""
    if seconds > LONGEST:
        return seconds
    left = seconds - (time.monotonic() + OWN) % seconds
    return left if left > SOONEST * seconds else left + seconds


async def until_beat(seconds: float) -> None:
    """Sleep until the next of the moments that lie so many seconds apart."""
    await asyncio.sleep(seconds_to_beat(seconds))
