"""Summaries of tables for lists: stored beside the log, so that a list does not fold a thousand tables."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from sarai.table.clock import ClockRule
from sarai.table.table import GATHERING, Table


class SeatSummary(Struct):
    """A seat in a list; the name is empty if it is free, and `bot` is a level."""

    name: str
    bot: str | None


class Summary(Struct):
    """A table in a list. `mine` is the seat of the person who asked for the list."""

    id: str
    game: str
    players: int
    options: dict[str, str | int]
    public: bool
    phase: str
    host: str
    seats: list[SeatSummary]
    clock: ClockRule
    created: float
    changed: float
    number: int
    to_act: list[int]
    rematch: str | None
    mine: int | None = None

    @property
    def free(self) -> int:
        """How many seats are free."""
        return sum(not seat.name for seat in self.seats)


class StoredSummary(Struct):
    """A summary as it is stored, with the ids of people, which are never shown."""

    summary: Summary
    people: list[str | None]


_decoder = msgspec.json.Decoder(StoredSummary)


def index_row(table: Table) -> dict[str, Any]:
    """Return a table's values in the index."""
    summary = Summary(
        table.id,
        table.game.id,
        table.players,
        dict(table.options),
        table.public,
        table.phase,
        table.guests[0].name,
        [SeatSummary(seat.name, seat.bot) for seat in table.seats],
        table.clock,
        table.created,
        table.changed,
        table.number,
        list(table.to_act),
        table.rematch,
    )
    return {
        "phase": "starting" if table.starting else table.phase,
        "open": table.phase == GATHERING and any(seat.empty for seat in table.seats),
        "number": table.number,
        "changed": table.changed,
        "due": table.clock_state.due,
        "summary": msgspec.json.encode(StoredSummary(summary, [seat.person for seat in table.seats])),
    }


def read_summary(data: bytes, person: str | None) -> Summary:
    """Return a summary as a person is shown it."""
    stored = _decoder.decode(data)
    if person is not None and person in stored.people:
        stored.summary.mine = stored.people.index(person)
    return stored.summary
