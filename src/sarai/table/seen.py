"""What everybody at a table sees of a move, read from its trace once for all who see the same."""

from typing import Any, NamedTuple

from sarai.core.definition import Definition
from sarai.core.events import Event, read_trace


class Seen(NamedTuple):
    """Something that a viewer saw happen, and the number of the table's event that it belongs to."""

    number: int
    event: Event


def look(trace: Any, definition: Definition) -> tuple[list[Event], dict[int, list[Event]], bool]:
    """Return what a spectator sees of a trace, what seats see that see more, and whether anything came out that cannot be unseen."""
    owners, reveals = set(), False
    for row in trace[1 : trace[0, 0] + 1].tolist():
        telling = definition.events[row[0]]
        reveals |= telling.reveals
        if telling.secret:
            owners.add(row[1 + telling.args.index(telling.owner)])
    own = {seat: read_trace(trace, definition.events, definition.trace_names, seat) for seat in owners}
    return read_trace(trace, definition.events, definition.trace_names, -1), own, reveals
