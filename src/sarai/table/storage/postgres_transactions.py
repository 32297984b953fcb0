"""Transactions on PostgreSQL, in the event loop: the statements of one are sent together, then its commit.

So a transaction takes two answers of the database, however many rows it has. It is done with libpq's pipeline as
psycopg offers it: with a connection of psycopg a row costs several times as much.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import URL, Executable
from sqlalchemy.dialects import postgresql

from sarai.table.storage.failures import failure_of
from sarai.table.storage.listen_notify import NOTIFY, announcements, connect, index_announcements, socket_of
from sarai.table.storage.write_fence import OPEN_SECONDS
from sarai.table.storage.writes import (
    EVENTS,
    FIND_EVENT,
    INSERT_EVENTS,
    INSERT_MEMBERS,
    INSERT_TABLES,
    KINDS,
    ROWS,
    UPDATE_INDEX,
    InDoubt,
    Row,
    Taken,
    Write,
    rows_of,
)

if TYPE_CHECKING:
    import psycopg
    from psycopg.pq.abc import PGresult

DIALECT: Any = postgresql.dialect
TEXT, BINARY = 0, 1  # the formats of values
LOOK_SECONDS = 1.0  # after which a connection that says nothing is looked at


class Statement(NamedTuple):
    """A statement that a connection prepares once, and the names of its values."""

    name: bytes
    text: bytes
    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, statement: Executable) -> Statement:
        """Return a statement of SQLAlchemy as PostgreSQL reads it."""
        compiled: Any = statement.compile(dialect=DIALECT(paramstyle="numeric_dollar"))  # type: ignore[attr-defined]
        return cls(name.encode(), str(compiled).encode(), tuple(compiled.positiontup))


BEGIN, COMMIT, ROLLBACK = (Statement(word, word) for word in (b"BEGIN", b"COMMIT", b"ROLLBACK"))
STATEMENTS = {
    kind: Statement.of(kind, statement)
    for kind, statement in zip(
        KINDS, (INSERT_EVENTS, INSERT_TABLES, UPDATE_INDEX, INSERT_MEMBERS["postgresql"]), strict=True
    )
}
SET_TIMEOUT = Statement(b"timeout", f"SET idle_in_transaction_session_timeout = '{OPEN_SECONDS}s'".encode())
TELL, FIND = Statement.of("notify", NOTIFY), Statement.of("find", FIND_EVENT)
Command = tuple[Statement, Row]


def commands_of(writes: Sequence[Write], is_elsewhere: Callable[[str], bool]) -> Iterator[Command]:
    """Return what has to be carried out for writes, with what other processes are told of it.

    They are told at once of events at tables of which `is_elsewhere` says that they may have them in memory.
    """
    for kind, rows in rows_of(writes):
        statement = STATEMENTS[kind]
        for row in rows:
            yield statement, row
        told: Iterable[tuple[str, str]] = ()
        if kind == EVENTS:
            told = announcements([row for row in rows if is_elsewhere(row["table_id"])])
        elif kind == ROWS:
            told = index_announcements(rows)
        for channel, news in told:
            yield TELL, {"channel": channel, "news": news}


def as_sent(value: object) -> bytes | None:
    """Return a value as it is sent to PostgreSQL: bytes as they are, all else as text."""
    if value is None or isinstance(value, bytes):
        return value
    if isinstance(value, bool):
        return b"t" if value else b"f"
    text = str(value)
    if "\0" in text:  # it would end there
        raise ValueError("no text")
    return text.encode()


class Session:
    """A connection to PostgreSQL that is sent many commands at once."""

    def __init__(self, connection: psycopg.AsyncConnection[Any]) -> None:
        from psycopg import errors
        from psycopg.pq import ConnStatus, ExecStatus

        self._connection, self._pgconn = connection, connection.pgconn
        self._errors, self._bad, self._status = errors, ConnStatus.BAD, ExecStatus
        self._loop, self._socket = asyncio.get_running_loop(), socket_of(connection)
        self._waiting: asyncio.Future[None] | None = None
        self._pgconn.enter_pipeline_mode()
        self._loop.add_reader(self._socket, self._readable)

    async def run(self, commands: Sequence[Command]) -> list[PGresult]:
        """Carry out commands, and return their results; after one that fails none is, and its error is raised."""
        for statement, row in commands:
            values = [row[name] for name in statement.values]
            formats = [BINARY if isinstance(value, bytes) else TEXT for value in values]
            self._pgconn.send_query_prepared(statement.name, list(map(as_sent, values)), formats, result_format=BINARY)
        return await self._answers()

    async def prepare(self, statements: Iterable[Statement]) -> None:
        """Prepare all statements that will be run."""
        for statement in statements:
            self._pgconn.send_prepare(statement.name, statement.text)
        await self._answers()

    async def _answers(self) -> list[PGresult]:
        """Send what is to be sent, and wait for all answers to it."""
        pgconn = self._pgconn
        pgconn.pipeline_sync()
        while pgconn.flush():
            await self._wait(is_writing=True)
        results, error = list[Any](), None
        while True:
            while pgconn.is_busy():
                await self._wait()
            if (result := pgconn.get_result()) is None:  # the end of what one command gave
                if pgconn.status == self._bad:
                    raise self._errors.OperationalError("the connection is lost")
                continue
            if result.status == self._status.PIPELINE_SYNC:
                break
            if result.status == self._status.FATAL_ERROR and error is None:
                error = self._errors.error_from_result(result)
            results.append(result)
        if error is not None:
            raise error
        return results

    async def _wait(self, is_writing: bool = False) -> None:
        """Wait until there is something to read, or until more can be sent, or for a second.

        uvloop tells once of a connection that was reset, when there may be something to read, and never again.
        """
        self._waiting = self._loop.create_future()
        timer = self._loop.call_later(LOOK_SECONDS, self._wake)
        if is_writing:
            self._loop.add_writer(self._socket, self._wake)
        try:
            await self._waiting
        finally:
            self._waiting = None
            timer.cancel()
            if is_writing:
                self._loop.remove_writer(self._socket)
        self._pgconn.consume_input()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def _readable(self) -> None:
        """Wake who waits for an answer; what comes unasked is a notice, or the end of the connection."""
        if self._waiting is not None:
            self._wake()
            return
        try:
            self._pgconn.consume_input()
        except self._errors.OperationalError:  # the next who sends something is told
            self._loop.remove_reader(self._socket)

    @property
    def is_lost(self) -> bool:
        """Whether nothing can be sent any more."""
        return bool(self._pgconn.status == self._bad)

    async def close(self) -> None:
        """Close the connection."""
        self._loop.remove_reader(self._socket)
        self._socket.close()
        await self._connection.close()


class PostgresTransactions:
    """Transactions on PostgreSQL, by a connection that does nothing else."""

    def __init__(self, url: URL, is_elsewhere: Callable[[str], bool]) -> None:
        self._url, self._is_elsewhere = url, is_elsewhere
        self._session: Session | None = None

    async def write(self, writes: Sequence[Write], require: Callable[[], None]) -> None:
        """Write all or nothing; who stands still before the commit is undone by PostgreSQL after a while."""
        require()
        async with self._opened() as session:
            await session.run([(BEGIN, {}), *commands_of(writes, self._is_elsewhere)])
            require()  # the database may have answered late
            try:
                await session.run([(COMMIT, {})])
            except Exception as error:
                failure = failure_of(error)
                if failure is not None and failure.key == "database_away":
                    raise InDoubt from error
                raise

    async def event(self, table_id: str, number: int) -> bytes | None:
        """Return an event of a log as it is stored, None if there is none of this number."""
        async with self._opened() as session:
            found = (await session.run([(FIND, {"of": table_id, "known": number})]))[-1]
        return found.get_value(0, 0) if found.ntuples else None

    @contextlib.asynccontextmanager
    async def _opened(self) -> AsyncIterator[Session]:
        """Give the connection; after an error the transaction is undone, and the connection closed if it is lost."""
        import psycopg

        try:
            if self._session is None:
                self._session = await self._connect()
            yield self._session
        except BaseException as error:
            await self._undo(is_alive=isinstance(error, psycopg.Error) and bool(error.sqlstate))
            if (failure := failure_of(error)) is not None:
                raise failure from error
            if isinstance(error, psycopg.IntegrityError):
                raise Taken from None
            raise

    async def _connect(self) -> Session:
        session = Session(await connect(self._url))
        try:
            await session.prepare([BEGIN, COMMIT, ROLLBACK, SET_TIMEOUT, TELL, FIND, *STATEMENTS.values()])
            await session.run([(SET_TIMEOUT, {})])
        except BaseException:
            await session.close()
            raise
        return session

    async def _undo(self, is_alive: bool) -> None:
        """Undo what was not committed."""
        session, self._session = self._session, None
        if session is None:
            return
        if is_alive and not session.is_lost:
            with contextlib.suppress(Exception):
                await session.run([(ROLLBACK, {})])
                self._session = session
                return
        await session.close()

    async def close(self) -> None:
        """Close the connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None
