"""Databases are checked, saved under load, restored and moved, and come out as they were."""

import asyncio
import gc
import os
import sqlite3
import stat

import pytest

from houses import key_of, opened, play_out, playing, run, seated, stored
from sarai.core.errors import Error
from sarai.table.commands import Chat, Move
from sarai.table.storage import backup_and_move
from sarai.table.storage.backup_and_move import Counts, back_up, connected, move, restore
from sarai.table.storage.store import Store
from sarai.table.table import Table


async def evening(db):
    """Play a game to its end, begin another, gather at a third; return the tables' records."""
    async with opened(db) as house:
        over, known, _ = await playing(house)
        await play_out(house, over, known)
        running, *_ = await playing(house)
        gathering, _ = await seated(house)
        return {id: (await house.table(id)).record(None) for id in (over, running, gathering)}


async def records(db):
    """Return the record of every table, from its log."""
    store = await Store.open(str(db))
    try:
        ids = [id for id, _ in await store.changed_since(0)]
        logs = {id: [(entry.number, entry.event) for entry in await store.log(id)] for id in ids}
        return {id: Table.fold(id, log).record(None) for id, log in logs.items()}
    finally:
        await store.close()


def problems(db):
    with connected(str(db)) as engine:
        return list(backup_and_move.check(engine, lambda _: None))


def refused(call, *args, **more):
    with pytest.raises(Error) as error:
        call(*args, **more)
    assert str(error.value)
    return error.value.key


@run
async def test_a_whole_database_has_no_problems(db):
    await evening(db)
    assert await asyncio.to_thread(problems, db) == []


@run
async def test_problems_are_found(file):
    whole, *others = await evening(file)
    async with opened(file) as house:
        ada = await house.people.new_person("Ada")
        ids = [await house.create(ada, "sixnimmt", 2) for _ in range(4)]
    with sqlite3.connect(file) as connection:
        connection.execute("DELETE FROM events WHERE table_id = ? AND number = 3", [whole])
        connection.execute("UPDATE events SET body = x'7b' WHERE table_id = ? AND number = 2", [others[0]])
        connection.execute("UPDATE tables SET secret = ? WHERE id = ?", ["00" * 32, ids[0]])
        connection.execute("UPDATE tables SET number = 9 WHERE id = ?", [ids[1]])
        connection.execute("DELETE FROM tables WHERE id = ?", [ids[2]])
        connection.execute("UPDATE tables SET summary = x'7b' WHERE id = ?", [ids[3]])
    connection.close()
    found = dict(problems(file))
    assert set(found) == {whole, others[0], *ids}
    assert found[whole] == "events are missing from its log"
    assert found[ids[1]] == "its row knows 9 events, its log has 1"


@run
async def test_what_is_not_ours_is_found_and_not_restored(file, tmp_path):
    await evening(file)
    with sqlite3.connect(file) as connection:
        connection.execute(
            'CREATE TRIGGER "an "" odd \x1b one" AFTER INSERT ON processes BEGIN DELETE FROM people; END'
        )
        # named like one of ours
        connection.execute("CREATE TRIGGER moved_people_insert AFTER INSERT ON people BEGIN DELETE FROM tables; END")
        connection.execute("CREATE VIEW everything AS SELECT * FROM tables")
    connection.close()
    assert len([problem for problem in problems(file) if "not Sarai's" in problem.what]) == 3
    restore(file, str(tmp_path / "restored.db"))
    assert problems(tmp_path / "restored.db") == []
    move(str(tmp_path / "restored.db"), str(tmp_path / "moved.db"))
    assert problems(tmp_path / "restored.db") == [], "these triggers are ours"


@run
async def test_a_database_of_a_newer_version_is_told_as_that(file, tmp_path):
    await evening(file)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'of the future'")
    connection.close()
    assert [problem.what for problem in problems(file)] == ["it was written by a newer version"]
    with pytest.raises(Error) as error:
        await Store.open(str(file))
    assert error.value.key == "database_newer"
    assert refused(restore, file, str(tmp_path / "other.db")) == "database_newer"
    assert await asyncio.to_thread(refused, move, str(file), str(tmp_path / "other.db")) == "database_newer"


@run
async def test_an_illegal_move_in_a_log_is_found(file):
    async with opened(file) as house:
        id, (ada, _), table = await playing(house)
        await house.act(id, ada, Move(table.state.legal(0)[0]))
    with sqlite3.connect(file) as connection:
        number, body = connection.execute("SELECT number, body FROM events ORDER BY number DESC").fetchone()
        wrong = body.replace(b'"seat":0', b'"seat":1')
        assert wrong != body
        connection.execute("UPDATE events SET body = ? WHERE number = ?", [wrong, number])
    connection.close()
    assert [problem.table for problem in problems(file)] == [id]


@run
async def test_damaged_pages_are_found_and_not_saved_as_whole(file, tmp_path):
    await evening(file)
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name='events_by_key'").fetchone()[0]
    connection.close()
    with open(file, "r+b") as pages:
        pages.seek((root - 1) * 4096)
        pages.write(b"\xa5" * 4096)
    assert problems(file)[0].table is None
    assert refused(back_up, str(file), tmp_path / "saved.db") == "database_damaged"
    assert not (tmp_path / "saved.db").exists()


@run
async def test_a_backup_under_load_is_one_moment_and_can_be_restored(db, tmp_path):
    saved, again = tmp_path / "saved.db", tmp_path / "again.db"
    async with opened(db) as house:
        id, (ada, _), _ = await playing(house)
        written, is_over = [], False

        async def talk():
            while not is_over:
                house.now.now += 10
                written.append(await house.act(id, ada, Chat("x" * 200)))

        talking = asyncio.create_task(talk())
        counted = None
        while counted is None or len(written) <= 5:
            before = written[-1] if written else 0
            counted = await asyncio.to_thread(back_up, str(db), saved, force=saved.exists())
            assert counted.tables == 1 and before <= counted.events <= (await house.table(id)).number + 1
        is_over = True
        await talking
    assert len(written) > 5, "people went on meanwhile"
    assert problems(saved) == []
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert restore(saved, str(again)) == counted
    kept = await records(again)
    assert set(kept) == {id} and kept == await records(saved)
    async with opened(again) as house:
        await house.games.wait("sixnimmt")
        assert (await house.table(id)).number == counted.events
        house.now.now += 1e6
        await house.act(id, ada, Chat("we go on"))


@run
async def test_nothing_is_overwritten_unasked_or_under_a_server(file, tmp_path):
    await evening(file)
    saved, other = tmp_path / "saved.db", tmp_path / "other.db"
    counted = back_up(str(file), saved)
    assert refused(back_up, str(file), saved) == "file_exists"
    assert refused(restore, saved, str(file)) == "file_exists"
    async with opened(file) as house:
        assert await asyncio.to_thread(refused, restore, saved, str(file), force=True) == "database_in_use"
        ada = await house.people.new_person("Ada")
        await house.create(ada, "sixnimmt", 2)
    gc.collect()  # a reader that was cancelled may have left a statement, and with it the file
    assert restore(saved, str(file), force=True) == counted
    assert await records(file) == await records(saved)
    assert refused(back_up, str(tmp_path / "none.db"), other) == "file_unreadable"
    assert refused(restore, tmp_path / "none.db", str(other)) == "file_unreadable"
    other.write_bytes(b"no database at all " * 300)
    assert refused(restore, other, str(tmp_path / "new.db")) == "database_damaged"
    sqlite3.connect(tmp_path / "empty.db").execute("CREATE TABLE x (y)").connection.close()
    assert refused(restore, tmp_path / "empty.db", str(tmp_path / "new.db")) == "not_a_house"
    assert not (tmp_path / "new.db").exists()
    assert not list(tmp_path.glob("*.unfinished*"))


@run
async def test_a_copy_is_not_written_through_a_link_or_into_the_file_of_somebody_else(file, tmp_path):
    await evening(file)
    precious, planted, saved = tmp_path / "precious", tmp_path / "saved.db.unfinished", tmp_path / "saved.db"
    precious.write_text("mine")
    planted.symlink_to(precious)
    back_up(str(file), saved)
    assert precious.read_text() == "mine" and not saved.is_symlink()
    planted.write_text("theirs, and they hold it open")
    with planted.open("rb") as held:
        back_up(str(file), saved, force=True)
        assert b"SQLite" not in held.read()
    assert saved.stat().st_mode & 0o777 == 0o600


@pytest.mark.program
@run
async def test_a_house_moves_to_postgresql_and_back(file, served, tmp_path):
    _, _, url = served
    before = await evening(file)
    back = tmp_path / "back.db"
    counted = await asyncio.to_thread(move, str(file), url)
    assert counted.tables == 3 and await records(url) == before
    with connected(url) as engine, engine.connect() as connection:
        known = connection.exec_driver_sql("SELECT reltuples FROM pg_class WHERE relname = 'events'").scalar()
    assert known == counted.events, "PostgreSQL plans by how many rows there are"
    assert await asyncio.to_thread(problems, url) == []
    assert await asyncio.to_thread(refused, move, str(back), url) == "file_unreadable"
    assert await asyncio.to_thread(move, url, str(back)) == counted
    assert await records(back) == before and problems(back) == []
    async with opened(url) as house:
        id = next(iter(before))
        assert (await stored(house, id)).record(None) == before[id], "the old one can be read"
        assert await key_of(house.people.new_person("Ada")) == ("database_moved", 503)
    assert await asyncio.to_thread(refused, move, str(back), url) == "database_not_empty"
    assert await asyncio.to_thread(move, str(back), url, force=True) == counted
    async with opened(url) as house:
        await house.create(await house.people.new_person("Ada"), "sixnimmt", 2)
    assert await asyncio.to_thread(refused, restore, back, url) == "database_not_empty"
    assert await asyncio.to_thread(restore, back, url, force=True) == counted
    assert await records(url) == before


@run
async def test_a_server_on_a_database_that_moved_says_so_and_reads_on(file, tmp_path):
    async with opened(file) as house:
        id, (ada, _), table = await playing(house)
        await house.store.writer.drain()
        await asyncio.to_thread(move, str(file), str(tmp_path / "new.db"))
        assert await key_of(house.act(id, ada, Move(table.state.legal(0)[0]))) == ("database_moved", 503)
        assert (await house.table(id)).number == table.number
        assert [summary.id for summary in await house.tables(of=ada)] == [id]
    assert refused(move, str(file), str(file)) == "same_database"
    async with opened(tmp_path / "new.db") as house:
        await house.games.wait("sixnimmt")
        await house.act(id, ada, Move((await house.table(id)).state.legal(0)[0]))


@run
async def test_a_copy_that_differs_is_not_taken(file, tmp_path, monkeypatch):
    await evening(file)
    target, copy = tmp_path / "new.db", backup_and_move.copy_table

    def careless(old, new, table):
        copy(old, new, table)
        if table.name == "events":
            new.exec_driver_sql("UPDATE events SET body = x'00' WHERE number = 2")

    monkeypatch.setattr(backup_and_move, "copy_table", careless)
    assert refused(move, str(file), str(target)) == "copy_differs"
    monkeypatch.undo()
    with connected(str(target)) as engine:
        assert backup_and_move.counts(engine) == Counts(0, 0)
    assert move(str(file), str(target)).tables == 3, "the old one is still open, the new one empty"


def test_files_are_their_owners(tmp_path):
    before = os.umask(0o022)
    try:
        asyncio.run(evening(tmp_path / "new" / "house.db"))
        old = tmp_path / "old.db"
        sqlite3.connect(old).close()
        old.chmod(0o644)
        asyncio.run(evening(old))
        for path in (tmp_path / "new" / "house.db", old):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)
