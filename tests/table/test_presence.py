"""Who is here and who is away: by open pages anywhere, with a clock that the test sets."""

import asyncio
import contextlib
from itertools import groupby

import pytest

from houses import Time, key_of, opened, playing, run, tick
from sarai.table.commands import Lend, Move
from sarai.table.service.presence import GRACE, MOST_KEPT, SILENT, TELL, Presence
from sarai.table.service.room import AWAY, COUNT, Room
from sarai.table.table import LEND_SECONDS

SOON = 5.0  # seconds in which presence is right


def test_a_person_is_here_as_long_as_a_page_is_open_and_a_moment_longer():
    time = Time()
    presence = Presence(time)
    assert not presence.is_here("ada") and presence.last_seen("ada") is None
    with presence.page("ada"):
        with presence.page("ada"):
            assert presence.is_here("ada") and not presence.is_here("bat")
        time.now += 2 * SOON
        assert presence.is_here("ada") and presence.last_seen("ada") == time.now
    left = time.now
    time.now += GRACE / 2  # the next page is being fetched
    assert presence.is_here("ada")
    time.now = left + SOON
    assert not presence.is_here("ada") and presence.last_seen("ada") == left


def test_who_acts_without_a_page_was_here():
    time = Time()
    presence = Presence(time)
    presence.saw("ada")
    acted = time.now
    time.now += SOON
    assert not presence.is_here("ada") and presence.last_seen("ada") == acted


def test_who_acts_without_a_page_was_here_for_all_processes_which_are_told_once_a_minute():
    time, told = Time(), []
    here, there = Presence(time), Presence(time)
    here.on_sign = lambda person: told.append(person) or there.hear_sign(person)
    for _ in range(100):
        here.saw("ada")
        time.now += 6
    assert len(told) == 10 and time.now - there.last_seen("ada") <= TELL + 6
    told.clear()
    with here.page("ada"):
        time.now += 2 * TELL
        here.saw("ada")
    here.hear("another", "bat", True)
    here.saw("bat")
    assert told == [], "of pages they are told anyway"


@pytest.mark.program
@run
async def test_nobody_lends_the_seat_of_a_player_who_is_seen_at_another_process(shared):
    time = Time()
    async with opened(shared, now=time) as one, opened(shared, now=time) as two:
        id, (_, bat), table = await playing(one)
        await two.games.wait("sixnimmt")
        await two.table(id)
        ada = table.seats[0].person
        time.now += LEND_SECONDS + TELL
        one.presence.saw(ada)
        while (two.presence.last_seen(ada) or 0) < time.now:
            await asyncio.sleep(0.01)
            one.presence._told.clear()  # the other may not have listened yet
            one.presence.saw(ada)
        assert await key_of(two.act(id, bat, Lend(0))) == ("not_away", 403)


def test_a_page_without_a_sign_of_life_counts_no_longer():
    time = Time()
    presence = Presence(time)
    opened = time.now
    with presence.page("ada"):  # its network is gone, and nothing says so
        time.now += SILENT - 1
        assert presence.is_here("ada")
        with presence.page("ada"):  # a living browser asks again in time
            pass
        time.now += SILENT - 1
        assert presence.is_here("ada")
        time.now += 2
        assert not presence.is_here("ada")
    assert presence.last_seen("ada") == opened + SILENT - 1, "when the connection ends at last, nobody was there"


def test_people_who_left_long_ago_are_forgotten():
    time = Time()
    presence = Presence(time)
    presence.arrive("stays")
    for number in range(MOST_KEPT):
        presence.saw(f"{number}")
    time.now += 7200
    presence.arrive("comes")
    assert presence.last_seen("7") is None and presence.last_seen("stays") and presence.is_here("comes")


@run
async def test_whoever_has_a_page_open_anywhere_is_not_away(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), _ = await playing(house)
        await house.arrive(id, ada)
        await house.arrive(id, bat)
        with house.presence.page(bat.id):  # the stream of notices, which another tab keeps
            await house.leave(id, bat)  # the tab of the table is hidden
            time.now += AWAY + SOON
            assert (await house.absent(id)).away == [] and await house.present(id) == [0]
            assert await key_of(house.act(id, ada, Lend(1))) == ("not_away", 403)
        time.now += AWAY
        assert (await house.absent(id)).away == []
        time.now += SOON
        assert (await house.absent(id)).away == [1]
        with house.presence.page(bat.id):
            assert (await house.absent(id)).away == []


@run
async def test_watchers_are_shown_in_time_who_went_away_and_who_came_back(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house)
        await house.act(id, ada, Move(table.state.legal(0)[0]))
        await house.act(id, bat, Move(table.state.legal(1)[0]))
        left = time.now
        async with house.watch(id) as numbers:

            async def is_shown():
                try:
                    await asyncio.wait_for(anext(numbers), 0.05)
                except TimeoutError:
                    return False
                return True

            with house.presence.page(ada.id):
                time.now = left + AWAY - 1
                await tick(house)
                while await is_shown():
                    pass
                assert not await is_shown() and (await house.absent(id)).away == []
                time.now = left + AWAY + 1
                await tick(house)
                assert await is_shown() and (await house.absent(id)).away == [1]
                with house.presence.page(bat.id):
                    await tick(house)
                    assert await is_shown() and (await house.absent(id)).away == []


async def shows(house, id, watchers):
    """Wait until a house shows how many watch a table."""
    for _ in range(4000):
        house.now.now += COUNT
        await tick(house)
        if await house.watchers(id) == watchers:
            return True
        await asyncio.sleep(0.01)
    return False


@pytest.mark.program
@run
async def test_processes_tell_each_other_how_many_watch(shared):
    time = Time()
    async with opened(shared, now=time) as one, opened(shared, now=time) as two:
        id, (ada, _), _ = await playing(one)
        await two.games.wait("sixnimmt")
        await asyncio.sleep(0.3)  # both listen
        async with one.watch(id, ada.id):  # she plays
            await watched_at_both(one, two, id)
            await process_dies(one, two, id)


async def watched_at_both(one, two, id):
    async with two.watch(id), two.watch(id):
        assert await shows(two, id, 2)
        assert await shows(one, id, 2), "though nobody watches here"
        async with one.watch(id):
            assert await shows(one, id, 3) and await shows(two, id, 3)
        assert await shows(two, id, 2) and await shows(one, id, 2)
    assert await shows(one, id, 0)


async def process_dies(one, two, id):
    async with two.watch(id):
        assert await shows(two, id, 1) and await shows(one, id, 1)
        one.background.spectator_counts.hear(two.heartbeat.id, id, 0)
        assert await shows(one, id, 0)
        one.process_messages.tell("who")
        assert await shows(one, id, 1), "a process that asks is told"
        for house in (one, two):
            await house.heartbeat.beat()
        await one.process_messages.look()
        assert await one.watchers(id) == 1
        await two.heartbeat.end()  # as if it were killed: it says nothing more
        await one.process_messages.look()
        assert await shows(one, id, 0)


async def is_told(house, person, is_here):
    """Wait until a house knows whether a person is here."""
    for _ in range(4000):
        if house.presence.is_here(person) == is_here:
            return True
        await asyncio.sleep(0.01)
    return False


@pytest.mark.program
@run
async def test_processes_tell_each_other_who_is_here(served):
    _, _, url = served
    async with opened(url) as one, opened(url) as two:
        await asyncio.sleep(0.3)  # both listen
        ada = await one.people.new_person("Ada")
        with one.presence.page(ada.id):
            assert await is_told(two, ada.id, True)
            with two.presence.page(ada.id):
                two.now.now += SOON
            assert await is_told(two, ada.id, True), "one of them still has a page"
            one.now.now += SOON
            two.now.now += SOON
            await asyncio.sleep(0.1)
            assert two.presence.is_here(ada.id)
        while ada.id in two.presence._elsewhere:
            await asyncio.sleep(0.01)
        two.now.now += SOON
        assert await is_told(two, ada.id, False)


@run
async def test_who_comes_to_watch_and_leaves_wakes_nobody_until_they_are_counted(file, monkeypatch):
    """Ten people who came and went thirty times a second took a third of a processor at a table with 220 watchers."""
    async with opened(file) as house:
        id, (ada, _), _ = await playing(house)
        eve, room, woken = await house.people.new_person("Eve"), await house.rooms.get(id), []
        monkeypatch.setattr(Room, "publish", lambda _: woken.append(1))
        for _ in range(3):
            await house.arrive(id, eve)
            await house.leave(id, eve)
        assert woken == [] and not room.present
        await house.arrive(id, ada)
        await house.leave(id, ada)
        assert len(woken) == 2, "a player is shown as here, or as away"


class SlowFirst:
    """A database whose first transaction is slow."""

    def __init__(self, engine):
        self.engine, self.seconds = engine, 0.3

    @contextlib.asynccontextmanager
    async def begin(self):
        seconds, self.seconds = self.seconds, 0
        await asyncio.sleep(seconds)
        async with self.engine.begin() as connection:
            yield connection


@pytest.mark.program
@run
async def test_what_a_process_tells_is_heard_in_its_order(served, monkeypatch):
    _, _, url = served
    async with opened(url) as one, opened(url) as two:
        await asyncio.sleep(0.3)  # both listen
        heard, hear = [], two.presence.hear
        monkeypatch.setattr(two.presence, "hear", lambda *told: heard.append(told[1:]) or hear(*told))
        monkeypatch.setattr(one.process_messages._news, "_engine", SlowFirst(one.store.own_engine))
        for _ in range(3):  # equal texts, of which a database delivers one in a transaction
            with one.presence.page("ada"):
                await asyncio.sleep(0)
        while len(changes := [told for told, _ in groupby(heard)]) < 6:  # who asks is told again who is here
            await asyncio.sleep(0.01)
        assert changes == [("ada", True), ("ada", False)] * 3
