"""What earlier versions left of erased people: names of hosts in lists, and keys of requests, which may hold talk."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "left_of_erased"
down_revision = "erasures"

STAND_IN = "Somebody"  # begins the name of whoever was erased
NAMED = ("Created", "Sat", "Chatted", "Reacted", "Renamed")  # events that name who brought them about
events = sa.table("events", sa.column("table_id"), sa.column("number"), sa.column("body", sa.LargeBinary))
tables = sa.table("tables", sa.column("id"), sa.column("summary", sa.LargeBinary))


def upgrade() -> None:
    """Take it out."""
    connection = op.get_bind()
    connection.execute(
        sa.text(
            "UPDATE events SET person = NULL, key = NULL WHERE person IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM people WHERE people.id = events.person)"
        )
    )
    wanted = sa.bindparam(None, f'"name":"{STAND_IN}'.encode(), type_=sa.LargeBinary)
    is_sqlite = connection.dialect.name == "sqlite"
    place = sa.func.instr(events.c.body, wanted) if is_sqlite else sa.func.position(wanted.op("IN")(events.c.body))
    for id in connection.execute(sa.select(events.c.table_id).where(place > 0).distinct()).scalars().all():
        mend(connection, id)


def mend(connection: sa.Connection, id: str) -> None:
    """Call the host of a table in its summary as the log does, if that is a person who was erased."""
    summary = connection.execute(sa.select(tables.c.summary).where(tables.c.id == id)).scalar()
    bodies = connection.execute(sa.select(events.c.body).where(events.c.table_id == id).order_by(events.c.number))
    try:
        stored, name = json.loads(summary or b"{}"), host_name([json.loads(body) for body in bodies.scalars()])
        has_changed = name.startswith(STAND_IN) and stored["summary"]["host"] != name
    except (ValueError, KeyError, TypeError):  # damaged; it is told where it is read
        return
    if has_changed:
        stored["summary"]["host"] = name
        data = json.dumps(stored, ensure_ascii=False, separators=(",", ":")).encode()
        connection.execute(sa.update(tables).where(tables.c.id == id).values(summary=data))


def host_name(log: list[dict[str, Any]]) -> str:
    """Return how a log calls the host last."""
    host, names = "", dict[str, str]()
    for event in log:
        if event["type"] in NAMED:
            names[event["by"]] = event["name"]
        if event["type"] in ("Created", "HostPassed"):
            host = event["by" if event["type"] == "Created" else "person"]
    return names.get(host, "")
