"""News between processes on one PostgreSQL, by NOTIFY: new events of tables, "person P is here". SQLite serves one."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import URL, bindparam, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from sarai.table.storage.failures import StorageFailed
from sarai.table.storage.outage_log import FROM_OTHERS, TO_OTHERS, Outages

if TYPE_CHECKING:
    import psycopg

CHANNEL, EVENTS, PROCESSES = "sarai", "sarai_events", "sarai_people"
PAUSE = 1.0  # before a lost connection is made again; what happens meanwhile is found by polling
SILENCE = 10.0  # seconds without news after which it is tried whether the connection is there
PATIENCE = 5.0  # seconds in which it has to answer
LONGEST = 7000  # bytes; PostgreSQL takes 8000
# that notifications wait for each other, as to be woken costs more than to hear: while others write at tables that are
# in memory here, if none has for a while, and if nothing is in memory that they could be about
GATHER_SECONDS, LONG_GATHER_SECONDS, UNUSED_GATHER_SECONDS = 0.02, 0.1, 0.5
SHARED_SECONDS = 10.0
logger = logging.getLogger("sarai.table")
NOTIFY = select(func.pg_notify(bindparam("channel"), bindparam("news")))


class NewEvent(msgspec.Struct, array_like=True):
    """An event as its writer tells the others of it: a row of the log."""

    number: int
    body: msgspec.Raw
    person: str | None
    key: str | None


class NewEvents(msgspec.Struct, array_like=True):
    """The events of a table that one transaction wrote."""

    table_id: str
    events: list[NewEvent]


decode_events = msgspec.json.Decoder(list[NewEvents]).decode
encode_events = msgspec.json.Encoder().encode
# a table, its last number, its new events if they are told; whether that was news for a table in memory
Changed = Callable[[str, int, Sequence[NewEvent]], bool]


def announcements(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Return what other processes are told of the new events of tables, rows in their order: channels and news.

    Events of a table are told together or not at all: nobody sees a move without the dice that followed. Of those that
    are too long, or not ASCII, which a database need not take, the last number is told, and others read them.
    """
    told, numbers = list[str](), list[str]()
    for table_id, of_table in groupby(rows, key=itemgetter("table_id")):
        events = [NewEvent(row["number"], msgspec.Raw(row["body"]), row["person"], row["key"]) for row in of_table]
        text = encode_events(NewEvents(table_id, events))
        if text.isascii() and len(text) < LONGEST:
            told.append(text.decode())
        else:
            numbers.append(f"{table_id} {events[-1].number}")
    for news in packed(told, ","):
        yield EVENTS, f"[{news}]"
    for news in packed(numbers):
        yield CHANNEL, news


def index_announcements(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Return what other processes are told of tables whose rows in the index are written: their last numbers."""
    for news in packed([f"{row['of']} {row['number']}" for row in rows]):
        yield CHANNEL, news


def packed(words: Sequence[str], between: str = " ") -> Iterator[str]:
    """Put words together, as many as one notification holds."""
    text = ""
    for word in words:
        if text and len(text) + len(word) >= LONGEST:
            yield text
            text = ""
        text = f"{text}{between}{word}" if text else word
    if text:
        yield text


class ProcessNews:
    """What processes tell each other besides events; `told` is called with the process, a word and its subjects."""

    def __init__(
        self, engine: AsyncEngine, process: str, told: Callable[[str, str, list[str]], None], outages: Outages
    ) -> None:
        self._engine, self._process, self._told, self.outages = engine, process, told, outages
        self._waiting: deque[tuple[str, list[str]]] = deque()  # words and subjects that are not sent yet
        self._is_sending = False

    async def tell(self, word: str, subjects: Sequence[str] = ()) -> None:
        """Tell all other processes something; they hear it after what this one told before."""
        if self._waiting and self._waiting[-1][0] == word:
            self._waiting[-1][1].extend(subjects)
        else:
            self._waiting.append((word, [*subjects]))
        if self._is_sending:
            return
        self._is_sending = True
        try:
            while self._waiting:
                await self._send(self._next())
        finally:
            self._is_sending = False

    def _next(self) -> list[str]:
        """Take what waits, up to a text that comes again: of equal notifications in a transaction one arrives."""
        news = list[str]()
        while self._waiting:
            word, subjects = self._waiting[0]
            texts = [f"{self._process} {word} {part}".rstrip() for part in list(packed(subjects)) or [""]]
            if not set(texts).isdisjoint(news):
                break
            self._waiting.popleft()
            news += texts
        return news

    async def _send(self, news: Sequence[str]) -> None:
        """Send notifications in one transaction."""
        try:
            async with self._engine.begin() as connection:
                for text in news:
                    await connection.execute(NOTIFY, {"channel": PROCESSES, "news": text})
            self.outages.works(TO_OTHERS)
        except (StorageFailed, DBAPIError, OSError) as error:  # they will hear it with the next sign of life
            self.outages.failed(TO_OTHERS, error)

    def hear(self, news: str) -> None:
        """Take over what a process told; notifications come to their sender, too."""
        process, word, *subjects = news.split(" ")
        if process != self._process:
            self._told(process, word, subjects)


def hear_changes(channel: str, news: str, changed: Changed) -> bool:
    """Call `changed` with what a notification says of tables; say whether any of it was news."""
    if channel == EVENTS:
        try:
            told = decode_events(news)
        except msgspec.MsgspecError:  # of another version; it is found by polling
            return True
        found = [changed(table.table_id, table.events[-1].number, table.events) for table in told]
    else:
        words = news.split(" ")
        found = [changed(table_id, int(number), ()) for table_id, number in zip(words[::2], words[1::2], strict=True)]
    return any(found)


async def listen(
    engine: AsyncEngine,
    changed: Changed,
    processes: ProcessNews,
    listening: Callable[[], None],
    lost: Callable[[], None],
    is_used: Callable[[], bool] = lambda: True,
) -> None:
    """Call `changed` with what every notification says of tables, and give `processes` theirs, until cancelled.

    `listening` is called when that begins, also after a connection was lost: who calls has missed what came before.
    `lost` is called when it is. `is_used` says whether anything is in memory that notifications can be about.
    """
    import psycopg

    shared_until = -inf  # until when tables in memory count as changed by others, too

    def hear(news: psycopg.Notify) -> None:
        nonlocal shared_until
        try:
            if news.channel == PROCESSES:
                processes.hear(news.payload)
            elif hear_changes(news.channel, news.payload, changed):
                shared_until = time.monotonic() + SHARED_SECONDS
        except Exception:  # what it was about is found by polling, and the next ones must be heard
            logger.exception("a notification on %s could not be taken", news.channel)

    def gather_seconds() -> float:
        if not is_used():
            return UNUSED_GATHER_SECONDS
        return GATHER_SECONDS if time.monotonic() < shared_until else LONG_GATHER_SECONDS

    while True:
        try:
            async with await connect(engine.url) as connection:
                connection.add_notify_handler(hear)
                await subscribe(connection)
                processes.outages.works(FROM_OTHERS)
                listening()
                while True:
                    await quiet(connection, hear, gather_seconds)
                    async with asyncio.timeout(PATIENCE):  # is it there?
                        await subscribe(connection)
        except (psycopg.Error, OSError, TimeoutError) as error:
            lost()
            processes.outages.failed(FROM_OTHERS, error)
        await asyncio.sleep(PAUSE)


async def quiet(
    connection: psycopg.AsyncConnection[Any],
    hear: Callable[[psycopg.Notify], None],
    gather_seconds: Callable[[], float],
) -> None:
    """Call `hear` with what is notified, until there was nothing for a while; an error if the connection is lost.

    `AsyncConnection.notifies` takes more processor time for a notification than applying the event in it does.
    """
    import psycopg

    loop, ended = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()
    last, pgconn = loop.time(), connection.pgconn
    opened = socket_of(connection)
    reading: asyncio.TimerHandle | None = None

    def read_soon() -> None:
        nonlocal reading
        loop.remove_reader(opened)
        reading = loop.call_later(gather_seconds(), read)

    def read() -> None:
        nonlocal last, reading
        last, more = loop.time(), False
        try:
            pgconn.consume_input()
            while (news := pgconn.notifies()) is not None:
                hear(psycopg.Notify(news.relname.decode(), news.extra.decode(), news.be_pid))
                more = True
            if more:  # is likely to come: being woken by the first of it, too, would cost twice
                reading = loop.call_later(gather_seconds(), read)
            else:
                loop.add_reader(opened, read_soon)
        except Exception as error:
            if not ended.done():
                ended.set_exception(error)

    read()  # what came with the last answer
    try:
        while (left := last + SILENCE - loop.time()) > 0:
            await asyncio.wait([ended], timeout=left)
            if ended.done():
                await ended
    finally:
        loop.remove_reader(opened)
        opened.close()
        if reading is not None:
            reading.cancel()


async def connect(url: URL) -> psycopg.AsyncConnection[Any]:
    """Return a connection that is none of a pool's, for it is kept."""
    import psycopg

    arguments, settings = url.get_dialect()().create_connect_args(url)
    return await psycopg.AsyncConnection.connect(*arguments, **settings, autocommit=True)


def socket_of(connection: psycopg.AsyncConnection[Any]) -> socket.socket:
    """Return a descriptor of our own for a connection's socket, to wait for it in the event loop.

    libpq closes its own as soon as it sees that the database is gone. The next connection gets the same number, and
    who then stops waiting for the lost one would make the event loop deaf for the new one.
    """
    return socket.fromfd(connection.pgconn.socket, socket.AF_UNIX, socket.SOCK_STREAM)


async def subscribe(connection: psycopg.AsyncConnection[Any]) -> None:
    """Listen, if it does not yet."""
    for channel in (CHANNEL, EVENTS, PROCESSES):
        await connection.execute(f"LISTEN {channel}".encode())
