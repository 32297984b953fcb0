"""Judges a house after faults: by its log, what was answered happened, once, and what was refused had to be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Engine, select

from faults_players import Notes, Sent
from sarai.core.errors import Error
from sarai.table import commands, event_types
from sarai.table.decide import decide
from sarai.table.person import Person
from sarai.table.storage import schema
from sarai.table.table import Table

GRACE = 1.0  # seconds after the database is back in which connections to it are made again
Rows = dict[int, tuple[event_types.LogEvent, str | None]]  # a table's events by number, with the key of the request


def read_logs(engine: Engine) -> dict[str, Rows]:
    """Return the events of all tables."""
    events, found = schema.events.c, defaultdict[str, Rows](dict)
    with engine.connect() as connection:
        for table, number, body, key in connection.execute(
            select(events.table_id, events.number, events.body, events.key)
        ):
            found[table][number] = event_types.decode(body), key
    return found


def judge(engine: Engine, notes: Notes, away: Sequence[tuple[float, float]]) -> dict[str, list[str]]:
    """Return all that is wrong, by what it is."""
    logs = read_logs(engine)
    return {
        "lost": list(lost(logs, notes.done)),
        "doubled": list(doubled(logs, notes)),
        "broken logs": list(broken(logs)),
        "wrong refusals": list(wrong_refusals(logs, notes.refused)),
        "5xx while the database was there": list(wrong_failures(notes, away)),
        "time taken away": [
            f"{table} {number}"
            for table, rows in logs.items()
            for number, (event, _) in rows.items()
            if isinstance(event, event_types.TimeOver)
        ],
        "stuck": notes.stuck,
    }


def is_what(event: event_types.LogEvent, command: dict[str, Any]) -> bool:
    """Say whether an event is what a command asked for."""
    if isinstance(event, event_types.Moved):
        return event.by is not None and command == {"type": "Move", "move": event.move}
    return isinstance(event, event_types.Chatted) and command.get("text") == event.text


def lost(logs: dict[str, Rows], done: Sequence[Sent]) -> list[str]:
    """Return what was answered as done and is not in the log under its key."""
    found = []
    for sent in done:
        rows = logs.get(sent.table, {})
        number = sent.answered
        is_there = number in rows and rows[number][1] == sent.key
        while is_there and number in rows and not is_what(rows[number][0], sent.command):
            number -= 1  # chance may have followed the move
            is_there = number in rows and rows[number][1] is None
        if not is_there:
            found.append(f"{sent.table} {sent.answered} {sent.key} {sent.command}")
    return found


def doubled(logs: dict[str, Rows], notes: Notes) -> list[str]:
    """Return what people asked for once and what happened twice: everything they do has a key."""
    found = []
    for table, rows in logs.items():
        asked = {sent.key: sent for sent in (*notes.done, *notes.refused) if sent.table == table}
        keys = Counter(key for _, key in rows.values() if key is not None)
        found += [f"{table} {key}: {times} times" for key, times in keys.items() if times > 1]
        happened = sum(
            isinstance(event, event_types.Chatted) or (isinstance(event, event_types.Moved) and event.by is not None)
            for event, _ in rows.values()
        )
        if happened != len(keys):
            found.append(f"{table}: {happened} things people did, by {len(keys)} keys")
        found += [f"{table} {key}: refused, but done" for key in keys if key in asked and asked[key].reason]
    return found


def broken(logs: dict[str, Rows]) -> list[str]:
    """Return logs with gaps, or that do not fold."""
    found = []
    for table, rows in logs.items():
        if sorted(rows) != list(range(1, len(rows) + 1)):
            found.append(f"{table} has gaps")
            continue
        try:
            Table.fold(table, [(number, rows[number][0]) for number in sorted(rows)])
        except Exception as error:
            found.append(f"{table}: {error!r}")
    return found


def wrong_refusals(logs: dict[str, Rows], refused: Sequence[Sent]) -> list[str]:
    """Return refusals that no state of the table explains, from what was known before to where it was afterwards."""
    found = []
    for sent in refused:
        rows = logs.get(sent.table, {})
        if sent.command["type"] == "look" or not explains(sent, rows):
            found.append(f"{sent.table}: {sent.reason} for {sent.command} at {sent.number} of {sent.latest}")
    return found


def explains(sent: Sent, rows: Rows) -> bool:
    """Say whether a command is refused for its reason at any of the moments when it can have been decided."""
    table, command = Table(sent.table), msgspec.convert(sent.command, commands.Command)
    people = {
        event.name: event.by for event, _ in rows.values() if isinstance(event, event_types.Sat | event_types.Created)
    }
    person = Person(people.get(sent.name, ""), sent.name, "en")
    for number in range(1, sent.latest + 1):
        event = rows[number][0]
        table.apply(number, event)
        if number >= sent.known:
            try:
                decide(table, command, person, event.at, sent.number)
            except Error as error:
                if error.key == sent.reason:
                    return True
    return False


def wrong_failures(notes: Notes, away: Sequence[tuple[float, float]]) -> list[str]:
    """Return the 5xx to requests during which the database could be reached and written all the time."""
    wrong = Counter(
        why
        for asked, answered, why in notes.failed
        if not any(asked <= ended + GRACE and began <= answered for began, ended in away)
    )
    return [f"{why}: {times} times" for why, times in wrong.items()]
