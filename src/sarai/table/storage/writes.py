"""A write: rows that go to the database together or not at all; what carries out transactions has to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Protocol

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from sarai.table import event_types
from sarai.table.event_types import LogEvent
from sarai.table.storage import schema
from sarai.table.storage.summaries import index_row
from sarai.table.table import Table

INDEX = ("phase", "open", "number", "changed", "due", "bots", "summary")
INSERT_EVENTS, INSERT_TABLES = insert(schema.events), insert(schema.tables)
UPDATE_INDEX = (
    update(schema.tables)
    # another process may have written newer values
    .where(schema.tables.c.id == bindparam("of"), schema.tables.c.number <= bindparam("known"))
    .values({name: bindparam(name) for name in INDEX})
)
MEMBER: dict[str, Any] = {name: bindparam(name) for name in ("person", "table_id")}
INSERT_MEMBERS = {
    "sqlite": sqlite.insert(schema.members).values(MEMBER).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(schema.members).values(MEMBER).on_conflict_do_nothing(),
}
FIND_EVENT = select(schema.events.c.body).where(
    schema.events.c.table_id == bindparam("of"), schema.events.c.number == bindparam("known")
)
EVENTS, TABLES, ROWS, MEMBERS = "events", "tables", "index", "members"  # the fields of a write
KINDS = {
    EVENTS: itemgetter("table_id", "number"),
    TABLES: itemgetter("id"),
    ROWS: itemgetter("of"),
    MEMBERS: itemgetter("person", "table_id"),
}
Row = dict[str, Any]


@dataclass
class Write:
    """Rows that are written in one transaction."""

    events: list[Row] = field(default_factory=list)
    index: list[Row] = field(default_factory=list)  # new values of rows of `tables`
    tables: list[Row] = field(default_factory=list)  # new rows
    members: list[Row] = field(default_factory=list)

    def add(self, other: Write) -> None:
        """Write another write's rows with this one's."""
        self.events += other.events
        self.index += other.index
        self.tables += other.tables
        self.members += other.members


def events_write(
    table_id: str, last_number: int, events: Sequence[LogEvent], person: str | None = None, key: str | None = None
) -> Write:
    """Return the write that appends events to a table's log; the last one is found again by a person's key."""
    rows: list[Row] = [
        {"table_id": table_id, "number": number, "body": event_types.encode(event), "person": None, "key": None}
        for number, event in enumerate(events, last_number + 1)
    ]
    rows[-1] |= {"person": person if key else None, "key": key}
    members = set[str]()
    for event in events:
        if isinstance(event, event_types.Created | event_types.Sat):
            members.add(event.by)
        if isinstance(event, event_types.Created):
            members.update(event.invited)
    return Write(events=rows, members=[{"person": member, "table_id": table_id} for member in sorted(members)])


def new_table_write(table_id: str, events: Sequence[LogEvent], secret: str) -> Write:
    """Return the write that makes a table with its first events."""
    table = Table.fold(table_id, enumerate(events, 1))
    write = events_write(table_id, 0, events)
    write.tables = [
        {
            "id": table_id,
            "game": table.game.id,
            "public": table.public,
            "created": table.created,
            "secret": secret,
            **index_row(table),
        }
    ]
    return write


def index_write(rows: dict[str, Row]) -> Write:
    """Return the write that brings the index of tables up to date, from `index_row` by table."""
    return Write(index=[{"of": table_id, "known": row["number"], **row} for table_id, row in rows.items()])


# --- transactions -------------------------------------------------------------------------------------------------


class Taken(Exception):
    """A number, or a key, that was to be written is there already; nothing was written."""


class InDoubt(Exception):
    """The connection was lost during a commit, so it is not known whether the transaction was committed."""


def rows_of(writes: Sequence[Write]) -> Iterator[tuple[str, list[Row]]]:
    """Return the rows of writes, those of a kind together.

    All processes write rows in the same order, so that none waits for another that waits for it.
    """
    for kind, order in KINDS.items():
        if rows := sorted((row for write in writes for row in getattr(write, kind)), key=order):
            yield kind, rows


class Transactions(Protocol):
    """Carries out one transaction after the other."""

    async def write(self, writes: Sequence[Write], require: Callable[[], None]) -> None:
        """Write all or nothing; `require` may refuse it until it is committed. Taken or InDoubt are told by those."""

    async def event(self, table_id: str, number: int) -> bytes | None:
        """Return an event of a log as it is stored, None if there is none of this number."""

    async def close(self) -> None:
        """Close the connection."""
