"""The database: who loses a race fails alone, waiting writes are one transaction, and the index is mended."""

import asyncio
import sqlite3
import threading
import time

import pytest

from houses import opened, run, seated
from sarai.core.errors import Error
from sarai.table import event_types
from sarai.table.commands import Chat
from sarai.table.service import tasks
from sarai.table.storage.schema import metadata
from sarai.table.storage.store import Store, address
from sarai.table.storage.writer import Conflict
from sarai.table.storage.writes import Write


def row(id, number, key=None):
    return {
        "table_id": id,
        "number": number,
        "body": event_types.encode(event_types.Chatted(1.0, "p", "P", str(number))),
        "person": "p" if key else None,
        "key": key,
    }


@run
async def test_only_who_wrote_a_number_twice_fails(db):
    store = await Store.open(str(db))
    await store.writer.append(Write([row("a", 1)]))
    writes = [
        Write([row("a", 1)]),
        Write([row("a", 2), row("a", 3)]),
        Write([row("a", 4), row("a", 3)]),
        Write([row("b", 1, "k")]),
        Write([row("b", 2, "k")]),
    ]
    done = await asyncio.gather(*(store.writer.append(write) for write in writes), return_exceptions=True)
    assert [type(error) for error in done] == [Conflict, type(None), Conflict, type(None), Conflict]
    assert [entry.number for entry in await store.log("a")] == [1, 2, 3]
    assert [entry.number for entry in await store.log("a", 2)] == [3]
    assert [(entry.number, entry.key) for entry in await store.log("b")] == [(1, "k")]
    await store.close()


@run
async def test_waiting_appends_are_one_transaction(db):
    store, sizes = await Store.open(str(db)), []
    write = store.writer.transactions.write

    async def counted(writes, require):
        sizes.append(len(writes))
        await write(writes, require)

    store.writer.transactions.write = counted
    await asyncio.gather(*(store.writer.append(Write([row(f"t{number}", 1)])) for number in range(100)))
    assert len(sizes) <= 3 and sum(sizes) == 100
    await store.close()


@run
async def test_an_index_that_was_left_behind_is_mended(db):
    async with opened(db) as house:
        id, (ada, _) = await seated(house)
        house.store.writer.index_soon = lambda *_: None  # as if the process were killed right after the commit
        await house.act(id, ada, Chat("x"))
        assert await house.store.lagging() == [id]
    async with opened(db) as house:
        for _ in range(3000):
            if not await house.store.lagging():
                break
            await asyncio.sleep(0.02)
        assert (await house.tables(of=ada))[0].number == (await house.table(id)).number


@run
async def test_a_database_that_cannot_be_opened(tmp_path):
    (tmp_path / "file").write_text("no database, certainly not", encoding="utf-8")
    for url in (tmp_path / "file" / "x.db", tmp_path):
        with pytest.raises(Error) as error:
            await Store.open(str(url))
        assert error.value.key == "no_database"
        assert str(error.value)


def test_addresses():
    assert address("x.db") == "sqlite+aiosqlite:///x.db"
    assert address("sqlite:////tmp/x.db") == "sqlite+aiosqlite:////tmp/x.db"
    assert address("postgresql://me:pass@host/db") == "postgresql+psycopg://me:pass@host/db"
    assert address().endswith("sarai.db")


@run
async def test_the_migrations_make_what_the_schema_says(db):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    store = await Store.open(str(db))
    async with store.engine.connect() as connection:
        assert (
            await connection.run_sync(lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)) == []
        )
    await store.close()


def test_who_is_cancelled_while_a_file_is_opened_leaves_no_thread_to_a_closed_loop(tmp_path, monkeypatch):
    before, begun = sqlite3.connect, threading.Event()

    def slow(*args, **options):
        begun.set()
        time.sleep(0.05)
        return before(*args, **options)

    async def go():
        store = await Store.open(str(tmp_path / "house.db"))
        await store.engine.dispose()
        monkeypatch.setattr(sqlite3, "connect", slow)
        reading = asyncio.create_task(store.log("a"))
        await asyncio.to_thread(begun.wait)
        reading.cancel()
        await asyncio.wait([reading])
        assert reading.cancelled()
        monkeypatch.undo()
        await store.writer.close()

    asyncio.run(go())
    for thread in threading.enumerate():
        if "_connection_worker_thread" in thread.name:
            thread.join(10)  # if it had to answer to the closed loop, it would fail, and this test with it


@run
async def test_a_task_that_loses_its_cancellation_ends_with_the_house(monkeypatch):
    monkeypatch.setattr(tasks, "AGAIN_SECONDS", 0.01)
    lost, running = [], tasks.Tasks()

    async def work():
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if lost:
                    raise
                lost.append(True)

    task = running.start(work())
    await asyncio.sleep(0)
    await running.close()
    assert lost and task.cancelled()
