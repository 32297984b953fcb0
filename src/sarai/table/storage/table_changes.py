"""The bell between processes on one PostgreSQL: who writes rings "table T has event N", and the others look at once. SQLite has one process and no bell."""

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
RING = select(func.pg_notify(CHANNEL, bindparam("news")))
logger = logging.getLogger("sarai.table")


def ring(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Tell of the last of some new events of every table; it is heard when the transaction is committed, and not if it is not."""
    if connection.dialect.name == "postgresql":
        for id, number in {row["table_id"]: row["number"] for row in rows}.items():
            connection.execute(RING, {"news": f"{id} {number}"})


async def listen(engine: AsyncEngine, heard: Callable[[str, int], Awaitable[None]]) -> None:
    """Call `heard` whenever somebody rings, until cancelled."""
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
                        id, _, number = news.payload.rpartition(" ")
                        await heard(id, int(number))
                finally:
                    await connection.invalidate()  # nobody else shall get a connection that listens
        except (DBAPIError, OSError, driver_error()) as error:
            logger.warning("no news from other processes: %s", type(error).__name__)
        await asyncio.sleep(PAUSE)


def driver_error() -> type[Exception]:
    """Return what the driver raises when a connection is lost while it listens."""
    import psycopg

    return psycopg.Error
