"""Single queries: a connection of the pool that was closed meanwhile is replaced."""

import contextlib

import pytest

from houses import run
from sarai.table.storage.sessions import StoredSessions
from sarai.table.storage.store import Store


@pytest.mark.program
@run
async def test_a_query_gets_another_connection_for_a_closed_one(shared):
    async with contextlib.AsyncExitStack() as stack:
        store = await Store.open(shared)
        stack.push_async_callback(store.close)
        async with store.engine.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
        driver.pgconn.finish()
        assert driver.closed
        assert await StoredSessions(store.engine).find("nobody") is None
