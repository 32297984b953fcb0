"""Taking back a move: the game is replayed without it, and choices that others made at the same time stay."""

from typing import NamedTuple

from sarai.core.errors import Illegal
from sarai.core.result import CHANCE
from sarai.table.table import PLAYING, Table


class TakeBack(NamedTuple):
    """What taking back a seat's last move would undo, and whether no other player has to agree."""

    numbers: list[int]
    free: bool


def find_take_back(table: Table, seat: int) -> TakeBack | None:
    """Return what a seat would undo, None if it has nothing to take back.

    Later moves that can still be made without it, choices made at the same time, stay; the first that cannot, and
    all after it, are undone too. It is free if nothing was revealed since and no move of others is undone.
    """
    last = table.last_move(seat) if table.phase == PLAYING else None
    if last is None:
        return None
    state, place = last
    numbers, is_kept, is_revealed = [table.steps[place].number], True, table.steps[place].reveals
    for step in table.steps[place + 1 :]:
        is_revealed |= step.reveals
        if is_kept and step.seat != CHANCE:
            try:
                state, _ = state.play_traced(step.move, step.seat)  # `play` is not compiled for tables
                continue
            except Illegal:
                pass
        is_kept = False
        numbers.append(step.number)
    return TakeBack(numbers, is_kept and not is_revealed)


def seats_to_ask(table: Table, seat: int) -> list[int]:
    """Return the seats that have to agree when another seat takes back a move: people who play themselves."""
    return [
        number
        for number, other in enumerate(table.seats)
        if number != seat and table.is_playing(other) and not other.lent
    ]


def all_agree(table: Table, seat: int, answers: dict[int, bool]) -> bool:
    """Say whether each seat that is asked has agreed."""
    return all(answers.get(other) for other in seats_to_ask(table, seat))
