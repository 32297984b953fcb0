"""What is written to lay a table, or another one for the same people."""

import secrets
import string
from collections.abc import Sequence

from sarai.core import fair_dice
from sarai.table import log
from sarai.table.people import Person
from sarai.table.storage.store import Entry
from sarai.table.storage.summaries import index_row
from sarai.table.storage.writer import Job, Row
from sarai.table.table import Table

ALPHABET = string.ascii_letters + string.digits


def new_table_id() -> str:
    """Return a new table's id: whoever knows it may come."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def written(id: str, entries: Sequence[Entry]) -> Job:
    """Return the job that writes events of a table."""
    rows: list[Row] = [
        {
            "table_id": id,
            "number": entry.number,
            "body": log.encode(entry.event),
            "person": entry.person if entry.key else None,
            "key": entry.key,
        }
        for entry in entries
    ]
    seated = {event.by for _, event, _, _ in entries if isinstance(event, log.Created | log.Sat)}
    invited = {person for _, event, _, _ in entries if isinstance(event, log.Created) for person in event.invited}
    return Job(events=rows, members=[{"person": person, "table_id": id} for person in sorted(seated | invited)])


def laid(id: str, events: Sequence[log.LogEvent], secret: str) -> Job:
    """Return the job that makes a table with its first events."""
    entries = [Entry(number, event, None, None) for number, event in enumerate(events, 1)]
    table = Table.fold(id, [(number, event) for number, event, _, _ in entries])
    job = written(id, entries)
    job.tables = [
        {
            "id": id,
            "game": table.game.id,
            "public": table.public,
            "created": table.created,
            "secret": secret,
            **index_row(table),
        }
    ]
    return job


def rematch(table: Table, id: str, person: Person, now: float) -> Job:
    """Return the job that lays a table for the same people and bots; who asked sits already."""
    secret = fair_dice.new_secret()
    invited = [seat.person for seat in table.seats if seat.person is not None and seat.person != person.id]
    created = log.Created(
        now,
        person.id,
        person.name,
        table.game.id,
        table.game.rules_version,
        table.players,
        dict(table.options),
        table.public,
        table.clock,
        fair_dice.commitment(secret),
        invited,
        table.id,
    )
    events: list[log.LogEvent] = [created]
    for number, seat in enumerate(table.seats):
        if seat.bot is not None:
            events.append(log.BotAdded(now, person.id, number, seat.bot, seat.name))
        elif seat.person == person.id:
            events.append(log.Sat(now, person.id, person.name, number))
    return laid(id, events, secret)
