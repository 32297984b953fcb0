"""Several processes on one PostgreSQL: each decides by what the others wrote, and goes on for one that dies."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from houses import Time, opened, playing, run, seated, stored
from quick_bots import QuickBots
from sarai.table import event_types
from sarai.table.clock import ClockRule
from sarai.table.commands import Chat, Move, Sit, Stand, Start
from sarai.table.refusals import Refused
from sarai.table.service import process_messages
from sarai.table.service.rate_limit import Limit
from sarai.table.storage.failures import Undone
from sarai.table.storage.processes import ALIVE_SECONDS
from sarai.table.storage.store import Store
from sarai.table.storage.writer import Conflict
from sarai.table.storage.writes import InDoubt, Write
from sarai.web.app import make_app, make_site

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.program


@pytest.fixture
def deaf(monkeypatch):
    """Processes that hear nothing of each other."""

    async def nothing(*_):
        await asyncio.Event().wait()

    monkeypatch.setattr(process_messages, "listen", nothing)
    return monkeypatch


@pytest.fixture
def blind(deaf):
    """Processes that neither hear nor look what others wrote, unless they have to."""

    async def nothing(*_):
        return []

    deaf.setattr(Store, "changed_since", nothing)


# --- what is refused --------------------------------------------------------------------------------------------------


@run
async def test_a_refusal_is_decided_on_what_other_processes_wrote(shared, blind):
    async with opened(shared) as one, opened(shared) as two:
        ada, bat = await one.people.new_person("Ada"), await one.people.new_person("Bat")
        id = await one.create(ada, "sixnimmt", 2, {"rounds": 1})
        await two.act(id, ada, Sit())
        await one.table(id)
        await two.games.wait("sixnimmt")
        await one.games.wait("sixnimmt")
        await two.act(id, bat, Sit())
        await one.act(id, ada, Start())  # for all that it knew, a seat was empty
        assert (await one.table(id)).phase == "playing"
        for turn in range(6):
            house, other = (one, two) if turn % 2 else (two, one)
            table = await stored(house, id)
            seat = table.to_act[0]
            await house.act(id, (ada, bat)[seat], Move(table.state.legal(seat)[0]))
            assert (await other.table(id)).number < (await house.table(id)).number


@run
async def test_a_key_that_was_used_at_another_process_is_found(shared, blind):
    async with opened(shared) as one, opened(shared) as two:
        id, (ada, _) = await seated(one)
        await two.games.wait("sixnimmt")
        await two.table(id)
        number = await one.act(id, ada, Start(), key="begin")
        assert await two.act(id, ada, Start(), key="begin") == number
        line = await two.act(id, ada, Chat("hello"), key="line")
        assert await one.act(id, ada, Chat("hello"), key="line") == line


# --- what is written --------------------------------------------------------------------------------------------------


def row(id, number):
    body = event_types.encode(event_types.Chatted(1.0, "p", "P", f"{id} {number}"))
    return {"table_id": id, "number": number, "body": body, "person": None, "key": None}


@run
async def test_processes_that_write_to_the_same_tables_do_not_wait_for_each_other_in_a_circle(shared):
    one, two = await Store.open(shared), await Store.open(shared)
    ids = [f"table{number:05}" for number in range(60)]
    for number in range(1, 16):
        writes = [one.writer.append(Write([row(id, number)])) for id in ids]
        writes += [two.writer.append(Write([row(id, number)])) for id in reversed(ids)]
        done = await asyncio.gather(*writes, return_exceptions=True)
        assert {type(error) for error in done} == {type(None), Conflict}
        assert sum(error is None for error in done) == len(ids)
    for store in (one, two):
        await store.close()


@run
async def test_a_transaction_that_was_undone_is_tried_again(shared, monkeypatch):
    store, left = await Store.open(shared), [Undone("database_busy")] * 3
    write = store.writer.transactions.write

    async def undone(*args):
        if left:
            raise left.pop()
        await write(*args)

    monkeypatch.setattr(store.writer.transactions, "write", undone)
    await store.writer.append(Write([row("a", 1)]))
    assert [entry.number for entry in await store.log("a")] == [1] and not left
    await store.close()


@pytest.mark.parametrize("is_committed", [True, False])
@run
async def test_a_commit_that_nobody_confirmed_is_looked_up(shared, monkeypatch, is_committed):
    store = await Store.open(shared)
    write, lost = store.writer.transactions.write, []

    async def lose(*args):
        if lost or is_committed:
            await write(*args)
        if not lost:
            lost.append(args)
            raise InDoubt

    await store.writer.append(Write([row("b", 1)]))
    monkeypatch.setattr(store.writer.transactions, "write", lose)
    writes = [Write([row("a", 1), row("a", 2)]), Write([row("c", 1)])]
    if not is_committed:
        writes.append(
            Write([row("b", 1) | {"body": event_types.encode(event_types.Chatted(2.0, "q", "Q", "another"))}])
        )
    done = await asyncio.gather(*map(store.writer.append, writes), return_exceptions=True)
    assert [type(error) for error in done] == [type(None), type(None), Conflict][: len(writes)]
    assert [entry.number for id in "abc" for entry in await store.log(id)] == [1, 2, 1, 1]
    await store.close()


KILLS_ITSELF = """
CREATE SEQUENCE kills;
CREATE FUNCTION kill() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF nextval('kills') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER kill AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION kill();
"""


@run
async def test_a_connection_that_is_lost_in_the_middle_of_a_commit_or_before_loses_no_move(served):
    postgres, name, url = served
    async with opened(url) as house:
        id, (ada, bat), table = await playing(house)
        await house.store.writer.drain()
        async with house.store.engine.begin() as connection:
            await connection.exec_driver_sql(KILLS_ITSELF)
        number = await house.act(id, ada, Move(table.state.legal(0)[0]))
        assert (await house.store.log(id))[-1].number == number == table.number
        postgres.psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        await house.act(id, bat, Move(table.state.legal(1)[0]))
        assert [entry.number for entry in await house.store.log(id)] == list(range(1, table.number + 1))


@run
async def test_who_moved_at_one_process_sees_it_at_another(shared, blind):
    async with opened(shared) as one, opened(shared) as two:
        id, (ada, _) = await seated(one)
        await two.table(id)
        number = await one.act(id, ada, Chat("hello"))
        assert (await two.table(id)).number < number, "it has not heard of it"
        assert (await two.newest(id)).number == number


@run
async def test_a_page_gives_a_seat_that_became_free_at_another_process(shared, blind):
    async with opened(shared) as one, opened(shared) as two:
        id, (_, bat) = await seated(one)
        site = await make_site(two)
        transport = httpx.ASGITransport(app=make_app(site))
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as http:
            page = await http.get(f"/tables/{id}")
            assert page.status_code == 200 and not any(seat.empty for seat in (await two.table(id)).seats)
            await one.act(id, bat, Stand())
            assert not any(seat.empty for seat in (await two.table(id)).seats), "it has not heard of it"
            answer = await http.post(f"/tables/{id}/sit", data={"name": "Cem"}, headers={"origin": "http://house.test"})
            assert answer.status_code == 303, answer.text
        assert [seat.name for seat in (await two.table(id)).seats] == ["Ada", "Cem"]


# --- what others wrote ------------------------------------------------------------------------------------------------


@run
async def test_what_was_not_heard_is_found_by_looking(shared, deaf):
    async with opened(shared) as one, opened(shared) as two:
        id, (ada, _) = await seated(one)
        await two.games.wait("sixnimmt")
        async with two.watch(id) as numbers:
            await anext(numbers)
            number = await one.act(id, ada, Chat("hello"))
            while await asyncio.wait_for(anext(numbers), 20) < number:
                pass


@run
async def test_time_runs_out_once_for_all_processes(shared, deaf):
    time = Time()
    async with opened(shared, now=time) as one, opened(shared, now=time) as two, opened(shared, now=time) as three:
        id, _, _ = await playing(one, clock=ClockRule("live", 1, 0))
        await one.store.writer.drain()
        for house in (two, three):
            await house.games.wait("sixnimmt")
        await two.table(id)
        time.now += 70
        await asyncio.gather(*(house.background._end_times() for house in (one, two, three)))
        events = [entry.event for entry in await one.store.log(id)]
        assert sum(isinstance(event, event_types.TimeOver) for event in events) == 2, "one for each player"


@run
async def test_people_of_a_process_that_died_are_not_here(shared):
    time = Time()
    async with opened(shared, now=time) as one, opened(shared, now=time) as two:
        await asyncio.sleep(0.3)  # both listen
        await two.process_messages.look()
        ada = await one.people.new_person("Ada")
        one.presence.arrive(ada.id)
        while not two.presence.is_here(ada.id):
            await asyncio.sleep(0.01)
        await one.heartbeat.end()  # as if it were killed: it says nothing more
        time.now += ALIVE_SECONDS / 2
        await two.process_messages.look()
        time.now += 5
        assert not two.presence.is_here(ada.id)
        assert two.presence.last_seen(ada.id) < time.now - 5


@run
async def test_limits_are_those_of_all_processes_together(shared):
    async with opened(shared) as one, opened(shared) as two:
        for house in (one, two):
            house.limiter.limits["talk:person"] = Limit(8, 3600.0)
        await asyncio.sleep(0.3)  # both listen
        for _ in range(8):
            one.limiter.spend("talk:person", "name with a space")
        told = two.limiter._uses.setdefault("talk:person", {})
        while "name with a space" not in told or told["name with a space"].used < 8:
            await asyncio.sleep(0.01)
        with pytest.raises(Refused):
            two.limiter.spend("talk:person", "name with a space")


@run
async def test_a_name_that_was_changed_at_another_process_is_known(shared):
    async with opened(shared) as one, opened(shared) as two:
        await asyncio.sleep(0.3)  # both listen
        ada = await one.people.new_person("Ada")
        assert await two.people.person(ada.id) == ada
        changed = await one.rename(ada, "Ada Lovelace")
        while await two.people.person(ada.id) != changed:
            await asyncio.sleep(0.01)


# --- bots -------------------------------------------------------------------------------------------------------------


class CountedBots(QuickBots):
    """Bots that take a moment, and are counted."""

    def __init__(self, counts):
        self.counts = counts

    async def choose(self, view, level, seed, *more, **others):
        self.counts.append(view)
        await asyncio.sleep(0.02)
        return await super().choose(view, level, seed)


@run
async def test_one_process_thinks_for_each_turn_of_a_bot(shared):
    counts = []
    async with opened(shared, CountedBots(counts)) as one, opened(shared, CountedBots(counts)) as two:
        await two.games.wait("sixnimmt")
        id, (ada, bat), table = await playing(one, 2, 2)
        async with two.watch(id), one.watch(id):
            while table.phase == "playing":
                for house, person, seat in ((one, ada, 0), (two, bat, 1)):
                    if seat in (mine := await house.table(id)).to_act and not mine.seats[seat].played_by:
                        await house.act(id, person, Move(mine.state.legal(seat)[0]))
                await asyncio.sleep(0.005)
        moves = [entry.event for entry in await one.store.log(id) if isinstance(entry.event, event_types.Moved)]
        bots = [event for event in moves if event.by is None]
        # the last card is not chosen; on a busy machine a lease may end while somebody thinks
        assert len(bots) >= 10 and len(counts) <= len(bots) + 3


THINKER = """
import asyncio, sys
from houses import playing
from quick_bots import QuickBots
from sarai.table.service.house import House
from sarai.table.storage import bot_leases

class Dreamer(QuickBots):
    async def choose(self, *_, **__):
        print(self.table, flush=True)
        await asyncio.Event().wait()

async def main(url):
    bots = Dreamer()
    house = await House.open(url, bots, kind=sys.argv[2])
    if sys.argv[2] == "web":
        bots.table, _, _ = await playing(house, 1, 1)
    else:
        bots.table = "it thinks"
    await asyncio.Event().wait()

bot_leases.LEASE_SECONDS = 1.5
asyncio.run(main(sys.argv[1]))
"""


def start_thinker(url, kind):
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    return subprocess.Popen(
        [sys.executable, "-c", THINKER, url, kind],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
    )


@run
async def test_when_a_process_is_killed_others_think_for_its_bots(shared):
    web = start_thinker(shared, "web")
    work = None
    try:
        id = (await asyncio.to_thread(web.stdout.readline)).strip()
        work = start_thinker(shared, "work")
        await asyncio.sleep(1)
        web.send_signal(signal.SIGKILL)  # it was thinking; nobody else has the table in memory
        assert await asyncio.to_thread(work.stdout.readline) == "it thinks\n", "another took it over"
        async with opened(shared) as house:
            await house.games.wait("sixnimmt")
            work.send_signal(signal.SIGKILL)
            while not any(isinstance(entry.event, event_types.Moved) for entry in await house.store.log(id)):
                await asyncio.sleep(0.05)
            async with house.store.engine.connect() as connection:
                (process,) = (await connection.execute(text("SELECT process FROM bot_leases"))).scalars()
            assert process == house.heartbeat.id
    finally:
        for process in filter(None, (web, work)):
            process.kill()
            process.communicate(timeout=60)
