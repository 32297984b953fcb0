"""Writing to a SQLite file: what requests write one by one does not keep moves, or the process itself, waiting."""

import asyncio

import pytest
from sqlalchemy import select, text

from houses import opened, run, seated
from sarai.table.commands import Chat, Mute
from sarai.table.storage import erase_person, schema, sqlite_transactions
from sarai.table.storage.erase_person import Erasure, Erasures
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.lock_by_address import ADDRESS, LockByAddress
from sarai.table.storage.sqlite_transactions import FileTurns

MANY = 300


@pytest.fixture
def file(tmp_path):
    return tmp_path / "sarai.db"


async def written_meanwhile(house, work):
    """Return how many of many requests that write were served until some work was done that began after them.

    It may come while another one writes, and wait for writes of the index before its own.
    """
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
            assert await written_meanwhile(house, lambda n=n: house.act(id, ada, Chat(f"line {n}"))) <= 8


@run
async def test_a_heartbeat_waits_for_one_request_that_writes_at_most(file):
    async with opened(file) as house:
        assert await written_meanwhile(house, house.heartbeat.beat) <= 8


@run
async def test_a_request_from_another_address_waits_for_one_of_many_from_one(file):
    async with opened(file) as house:

        async def elsewhere():
            ADDRESS.set("elsewhere")
            await house.people.new_person("Ann")

        for _ in range(3):
            assert await written_meanwhile(house, lambda: asyncio.create_task(elsewhere())) <= 8


@run
async def test_a_lock_goes_from_address_to_address_and_is_never_lost():
    lock, order = LockByAddress(), []

    async def hold(address, number):
        ADDRESS.set(address)
        await lock.acquire()
        try:
            order.append(f"{address}{number}")
            await asyncio.sleep(0)
        finally:
            lock.release()

    await lock.acquire()
    tasks = [asyncio.create_task(hold(address, number)) for address in "ab" for number in range(4)]
    tasks.append(asyncio.create_task(hold("c", 0)))
    await asyncio.sleep(0)
    tasks[1].cancel()
    lock.release()
    tasks[0].cancel()  # who was given the lock just now
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order == ["b0", "c0", "b1", "a2", "b2", "a3", "b3"], "who was cancelled had the turn of the address"
    await asyncio.wait_for(lock.acquire(), 1)


@run
async def test_who_holds_the_file_waits_for_no_connection(file):
    async with opened(file) as house:
        id, (ada, _) = await seated(house)
        pool = house.store.engine.sync_engine.pool
        taken = [await house.store.engine.connect() for _ in range(pool.size() + pool._max_overflow)]
        request = asyncio.create_task(house.people.new_person("Eve"))
        await asyncio.sleep(0.05)
        async with asyncio.timeout(10):
            await house.act(id, ada, Chat("hello"))
        assert not request.done()
        for connection in taken:
            await connection.close()
        await request


@run
async def test_a_table_does_not_wait_for_what_is_written_beside_its_log(file):
    async with opened(file) as house:
        id, (ada, bat) = await seated(house)
        person = await house.people.new_person("Eve")
        async with house.store.writer.transactions._turns.of_request():
            mute = asyncio.create_task(house.act(id, bat, Mute(0)))
            await asyncio.sleep(0.05)
            async with asyncio.timeout(10):
                await house.act(id, ada, Chat("hello"))
                assert await Erasures(house.store.engine, house.store.own_engine).erase(
                    Erasure(person.id, "x"), id
                ) in (0, 1)
            assert not mute.done()
        await mute


@run
async def test_who_reads_for_long_keeps_nobody_from_writing_while_an_erasure_ends(file, monkeypatch):
    monkeypatch.setattr(erase_person, "LOG_PAUSE", 0.01)
    async with opened(file) as house:
        id, (ada, _) = await seated(house)
        eve = await house.people.new_person("Eve")
        async with house.store.engine.connect() as reading:
            await reading.execute(text("BEGIN"))
            await reading.execute(select(schema.events.c.body))
            await house.act(id, ada, Chat("in the log"))
            erasing = asyncio.create_task(Erasures(house.store.engine, house.store.own_engine).finish(eve.id))
            async with asyncio.timeout(5):
                for number in range(3):
                    await house.act(id, ada, Chat(f"line {number}"))
                    await asyncio.sleep(0.05)
            assert not erasing.done()
        await erasing
        assert file.with_name(f"{file.name}-wal").stat().st_size == 0, "it was emptied in the end"


@run
async def test_requests_write_in_their_order_and_who_waits_too_long_is_told(monkeypatch):
    turns, order = FileTurns(), []

    async def request(name):
        async with turns.of_request(), turns.file:
            order.append(name)
            await asyncio.sleep(0)

    async def process():
        async with turns.file:
            order.append("process")

    async with turns.file:
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
