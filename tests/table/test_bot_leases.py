"""Leases of bots' turns in the database."""

import pytest
from sqlalchemy import text

from houses import opened, playing, run
from quick_bots import QuickBots
from sarai.table.storage.bot_leases import LEASE_SECONDS, BotLeases


class NoBots(QuickBots):
    """Bots that think elsewhere, so that it stays their turn."""

    thinks = False


@pytest.mark.program
@pytest.mark.parametrize(("seconds", "is_free"), [(2 * LEASE_SECONDS - 1, False), (7200.0, True), (-1.0, True)])
def test_a_lease_that_seems_to_last_for_hours_is_from_before_the_clock_was_set_back(served, seconds, is_free):
    _, _, url = served

    @run
    async def go():
        async with opened(url, NoBots()) as house:
            id, _, _ = await playing(house, 1, 1)
            await house.store.writer.drain()
            async with house.store.engine.begin() as connection:
                await connection.execute(text("DELETE FROM bot_leases"))
                await connection.execute(text("UPDATE tables SET bots = true WHERE id = :id"), {"id": id})
                until = f"extract(epoch FROM clock_timestamp()) + {seconds}"
                await connection.execute(text(f"INSERT INTO bot_leases VALUES ('{id}', 'a dead process', {until})"))
            leases = BotLeases(house.store.engine, "another")
            assert (id in await leases.orphans(10)) is is_free
            assert (await leases.take([id]) == {}) is is_free

    go()
