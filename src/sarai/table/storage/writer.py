"""The one hand that writes, in a thread of its own: however many statements a transaction has, it costs one way there and back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import URL, Connection, bindparam, create_engine, delete, event, insert, update

from sarai.table.storage import schema
from sarai.table.storage.table_changes import ring

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "temp_store=MEMORY")
INDEX = ("phase", "open", "number", "changed", "due", "summary")
INSERT_EVENTS, INSERT_TABLES, INSERT_MEMBERS = insert(schema.events), insert(schema.tables), insert(schema.members)
UPDATE_INDEX = (
    update(schema.tables)
    .where(
        schema.tables.c.id == bindparam("of"), schema.tables.c.number <= bindparam("known")
    )  # another process may know more
    .values({name: bindparam(name) for name in INDEX})
)
FORGET_MEMBER = delete(schema.members).where(
    schema.members.c.person == bindparam("who"), schema.members.c.table_id == bindparam("where")
)
Row = dict[str, Any]


@dataclass
class Job:
    """What is written together or not at all."""

    events: list[Row] = field(default_factory=list)
    index: list[Row] = field(default_factory=list)  # new values of rows of `tables`
    tables: list[Row] = field(default_factory=list)  # new rows
    members: list[Row] = field(default_factory=list)


class Pen:
    """A connection that only writes, one transaction after the other."""

    def __init__(self, url: URL) -> None:
        is_sqlite = url.get_backend_name() == "sqlite"
        self.engine = create_engine(url.set(drivername="sqlite") if is_sqlite else url, hide_parameters=True)
        if is_sqlite:
            event.listen(self.engine, "connect", set_pragmas)
        self._thread = ThreadPoolExecutor(1, "sarai-pen")

    async def write(self, jobs: Sequence[Job]) -> None:
        """Write some jobs in one transaction; when this returns they are on disk."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, jobs)

    async def close(self) -> None:
        """Finish what is being written, and put the pen down."""
        await asyncio.to_thread(self._thread.shutdown)
        self.engine.dispose()

    def _write(self, jobs: Sequence[Job]) -> None:
        with self.engine.begin() as connection:
            execute(connection, jobs)


def execute(connection: Connection, jobs: Sequence[Job]) -> None:
    """Write jobs, each kind of row by one statement."""
    if rows := [row for job in jobs for row in job.events]:
        connection.execute(INSERT_EVENTS, rows)
        ring(connection, rows)
    if rows := [row for job in jobs for row in job.tables]:
        connection.execute(INSERT_TABLES, rows)
    if rows := [row for job in jobs for row in job.index]:
        connection.execute(UPDATE_INDEX, rows)
    members = {(row["person"], row["table_id"]): row for job in jobs for row in job.members}
    if members:
        connection.execute(FORGET_MEMBER, [{"who": person, "where": id} for person, id in members])
        connection.execute(INSERT_MEMBERS, list(members.values()))


def set_pragmas(connection: Any, _: object) -> None:
    """Prepare a connection to SQLite: a commit is on disk, readers do not wait, writers wait for each other."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
