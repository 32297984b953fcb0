"""A database that cannot be written, or not all of it be read: told as what it is, while reading goes on."""

import asyncio
import contextlib
import sqlite3

import pytest
from sqlalchemy.ext.asyncio import create_async_engine

from houses import key_of, opened, playing, run, seated
from sarai.table.commands import Chat, Move, Start
from sarai.table.storage import outage_log as outages_module
from sarai.table.storage.failures import StorageFailed, reason_of, tell_failures
from sarai.table.storage.outage_log import CLOCKS, DOES_NOT_ANSWER, LATE_SECONDS, PEOPLE, WRITING, Outages
from sarai.table.storage.sqlite_transactions import FileTransactions
from sarai.table.storage.store import Store
from sarai.table.time_source import TimeSource

PAGE = 4096


async def pragma(house, words):
    """Set something for the connection that writes, and for those that read."""

    def write():
        with house.store.writer.transactions._connected() as connection:
            connection.execute(f"PRAGMA {words}")

    await asyncio.get_running_loop().run_in_executor(house.store.writer.transactions._thread, write)


async def connects_anew(house):
    """Let what writes forget its connection."""
    transactions = house.store.writer.transactions
    if isinstance(transactions, FileTransactions):
        await asyncio.get_running_loop().run_in_executor(transactions._thread, transactions._disconnect)
    else:
        await transactions.close()


def pages(file):
    with sqlite3.connect(file) as connection:
        return connection.execute("PRAGMA page_count").fetchone()[0]


async def moves_are_refused_and_reading_goes_on(house, id, ada, reason, status):
    table = await house.table(id)
    number, move = table.number, Move(table.state.legal(0)[0])
    assert await key_of(house.act(id, ada, move, key="one")) == (reason, status)
    assert (await house.table(id)).number == number and house.store.writer.failure == reason
    assert [summary.id for summary in await house.tables(of=ada)] == [id], "lists are read"
    assert (await house.store.log(id))[-1].number == number, "logs are read"
    return move


async def it_goes_on(house, id, ada, move):
    number = await house.act(id, ada, move, key="one")
    assert (await house.store.log(id))[-1].number == number and house.store.writer.failure is None


@pytest.mark.program
@run
async def test_a_database_that_goes_away_is_told_once_and_its_coming_back_once(served, caplog):
    postgres, name, url = served
    async with opened(url, now=TimeSource()) as house:
        id, (ada, _) = await seated(house)
        await asyncio.sleep(0.2)  # it listens
        postgres.psql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        postgres.psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        assert (await key_of(house.act(id, ada, Chat("hello"))))[0] == "database_away"
        await asyncio.sleep(2.5)  # clocks, news of people and of other processes notice it as well, several times
        postgres.psql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        while not any("works again" in record.getMessage() for record in caplog.records):
            await asyncio.sleep(0.05)
        await house.act(id, ada, Chat("hello again"))
    told = [record.getMessage() for record in caplog.records if record.name.startswith("sarai")]
    assert told == [DOES_NOT_ANSWER, "the database works again, after database_away"]


def test_what_fails_for_one_reason_is_told_by_the_first_who_notices_until_it_works(caplog):
    outages = Outages()
    for _ in range(3):
        outages.failed(WRITING, StorageFailed("disk_full"))
        outages.works(CLOCKS)
    outages.failed(CLOCKS, StorageFailed("database_away"))
    outages.failed(PEOPLE, TimeoutError())
    outages.works(CLOCKS)
    assert [record.getMessage() for record in caplog.records] == ["nothing can be written: disk_full", DOES_NOT_ANSWER]
    caplog.clear()
    outages.works(PEOPLE)
    outages.works(WRITING)
    outages.failed(WRITING, StorageFailed("disk_full"))
    assert [record.getMessage() for record in caplog.records] == [
        "the database works again, after database_away",
        "the database works again, after disk_full",
        "nothing can be written: disk_full",
    ]


def test_what_was_begun_while_the_database_was_away_may_fail_late_and_is_no_new_outage(caplog, monkeypatch):
    now = 1000.0
    monkeypatch.setattr(outages_module.time, "monotonic", lambda: now)
    outages, away = Outages(), StorageFailed("database_away")
    outages.failed(CLOCKS, away)
    outages.works(CLOCKS)
    outages.failed(PEOPLE, away)
    now += LATE_SECONDS
    outages.works(PEOPLE)
    again = "the database works again, after database_away"
    assert [record.getMessage() for record in caplog.records] == [DOES_NOT_ANSWER, again]
    outages.failed(PEOPLE, away)
    outages.works(PEOPLE)
    assert [record.getMessage() for record in caplog.records] == [DOES_NOT_ANSWER, again] * 2


@run
async def test_a_full_disk(file):
    async with opened(file) as house:
        id, (ada, _), _ = await playing(house)
        await house.store.writer.drain()
        await pragma(house, f"max_page_count={pages(file)}")
        while house.store.writer.failure is None:
            house.now.now += 100
            with contextlib.suppress(StorageFailed):
                await house.act(id, ada, Chat("x" * 200))
        move = await moves_are_refused_and_reading_goes_on(house, id, ada, "disk_full", 507)
        await pragma(house, "max_page_count=100000")
        await it_goes_on(house, id, ada, move)


@run
async def test_a_disk_that_can_only_be_read(file):
    async with opened(file) as house:
        id, (ada, _), _ = await playing(house)
        await house.store.writer.drain()
        await pragma(house, "query_only=1")
        move = await moves_are_refused_and_reading_goes_on(house, id, ada, "disk_read_only", 503)
        await pragma(house, "query_only=0")
        await it_goes_on(house, id, ada, move)


@run
async def test_a_database_that_another_program_holds(file):
    async with opened(file) as house:
        id, (ada, _), _ = await playing(house)
        await house.store.writer.drain()
        await pragma(house, "busy_timeout=20")
        holder = sqlite3.connect(file, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        move = await moves_are_refused_and_reading_goes_on(house, id, ada, "database_busy", 503)
        holder.execute("ROLLBACK")
        holder.close()
        await it_goes_on(house, id, ada, move)


def damage(file, name):
    """Overwrite all pages of a table or an index."""
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name=?", [name]).fetchone()[0]
    connection.close()
    with open(file, "r+b") as pages:
        pages.seek((root - 1) * PAGE)
        pages.write(b"\xa5" * PAGE)


@run
async def test_damaged_pages(file):
    async with opened(file) as house:
        id, (ada, _), _ = await playing(house)
    damage(file, "events")
    async with opened(file) as house:
        assert await key_of(house.table(id)) == ("database_damaged", 503)
        assert [summary.id for summary in await house.tables(of=ada)] == [id], "the list is another page"
        assert (await house.people.person(ada.id)) == ada


@run
async def test_one_damaged_table_and_one_damaged_summary_leave_the_others(file):
    async with opened(file) as house:
        broken, (ada, _) = await seated(house)
        folded, _ = await seated(house)
        whole = await house.create(ada, "sixnimmt", 2)
        unlisted = await house.create(ada, "sixnimmt", 2)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE events SET body = x'7b225a5a' WHERE table_id = ? AND number = 2", [broken])
        connection.execute("DELETE FROM events WHERE table_id = ? AND number = 1", [folded])
        connection.execute("UPDATE events SET number = 1 WHERE table_id = ? AND number = 2", [folded])
        connection.execute("UPDATE tables SET summary = x'00' WHERE id = ?", [unlisted])
    connection.close()
    async with opened(file) as house:
        assert await key_of(house.table(broken)) == ("table_damaged", 503)
        assert await key_of(house.table(folded)) == ("no_such_table", 404)
        assert (await house.table(whole)).number == 1
        assert {summary.id for summary in await house.tables(of=ada)} == {broken, whole}
        assert (await house.table(unlisted)).number == 1


@run
async def test_a_bot_waits_for_a_disk_and_plays_on(file, monkeypatch):
    monkeypatch.setattr("sarai.table.service.bot_moves.RETRY_SECONDS", 0.01)
    async with opened(file) as house:
        id, (ada,) = await seated(house, people=1, bots=1)
        await house.act(id, ada, Start())
        room, writer, tried = await house.rooms.get(id), house.store.writer, []
        append = writer.append

        async def full(write):
            tried.append(write)
            raise StorageFailed("disk_full")

        writer.append = full
        while len(tried) < 2:
            house._bot_moves.start(room)
            await asyncio.sleep(0.01)
        writer.append = append
        while 1 in room.table.to_act:
            house._bot_moves.start(room)
            await asyncio.sleep(0.01)


class PostgresError(Exception):
    def __init__(self, sqlstate):
        self.sqlstate = sqlstate


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("53100", "disk_full"),
        ("25006", "disk_read_only"),
        ("40P01", "database_busy"),
        ("53300", "database_busy"),
        ("57P01", "database_away"),
        ("08006", "database_away"),
        ("XX001", "database_damaged"),
        ("42601", None),
        ("23505", None),
    ],
)
def test_what_postgresql_says(state, reason):
    assert reason_of(PostgresError(state)) == reason


@run
async def test_a_postgresql_that_does_not_answer():
    engine = create_async_engine("postgresql+psycopg://nobody@127.0.0.1:1/none")
    tell_failures(engine.sync_engine)
    with pytest.raises(StorageFailed) as error:
        await engine.connect()
    assert error.value.key == "database_away"
    await engine.dispose()


@pytest.mark.program
@run
async def test_a_postgresql_that_can_only_be_read(served):
    server, name, url = served
    async with opened(url) as house:
        id, (ada, _), _ = await playing(house)
        await house.store.writer.drain()
        server.psql(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        await connects_anew(house)
        move = await moves_are_refused_and_reading_goes_on(house, id, ada, "disk_read_only", 503)
        server.psql(f"ALTER DATABASE {name} SET default_transaction_read_only = off")
        await connects_anew(house)
        await it_goes_on(house, id, ada, move)


@run
async def test_a_file_that_is_gone_is_told_by_readiness(file):
    store = await Store.open(str(file))
    await store.engine.dispose()
    file.rename(file.with_suffix(".away"))
    file.mkdir()
    with pytest.raises(StorageFailed) as error:
        await store.log("0123456789")
    assert error.value.key == "database_away"
    file.rmdir()
    file.with_suffix(".away").rename(file)
    assert await store.log("0123456789") == []
    await store.close()


@run
async def test_a_task_that_is_cancelled_while_it_reads_is_cancelled(file):
    store = await Store.open(str(file))
    for _ in range(20):
        reading = asyncio.create_task(store.log("0123456789"))
        for _ in range(3):
            await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
    await store.close()
