"""Houses for tests: opened on a database, with people and bots at a table of 6 nimmt!."""

import asyncio
import contextlib
import inspect

import pytest

from quick_bots import QuickBots
from sarai.table.commands import AddBot, Move, Sit, Start
from sarai.table.refusals import Refused
from sarai.table.service.house import House
from sarai.table.table import Table

ONE_ROUND = {"rounds": 1}


class Time:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        return self.now


def run(test):
    """Run an asynchronous test, within a time."""

    def ran(*args, **kwargs):
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 240))

    ran.__name__, ran.__doc__ = test.__name__, test.__doc__
    ran.__signature__ = inspect.signature(test)
    return ran


@contextlib.asynccontextmanager
async def opened(path, bots=None, now=None, **more):
    house = await House.open(str(path), bots or QuickBots(), now or Time(), **more)
    try:
        yield house
    finally:
        await house.close()


async def seated(house, people=2, bots=0, **more):
    """Lay a table of 6 nimmt! and seat people and bots; return its id and the people."""
    known = [await house.people.new_person(name) for name in ("Ada", "Bat", "Cem")[:people]]
    id = await house.create(known[0], "sixnimmt", people + bots, ONE_ROUND, **more)
    for person in known:
        await house.act(id, person, Sit())
    for _ in range(bots):
        await house.act(id, known[0], AddBot(level="random"))
    await house.games.wait("sixnimmt")
    return id, known


async def playing(house, people=2, bots=0, **more):
    id, known = await seated(house, people, bots, **more)
    await house.act(id, known[0], Start())
    return id, known, await house.table(id)


async def play_out(house, id, known):
    """Let people play until the game is over, bots with them."""
    async with house.watch(id) as numbers:
        async for _ in numbers:
            table = await house.table(id)
            if table.phase == "over":
                return
            for seat in table.to_act:
                if not table.seats[seat].played_by:
                    person = next(person for person in known if person.id == table.seats[seat].person)
                    with contextlib.suppress(Refused):
                        await house.act(id, person, Move(table.state.legal(seat)[0]))


async def tick(house):
    """Let a house look at what is due, also where the look of its own task is under way."""
    await house.background.tick()
    while house.background._waiting_for:
        await asyncio.sleep(0.001)


async def key_of(awaitable):
    with pytest.raises(Refused) as error:
        await awaitable
    assert str(error.value)
    return error.value.key, error.value.status


def same(one, two):
    """Compare two tables in everything they hold."""
    assert one.state == two.state
    for name in vars(one):
        if name not in ("playthrough", "times", "game"):
            assert getattr(one, name) == getattr(two, name), name
    assert (one.steps, one.history) == (two.steps, two.history)
    assert [one.last_move(seat) for seat in range(one.players)] == [two.last_move(seat) for seat in range(two.players)]
    assert vars(one.times) | {"clock": vars(one.clock_state)} == vars(two.times) | {"clock": vars(two.clock_state)}
    assert one.record(None) == two.record(None)


async def stored(house, id):
    return Table.fold(id, [(entry.number, entry.event) for entry in await house.store.log(id)])
