"""Who looks at a table, and what is shown there besides what the table's log says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sarai.table.look_sit_talk_permissions import why_not_sit
from sarai.table.table import GATHERING

if TYPE_CHECKING:
    from sarai.table.service.house import House
    from sarai.table.table import Table
    from sarai.web.site import Visit


PageClocks = list[tuple[float, bool] | tuple[float, bool, float]]


class Viewer(NamedTuple):
    """What distinguishes viewers of a table from each other; equal viewers are shown the same."""

    seat: int | None
    is_host: bool
    is_known: bool  # has given a name
    language: str
    base_url: str  # the address by which the viewer came, for links to give away; "": that of the house
    may_sit: bool = True
    kept: int | None = None  # the seat that is kept for the viewer


class LiveInfo(NamedTuple):
    """What a page shows that is not in the table's log."""

    away: frozenset[int] = frozenset()  # seats
    progress: tuple[int, int] | None = None  # steps of compiling the rules, done and in all; None: ready
    lendable: frozenset[int] = frozenset()  # seats that others may lend to a bot
    overdue: frozenset[int] = frozenset()  # seats for whose sake others may end the game
    watchers: int = 0  # how many look at the table without a seat


def viewer_of(visit: Visit, table: Table, base_url: str = "") -> Viewer:
    """Return as which viewer a visitor looks at a table; by a stream, whose script knows the address, without one."""
    return Viewer(
        table.seat_of(visit.person_id),
        visit.person_id == table.host,
        visit.person is not None,
        visit.language.code,
        base_url if table.phase == GATHERING else "",  # later the address makes no difference
        table.phase != GATHERING or why_not_sit(table, visit.person_id) is None,
        table.access.seat_kept_for(visit.person_id) if table.phase == GATHERING else None,
    )


async def live_info(house: House, table: Table) -> LiveInfo:
    """Return what a page shows now besides the log."""
    progress, absent = house.games.status(table.game.id), await house.absent(table.id)
    return LiveInfo(
        frozenset(absent.away),
        None if progress.ready else (progress.done, progress.of),
        frozenset(absent.lendable),
        frozenset(absent.overdue),
        await house.watchers(table.id),
    )


def clocks_of(table: Table, now: float) -> list[tuple[float, bool]] | None:
    """Return each seat's seconds left, and whether its clock runs; None if there are no clocks."""
    left = table.clocks(now)
    if left is None:
        return None
    return [(round(seconds, 1), seat in table.clock_state.running) for seat, seconds in enumerate(left)]


def page_clocks(table: Table, now: float) -> PageClocks | None:
    """Return the clocks with, while people are still shown what happened, the seconds until a clock runs."""
    clocks, wait = clocks_of(table, now), round(max(0.0, table.clock_state.since - now), 1)
    if clocks is None:
        return None
    return [(left, runs, wait) if wait and runs else (left, runs) for left, runs in clocks]
