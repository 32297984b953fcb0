"""What each viewer of a table sees of a move, read from its trace once for all viewers who see the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sarai.core.events import Event, read_trace
from sarai.core.icu_patterns import fields, parse
from sarai.core.result import OVER

if TYPE_CHECKING:
    from sarai.core.definition import Definition
    from sarai.core.options import Value
    from sarai.core.state_and_view import View


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


def events_for_people(
    seen: Sequence[Seen], definition: Definition, options: Mapping[str, Value], seat: int | None
) -> Sequence[Seen]:
    """Return what a viewer saw without what an option conceals from people: of others only what the page says."""
    concealed = {key: fields_of(sentence) for key, sentence in definition.concealed_for(options).items()}
    return [conceal(one, concealed, seat) for one in seen] if concealed else seen


def conceal(seen: Seen, concealed: Mapping[str, frozenset[str]], seat: int | None) -> Seen:
    """Return an event with those arguments only that the sentence for others has."""
    key, args, reveals = seen.event
    if key not in concealed or args.get("seat") == seat:
        return seen
    return Seen(seen.number, Event(key, {name: args[name] for name in args if name in concealed[key]}, reveals))


@cache
def fields_of(sentence: str) -> frozenset[str]:
    """Return the names of what fills a sentence."""
    return frozenset(field.name for field in fields(parse(sentence)))


def view_for_people(view: View) -> dict[str, Any]:
    """Return a view's JSON without what an option conceals from people until the end; bots get the view itself."""
    data = view.to_json()
    if view.actor != OVER:
        for name in view.game.definition.concealed_fields_for(view.options):
            data[name] = [entry if seat == view.seat else None for seat, entry in enumerate(data[name])]
    return data
