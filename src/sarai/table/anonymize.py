"""Rewrites the log and the summary of a table without one person: other id and name, no talk; all else stays."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from sarai.table.confusable_names import appearances, tell_apart

NAME = "Somebody"  # of a person who is erased; a table at which several are numbers them
SAID = "…"  # in place of what they said
NAMED = (
    "Created",
    "Sat",
    "Chatted",
    "Reacted",
    "Renamed",
)  # events that hold the name of the person who brought them about

decode, encode = msgspec.json.decode, msgspec.json.encode


class Rewritten(NamedTuple):
    """What is written in place of what is there: bodies of events by number, and the summary if it changes."""

    bodies: dict[int, bytes]
    summary: bytes | None


def erase(rows: Iterable[tuple[int, bytes]], summary: bytes, person: str, stand_in: str) -> Rewritten:
    """Return the events and the summary of a table without a person."""
    events = list(readable(rows))
    names = {name for _, event in events for name in names_of(event, person)}
    taken = {look for name in names for look in appearances(name)}  # others may be called like that, by the hundred
    name = tell_apart(NAME, lambda wanted: not taken.isdisjoint(appearances(wanted)))
    bodies = {number: encode(without(event, person, stand_in, name)) for number, event in events if has(event, person)}
    try:
        stored = decode(summary)
    except msgspec.DecodeError:  # it is told as damaged where it is read
        return Rewritten(bodies, None)
    changed = summary_without(stored, events, person, stand_in, name)
    return Rewritten(bodies, encode(changed) if changed != stored else None)


def readable(rows: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return events as plain data, without those that are damaged: one of them must not keep the others."""
    for number, body in rows:
        with contextlib.suppress(msgspec.DecodeError):
            yield number, decode(body)


def names_of(event: dict[str, Any], person: str) -> list[str]:
    """Return the names that an event holds of others than a person."""
    kept = [kept["name"] for kept in event.get("kept", {}).values() if kept["person"] != person]
    is_own = event["type"] in NAMED and event["by"] == person
    return kept if is_own or "name" not in event else [*kept, event["name"]]


def has(value: Any, person: str) -> bool:
    """Say whether a person's id occurs in decoded JSON."""
    if isinstance(value, dict):
        return any(has(part, person) for pair in value.items() for part in pair)
    return any(has(part, person) for part in value) if isinstance(value, list) else value == person


def replaced(value: Any, person: str, stand_in: str) -> Any:
    """Return decoded JSON with another id in place of a person's."""
    if isinstance(value, dict):
        return {replaced(key, person, stand_in): replaced(part, person, stand_in) for key, part in value.items()}
    if isinstance(value, list):
        return [replaced(part, person, stand_in) for part in value]
    return stand_in if value == person else value


def without(event: dict[str, Any], person: str, stand_in: str, name: str) -> dict[str, Any]:
    """Return an event without a person."""
    changed: dict[str, Any] = replaced(event, person, stand_in)
    if event["type"] in NAMED and event["by"] == person:
        changed["name"] = name
        if event["type"] == "Chatted":
            changed["text"] = SAID
        elif event["type"] == "Reacted":
            changed["reaction"] = ""
    for kept in changed.get("kept", {}).values():
        if kept["person"] == stand_in:
            kept["name"] = name
    return changed


def summary_without(
    stored: dict[str, Any], events: Iterable[tuple[int, dict[str, Any]]], person: str, stand_in: str, name: str
) -> dict[str, Any]:
    """Return a stored summary without a person; older ones name a host whose id they do not hold, but the log does."""
    changed: dict[str, Any] = replaced(stored, person, stand_in)
    for seat, sitting in zip(changed["summary"]["seats"], stored["people"], strict=True):
        if sitting == person:
            seat["name"] = name
    hosts = [event["by"] if event["type"] == "Created" else event["person"] for _, event in events if is_host(event)]
    if hosts and hosts[-1] == person:
        changed["summary"]["host"] = name
    return changed


def is_host(event: dict[str, Any]) -> bool:
    """Say whether an event makes somebody the host."""
    return event["type"] in ("Created", "HostPassed")
