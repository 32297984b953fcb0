"""Processes are told at once of events at tables that they hold, and of all others when the index is written."""

import asyncio

import pytest

from houses import opened, playing, run, same, seated
from sarai.table.commands import Chat, Move
from sarai.table.service import tables_loaded_by_processes
from sarai.table.service.tables_loaded_by_processes import ALSO, DROPPED, HOLDS, TablesLoadedByProcesses
from sarai.table.service.timeouts_and_catch_up import BackgroundWork
from sarai.table.storage.listen_notify import CHANNEL, EVENTS, connect
from sarai.table.storage.store import Store


class Held:
    """The tables in memory of a process that tests make up."""

    def __init__(self, *ids):
        self.held = set(ids)

    def ids(self):
        return set(self.held)

    def find(self, id):
        return id if id in self.held else None


def process(*ids):
    told = []
    return TablesLoadedByProcesses(Held(*ids), lambda word, *tables: told.append((word, *sorted(tables)))), told


def test_a_table_counts_as_shared_until_others_had_time_to_answer():
    shared, told = process("a")
    assert shared.is_shared("a")
    shared.look()
    assert told == [(HOLDS, "a")] and shared.is_shared("a")
    shared.look()
    assert told == [(HOLDS, "a")] and not shared.is_shared("a")
    assert shared.is_shared("b"), "what is not in memory here may be anywhere"


def test_who_holds_a_table_answers_and_both_know():
    (one, one_told), (two, two_told) = process("a", "b"), process("a", "c")
    for shared in (one, two):
        shared.look()
        shared.look()
    two.hear("one", HOLDS, ["a", "b"])
    assert two_told[1:] == [(ALSO, "a")]
    one.hear("two", ALSO, ["a"])
    assert one_told[1:] == [], "an answer is not answered"
    assert [one.is_shared("a"), one.is_shared("b"), two.is_shared("a"), two.is_shared("c")] == [
        True,
        False,
        True,
        False,
    ]


def test_a_table_is_shared_no_more_when_the_last_other_drops_it_or_dies():
    shared, told = process("a")
    shared.look()
    shared.look()
    for process_id in ("x", "y", "z"):
        shared.hear(process_id, HOLDS, ["a"])
    shared.hear("x", DROPPED, ["a", "b"])
    shared.lose("y")
    assert shared.is_shared("a")
    shared.lose("z")
    assert not shared.is_shared("a")
    shared._rooms.held.clear()
    shared.look()
    assert told[-1] == (DROPPED, "a") and shared.is_shared("a")


def test_after_a_lost_connection_everything_is_told_and_asked_again():
    shared, told = process("a")
    shared.look()
    shared.look()
    assert not shared.is_shared("a")
    shared.begin_again()
    assert shared.is_shared("a")
    shared.look()
    assert told == [(HOLDS, "a")] * 2


async def until(condition):
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.01)


async def notifications(house, told):
    """Note what a house's database tells, for ever."""
    async with await connect(house.store.engine.url) as connection:
        for channel in (CHANNEL, EVENTS):
            await connection.execute(f"LISTEN {channel}".encode())
        async for news in connection.notifies():
            told.append((news.channel, news.payload))


@pytest.mark.program
@run
async def test_only_events_of_tables_that_others_hold_are_told_at_once(served):
    async with opened(served[2]) as one, opened(served[2]) as two:
        id, (ada, _) = await seated(one, 2)
        is_shared = one.process_messages.elsewhere.is_shared
        await until(lambda: not is_shared(id))
        told = []
        listening = asyncio.create_task(notifications(one, told))
        await asyncio.sleep(0.5)
        number = await one.act(id, ada, Chat("hello"))
        await until(lambda: (CHANNEL, f"{id} {number}") in told)
        assert [channel for channel, _ in told] == [CHANNEL], "the log by itself is told to nobody"
        table = await two.table(id)
        await until(lambda: is_shared(id) and not two.background._unread)
        number = await one.act(id, ada, Chat("hello, two"))
        await until(lambda: table.number == number)
        await until(lambda: any(channel == EVENTS and id in news for channel, news in told))
        await two.rooms.drop(id)
        await until(lambda: not is_shared(id))
        listening.cancel()
        await asyncio.wait([listening])


@pytest.mark.program
@run
async def test_a_table_that_comes_into_memory_elsewhere_is_up_to_date_before_that_is_known(served, monkeypatch):
    async def nothing(self, moment):
        return []

    monkeypatch.setattr(Store, "changed_since", nothing)
    async with opened(served[2]) as one, opened(served[2]) as two:
        id, (ada, _) = await seated(one, 2)
        await until(lambda: two.background._is_listening and not one.process_messages.elsewhere.is_shared(id))
        monkeypatch.setattr(TablesLoadedByProcesses, "look", lambda _: None)
        table = await two.table(id)
        number = await one.act(id, ada, Chat("hello"))
        assert not one.process_messages.elsewhere.is_shared(id)
        await until(lambda: table.number == number)


@pytest.mark.program
@run
async def test_what_a_process_wrote_and_did_not_tell_before_it_died_is_read_by_the_others(served, monkeypatch):
    async def nothing(self, moment):
        return []

    monkeypatch.setattr(Store, "changed_since", nothing)
    monkeypatch.setattr(tables_loaded_by_processes, "TICK", 0.01)
    async with opened(served[2]) as one, opened(served[2]) as two:
        id, people, table = await playing(one, 2)
        await two.games.wait("sixnimmt")
        await until(lambda: not one.process_messages.elsewhere.is_shared(id))
        await one.store.writer.drain()
        other = await two.table(id)
        monkeypatch.setattr(one.process_messages.elsewhere, "_elsewhere", {})  # as if it was just read there
        one.store.writer.is_elsewhere = lambda _: False
        monkeypatch.setattr(one.rooms, "index", lambda _: None)  # it is killed before
        await one.act(id, people[0], Move(table.state.legal(0)[0]))
        assert other.number < table.number
        await BackgroundWork.resume(two.background)
        same(table, other)
