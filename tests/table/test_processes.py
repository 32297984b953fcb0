"""The processes of a database: each is alive while its heart beats, and says so when it ends."""

import pytest

from houses import Time, opened, run
from sarai.table.storage.processes import ALIVE_SECONDS, KEPT_SECONDS, WEB, WORK
from sarai.table.time_source import GivenTime


@pytest.mark.program
@run
async def test_a_house_is_alive_until_it_is_closed(shared):
    time = Time()
    async with opened(shared, now=time) as one:
        assert [(process.id, process.kind) for process in await one.processes.alive(time())] == [
            (one.heartbeat.id, WEB)
        ]
        time.now += 1
        async with opened(shared, now=time, kind=WORK) as two:
            assert [process.kind for process in await one.processes.alive(time())] == [WEB, WORK]
            assert [process.id for process in await one.processes.alive(time(), WORK)] == [two.heartbeat.id]
            time.now += 5
            await two.heartbeat.beat()
        time.now += 1
        assert [process.id for process in await one.processes.alive(time())] == [one.heartbeat.id]
        assert await one.processes.last_alive(WORK) == time.now - 1


@run
async def test_a_process_whose_heart_does_not_beat_is_dead(db):
    time = Time()
    async with opened(db, now=time) as house:
        time.now += ALIVE_SECONDS - 1
        assert await house.processes.alive(time())
        time.now += 2
        assert not await house.processes.alive(time())
        assert await house.processes.last_alive() == time.now - ALIVE_SECONDS - 1
        await house.heartbeat.beat()
        assert await house.processes.alive(time()) and await house.processes.last_alive() == time.now


@run
async def test_dead_processes_are_forgotten_after_a_day_but_not_when_the_last_was_alive(file):
    time = Time()
    async with opened(file, now=time) as house:
        for number in range(3):
            await house.processes.beat(f"dead{number}", WEB, GivenTime(lambda: time() - KEPT_SECONDS - 1))
        assert await house.processes.last_alive() == time()
        await house.processes.beat("new", WEB, GivenTime(time))
        async with house.store.engine.connect() as connection:
            rows = (await connection.exec_driver_sql("SELECT id FROM processes")).all()
        assert {id for (id,) in rows} == {house.heartbeat.id, "new"}


@run
async def test_a_heartbeat_that_cannot_be_written_stops_nothing(file):
    async with opened(file) as house:
        async with house.store.engine.begin() as connection:
            await connection.exec_driver_sql(
                "CREATE TRIGGER full BEFORE UPDATE ON processes BEGIN SELECT RAISE(FAIL, 'no'); END"
            )
        await house.heartbeat.beat()
        assert await house.processes.alive(house.now())
