"""News between processes on one PostgreSQL, by NOTIFY: "table T has event N", "person P is here". SQLite serves one."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from sarai.table.storage.failures import StorageFailed

CHANNEL, PEOPLE = "sarai", "sarai_people"
PAUSE = 1.0  # before a lost connection is made again; what happens meanwhile is found by polling
NOTIFY = select(func.pg_notify(bindparam("channel"), bindparam("news")))
logger = logging.getLogger("sarai.table")


def announce(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Notify other processes of each table's last new event; PostgreSQL sends it when the transaction is committed."""
    for table_id, number in {row["table_id"]: row["number"] for row in rows}.items():
        connection.execute(NOTIFY, {"channel": CHANNEL, "news": f"{table_id} {number}"})


class PeopleNews:
    """Tells other processes which people are at this one; `told` is called with what they tell."""

    def __init__(self, engine: AsyncEngine, told: Callable[[str, bool], None]) -> None:
        self._engine, self._told = engine, told
        self._name = secrets.token_hex(4)  # of this process: notifications come to their sender, too

    async def tell(self, person: str, is_here: bool) -> None:
        """Tell other processes that a person is here, or left."""
        try:
            async with self._engine.begin() as connection:
                await connection.execute(
                    NOTIFY, {"channel": PEOPLE, "news": f"{self._name} {'here' if is_here else 'gone'} {person}"}
                )
        except (StorageFailed, DBAPIError, OSError) as error:  # they will hear it with the next sign of life
            logger.warning("no news to other processes: %s", type(error).__name__)

    def hear(self, news: str) -> None:
        """Take over what a process told."""
        name, word, person = news.split(" ", 2)
        if name != self._name:
            self._told(person, word == "here")


async def listen(engine: AsyncEngine, changed: Callable[[str, int], Awaitable[None]], people: PeopleNews) -> None:
    """Call `changed` with the table and number of every notification, and give `people` its own, until cancelled."""
    if engine.dialect.name != "postgresql":
        return
    while True:
        try:
            async with engine.connect() as connection:
                await connection.execution_options(isolation_level="AUTOCOMMIT")
                for channel in (CHANNEL, PEOPLE):
                    await connection.exec_driver_sql(f"LISTEN {channel}")
                driver: Any = (await connection.get_raw_connection()).driver_connection
                try:
                    async for news in driver.notifies():
                        if news.channel == PEOPLE:
                            people.hear(news.payload)
                        else:
                            table_id, _, number = news.payload.rpartition(" ")
                            await changed(table_id, int(number))
                finally:
                    await connection.invalidate()  # a connection that listens must not go back to the pool
        except (StorageFailed, DBAPIError, OSError, driver_error()) as error:
            logger.warning("no news from other processes: %s", type(error).__name__)
        await asyncio.sleep(PAUSE)


def driver_error() -> type[Exception]:
    """Return what the driver raises when a connection is lost while it listens."""
    import psycopg

    return psycopg.Error
