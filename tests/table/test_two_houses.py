"""Two houses on one database: they race, and nothing is lost."""

import asyncio
import contextlib
from random import Random

import pytest
from sqlalchemy import text

from houses import opened, playing, run, same, seated, stored, tick
from sarai.table.commands import Chat, Move
from sarai.table.refusals import Refused
from sarai.table.storage import listen_notify
from sarai.table.storage.store import Store


@pytest.mark.program
@run
async def test_two_houses_race_and_nothing_is_lost(shared):
    async with opened(shared) as one, opened(shared) as two:
        id, known = await seated(one, 2)
        await two.games.wait("sixnimmt")
        lines = [
            (house, person, f"{number} {name}")
            for number in range(12)
            for name, house in (("one", one), ("two", two))
            for person in known
        ]
        await two.table(id)
        for start in range(0, len(lines), 8):
            for house in (one, two):
                house.now.now += 60
            await asyncio.gather(
                *(house.act(id, person, Chat(text), key=text) for house, person, text in lines[start : start + 8])
            )
        for house in (one, two):
            await house.store.writer.drain()
        for house in (one, two):
            await tick(house)
            table = await house.table(id)
            assert sorted(line.text for line in table.chat) == sorted(text for _, _, text in lines)
            same(table, await stored(house, id))
        again = await asyncio.gather(*(house.act(id, known[0], Chat("x"), key="the same") for house in (one, two)))
        assert len(set(again)) == 1


@pytest.mark.program
@run
async def test_two_houses_play_one_game(shared):
    async with opened(shared) as one, opened(shared) as two:
        id, (ada, bat), table = await playing(one, 2, 1)
        await two.games.wait("sixnimmt")
        rng, other = Random(1), await two.table(id)
        while not table.phase == other.phase == "over":
            for house, mine, person in ((one, table, ada), (two, other, bat)):
                seat = mine.seat_of(person.id)
                if seat in mine.to_act:
                    with contextlib.suppress(Refused):
                        await house.act(id, person, Move(rng.choice(mine.state.legal(seat))))
            await tick(one)
            await tick(two)
            await asyncio.sleep(0.005)
        same(table, other)


async def listening(*houses):
    """Wait until houses hear each other."""
    while not all(house.background._is_listening for house in houses):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)  # they look at the tables in memory once more then


async def hears(house, id, number):
    """Wait until a house knows an event, without looking for it."""
    for _ in range(4000):
        if (await house.table(id)).number >= number:
            return True
        await asyncio.sleep(0.01)
    return False


@pytest.mark.program
@run
async def test_a_house_hears_at_once_what_another_wrote(served, monkeypatch):
    async def nothing(self, moment):
        return []

    monkeypatch.setattr(Store, "changed_since", nothing)
    monkeypatch.setattr(listen_notify, "PAUSE", 0.02)
    postgres, name, url = served
    async with opened(url) as one, opened(url) as two:
        id, (ada, _) = await seated(one, 2)
        await two.games.wait("sixnimmt")
        await two.table(id)
        await listening(one, two)
        assert await hears(two, id, await one.act(id, ada, Chat("hello")))
        async with one.store.engine.begin() as connection:
            await connection.execute(text("NOTIFY sarai, 'no pairs of a table and a number'"))
        assert await hears(two, id, await one.act(id, ada, Chat("still there?")))
        ears = f"FROM pg_stat_activity WHERE datname = '{name}' AND query LIKE 'LISTEN%'"
        assert "(2 rows)" in postgres.psql(f"SELECT pg_terminate_backend(pid) {ears}")
        while two.background._is_listening:
            await asyncio.sleep(0.001)
        await listening(one, two)
        assert await hears(two, id, await one.act(id, ada, Chat("hello again")))


@pytest.mark.program
@run
async def test_what_another_wrote_is_taken_over_from_the_notification(served, monkeypatch):
    """A query for every move of another process took a tenth of the processor time."""
    async with opened(served[2]) as one, opened(served[2]) as two:
        id, people, table = await playing(one, 2, 1)
        await two.games.wait("sixnimmt")
        other = await two.table(id)
        await listening(one, two)
        asked, read = [], Store.log

        async def counted(self, *about):
            asked.append(about)
            return await read(self, *about)

        async def nothing(self, moment):
            return []

        monkeypatch.setattr(Store, "log", counted)
        monkeypatch.setattr(Store, "changed_since", nothing)
        for seat, person in enumerate(people):
            key = f"k{seat}"
            number = await one.act(id, person, Move(table.state.legal(seat)[0]), key=key)
            assert await hears(two, id, number)
            assert await two.act(id, person, Move(0), key=key) == number  # the key is known, too
        assert asked == []
        while table.bots_to_act or other.number != table.number:
            await asyncio.sleep(0.01)
        same(table, other)
        for text in ("ü" * 300, "x" * 300):  # what a notification cannot hold, or a database not take, is read
            monkeypatch.setattr(listen_notify, "LONGEST", 7000 if text[0] == "ü" else 300)
            assert await hears(two, id, await one.act(id, people[0], Chat(text)))
        assert len(asked) == 2
        same(table, other)
