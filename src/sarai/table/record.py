"""A table's game as a file: a record with the proof of its dice when it is over, before that what one viewer saw."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from sarai.core.records import Record
from sarai.table import dice_proof
from sarai.table.dice_word_commitments import words_to_json
from sarai.table.table import FINISHED, Table
from sarai.table.visible_events import Seen, events_for_people, view_for_people


def prepare_record(table: Table, seat: int | None) -> Callable[[], dict[str, Any]]:
    """Take from a table what a viewer's record needs; the function that is returned makes it, in any thread."""
    if table.phase == FINISHED:  # nothing that happens now changes it
        return partial(finished_record, table)
    return partial(unfinished_record, prepare_seen(table, seat), begun_record(table, seat))


def prepare_seen(table: Table, seat: int | None) -> Callable[[], list[Seen]]:
    """Take what a viewer saw so far; the function that is returned makes of it what people are shown."""
    seen = list(table.seen(seat))
    if table.phase == FINISHED or table.state is None:
        return lambda: seen
    return lambda: list(events_for_people(seen, table.game.definition, table.options, seat))


def finished_record(table: Table) -> dict[str, Any]:
    """Return the record of a game that is over or was abandoned."""
    moves, draws, _ = dice_proof.retrace(table.start_state(), table.history)
    words = words_to_json(table.dice, table.dice_words)
    proof = dice_proof.proof(table.commitment, table.secret or "", words, draws, table.history)
    return Record(
        table.game,
        table.players,
        dict(table.options),
        table.names,
        moves,
        proof,
        table.result,
        table.rules_version,
        table.resigned,
    ).to_json()


def begun_record(table: Table, seat: int | None) -> dict[str, Any]:
    """Return the record of a running game as a viewer may have it, without what the viewer saw."""
    return {
        "game": table.game.id,
        "rules_version": table.rules_version,
        "players": table.players,
        "options": table.options,
        "names": table.names,
        "number": table.number,
        "seat": seat,
        "seen": [],
        "view": None if table.state is None else view_for_people(table.state.view(seat)),
        "commitment": table.commitment,
    }


def unfinished_record(shown: Callable[[], list[Seen]], begun: dict[str, Any]) -> dict[str, Any]:
    """Return what a viewer has seen of a running game, and what the viewer knows now."""
    return begun | {"seen": [[number, event.key, event.args] for number, event in shown()]}
