"""Which processors this program may use, and keeping a thread on one of them, where its caches stay warm."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

_ALLOWED = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else frozenset[int]()  # when it began


def processors() -> int:
    """Return how many processors this program may use."""
    return len(_ALLOWED) or os.cpu_count() or 1


def stay_on_processor(number: int) -> None:
    """Keep this thread, and those that it will start, on one of the processors, which are counted from 0."""
    if _ALLOWED:
        _allow({sorted(_ALLOWED)[number]})


def use_all_processors() -> None:
    """Let this thread, and those that it will start, run on every processor that the program may use."""
    if _ALLOWED:
        _allow(_ALLOWED)


@contextlib.contextmanager
def on_all_processors() -> Iterator[None]:
    """Let what is started meanwhile run on every processor, even if this thread stays on one."""
    if not _ALLOWED:
        yield
        return
    own = os.sched_getaffinity(0)
    use_all_processors()
    try:
        yield
    finally:
        _allow(own)


def _allow(numbers: frozenset[int] | set[int]) -> None:
    with contextlib.suppress(OSError):  # the system may have taken a processor away since
        os.sched_setaffinity(0, numbers)
