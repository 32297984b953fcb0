"""Time that was nobody's: while no process served the house, and when a clock jumped, no clock of a table runs."""

import asyncio
import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from houses import Time, key_of, opened, playing, run, same, stored, tick
from in_memory_table import Sitting
from sarai.table import event_types
from sarai.table.clock import DAY, ClockRule, pause_after
from sarai.table.commands import AskBack, CallOff, Chat, Move
from sarai.table.decide import changes
from sarai.table.refusals import Refused
from sarai.table.service import heartbeat
from sarai.table.storage import schema
from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.processes import WEB, WORK, Processes
from sarai.table.storage.store import Store
from sarai.table.table import CALL_OFF_SECONDS
from sarai.table.takeback import ANSWER_SECONDS
from sarai.table.time_source import MOST_BACK, RUNS_ON, GivenTime, TimeSource
from sarai.web.language import find_language
from sarai.web.live.event_log import EventLog

HOUR = 3600.0
CLOCKS = pytest.mark.parametrize("clock", [ClockRule("live", 1, 0), ClockRule("days", days=1)], ids=["live", "days"])


@pytest.fixture(autouse=True)
def no_heartbeats(monkeypatch):
    """The tests say when a process has a heartbeat, after the first."""
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 1000.0)


async def pauses(house, id):
    """Return the pauses in a table's log."""
    return [entry.event for entry in await house.store.log(id) if isinstance(entry.event, event_types.Paused)]


async def late(house, id):
    """Let the house look at its clocks; return the seats whose time ran out."""
    await house.store.writer.drain()
    await tick(house)
    return [entry.event.seat for entry in await house.store.log(id) if isinstance(entry.event, event_types.TimeOver)]


# --- a house that was closed ------------------------------------------------------------------------------------------


@CLOCKS
@run
async def test_while_the_house_is_closed_no_clock_runs_even_if_several_processes_open_it_at_once(db, clock):
    time = Time()
    async with opened(db, now=time) as house:
        id, (ada, _), table = await playing(house, clock=clock)
        time.now += 20
        left = table.clocks(time())
    time.now += 30 * DAY
    stores = [await Store.open(str(db)) for _ in range(4)]
    await asyncio.gather(*(Processes(one.engine).beat(f"{n}", WEB, GivenTime(time)) for n, one in enumerate(stores)))
    await asyncio.gather(*(one.close() for one in stores))
    async with opened(db, now=time) as house:
        (pause,) = await pauses(house, id)
        assert (pause.since, pause.at) == (time.now - 30 * DAY, time.now)
        await house.games.wait("sixnimmt")
        assert not await late(house, id)
        table = await house.table(id)
        assert table.clocks(time()) == left and table.clock_state.due == time.now + left[0]
        assert [seen.event.args for seen in table.seen(None) if seen.event.key == "paused"] == [{"seconds": 30 * DAY}]
        same(table, await stored(house, id))
        await house.act(id, ada, Move(table.state.legal(0)[0]))
        time.now += left[1] + 1
        assert set(await late(house, id)) == {1}, "what was left is what they have"
        assert len(await pauses(house, id)) == 1


@run
async def test_a_clock_runs_out_after_the_pause_at_a_table_that_nobody_has_open(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, _, _ = await playing(house, clock=ClockRule("days", days=1))
    time.now += 2 * DAY
    async with opened(file, now=time) as house:
        await house.games.wait("sixnimmt")
        time.now += DAY - 1
        assert not await late(house, id) and not house.rooms.loaded(), "the index knows of the pause"
        time.now += 2
        assert await late(house, id) == [0, 1]


@run
async def test_a_server_that_replaces_itself_takes_no_pause(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, _, _ = await playing(house, clock=ClockRule("live", 1, 0))
    time.now += 3
    async with opened(file, now=time) as house:
        await house.games.wait("sixnimmt")
        assert not await pauses(house, id)
        assert (await house.table(id)).clocks(time()) == [57, 57]


@run
async def test_a_pause_is_there_though_the_house_was_killed_before_the_index_knew_of_the_game(file):
    time = Time()
    async with opened(file, now=time) as house:
        house.store.writer.index_soon = lambda *_: None
        house.heartbeat.end = _nothing
        id, _, _ = await playing(house, clock=ClockRule("live", 1, 0))
        time.now += 5
    time.now += HOUR
    async with opened(file, now=time) as house:
        await house.games.wait("sixnimmt")
        assert not await late(house, id)
        assert len(await pauses(house, id)) == 1
        assert (await house.table(id)).clocks(time()) == [60, 60], "its last heartbeat was before the game"


async def _nothing():
    """End without a word, like a process that is killed."""


@run
async def test_a_question_and_the_days_of_a_game_without_a_clock_stand_still(file):
    time = Time()
    async with opened(file, now=time) as house:
        id, (ada, bat), table = await playing(house)
        for person in (ada, bat):
            await house.act(id, person, Move(table.state.legal(table.seat_of(person.id))[-1]))
        await house.act(id, ada, AskBack())
        time.now += ANSWER_SECONDS - 10
    time.now += 2 * CALL_OFF_SECONDS
    async with opened(file, now=time) as house:
        await house.games.wait("sixnimmt")
        table = await house.table(id)
        await tick(house)
        assert table.take_back is not None and table.seen(None)[-1].event.key != "paused"
        assert await key_of(house.act(id, ada, CallOff(1))) == ("not_overdue", 403)
        time.now += 11
        await tick(house)
        assert table.take_back is None
        time.now += CALL_OFF_SECONDS
        await house.act(id, ada, CallOff(1))


# --- a process that was stopped, a machine that slept, a database that was away --------------------------------------


async def run_for(house, elapsed, seconds):
    """Let time pass in a house that is alive."""
    while seconds > 0:
        elapsed.now += min(5, seconds)
        seconds -= 5
        await house.heartbeat.beat()


@run
async def test_a_process_that_was_stopped_takes_no_time_from_anybody(db):
    elapsed = Time()
    async with opened(db, now=TimeSource(elapsed)) as house:
        id, (ada, _), table = await playing(house, clock=ClockRule("live", 1, 0))
        await run_for(house, elapsed, 10)
        elapsed.now += HOUR
        assert not await late(house, id)
        await house.act(id, ada, Move(table.state.legal(0)[0]))
        assert table.clocks(house.now())[1] == pytest.approx(50 - RUNS_ON, abs=5)
        await house.heartbeat.beat()
        assert not await late(house, id)
        (pause,) = await pauses(house, id)
        assert pause.at - pause.since == pytest.approx(HOUR, abs=5)
        assert table.clocks(house.now())[1] == pytest.approx(50, abs=RUNS_ON)
        same(table, await stored(house, id))
        await run_for(house, elapsed, 60)
        assert await late(house, id) == [1]


@run
async def test_while_the_database_cannot_be_written_time_stands_still(file):
    elapsed = Time()
    async with opened(file, now=TimeSource(elapsed)) as house:
        id, _, table = await playing(house, clock=ClockRule("live", 1, 0))
        async with house.store.engine.begin() as connection:
            await connection.exec_driver_sql(
                "CREATE TRIGGER full BEFORE UPDATE ON processes BEGIN SELECT RAISE(FAIL, 'full'); END"
            )
        began = house.now()
        await run_for(house, elapsed, HOUR)
        assert house.now() - began <= RUNS_ON
        async with house.store.engine.begin() as connection:
            await connection.exec_driver_sql("DROP TRIGGER full")
        await run_for(house, elapsed, 5)
        assert len(await pauses(house, id)) == 1 and not await late(house, id)
        assert house.now() - began > HOUR and table.clocks(house.now())[0] >= 60 - RUNS_ON


@run
async def test_a_house_that_opens_where_nothing_can_be_written_takes_no_time_from_anybody(file):
    elapsed, failing = Time(), [StorageFailed("disk_full")] * 2
    async with opened(file, now=TimeSource(elapsed, elapsed)) as house:
        id, (ada, _), _ = await playing(house, clock=ClockRule("live", 1, 0))
        began = house.now()
    elapsed.now += HOUR

    async def beat(self, *args, **options):
        if failing:
            raise failing.pop()
        return await real(self, *args, **options)

    real, Processes.beat = Processes.beat, beat
    try:
        async with opened(file, now=TimeSource(elapsed, elapsed)) as house:
            await house.games.wait("sixnimmt")
            assert not await late(house, id) and house.now() <= began + RUNS_ON
            await house.heartbeat.beat()
            assert not await late(house, id) and house.now() <= began + RUNS_ON
            await house.heartbeat.beat()
            assert not await late(house, id) and house.now() >= began + HOUR - RUNS_ON
            await house.act(id, ada, Move((await house.table(id)).state.legal(0)[0]))
    finally:
        Processes.beat = real


@pytest.mark.program
@run
async def test_a_move_that_is_made_while_a_pause_is_written_comes_before_it(shared):
    elapsed = Time()
    async with opened(shared, now=TimeSource(elapsed)) as house:
        id, (ada, _), table = await playing(house, clock=ClockRule("live", 1, 0))
        elapsed.now += HOUR
        said = event_types.encode(event_types.Chatted(house.now(), ada.id, "Ada", "Hm."))
        async with house.store.engine.begin() as connection:
            await connection.execute(insert(schema.events), {"table_id": id, "number": table.number + 1, "body": said})
            beat = asyncio.create_task(house.heartbeat.beat())
            await asyncio.sleep(0.3)
        await beat
        assert len(await pauses(house, id)) == 1
        assert [type(entry.event) for entry in await house.store.log(id)][-2:] == [
            event_types.Chatted,
            event_types.Paused,
        ]


@run
async def test_a_process_that_was_stopped_while_another_served_finds_no_pause(db):
    elapsed, store = Time(), await Store.open(str(db))
    try:
        processes, one, two, worker = Processes(store.engine), *(TimeSource(elapsed) for _ in range(3))
        await processes.beat("one", WEB, one)
        await processes.beat("worker", WORK, worker)
        for _ in range(6):
            two.run_until(await processes.beat("two", WEB, two))
            worker.run_until(await processes.beat("worker", WORK, worker))
            elapsed.now += 10
        until = await processes.beat("one", WEB, one)
        assert one.running() == pytest.approx(two.running(), abs=1) and until == pytest.approx(one.running() + RUNS_ON)
        elapsed.now += HOUR
        assert await processes.beat("worker", WORK, worker) == pytest.approx(until), "bots alone let no time run"
    finally:
        await store.close()


@pytest.mark.program
@run
async def test_who_moves_where_a_pause_is_known_but_its_end_has_not_come_yet_loses_no_time(shared):
    elapsed = Time()
    async with opened(shared, now=TimeSource(elapsed)) as one, opened(shared, now=TimeSource(Time())) as two:
        id, (ada, bat), _ = await playing(two, clock=ClockRule("live", 1, 0))
        elapsed.now += HOUR
        await one.heartbeat.beat()
        table = await two.newest(id)
        (pause,) = await pauses(two, id)
        assert two.now() < pause.at - HOUR + RUNS_ON, "the other process has the time of before"
        for seat, person in enumerate((ada, bat)):
            await two.act(id, person, Move(table.state.legal(seat)[0]))
        assert table.changed >= pause.at
        await two.heartbeat.beat()
        assert two.now() >= pause.at and not await late(two, id)
        assert table.clocks(two.now()) == pytest.approx([60, 60], abs=RUNS_ON)
        same(table, await stored(two, id))


# --- clocks that are set ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
@run
async def test_a_wall_clock_that_jumps_changes_nothing_while_the_house_runs_nor_when_it_is_started_anew(file, jump):
    elapsed, wall = Time(), Time()
    async with opened(file, now=TimeSource(elapsed, wall)) as house:
        id, (ada, _), table = await playing(house, clock=ClockRule("live", 1, 0))
        for number in range(5):
            await house.act(id, ada, Chat(f"{number}"))
        began = house.now()
        wall.now += jump
        await run_for(house, elapsed, 5)
        assert house.now() == pytest.approx(began + 5) and not await late(house, id)
    async with opened(file, now=TimeSource(elapsed, wall)) as house:
        await house.games.wait("sixnimmt")
        table = await house.table(id)
        assert house.now() >= began + 4.9 and not await late(house, id)
        assert table.clocks(house.now()) == pytest.approx([55, 55]) and len(await pauses(house, id)) == (jump > 0)
        with contextlib.suppress(Refused):
            await house.act(id, ada, Chat("again"))
        await run_for(house, elapsed, 10)
        await house.act(id, ada, Chat("and again"))


@settings(deadline=None, derandomize=True)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("pass"), st.floats(0, 10_000)),
            st.tuples(st.just("wall"), st.floats(-10_000, 10_000)),
            st.tuples(st.just("calibrate"), st.floats(-10_000, 10_000)),
            st.tuples(st.just("advance"), st.floats(-10_000, 10_000)),
            st.tuples(st.just("beat"), st.just(0.0)),
        )
    )
)
def test_time_never_goes_back_and_never_runs_on_without_a_heartbeat(steps):
    elapsed, wall = Time(), Time()
    source = TimeSource(elapsed, wall)
    source.run_until(source.running() + RUNS_ON)
    latest, limit = source(), source.running() + RUNS_ON
    for what, number in steps:
        match what:
            case "pass":
                elapsed.now += number
            case "wall":
                wall.now += number
            case "calibrate":
                source.calibrate(source.running() + number, 0.01)
            case "advance":
                source.advance_to(source.running() + number)
            case "beat":
                limit = max(limit, source.running() + RUNS_ON)
                source.run_until(source.running() + RUNS_ON)
        now = source()
        assert latest <= now <= limit
        latest = now


def test_time_follows_the_clock_of_the_database_within_the_time_that_asking_takes():
    elapsed, wall = Time(), Time()
    source = TimeSource(elapsed, wall)
    source.calibrate(5000.0, 0.2)
    assert source.running() == pytest.approx(5000.1), "whatever the machine's own clock says"
    source.calibrate(5000.05, 0.2)
    assert source.running() == pytest.approx(5000.1), "it may be so"
    source.calibrate(5003.0, 0.2)
    assert source.running() == pytest.approx(5003.0), "it is at least so late"
    source.calibrate(5003.0 - MOST_BACK / 2, 0.1)
    assert 5003.0 - MOST_BACK / 2 < source.running() < 5003.0, "slowly"
    now = source.running()
    source.calibrate(4000.0, 0.1)
    assert source.running() == now, "a clock that was set back is not followed"


@pytest.mark.program
@run
async def test_a_process_that_starts_after_the_database_was_set_back_has_the_time_of_the_others(served):
    elapsed, store = Time(), await Store.open(served[2])
    try:
        processes, one, two = Processes(store.engine), TimeSource(elapsed), TimeSource(Time())
        await processes.beat("one", WEB, one)
        elapsed.now += HOUR  # for the one that lives on; the database's clock shows the same as before
        await processes.beat("one", WEB, one)
        async with store.engine.begin() as connection:
            await connection.exec_driver_sql("UPDATE processes SET seen = seen - 4")
        await processes.beat("two", WEB, two)
        assert two.running() == pytest.approx(one.running(), abs=2)
    finally:
        await store.close()


@settings(deadline=None, derandomize=True)
@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100))
def test_a_moment_moves_on_by_the_part_of_a_pause_that_comes_after_it(moment, since, seconds):
    until = since + seconds
    moved = moment + pause_after(moment, since, until)
    assert moved == moment if moment >= until else moved <= until + 1e-9 or moment < since
    if moment <= since:
        assert moved - moment == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("seconds", "said"), [(40, "40 seconds"), (180, "3 minutes"), (7300, "2 hours"), (1_000_000, "12 days")]
)
def test_the_log_of_a_table_with_a_clock_says_for_how_long(seconds, said):
    sitting = Sitting(clock=ClockRule("live", 10, 0)).begin()
    since, sitting.now = sitting.now, sitting.now + seconds
    sitting.happen(changes(event_types.Paused(sitting.now, since)))
    table = sitting.table
    lines = EventLog(table, None, find_language("en"))
    lines.update(table)
    assert f"The house was closed for {said}; the clocks stood still." in lines.lines[-1]
