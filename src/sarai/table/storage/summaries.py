"""Summaries of tables for lists: stored beside the log, so that a list does not fold a thousand tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from sarai.core.registry import game as find
from sarai.table.clock import ClockRule, pause_after
from sarai.table.look_sit_talk_permissions import why_not_look
from sarai.table.table import GATHERING, PLAYING, Table

T = TypeVar("T")


class Turn(NamedTuple):
    """A table that waits for a person to act, since when, and the number of the event that made it so.

    `for_word` if it only waits for the person's browser, to open a word for the dice or to commit to another one.
    """

    table: str
    title: str
    since: float
    number: int
    for_word: bool = False


class SeatSummary(Struct):
    """A seat in a list; the name is empty if nobody sits there, and `bot` is a level."""

    name: str
    bot: str | None
    kept: bool = False  # for somebody


class Summary(Struct):
    """A table in a list. `mine` is the seat of the person who asked, `my_turn` whether the table waits for them."""

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
    my_turn: bool = False
    ending: str | None = None  # why the game is over; None in summaries that were written before there was this
    ranks: list[int] | None = None  # of a game that is over with a result, by seat
    watching: bool = True  # anybody may look

    @property
    def free(self) -> int:
        """How many seats are free."""
        return sum(not seat.name and not seat.kept for seat in self.seats)


class StoredSummary(Struct):
    """A summary as it is stored, with the ids of people, which are never shown, and the turns that wait for them."""

    summary: Summary
    people: list[str | None]
    turns: dict[str, tuple[float, int]] | None = None  # since when, and the number; None: written before there was this
    words: dict[str, tuple[float, int]] = {}  # whose browsers it waits for
    shut_out: list[str] = []  # people who may not look, though the table may be in their lists
    host: str = ""  # the id, for nobody is named without one: erasing finds people by it; "" in older ones


_decoder = msgspec.json.Decoder(StoredSummary)


def waiting_turns(table: Table) -> dict[str, Turn]:
    """Return the turns that wait for people at a table, by person; where a bot plays for a person, none does."""
    seats, turns = table.seats, {}
    for number in table.to_act:
        seat = seats[number]
        if seat.person is not None and seat.lent is None:
            since, event = table.decision_since(number), table.last_change_for(number)
            turns[seat.person] = Turn(table.id, table.game.title, since, event)
    for number in table.dice.waits_for if table.dice.is_running else ():
        if (person := seats[number].person) is not None:
            turns[person] = Turn(table.id, table.game.title, table.dice.asked_at, table.dice.round, for_word=True)
    return turns


def host_name(table: Table) -> str:
    """Return the name of a table's host."""
    host = table.participant_of(table.host)
    return host.name if host is not None else ""


def index_row(table: Table) -> dict[str, Any]:
    """Return a table's values in the index."""
    summary = Summary(
        table.id,
        table.game.id,
        table.players,
        dict(table.options),
        table.public,
        table.phase,
        host_name(table),
        [SeatSummary(seat.name, seat.bot, number in table.access.kept) for number, seat in enumerate(table.seats)],
        table.clock,
        table.created,
        table.changed,
        table.number,
        list(table.to_act),
        table.rematch,
        ending=table.ending,
        ranks=None if (result := table.result) is None else result.ranks,
        watching=table.access.watching,
    )
    waiting, people = waiting_turns(table), [seat.person for seat in table.seats]
    turns, words = (
        {person: (turn.since, turn.number) for person, turn in waiting.items() if turn.for_word == for_word}
        for for_word in (False, True)
    )
    known = () if table.access.is_open else {*table.invited, *(guest.person for guest in table.participants)}
    shut_out = sorted(person for person in known if why_not_look(table, person) is not None)
    return {
        "phase": "starting" if table.starting or table.dice.is_running else table.phase,
        "open": table.phase == GATHERING and not table.access.locked and summary.free > 0,
        "number": table.number,
        "changed": table.changed,
        "due": table.dice.due if table.dice.is_running else table.clock_state.due,
        "bots": bool(table.bots_to_act),
        "summary": msgspec.json.encode(StoredSummary(summary, people, turns, words, shut_out, table.host)),
    }


def paused_summary(data: bytes, number: int, since: float, until: float) -> bytes:
    """Return a stored summary as it is after a pause, which has this number in the log."""
    try:
        stored = _decoder.decode(data)
    except msgspec.MsgspecError:  # it is told as damaged where it is read
        return data
    stored.summary.number = number
    if stored.turns is not None:
        stored.turns = {
            person: (at + pause_after(at, since, until), turn) for person, (at, turn) in stored.turns.items()
        }
    return msgspec.json.encode(stored)


def read_each(rows: Iterable[bytes], read: Callable[[bytes], T]) -> Iterator[T]:
    """Read stored summaries, without those that are damaged: one of them must not hide all others."""
    for row in rows:
        try:
            found = read(row)
        except msgspec.MsgspecError:
            continue
        yield found


def read_summaries(rows: Iterable[bytes], person: str | None) -> Iterator[Summary]:
    """Return summaries as a person is shown them, without those of tables at which the person may not look."""
    for stored in read_each(rows, _decoder.decode):
        if person not in stored.shut_out:
            yield for_person(stored, person)


def read_summary(data: bytes, person: str | None) -> Summary:
    """Return a summary as a person is shown it."""
    return for_person(_decoder.decode(data), person)


def for_person(stored: StoredSummary, person: str | None) -> Summary:
    """Return a stored summary as a person is shown it."""
    if person is not None and person in stored.people:
        stored.summary.mine = stored.people.index(person)
        stored.summary.my_turn = person in stored_turns(stored)
    return stored.summary


def read_turns(data: bytes) -> tuple[str, dict[str, Turn | None]]:
    """Return the table of a stored summary, and of every person who sits there the turn that waits for them, if any."""
    stored = _decoder.decode(data)
    turns, summary = stored_turns(stored), stored.summary
    found: dict[str, Turn | None] = {person: None for person in stored.people if person is not None}
    for person, (since, number) in turns.items():
        found[person] = Turn(summary.id, find(summary.game).title, since, number)
    for person, (since, number) in stored.words.items():
        found[person] = Turn(summary.id, find(summary.game).title, since, number, for_word=True)
    return summary.id, found


def stored_turns(stored: StoredSummary) -> dict[str, tuple[float, int]]:
    """Return the turns of a stored summary; of an old one those of everybody who may act."""
    if stored.turns is not None:
        return stored.turns
    summary = stored.summary
    acting = summary.to_act if summary.phase == PLAYING else ()
    return {person: (summary.changed, summary.number) for seat in acting if (person := stored.people[seat])}
