"""A command counts from its arrival, and what it begins for others from the moment at which they can see it."""

import asyncio

import pytest

from houses import Time, opened, playing, run, seated, stored
from sarai.table import event_types
from sarai.table.clock import ClockRule
from sarai.table.commands import AskBack, AskEnd, CommitWord, Move, Start
from sarai.table.dice_word_commitments import GivenWord
from sarai.table.event_types import Moved, WordsAsked

LIVE = ClockRule("live", minutes=1)


class Held:
    """A table for which commands wait while the block runs."""

    def __init__(self, house, id, time):
        self.house, self.id, self.time, self.begun = house, id, time, []

    async def __aenter__(self):
        self.room = await self.house.rooms.get(self.id)
        await self.room.lock.acquire()
        return self

    async def begin(self, work):
        """Begin something, which waits."""
        self.begun.append(asyncio.create_task(work))
        for _ in range(5):
            await asyncio.sleep(0)

    async def __aexit__(self, *_):
        self.room.lock.release()
        await asyncio.gather(*self.begun)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "sarai.db"


def card(table, seat):
    return Move(table.state.legal(seat)[0])


@run
async def test_a_move_in_time_counts_though_anothers_time_ran_out_before_and_all_waited(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house, clock=LIVE)
        start = time.now = table.clock_state.since
        time.now = start + 1
        await house.act(id, bat, card(table, 1))
        time.now = start + 30
        await house.act(id, ada, card(table, 0))
        while len(table.to_act) < 2:  # a row may have to be chosen
            seat = table.to_act[0]
            await house.act(id, (ada, bat)[seat], card(table, seat))
        assert table.clocks(time.now)[1] > 55 and table.clocks(time.now)[0] < 35
        time.now = table.clock_state.due + 1
        async with Held(house, id, time) as held:
            await held.begin(house.background._end_time(held.room))
            time.now += 10
            await held.begin(house.act(id, bat, card(table, 1)))
            time.now += 60
        assert [seat.late for seat in table.seats] == [True, False]
        moves = [entry.event for entry in await house.store.log(id) if isinstance(entry.event, Moved)]
        assert moves[-1].by == bat.id or moves[-2].by == bat.id


@run
async def test_a_clock_begins_when_the_move_before_can_be_seen(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house, clock=LIVE)
        time.now = table.clock_state.since + 1
        await house.act(id, bat, card(table, 1))
        before = table.clocks(time.now)
        came = time.now = time.now + 1
        async with Held(house, id, time) as held:
            await held.begin(house.act(id, ada, card(table, 0)))
            time.now += 20
        (moved,) = [entry.event for entry in await house.store.log(id) if getattr(entry.event, "shown", 0)]
        assert (moved.seat, moved.at, moved.shown) == (0, came, came + 20)
        assert table.clock_state.since >= came + 20 and table.clocks(came + 20) == [before[0] - 1, before[1]]
        again = await stored(house, id)
        assert vars(again.clock_state) == vars(table.clock_state)


@run
async def test_who_still_chooses_gains_nothing_by_anothers_move_that_waited(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, _), table = await playing(house, clock=LIVE)
        time.now = table.clock_state.since + 1
        async with Held(house, id, time) as held:
            await held.begin(house.act(id, ada, card(table, 0)))
            time.now += 20
        assert table.clocks(time.now) == [59.0, 39.0]


@run
async def test_a_move_that_did_not_wait_is_stored_as_ever(file):
    async with opened(file) as house:
        id, (ada, bat), table = await playing(house, clock=LIVE)
        for seat, person in ((1, bat), (0, ada)):
            await house.act(id, person, card(table, seat))
        assert not any(b"shown" in event_types.encode(entry.event) for entry in await house.store.log(id))


@run
async def test_words_are_asked_for_and_questions_put_when_they_can_be_seen(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat) = await seated(house)
        for seat, person in enumerate((ada, bat)):
            await house.act(id, person, CommitWord(GivenWord(seat, f"{seat:032x}", "word").commitment))
        async with Held(house, id, time) as held:
            await held.begin(house.act(id, ada, Start()))
            time.now += 20
        table = await house.table(id)
        asked = (await house.store.log(id))[-1].event
        assert isinstance(asked, WordsAsked) and asked.at == table.dice.asked_at == time.now
        await house.background._end_waiting(await house.rooms.get(id))
        assert not table.dice.lost_seats
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house)
        async with Held(house, id, time) as held:
            await held.begin(house.act(id, ada, AskEnd()))
            time.now += 20
        assert (await house.store.log(id))[-1].event.at == time.now
        for seat, person in ((1, bat), (0, ada)):
            await house.act(id, person, card(table, seat))
        async with Held(house, id, time) as held:
            await held.begin(house.act(id, ada, AskBack()))
            time.now += 20
        assert table.take_back.at == time.now
