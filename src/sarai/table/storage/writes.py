"""A write: rows that go to the database together or not at all, and how events and tables become rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sarai.table import log
from sarai.table.log import LogEvent
from sarai.table.storage.summaries import index_row
from sarai.table.table import Table

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
        {"table_id": table_id, "number": number, "body": log.encode(event), "person": None, "key": None}
        for number, event in enumerate(events, last_number + 1)
    ]
    rows[-1] |= {"person": person if key else None, "key": key}
    members = set[str]()
    for event in events:
        if isinstance(event, log.Created | log.Sat):
            members.add(event.by)
        if isinstance(event, log.Created):
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
