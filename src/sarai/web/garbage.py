"""When a server looks for garbage in cycles, which reference counting leaves: seldom, and best while it is quiet.

To look through all objects holds up every request: by 0.7 seconds if there are a million. Python does it by how many
objects are new, which in a server are those of running games: they stay. So what is new is frozen every few seconds
instead, which takes no time and keeps it from being looked through, and everything is looked through when all games are
loaded and once in a while after that. Memory that has doubled brings that forward, for some requests leave small
cycles, but only when the server is quiet: nearly all of it belongs to games. If it grows much it is collected at once.
"""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path

from sarai.table.service.aligned_timers import until_tick

TICK = 2.0  # seconds between two times that new objects are frozen
QUIET = 0.05  # the share of a processor below which a server is quiet
USUAL = 600.0  # seconds after which garbage is collected again when it is quiet
LATEST = 3000.0  # seconds after that in which a server that is never quiet collects all the same
GROWTH, LEAST_GROWTH = 1.0, 64 << 20  # of memory since the last collection, in parts and bytes, that brings the next
MOST_PART, MOST_GROWTH = 1 / 8, 1 << 30  # of the machine's memory, and in bytes: growth that brings it at any moment
SOONEST = 10.0  # seconds between two collections that growth has brought
STATM = Path("/proc/self/statm")
MOST_NEW = 2_000_000  # objects that are new at once, beyond which Python collects as ever


def freeze() -> None:
    """Keep the objects that are here now from being looked through until the next collection."""
    gc.set_threshold(MOST_NEW)
    gc.freeze()


def collect() -> None:
    """Collect all garbage."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def memory() -> int:
    """Return the bytes of memory that this process has, 0 where that is not told."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def most_growth() -> float:
    """Return the bytes by which memory may grow until garbage is collected, however busy the server is."""
    return min(MOST_GROWTH, MOST_PART * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


async def collect_when_quiet() -> None:
    """Freeze what is new, and collect when the time has come or memory has grown, for ever."""
    due, used, had = time.monotonic() + USUAL, time.process_time(), memory()
    while True:
        freeze()
        await until_tick(TICK)
        late, before, used = time.monotonic() - due, used, time.process_time()
        grown = memory() - had if late >= SOONEST - USUAL else 0
        is_quiet = used - before < QUIET * TICK
        has_grown = grown > LEAST_GROWTH and (grown > most_growth() or (is_quiet and grown > GROWTH * had))
        if has_grown or late >= LATEST or (is_quiet and late >= 0):
            collect()
            due, had = time.monotonic() + USUAL, memory()
