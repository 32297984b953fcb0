"""A process that was without its database for long forgets what it knew of people and tables before it writes again."""

import asyncio
import contextlib

import pytest
from sqlalchemy import event, select

from houses import key_of, opened, run, seated, stored
from sarai.table.commands import Chat, Sit
from sarai.table.service import erasing
from sarai.table.storage import schema, write_fence
from sarai.table.storage.erase_person import Erasures
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.postgres_transactions import Statement
from sarai.table.storage.store import Store
from sarai.table.storage.write_fence import DEAF_SECONDS, OPEN_SECONDS
from sarai.table.storage.writes import Write

UNUSUAL = "Xerxes-Quirin"


@contextlib.contextmanager
def cut_off(house):
    """Cut a house off from its database, for longer than it may be, as far as it knows."""

    def cut(*_):
        raise StorageFailed("database_away")

    async def cut_write(*_):
        cut()

    engine, transactions = house.store.engine.sync_engine, house.store.writer.transactions
    write, transactions.write = transactions.write, cut_write
    event.listen(engine, "before_cursor_execute", cut)
    house.process_messages._forget_person = lambda _: None  # it hears no notification either
    real = house.store.write_fence.elapsed
    yield
    house.store.write_fence.elapsed = lambda: real() + DEAF_SECONDS
    transactions.write = write
    event.remove(engine, "before_cursor_execute", cut)


async def named(house, *words):
    """Return which tables of the database hold any of some words."""
    async with house.store.engine.connect() as connection:
        return [
            table.name
            for table in schema.metadata.sorted_tables
            for row in await connection.execute(select(table))
            if any(
                word.encode() in (value if isinstance(value, bytes) else str(value).encode())
                for word in words
                for value in row
            )
        ]


@pytest.mark.program
@run
async def test_who_was_erased_while_a_process_was_cut_off_is_nobody_there_and_is_not_written_again(shared, monkeypatch):
    monkeypatch.setattr(erasing, "HEARD_SECONDS", 0)
    monkeypatch.setattr(erasing, "OTHERS_SECONDS", 0)
    async with opened(shared) as one, opened(shared) as two:
        ada, bat = await two.people.new_person(UNUSUAL), await two.people.new_person("Bat")
        token = await two.sessions.begin(ada.id, "a thief's")
        talk = await one.create(bat, "sixnimmt", 3, public=True)
        own = await two.create(ada, "sixnimmt", 3, public=True)
        await two.act(own, bat, Sit())
        await two.store.writer.drain()
        await two.table(talk)
        await two.invalidations.hear()
        await two.act(own, ada, Chat("hello"))  # its row of the index is written a moment later
        with cut_off(two):
            await one.erase(await one.people.person(ada.id))
            assert await Erasures(one.store.engine).pending() == []
        refusals = {await key_of(two.act(talk, ada, Chat("still here"))) for _ in range(2)}
        assert refusals <= {("database_away", 503), ("session_ended", 401)}
        await two.invalidations.hear()
        assert await two.sessions.find(token) is None and await two.people.person(ada.id) is None
        assert await key_of(two.act(talk, ada, Chat("still here"))) == ("session_ended", 401)
        assert await key_of(two.create(ada, "sixnimmt", 2)) == ("session_ended", 401)
        await two.store.writer.drain()
        while await two.store.lagging():
            await asyncio.sleep(0.05)
        assert await named(one, UNUSUAL, ada.id) == []
        await two.act(own, bat, Chat("others go on"))
        assert (await stored(one, own)).chat[-1].text == "others go on"


@pytest.mark.program
@run
async def test_what_was_decided_before_all_was_forgotten_is_not_written(shared):
    async with opened(shared) as house:
        id, (ada, _) = await seated(house)
        await house.invalidations.hear()
        transactions = house.store.writer.transactions
        before, begun, release = transactions.write, asyncio.Event(), asyncio.Event()

        async def late(*args):
            begun.set()
            await release.wait()
            await before(*args)

        transactions.write = late
        asking = asyncio.create_task(house.act(id, ada, Chat("from before")))
        await begun.wait()
        real = house.store.write_fence.elapsed
        house.store.write_fence.elapsed = lambda: real() + DEAF_SECONDS + 1
        await house.invalidations.hear()
        assert not house.store.write_fence.is_deaf
        release.set()
        assert (await key_of(asking))[0] == "database_away"
        assert not (await stored(house, id)).chat
        await house.act(id, ada, Chat("from after"))
        assert [line.text for line in (await stored(house, id)).chat] == ["from after"]


@pytest.mark.program
@run
async def test_postgresql_undoes_what_a_writer_that_stands_still_has_not_committed(shared, monkeypatch):
    assert erasing.HEARD_SECONDS >= DEAF_SECONDS + OPEN_SECONDS, "by then nobody writes of an erased person"
    store = await Store.open(shared)
    try:
        await store.writer.append(Write(members=[{"person": "p", "table_id": "t"}]))
        async with store.writer.transactions._opened() as session:
            show = Statement(b"", b"SHOW idle_in_transaction_session_timeout")
            await session.prepare([show])
            assert (await session.run([(show, {})]))[-1].get_value(0, 0) == f"{OPEN_SECONDS}s".encode()
    finally:
        await store.close()


def test_who_has_no_others_need_not_hear_them():
    time = 0.0
    alone = write_fence.WriteFence(lambda: time)
    time = 1e6
    alone.require(0)
    alone.heard(time)
    time += DEAF_SECONDS + 1
    with pytest.raises(StorageFailed):
        alone.require(0)
    alone.forget()
    alone.heard(time)
    with pytest.raises(StorageFailed):
        alone.require(0)
    alone.require(1)
