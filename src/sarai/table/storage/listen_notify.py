"""News between processes on one PostgreSQL, by NOTIFY: "table T has event N", "person P is here". SQLite serves one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from sarai.table.storage.failures import StorageFailed

if TYPE_CHECKING:
    import psycopg

CHANNEL, PROCESSES = "sarai", "sarai_people"
PAUSE = 1.0  # before a lost connection is made again; what happens meanwhile is found by polling
SILENCE = 10.0  # seconds without news after which it is tried whether the connection is there
PATIENCE = 5.0  # seconds in which it has to answer
LONGEST = 7000  # bytes; PostgreSQL takes 8000
NOTIFY = select(func.pg_notify(bindparam("channel"), bindparam("news")))
logger = logging.getLogger("sarai.table")


def announce(connection: Connection, rows: Iterable[dict[str, Any]]) -> None:
    """Notify other processes of each table's last new event; PostgreSQL sends it when the transaction is committed."""
    last: dict[str, int] = {}
    for row in rows:
        last[row["table_id"]] = max(row["number"], last.get(row["table_id"], 0))
    for news in packed([f"{table_id} {number}" for table_id, number in last.items()]):
        connection.execute(NOTIFY, {"channel": CHANNEL, "news": news})


def packed(words: Sequence[str]) -> Iterator[str]:
    """Put words together, as many as one notification holds."""
    text = ""
    for word in words:
        if text and len(text) + len(word) >= LONGEST:
            yield text
            text = ""
        text = f"{text} {word}" if text else word
    if text:
        yield text


class ProcessNews:
    """What processes tell each other besides events; `told` is called with the process, a word and its subjects."""

    def __init__(self, engine: AsyncEngine, process: str, told: Callable[[str, str, list[str]], None]) -> None:
        self._engine, self._process, self._told = engine, process, told

    async def tell(self, word: str, subjects: Sequence[str] = ()) -> None:
        """Tell all other processes something."""
        try:
            async with self._engine.begin() as connection:
                for part in list(packed(subjects)) or [""]:
                    news = f"{self._process} {word} {part}".rstrip()
                    await connection.execute(NOTIFY, {"channel": PROCESSES, "news": news})
        except (StorageFailed, DBAPIError, OSError) as error:  # they will hear it with the next sign of life
            logger.warning("no news to other processes: %s", type(error).__name__)

    def hear(self, news: str) -> None:
        """Take over what a process told; notifications come to their sender, too."""
        process, word, *subjects = news.split(" ")
        if process != self._process:
            self._told(process, word, subjects)


async def listen(
    engine: AsyncEngine, changed: Callable[[str, int], None], processes: ProcessNews, listening: Callable[[], None]
) -> None:
    """Call `changed` with the table and number of every notification, and give `processes` its own, until cancelled.

    `listening` is called when that begins, also after a connection was lost: who calls has missed what came before.
    """
    import psycopg

    while True:
        try:
            async with await connect(engine) as connection:
                await subscribe(connection)
                listening()
                while True:
                    async for news in connection.notifies(timeout=SILENCE):
                        if news.channel == PROCESSES:
                            processes.hear(news.payload)
                        else:
                            words = news.payload.split(" ")
                            for table_id, number in zip(words[::2], words[1::2], strict=True):
                                changed(table_id, int(number))
                    async with asyncio.timeout(PATIENCE):  # is it there?
                        await subscribe(connection)
        except (psycopg.Error, OSError, TimeoutError) as error:
            logger.warning("no news from other processes: %s", type(error).__name__)
        await asyncio.sleep(PAUSE)


async def connect(engine: AsyncEngine) -> psycopg.AsyncConnection[Any]:
    """Return a connection that is none of the pool's, for it is kept."""
    import psycopg

    arguments, settings = engine.dialect.create_connect_args(engine.url)
    return await psycopg.AsyncConnection.connect(*arguments, **settings, autocommit=True)


async def subscribe(connection: psycopg.AsyncConnection[Any]) -> None:
    """Listen, if it does not yet."""
    for channel in (CHANNEL, PROCESSES):
        await connection.execute(f"LISTEN {channel}".encode())
