"""What commands require of a table and of the person who sends them; what is missing is refused with its reason."""

from sarai.core.policy.levels import LEVELS
from sarai.table import event_types
from sarai.table.person import Person
from sarai.table.playthrough import Change
from sarai.table.refusals import Refused
from sarai.table.table import GATHERING, PLAYING, Table


def changes(*events: event_types.LogEvent) -> list[Change]:
    """Return events that no move was played for as changes."""
    return [Change(event) for event in events]


def require_gathering(table: Table) -> None:
    """Refuse what is only done before the game, and before the words for its dice are opened."""
    if table.phase != GATHERING:
        raise Refused("already_started")
    if table.dice.is_running:
        raise Refused("words_opening")


def require_host(table: Table, person: Person) -> None:
    """Refuse what the host decides; while the host does not sit at the table, any seated person may."""
    require_gathering(table)
    if person.id != table.host:
        if table.seat_of(person.id) is None:
            raise Refused("not_seated")
        if table.seat_of(table.host) is not None:
            raise Refused("not_host")


def free_seat(table: Table, wanted: int | None, person: str | None = None) -> int:
    """Return a free seat for a person, or for a bot: the one asked for, or the one that is kept, or the first."""
    access = table.access
    if wanted is None:
        own = access.seat_kept_for(person)
        free = [number for number, seat in enumerate(table.seats) if seat.empty and number not in access.kept]
        if own is None and not free:
            raise Refused("table_full")
        return free[0] if own is None else own
    if not table.seats[existing_seat(table, wanted)].empty:
        raise Refused("seat_taken")
    if wanted in access.kept and not access.is_kept_for(wanted, person):
        raise Refused("seat_kept", name=access.kept[wanted].name)
    return wanted


def existing_seat(table: Table, seat: int) -> int:
    """Return a seat number of this table; Refused if there is no such seat."""
    if not 0 <= seat < table.players:
        raise Refused("no_such_seat", seat=seat, last=table.players - 1)
    return seat


def known_level(level: str) -> str:
    """Return a level of the ladder."""
    if level not in LEVELS:
        raise Refused("unknown_level", level=level, levels=", ".join(LEVELS))
    return level


def own_seat(table: Table, person: Person) -> int:
    """Return a person's seat; Refused without one."""
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refused("not_seated")
    return seat


def require_in_game(table: Table, person: Person) -> int:
    """Return the seat of a person who is in the game, perhaps with the seat lent to a bot."""
    seat = own_seat(table, person)
    if table.phase != PLAYING:
        raise Refused("not_playing")
    if not table.is_playing(table.seats[seat]):
        raise Refused("seat_lost")
    return seat


def playing_seat(table: Table, person: Person) -> int:
    """Return the seat of a person who plays it: not resigned, not lent to a bot."""
    seat = require_in_game(table, person)
    if table.seats[seat].lent:
        raise Refused("seat_is_lent")
    return seat
