"""Processes that hear each other ask the database rarely, and notice all the same what they were not told."""

import asyncio

import pytest

from houses import opened, playing, run, same, seated
from sarai.table.clock import ClockRule
from sarai.table.commands import Chat, Move
from sarai.table.service import process_messages, timeouts_and_catch_up
from sarai.table.service.timeouts_and_catch_up import BackgroundWork
from sarai.table.storage import listen_notify
from sarai.table.storage.store import Store

pytestmark = pytest.mark.program


async def until(condition):
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


@pytest.fixture
def looks(monkeypatch):
    """How often each house looked at the database, and at what it has in memory."""
    monkeypatch.setattr(timeouts_and_catch_up, "TICK", 0.005)
    monkeypatch.setattr(timeouts_and_catch_up, "POLL", 1e6)
    counts = {"tick": 0, "tick_in_memory": 0}

    def count(name, call):
        async def counted(self):
            counts[name] += 1
            await call(self)

        monkeypatch.setattr(BackgroundWork, name, counted)

    for name in counts:
        count(name, getattr(BackgroundWork, name))
    return counts


@run
async def test_the_database_is_looked_at_often_only_while_others_are_not_heard(served, looks):
    async with opened(served[2]) as house:
        await until(lambda: house.background._is_listening)
        await asyncio.sleep(0.02)
        looks.update(tick=0, tick_in_memory=0)
        await until(lambda: looks["tick_in_memory"] > 20)
        assert looks["tick"] <= 1
        house.background.deaf()
        await until(lambda: looks["tick"] > 20)


@run
async def test_a_process_with_nothing_in_memory_is_woken_rarely_until_somebody_uses_it(served, monkeypatch):
    """A worker beyond the processors took 2 % of one, a third of that to hear of tables that others have."""
    read = listen_notify.quiet
    waits = []

    def watched(connection, hear, gather_seconds):
        waits.append(gather_seconds)
        return read(connection, hear, gather_seconds)

    monkeypatch.setattr(listen_notify, "quiet", watched)
    async with opened(served[2]) as one, opened(served[2]) as two:
        await until(lambda: one.background._is_listening and two.background._is_listening and len(waits) == 2)
        seconds = listen_notify.UNUSED_GATHER_SECONDS
        assert [wait() for wait in waits] == [seconds] * 2
        id, (ada, _) = await seated(one, 2)
        assert sorted(wait() for wait in waits)[1] == seconds, "the other has heard of it, and does not use it"
        await two.people.person(ada.id)
        assert two.background.is_used() and max(wait() for wait in waits) < seconds
        table = await two.table(id)
        number = await one.act(id, ada, Chat("hello"))
        await until(lambda: table.number == number)


@run
async def test_what_was_not_told_is_found_by_the_next_look(served, monkeypatch):
    monkeypatch.setattr(timeouts_and_catch_up, "POLL", 0.2)
    monkeypatch.setattr(BackgroundWork, "hear", lambda *_: None)  # as if notifications were lost without a word
    async with opened(served[2]) as one, opened(served[2]) as two:
        id, (ada, _) = await seated(one, 2)
        table = await two.table(id)
        await until(lambda: two.background._is_listening)
        number = await one.act(id, ada, Chat("hello"))
        await until(lambda: table.number == number)


@run
async def test_a_table_that_another_process_plays_is_not_kept_here_if_nobody_uses_it(served, monkeypatch):
    async with opened(served[2]) as one, opened(served[2]) as two:
        id, people, table = await playing(one, 2, 1)
        await two.games.wait("sixnimmt")
        await two.table(id)
        await until(lambda: two.background._is_listening)
        async with two.watch(id):
            monkeypatch.setattr(timeouts_and_catch_up, "UNUSED", -1.0)
            number = await one.act(id, people[0], Move(table.state.legal(0)[0]))
            await until(lambda: (room := two.rooms.find(id)) is not None and room.table.number >= number)
        async with asyncio.timeout(60):
            while two.rooms.find(id) is not None:  # it is used as long as a bot thinks here
                one.now.now += 60
                await one.act(id, people[0], Chat("hello"))
                await asyncio.sleep(0.05)
        same(table, await two.newest(id))


@run
async def test_a_clock_of_a_table_in_memory_runs_out_without_a_look_at_the_database(file, monkeypatch):
    async with opened(file) as house:
        _, _, table = await playing(house, 2, 1, clock=ClockRule("live", minutes=1, increment=0))

        async def nothing(*_):
            return []

        monkeypatch.setattr(Store, "due", nothing)
        house.now.now += 3600
        await until(lambda: not table.clock_state.running)


@run
async def test_turns_are_read_again_if_the_index_is_older_than_what_was_told(shared, monkeypatch):
    async def nothing(*_):
        await asyncio.Event().wait()

    monkeypatch.setattr(process_messages, "listen", nothing)
    monkeypatch.setattr(timeouts_and_catch_up, "TICK", 1e6)
    async with opened(shared) as one, opened(shared) as two:
        id, (ada, _), table = await playing(one)
        await one.store.writer.drain()
        await two.people.person(ada.id)
        assert [turn.table for turn in two.turns.of(ada.id)] == [id]
        number = await one.act(id, ada, Move(table.state.legal(0)[0]))
        index, one.store.writer._stale = one.store.writer._stale, {}
        await two.turns.read_changes({id: number})
        one.store.writer._stale = index
        await one.store.writer.write_index()
        await two.turns.read_changes({})
        assert two.turns.of(ada.id) == []


@run
async def test_only_what_others_write_at_tables_in_memory_is_news(served):
    async with opened(served[2]) as one, opened(served[2]) as two:
        id, _, table = await playing(one)
        await two.games.wait("sixnimmt")
        here = await two.table(id)
        await until(lambda: here.number == table.number)
        heard = [two.background.hear(*news) for news in (("elsewhere1", 5), (id, here.number), (id, here.number + 1))]
        assert heard == [False, False, True]
        assert [one.background.hear("elsewhere1", 5), one.background.hear(id, table.number)] == [False, False]
