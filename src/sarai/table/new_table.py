"""The first events of a new table, and of a rematch for the same people."""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sarai.table import event_types
from sarai.table.access_restrictions import ALL
from sarai.table.confusable_names import appearances, tell_apart
from sarai.table.dice_word_commitments import VERSION as DICE_VERSION

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.options import Value
    from sarai.table.clock import ClockRule
    from sarai.table.event_types import LogEvent
    from sarai.table.person import Person
    from sarai.table.table import Table

ALPHABET = string.ascii_letters + string.digits


def new_table_id(may_make: Callable[[str], bool]) -> str:
    """Return a new table's id, which is also the invitation: who knows it may come.

    It is one whose connections come to this process: where several share a socket, about one in as many is.
    """
    while True:
        id = "".join(secrets.choice(ALPHABET) for _ in range(10))
        if may_make(id):
            return id


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
    kept: Mapping[int, event_types.KeptSeat] = MappingProxyType({}),
    banned: Collection[str] = (),
) -> event_types.Created:
    """Return the first event of a table, which is played by the current rules."""
    return event_types.Created(
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
        dict(kept),
        sorted(banned),
    )


def rematch_events(table: Table, person: Person, commitment: str, now: float) -> list[LogEvent]:
    """Return the first events of a table for the same people and bots; the person who asked already sits.

    The seats of the others are kept for them, with their names: who comes first does not take them. Who was banned
    still is, and what the host decided holds on.
    """
    access = table.access
    kept = {
        number: event_types.KeptSeat(seat.person, seat.name)
        for number, seat in enumerate(table.seats)
        if seat.person is not None and seat.person != person.id and seat.person not in access.banned
    }
    bots = [(number, seat.bot, seat.name) for number, seat in enumerate(table.seats) if seat.bot is not None]
    others = {*(name for _, _, name in bots), *(seat.name for seat in kept.values())}
    name = tell_apart(person.name, lambda name: any(appearances(name) & appearances(other) for other in others))
    events: list[LogEvent] = [
        created(
            table.game,
            table.players,
            dict(table.options),
            replace(person, name=name),
            now,
            commitment=commitment,
            public=table.public,
            clock=table.clock,
            invited=[seat.person for seat in kept.values()],
            rematch_of=table.id,
            kept=kept,
            banned=access.banned,
        )
    ]
    if (access.locked, access.watching, access.talk) != (False, True, ALL):
        events.append(event_types.AccessChanged(now, person.id, access.locked, access.watching, access.talk))
    events += [event_types.BotAdded(now, person.id, number, level, name) for number, level, name in bots]
    own = table.seat_of(person.id)
    if own is not None:
        events.append(event_types.Sat(now, person.id, name, own))
    return events
