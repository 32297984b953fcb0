"""The first events of a new table, and of a rematch for the same people."""

from __future__ import annotations

import secrets
import string
from collections.abc import Collection
from typing import TYPE_CHECKING

from sarai.table import log
from sarai.table.given_words import VERSION as DICE_VERSION

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.options import Value
    from sarai.table.clock import ClockRule
    from sarai.table.log import LogEvent
    from sarai.table.people import Person
    from sarai.table.table import Table

ALPHABET = string.ascii_letters + string.digits


def new_table_id() -> str:
    """Return a new table's id, which is also the invitation: who knows it may come."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def created(
    game: Game,
    players: int,
    options: dict[str, Value],
    person: Person,
    now: float,
    *,
    commitment: str,
    public: bool,
    clock: ClockRule,
    invited: Collection[str] = (),
    rematch_of: str | None = None,
) -> log.Created:
    """Return the first event of a table, which is played by the current rules."""
    return log.Created(
        now,
        person.id,
        person.name,
        game.id,
        game.rules_version,
        players,
        options,
        public,
        clock,
        commitment,
        list(invited),
        rematch_of,
        DICE_VERSION,
    )


def rematch_events(table: Table, person: Person, commitment: str, now: float) -> list[LogEvent]:
    """Return the first events of a table for the same people and bots; the person who asked already sits."""
    events: list[LogEvent] = [
        created(
            table.game,
            table.players,
            dict(table.options),
            person,
            now,
            commitment=commitment,
            public=table.public,
            clock=table.clock,
            invited=[seat.person for seat in table.seats if seat.person is not None and seat.person != person.id],
            rematch_of=table.id,
        )
    ]
    for number, seat in enumerate(table.seats):
        if seat.bot is not None:
            events.append(log.BotAdded(now, person.id, number, seat.bot, seat.name))
        elif seat.person == person.id:
            events.append(log.Sat(now, person.id, person.name, number))
    return events
