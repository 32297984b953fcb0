"""A person's sessions as pages and programs are shown them, and ending them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sarai.table.refusals import Refused
from sarai.web.api.answers import Session

if TYPE_CHECKING:
    from sarai.table.service.house import House
    from sarai.web.site import Visit

OTHERS = "others"
LETTERS = 16  # of a session's id that are shown: enough to name it, too few to be it


def date_of(moment: float) -> str:
    """Return the day of a moment."""
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


async def describe_sessions(house: House, visit: Visit) -> list[Session]:
    """Return the sessions of a visitor, this one first."""
    current = visit.session.id if visit.session is not None else None
    found = [
        Session(one.id[:LETTERS], one.device, date_of(one.created), date_of(one.seen), one.id == current)
        for one in await house.sessions.of(visit.require_person().id)
    ]
    return sorted(found, key=lambda session: not session.current)


async def end_session(house: House, visit: Visit, which: str) -> bool:
    """End a session of a visitor, or all others; say whether it was this one."""
    person, current = visit.require_person().id, visit.session.id if visit.session is not None else None
    if which == OTHERS:
        await house.sessions.end_others(person, current)
        return False
    found = next((one.id for one in await house.sessions.of(person) if one.id[:LETTERS] == which), None)
    if found is None:
        raise Refused("no_such_session")
    await house.sessions.end(person, found)
    return found == current
