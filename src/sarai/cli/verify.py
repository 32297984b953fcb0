"""The command `sarai verify`: a record is checked move by move, and its dice too."""

from pathlib import Path

from sarai.cli.screen import Screen, printable_name
from sarai.core.kernels.warm import TO_REPLAY
from sarai.core.records import load
from sarai.core.result import CHANCE
from sarai.table.fairness import check, history_of
from sarai.table.history import take_backs


def verify(path: Path) -> None:
    """Check a record and say so."""
    from sarai.cli.warm import warm_game

    record = load(path, check=False)
    warm_game(record.game, TO_REPLAY)
    draws = check(record)
    moves = sum(seat != CHANCE for seat, _ in record.moves)
    Screen().say(f"{record.game.title}: {moves} moves and {draws} draws are right; the dice were fair.")
    times, voided = take_backs(history_of(record))
    for seat in sorted(times):
        name = printable_name(record.names[seat], seat)
        Screen().say(f"{name}: {times[seat]} taken back, {voided[seat]} draws voided by that.")
