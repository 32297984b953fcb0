"""Writing to a SQLite file: what requests write one by one does not keep moves, or the process itself, waiting."""

import asyncio

import pytest

from houses import opened, run, seated
from sarai.table.commands import Chat
from sarai.table.storage import sqlite_transactions
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.sqlite_transactions import FileTurns

MANY = 300


@pytest.fixture
def file(tmp_path):
    return tmp_path / "sarai.db"


async def written_meanwhile(house, work):
    """Return how many of many requests that write were served until some work was done that began after them."""
    served = [0]

    async def request(number):
        await house.people.new_person(f"P{number}")
        served[0] += 1

    requests = [asyncio.create_task(request(number)) for number in range(MANY)]
    while not served[0]:
        await asyncio.sleep(0)
    before = served[0]
    await work()
    after = served[0]
    await asyncio.gather(*requests)
    assert served[0] == MANY
    return after - before


@run
async def test_a_move_waits_for_one_request_that_writes_at_most(file):
    async with opened(file) as house:
        id, (ada, _) = await seated(house)
        await house.store.writer.drain()
        for n in range(5):
            assert await written_meanwhile(house, lambda n=n: house.act(id, ada, Chat(f"line {n}"))) <= 3


@run
async def test_a_heartbeat_waits_for_one_request_that_writes_at_most(file):
    async with opened(file) as house:
        assert await written_meanwhile(house, house.heartbeat.beat) <= 3


@run
async def test_requests_write_in_their_order_and_who_waits_too_long_is_told(monkeypatch):
    turns, order = FileTurns(), []

    async def request(name):
        async with turns.of_request():
            order.append(name)
            await asyncio.sleep(0)

    async def process():
        async with turns.of_process():
            order.append("process")

    async with turns.of_process():
        tasks = [asyncio.create_task(request(name)) for name in "abc"]
        await asyncio.sleep(0.01)
        tasks.append(asyncio.create_task(process()))
        await asyncio.sleep(0.01)
        assert order == []
        monkeypatch.setattr(sqlite_transactions, "TURN_SECONDS", 0.01)
        with pytest.raises(StorageFailed) as refused:
            await request("late")
        assert refused.value.key == "database_busy"
        tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["a", "process", "c"]
