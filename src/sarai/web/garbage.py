"""When a server looks for garbage in cycles, which reference counting leaves: seldom, and best while it is quiet.

To look through all objects holds up every request. Python does it by how many objects are new, which in a server are
those of running games: they stay. So what is new is frozen every few seconds instead, which takes no time and keeps it
from being looked through, and everything is looked through when all games are loaded and once in a while after that.
Memory that grows brings that forward: each connection leaves a small cycle, its transport.
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
GROWTH, LEAST_GROWTH = 0.25, 64 << 20  # of memory since the last collection, in parts and bytes, that brings the next
MUCH = 0.1  # the part of objects that are garbage from which growth is by garbage, not by games
SOONEST = 10.0  # seconds between two collections that growth has brought
STATM = Path("/proc/self/statm")
MOST_NEW = 2_000_000  # objects that are new at once, beyond which Python collects as ever


def freeze() -> None:
    """Keep the objects that are here now from being looked through until the next collection."""
    gc.set_threshold(MOST_NEW)
    gc.freeze()


def collect() -> bool:
    """Collect all garbage; say whether it was a good part of all objects."""
    gc.freeze()
    objects = gc.get_freeze_count()
    gc.unfreeze()
    found = gc.collect()
    gc.freeze()
    return found >= MUCH * objects


def memory() -> int:
    """Return the bytes of memory that this process has, 0 where that is not told."""
    try:
        return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


async def collect_when_quiet() -> None:
    """Freeze what is new, and collect when the time has come or memory has grown, for ever.

    When it has grown and little was garbage, games need the memory: it has to grow twice as much until the next time.
    """
    due, used, had, growth = time.monotonic() + USUAL, time.process_time(), memory(), GROWTH
    while True:
        freeze()
        await until_tick(TICK)
        late, before, used = time.monotonic() - due, used, time.process_time()
        has_grown = memory() - had > max(LEAST_GROWTH, growth * had) and late >= SOONEST - USUAL
        if has_grown or late >= LATEST or (late >= 0 and used - before < QUIET * TICK):
            is_much = collect()
            growth = 2 * growth if has_grown and not is_much else GROWTH
            due, had = time.monotonic() + USUAL, memory()
