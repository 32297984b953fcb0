"""Who may look, sit down and talk at a table, and by which name."""

from sarai.table.access_restrictions import NOBODY, PLAYERS
from sarai.table.confusable_names import appearances, is_told_from, tell_apart
from sarai.table.person import Person
from sarai.table.refusals import Refused
from sarai.table.table import CLOSED, GATHERING, Table


def why_not_look(table: Table, person: str | None) -> str | None:
    """Return the reason why somebody may not look at a table, None if they may.

    Who sits there and the host always may. Without watchers others may before the game, if they may sit down.
    """
    access = table.access
    if table.phase == CLOSED:
        return "table_closed"
    if person is not None and (person == table.host or table.seat_of(person) is not None):
        return None
    if person in access.banned:
        return "banned"
    if access.watching or (table.phase == GATHERING and why_not_sit(table, person) is None):
        return None
    return "no_watchers"


def require_look(table: Table, person: str | None) -> None:
    """Refuse whatever somebody asks of a table who may not look at it."""
    if (reason := why_not_look(table, person)) is not None:
        raise Refused(reason)


def why_not_sit(table: Table, person: str | None) -> str | None:
    """Return the reason why somebody may not sit down, None if they may where there is room."""
    access = table.access
    if person in access.banned:
        return "banned"
    if person in access.removed:
        return "removed"
    is_known = person is not None and (person == table.host or table.seat_of(person) is not None)
    if access.locked and not is_known and access.seat_kept_for(person) is None:
        return "table_locked"
    return None


def why_not_talk(table: Table, person: str | None) -> str | None:
    """Return the reason why somebody may not talk, None if they may."""
    access = table.access
    if person in access.banned:
        return "talk_taken"
    if access.talk == NOBODY:
        return "talk_off"
    if access.talk == PLAYERS and table.seat_of(person) is None:
        return "talk_players"
    return None


def is_name_taken(table: Table, name: str, person: str = "") -> bool:
    """Say whether another person or a bot at a table, or one for whom a seat is kept, has a name like this one."""
    seated = [seat.name for seat in table.seats if not seat.empty and seat.person != person]
    kept = [kept.name for kept in table.access.kept.values() if kept.person != person]
    looks = appearances(name)
    return table.participants.is_taken(name, person) or any(looks & appearances(other) for other in (*seated, *kept))


def name_at(table: Table, person: Person) -> str:
    """Return the name by which a person is known at a table; it stays the same as long as the person keeps the own."""

    def is_taken(name: str) -> bool:
        return is_name_taken(table, name, person.id)

    guest = table.participants.of(person.id)
    if guest is not None and is_told_from(person.name, guest.name) and not is_taken(guest.name):
        return guest.name
    return tell_apart(person.name, is_taken)
