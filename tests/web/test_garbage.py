"""Garbage: what is new is not looked through, and what is garbage is collected when its time has come."""

import asyncio
import gc
import weakref
from itertools import pairwise

import pytest

from sarai.web import garbage


class Knot:
    """An object that reference counting never frees."""

    def __init__(self):
        self.own = self


@pytest.fixture(autouse=True)
def python_collector():
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    gc.collect()


async def run_until(is_done):
    task = asyncio.create_task(garbage.collect_when_quiet())
    try:
        async with asyncio.timeout(60):
            while not is_done():
                await asyncio.sleep(0.01)
    finally:
        task.cancel()


def knot():
    """Return a weak reference to something that is garbage from then on."""
    return weakref.ref(Knot())


def test_what_is_frozen_is_not_looked_through_and_not_lost():
    garbage.freeze()
    found = knot()
    garbage.freeze()
    gc.collect()
    assert found() is not None
    garbage.collect()
    assert found() is None
    assert gc.get_threshold()[0] == garbage.MOST_NEW


def test_garbage_is_collected_when_it_is_quiet(monkeypatch):
    monkeypatch.setattr(garbage, "TICK", 0.01)
    monkeypatch.setattr(garbage, "USUAL", 0.05)
    monkeypatch.setattr(garbage, "QUIET", 1000.0)  # whatever else this process does
    found = knot()
    asyncio.run(run_until(lambda: found() is None))


def test_a_server_that_is_never_quiet_waits_longer_but_not_for_ever(monkeypatch):
    monkeypatch.setattr(garbage, "TICK", 0.01)
    monkeypatch.setattr(garbage, "USUAL", 0.0)
    monkeypatch.setattr(garbage, "QUIET", -1.0)
    monkeypatch.setattr(garbage, "LATEST", 0.3)
    found, seen = knot(), []

    def is_done():
        seen.append(found() is not None)
        return not seen[-1]

    asyncio.run(run_until(is_done))
    assert len(seen) > 5, "not at once"


def test_garbage_is_collected_when_memory_has_doubled_and_it_is_quiet(monkeypatch):
    sizes = iter([100 << 20, 190 << 20])
    monkeypatch.setattr(garbage, "TICK", 0.01)
    monkeypatch.setattr(garbage, "SOONEST", 0.02)
    monkeypatch.setattr(garbage, "QUIET", 1000.0)
    monkeypatch.setattr(garbage, "memory", lambda: next(sizes, 210 << 20))
    found = knot()
    asyncio.run(run_until(lambda: found() is None))


def test_games_that_need_ever_more_memory_bring_a_collection_when_it_has_doubled(monkeypatch):
    size, sizes = [100 << 20], []
    monkeypatch.setattr(garbage, "TICK", 0.005)
    monkeypatch.setattr(garbage, "SOONEST", 0.0)
    monkeypatch.setattr(garbage, "QUIET", 1000.0)
    monkeypatch.setattr(garbage, "memory", lambda: size[0])
    monkeypatch.setattr(garbage, "collect", lambda: sizes.append(size[0] >> 20))

    def is_done():
        size[0] += 10 << 20
        return size[0] >= 1000 << 20

    asyncio.run(run_until(is_done))
    assert 2 <= len(sizes) <= 3
    assert all(later >= 2 * earlier for earlier, later in pairwise([100, *sizes]))


def test_a_busy_server_is_not_held_up_until_memory_has_grown_much(monkeypatch):
    size, sizes = [100 << 20], []
    monkeypatch.setattr(garbage, "TICK", 0.005)
    monkeypatch.setattr(garbage, "SOONEST", 0.0)
    monkeypatch.setattr(garbage, "QUIET", -1.0)
    monkeypatch.setattr(garbage, "most_growth", lambda: 800 << 20)
    monkeypatch.setattr(garbage, "memory", lambda: size[0])
    monkeypatch.setattr(garbage, "collect", lambda: sizes.append(size[0] >> 20))

    def is_done():
        size[0] += 10 << 20
        return bool(sizes)

    asyncio.run(run_until(is_done))
    assert 900 <= sizes[0] <= 1000


def test_how_much_memory_may_grow_depends_on_the_machine():
    machine = garbage.os.sysconf("SC_PAGE_SIZE") * garbage.os.sysconf("SC_PHYS_PAGES")
    assert garbage.most_growth() == min(1 << 30, machine / 8)


def test_the_memory_of_this_process_is_known():
    assert not garbage.STATM.exists() or garbage.memory() > 10 << 20
