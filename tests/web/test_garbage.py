"""Garbage: what is new is not looked through, and what is garbage is collected when its time has come."""

import asyncio
import gc
import weakref

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


def test_garbage_is_collected_when_memory_has_grown(monkeypatch):
    sizes = iter([100 << 20, 120 << 20])
    monkeypatch.setattr(garbage, "TICK", 0.01)
    monkeypatch.setattr(garbage, "SOONEST", 0.02)
    monkeypatch.setattr(garbage, "memory", lambda: next(sizes, 170 << 20))
    found = knot()
    asyncio.run(run_until(lambda: found() is None))


@pytest.mark.parametrize(("is_much", "wanted"), [(True, 3), (False, 2)])
def test_after_growth_that_was_no_garbage_memory_has_to_grow_by_twice_as_much(monkeypatch, is_much, wanted):
    size, sizes = [400 << 20], []
    monkeypatch.setattr(garbage, "TICK", 0.005)
    monkeypatch.setattr(garbage, "SOONEST", 0.0)
    monkeypatch.setattr(garbage, "memory", lambda: size[0])
    monkeypatch.setattr(garbage, "collect", lambda: sizes.append(size[0] >> 20) or is_much)

    def is_done():
        size[0] = min(size[0] + (10 << 20), 830 << 20)
        return size[0] == 830 << 20 and len(sizes) >= wanted

    asyncio.run(run_until(is_done))
    assert len(sizes) == wanted
    assert sizes[1] >= sizes[0] * (1.25 if is_much else 1.5)


def test_what_part_of_all_objects_was_garbage_is_told():
    assert not garbage.collect()
    knots = [Knot() for _ in range(gc.get_freeze_count())]
    del knots
    assert garbage.collect()


def test_the_memory_of_this_process_is_known():
    assert not garbage.STATM.exists() or garbage.memory() > 10 << 20
