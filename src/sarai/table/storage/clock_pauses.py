"""Writes a `Paused` event, once, into the log of every table with a running clock, for time without a server."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, func, insert, or_, select, text, update

from sarai.table import event_types
from sarai.table.clock import pause_after
from sarai.table.storage import schema
from sarai.table.storage.listen_notify import NOTIFY, announcements
from sarai.table.storage.summaries import paused_summary
from sarai.table.table import CALL_OFF_SECONDS, FINISHED, PLAYING

INSERT_EVENTS = insert(schema.events)
LOCK_EVENTS = text(f"LOCK TABLE {schema.events.name} IN SHARE ROW EXCLUSIVE MODE")  # they can be read
UPDATE_INDEX = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in ("number", "due", "summary")})
)


def write_pause(connection: Connection, since: float, until: float) -> int:
    """Append a `Paused` to all tables whose clocks run, or whose players wait for each other; return how many.

    Where the last game event is older than any time that counts without a clock, nothing is written. The index is
    brought up to date with it, apart from rows that lag behind their logs: they are written anew at the start.
    """
    tables, body = schema.tables.c, event_types.encode(event_types.Paused(until, since))
    if connection.dialect.name == "postgresql":
        connection.execute(LOCK_EVENTS)  # else a move that is made meanwhile takes a number, and all this fails
    last = select(func.max(schema.events.c.number)).where(schema.events.c.table_id == tables.id).scalar_subquery()
    query = select(tables.id, tables.number, tables.changed, tables.due, tables.summary, last).where(
        tables.phase != FINISHED,
        or_(
            tables.due.is_not(None),
            (tables.phase == PLAYING) & (tables.changed > since - CALL_OFF_SECONDS),
            tables.number < last,
        ),
    )
    query = query.order_by(tables.id)  # all processes lock rows in this order
    events, index = [], []
    for id, number, changed, due, summary, last_number in connection.execute(query).all():
        new = last_number + 1
        events.append({"table_id": id, "number": new, "body": body, "person": None, "key": None})
        if number == last_number:
            if due is not None:
                due += pause_after(changed, since, until)  # or later; never too late
            index.append({"of": id, "number": new, "due": due, "summary": paused_summary(summary, new, since, until)})
    if events:
        connection.execute(INSERT_EVENTS, events)
        if connection.dialect.name == "postgresql":
            for channel, news in announcements(events):
                connection.execute(NOTIFY, {"channel": channel, "news": news})
    if index:
        connection.execute(UPDATE_INDEX, index)
    return len(events)
