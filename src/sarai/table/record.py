"""A table's game as a file: all of it with the proof of its dice when it is over, one viewer's memory of it before."""

from typing import Any

from sarai.core.records import Record
from sarai.table import fairness
from sarai.table.table import Table


def finished(table: Table) -> dict[str, Any]:
    """Return the record of a game that is over, or was abandoned."""
    moves, draws, _ = fairness.retrace(table.game.start(table.players, table.options), table.history)
    proof = fairness.proof(table.commitment, table.secret or "", table.dice_words, draws, table.history)
    return Record(table.game, table.players, dict(table.options), table.names, moves, proof, table.result).to_json()


def unfinished(table: Table, seat: int | None) -> dict[str, Any]:
    """Return what a viewer has seen of a game, and what the viewer knows now."""
    return {
        "game": table.game.id,
        "rules_version": table.game.rules_version,
        "players": table.players,
        "options": table.options,
        "names": table.names,
        "number": table.number,
        "seat": seat,
        "seen": [[number, event.key, event.args] for number, event in table.seen(seat)],
        "view": None if table.state is None else table.state.view(seat).to_json(),
        "commitment": table.commitment,
    }
