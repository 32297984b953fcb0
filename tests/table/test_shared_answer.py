"""One query for all who ask the same at the same time, and none that keeps the process from its own work."""

import asyncio
import logging

import pytest
from sqlalchemy import insert, text

from houses import ONE_ROUND, opened, run, seated, tick
from sarai.table import event_types
from sarai.table.commands import Chat
from sarai.table.storage import schema, store
from sarai.table.storage.shared_answer import SharedAnswer
from sarai.table.storage.writes import events_write


@run
async def test_many_who_ask_together_get_one_answer_that_is_not_older_than_their_question(tmp_path):
    asked, release = [], asyncio.Event()

    async def ask():
        asked.append(len(asked))
        await release.wait()
        return asked[-1]

    shared = SharedAnswer(ask)
    first = [asyncio.create_task(shared.get()) for _ in range(5)]
    await asyncio.sleep(0.01)
    later = [asyncio.create_task(shared.get()) for _ in range(50)]
    await asyncio.sleep(0.01)
    assert asked == [0], "one at a time"
    release.set()
    assert await asyncio.gather(*first) == [0] * 5
    assert await asyncio.gather(*later) == [1] * 50, "they asked after the first question was put"


@run
async def test_an_error_is_told_to_all_who_asked_and_the_next_question_is_put(tmp_path):
    answers = iter([OSError("away"), 7])

    async def ask():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    shared = SharedAnswer(ask)
    told = await asyncio.gather(*(shared.get() for _ in range(3)), return_exceptions=True)
    assert [str(error) for error in told] == ["away"] * 3
    assert await shared.get() == 7


@run
async def test_who_leaves_does_not_take_the_answer_from_the_others(tmp_path):
    release = asyncio.Event()

    async def ask():
        await release.wait()
        return 7

    shared = SharedAnswer(ask)
    one, two = (asyncio.create_task(shared.get()) for _ in range(2))
    await asyncio.sleep(0.01)
    one.cancel()
    release.set()
    assert await two == 7


async def plan_of(house, query):
    """Return how the database finds what a query asks for."""
    async with house.store.engine.connect() as connection:
        if house.store.is_shared:
            await connection.execute(text("ANALYZE tables"))
        compiled = query.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
        explain = "EXPLAIN " if house.store.is_shared else "EXPLAIN QUERY PLAN "
        rows = (await connection.exec_driver_sql(explain + str(compiled))).all()
    return " ".join(str(value) for row in rows for value in row)


@run
async def test_public_tables_are_found_without_reading_all_that_were_ever_played(db, monkeypatch):
    async with opened(db) as house:
        ann = await house.people.new_person("Ann")
        id = await house.create(ann, "sixnimmt", 2, ONE_ROUND, public=True)
        await house.store.writer.drain()
        (row,) = await house.store._rows(schema.tables.select())
        many = [{**row._mapping, "id": f"old{n:07}", "phase": "over", "open": False} for n in range(5000)]
        async with house.store.engine.begin() as connection:
            await connection.execute(insert(schema.tables), many)
        queries, read = [], house.store._rows

        async def watched(query):
            queries.append(query)
            return await read(query)

        monkeypatch.setattr(house.store, "_rows", watched)
        assert [one.id for one in await house.public_tables()] == [id]
        await house.public_tables(phases=("playing",))
        plans = [await plan_of(house, query) for query in queries]
        assert "tables_to_join" in plans[0] and "tables_by_phase" in plans[1], plans


@pytest.mark.program
@run
async def test_requests_that_take_all_connections_do_not_keep_a_process_from_its_own_work(served):
    async with opened(served[2]) as house:
        id, (ada, _) = await seated(house, 2)
        taken = [await house.store.engine.connect() for _ in range(store.READERS)]
        try:
            async with asyncio.timeout(10):
                await house.heartbeat.beat()
                assert not house.heartbeat.source.stands_still
                await house.invalidations.hear()
                await house.process_messages.look()
                await tick(house)
                await house.act(id, ada, Chat("hello"))
        finally:
            for connection in taken:
                await connection.close()


@pytest.mark.program
@run
async def test_what_cannot_be_stored_keeps_nothing_else_from_it(served, caplog):
    """PostgreSQL takes no zero byte in a text; nobody can send one, but nobody should pay for it either."""
    async with opened(served[2]) as house:
        id, (ada, _) = await seated(house, 2)
        other, (bat, _) = await seated(house, 2)
        writer = house.store.writer
        await writer.drain()
        row = {"open": True, "number": 10**6, "changed": 0.0, "due": None, "bots": False, "summary": b"{}"}
        number = await house.act(id, ada, Chat("hello"))
        writer.index_soon(other, lambda: {**row, "phase": "no\0phase"})
        with caplog.at_level(logging.ERROR):
            await writer.write_index()
        assert [number] == [one.number for one in await house.store.indexed([id])]
        assert "the index of table" in caplog.text and not writer._stale
        event = event_types.Chatted(0.0, bat.id, "a", "Bat")
        wrong = asyncio.create_task(writer.append(events_write(other, 10**6, [event], bat.id, "a\0b")))
        right = asyncio.create_task(writer.append(events_write(id, number, [event], ada.id, "b")))
        with pytest.raises(ValueError, match="no text"):
            await wrong
        await right
