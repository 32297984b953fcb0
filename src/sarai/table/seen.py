"""What each viewer of a table sees of a move, read from its trace once for all viewers who see the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sarai.core.events import Event, read_trace

if TYPE_CHECKING:
    from sarai.core.definition import Definition


class Seen(NamedTuple):
    """Something that a viewer saw happen, and the number of the table's event that it belongs to."""

    number: int
    event: Event


class StepEvents(NamedTuple):
    """The events of one step: for a spectator, for each seat that sees more, and whether they reveal anything."""

    public: list[Event]
    private: dict[int, list[Event]]
    reveals: bool


def read_step(trace: Any, definition: Definition) -> StepEvents:
    """Return what a spectator and the seats see of a trace."""
    owners, reveals = set(), False
    for row in trace[1 : trace[0, 0] + 1].tolist():
        spec = definition.events[row[0]]
        reveals |= spec.reveals
        if spec.secret:
            owners.add(row[1 + spec.args.index(spec.owner)])
    private = {seat: read_trace(trace, definition.events, definition.trace_names, seat) for seat in owners}
    return StepEvents(read_trace(trace, definition.events, definition.trace_names, -1), private, reveals)
