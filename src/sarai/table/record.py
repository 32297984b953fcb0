"""A table's game as a file: a record with the proof of its dice when it is over, before that what one viewer saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sarai.core.records import Record
from sarai.table import fairness
from sarai.table.seen import view_for_people

if TYPE_CHECKING:
    from sarai.table.table import Table


def finished_record(table: Table) -> dict[str, Any]:
    """Return the record of a game that is over or was abandoned."""
    moves, draws, _ = fairness.retrace(table.start_state(), table.history)
    proof = fairness.proof(table.commitment, table.secret or "", table.dice_words, draws, table.history)
    return Record(
        table.game, table.players, dict(table.options), table.names, moves, proof, table.result, table.rules_version
    ).to_json()


def unfinished_record(table: Table, seat: int | None) -> dict[str, Any]:
    """Return what a viewer has seen of a running game, and what the viewer knows now."""
    return {
        "game": table.game.id,
        "rules_version": table.rules_version,
        "players": table.players,
        "options": table.options,
        "names": table.names,
        "number": table.number,
        "seat": seat,
        "seen": [[number, event.key, event.args] for number, event in table.shown(seat)],
        "view": None if table.state is None else view_for_people(table.state.view(seat)),
        "commitment": table.commitment,
    }
