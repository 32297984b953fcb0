"""Taking back a move: the game is replayed without it, and what others committed meanwhile stays."""

from typing import NamedTuple

from sarai.core.errors import Illegal
from sarai.core.result import CHANCE
from sarai.table.table import PLAYING, Table


class TakeBack(NamedTuple):
    """What taking back a seat's last move would undo, and whether nobody need be asked."""

    numbers: list[int]
    free: bool


def possible(table: Table, seat: int) -> TakeBack | None:
    """Return what a seat would undo, None if it has nothing to take back.

    Later moves that can still be made without it, choices made at the same time, stay; the first that cannot, and everything after it, is undone too.
    Nobody is asked if nothing came out since and nothing of others is undone.
    """
    last = table.last_move(seat) if table.phase == PLAYING else None
    if last is None:
        return None
    state, place = last
    numbers, kept, shown = [table.steps[place].number], True, table.steps[place].reveals
    for step in table.steps[place + 1 :]:
        shown |= step.reveals
        if kept and step.seat != CHANCE:
            try:
                state, _ = state.play_traced(step.move, step.seat)
                continue
            except Illegal:
                pass
        kept = False
        numbers.append(step.number)
    return TakeBack(numbers, kept and not shown)


def asked(table: Table, seat: int) -> list[int]:
    """Return the seats whose people have to agree that another seat takes back a move: those who play themselves."""
    return [
        number
        for number, other in enumerate(table.seats)
        if number != seat and table.is_playing(other) and not other.lent
    ]


def agreed(table: Table, seat: int, answers: dict[int, bool]) -> bool:
    """Say whether everybody who is asked has agreed."""
    return all(answers.get(other) for other in asked(table, seat))
