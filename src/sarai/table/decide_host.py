"""What the host of a table may do about people and the table itself, and what becomes of seats kept for a rematch."""

from sarai.table import commands, event_types
from sarai.table.command_checks import changes, existing_seat, require_gathering
from sarai.table.person import Person
from sarai.table.playthrough import Change
from sarai.table.refusals import Refused
from sarai.table.table import GATHERING, Table


def require_being_host(table: Table, person: Person) -> None:
    """Refuse what only the host may do, whether the host sits or not: nobody else gets these powers by sitting down."""
    if person.id != table.host:
        raise Refused("host_only")


def other_guest(table: Table, guest: int, person: Person) -> str:
    """Return the id of a guest who is not the person."""
    if not 0 <= guest < len(table.participants):
        raise Refused("no_such_guest")
    other = table.participants[guest].person
    if other == person.id:
        raise Refused("not_yourself")
    return other


def remove_person(table: Table, command: commands.RemovePerson, person: Person, now: float) -> list[Change]:
    """Take a person off a seat before the game; the person cannot sit down again until the host allows it."""
    require_being_host(table, person)
    require_gathering(table)
    seated = table.seats[existing_seat(table, command.seat)].person
    if seated is None:
        raise Refused("seat_not_person")
    if seated == person.id:
        raise Refused("not_yourself")
    return changes(event_types.Removed(now, person.id, command.seat))


def ban(table: Table, command: commands.Ban, person: Person, now: float) -> list[Change]:
    """Ban a guest, or allow one to come back; a player in the game keeps the seat and cannot talk."""
    require_being_host(table, person)
    other = other_guest(table, command.guest, person)
    if not command.on:
        if other not in table.access.banned | table.access.removed:
            raise Refused("not_banned")
        return changes(event_types.Banned(now, person.id, other, False))
    seat, banned = table.seat_of(other), event_types.Banned(now, person.id, other, True)
    if seat is not None and table.phase == GATHERING:
        require_gathering(table)
        return changes(event_types.Removed(now, person.id, seat), banned)
    return changes(banned)


def change_access(table: Table, command: commands.ChangeAccess, person: Person, now: float) -> list[Change]:
    """Lock the table, or let people watch and talk, or not; what is not named stays."""
    require_being_host(table, person)
    access = table.access
    locked = access.locked if command.locked is None else command.locked
    watching = access.watching if command.watching is None else command.watching
    return changes(event_types.AccessChanged(now, person.id, locked, watching, command.talk or access.talk))


def pass_host(table: Table, command: commands.PassHost, person: Person, now: float) -> list[Change]:
    """Make another guest the host."""
    require_being_host(table, person)
    other = other_guest(table, command.guest, person)
    if other in table.access.banned:
        raise Refused("guest_banned")
    return changes(event_types.HostPassed(now, person.id, other))


def close(table: Table, command: commands.Close, person: Person, now: float) -> list[Change]:
    """Close a table before the game, for good."""
    require_being_host(table, person)
    require_gathering(table)
    return changes(event_types.Closed(now, person.id))


def free_kept_seat(table: Table, command: commands.FreeSeat, person: Person, now: float) -> list[Change]:
    """Keep a seat no longer: the host decides that, or the person for whom it is kept."""
    require_gathering(table)
    seat = existing_seat(table, command.seat)
    if not table.access.is_kept_for(seat, person.id):
        require_being_host(table, person)
    if seat not in table.access.kept:
        raise Refused("seat_not_kept")
    return changes(event_types.SeatFreed(now, person.id, seat))
