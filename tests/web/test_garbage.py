"""Garbage: what is new is not looked through, and what is garbage is collected when its time has come."""

import asyncio
import contextlib
import gc
import re
import weakref
from http.client import HTTPConnection
from itertools import pairwise

import httpx
import pytest

import sarai
from sarai.table.service.rate_limit import Limit
from sarai.web import garbage
from sarai.web.app import routes
from sarai.web.cookies import COOKIE
from served_house import ServedHouse


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


# --- what requests leave ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with ServedHouse(tmp_path_factory.mktemp("house")) as served:
        limiter = served.site.limits.limiter
        limiter.limits = {key: Limit(1e6, 1e6) for key in limiter.limits}
        yield served


def asked(connection, path, cookie):
    """Return the status of an answer, read by a client that leaves no cycles itself."""
    connection.request("GET", path, headers={"Cookie": cookie})
    answer = connection.getresponse()
    answer.read()
    return answer.status


@pytest.mark.compiled
@pytest.mark.parametrize("game", sarai.game_ids())
def test_what_can_be_read_leaves_next_to_nothing_for_the_collector(house, game):
    count, players = 8, sarai.game(game).players[-1]
    with httpx.Client(base_url=house.address, timeout=60) as ann:
        ann.post("/api/me", json={"name": "Ann"})
        table = ann.post("/api/tables", json={"game": game, "players": players, "bots": ["novice"] * (players - 1)})
        table = table.json()["id"]
        assert ann.post(f"/api/tables/{table}/act", json={"command": {"type": "Start"}}).status_code == 200
        cookie = f"{COOKIE}={ann.cookies[COOKIE]}"
    named = {"id": table, "game": game, "step": "1", "language": "en", "picture": "0-light"}
    left = {}
    with contextlib.closing(HTTPConnection("127.0.0.1", house.port, timeout=60)) as opened:
        for route in routes(house.site):
            path = re.sub(r"{(\w+)}", lambda key: named.get(key[1], "none"), route.path)
            if "GET" not in route.methods or path.endswith(("/stream", "/numbers", "/notices")):
                continue
            asked(opened, path, cookie)
            gc.disable()
            gc.freeze()  # what is there is not looked through
            try:
                assert {asked(opened, path, cookie) for _ in range(count)} <= {200, 204, 303, 404, 503}, path
                left[path] = gc.collect() / count
            finally:
                gc.unfreeze()
                gc.enable()
    assert f"/tables/{table}/picture.svg" in left
    assert {path: number for path, number in left.items() if number > 100} == {}  # a query with in_() leaves 40
