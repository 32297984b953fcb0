"""News between processes on one PostgreSQL, by NOTIFY: "table T has event N". SQLite serves one process only."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

CHANNEL = "sarai"
PAUSE = 1.0  # before a lost connection is made again; what happens meanwhile is found by polling
NOTIFY = select(func.pg_notify(CHANNEL, bindparam("news")))
logger = logging.getLogger("sarai.table")


def announce(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Notify other processes of each table's last new event; PostgreSQL sends it when the transaction is committed."""
    for table_id, number in {row["table_id"]: row["number"] for row in rows}.items():
        connection.execute(NOTIFY, {"news": f"{table_id} {number}"})


async def listen(engine: AsyncEngine, changed: Callable[[str, int], Awaitable[None]]) -> None:
    """Call `changed` with the table and number of every notification, until cancelled."""
    if engine.dialect.name != "postgresql":
        return
    while True:
        try:
            async with engine.connect() as connection:
                await connection.execution_options(isolation_level="AUTOCOMMIT")
                await connection.exec_driver_sql(f"LISTEN {CHANNEL}")
                driver: Any = (await connection.get_raw_connection()).driver_connection
                try:
                    async for news in driver.notifies():
                        table_id, _, number = news.payload.rpartition(" ")
                        await changed(table_id, int(number))
                finally:
                    await connection.invalidate()  # a connection that listens must not go back to the pool
        except (DBAPIError, OSError, driver_error()) as error:
            logger.warning("no news from other processes: %s", type(error).__name__)
        await asyncio.sleep(PAUSE)


def driver_error() -> type[Exception]:
    """Return what the driver raises when a connection is lost while it listens."""
    import psycopg

    return psycopg.Error
