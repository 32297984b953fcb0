"""Taking back a move: what is undone with it, and who has to agree."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from sarai.core.errors import Illegal
from sarai.core.result import CHANCE
from sarai.table.playthrough import Step
from sarai.table.table import PLAYING, Table
from sarai.table.table_base import TakeBackRequest

ANSWER_SECONDS = 60.0  # in which players answer whether a move may be taken back
MOST_TAKE_BACKS = 100  # of a seat in a game
MOST_GRANTED = 3  # of them between people, apart from moves of which nobody had seen anything


class TakeBack(NamedTuple):
    """What taking back a seat's last move would undo: that move, the numbers of all, and the seats that must agree.

    It is free if nothing came out since and only the player's own move is undone.
    """

    move: int
    numbers: list[int]
    free: bool
    asked: list[int]


def find_take_back(table: Table, seat: int) -> TakeBack | None:
    """Return what a seat would undo, None if it has nothing to take back.

    As long as nothing came out, choices that others made at the same time stay. Otherwise the whole choice goes back
    to all hands, with everything after it.
    """
    last = table.last_move(seat) if table.phase == PLAYING else None
    if last is None:
        return None
    state, place = last
    own, later = table.steps[place], table.steps[place + 1 :]
    is_out = any(step.reveals or step.seat == CHANCE for step in (own, *later))
    if not is_out:
        try:
            for step in later:
                state, _ = state.play_traced(step.move, step.seat)  # `play` is not compiled for tables
            return TakeBack(own.number, [own.number], True, [])
        except Illegal:
            pass
    undone = table.steps[bisect_left(table.steps, own.choice, key=lambda step: step.number) :]
    return TakeBack(own.number, [step.number for step in undone], False, seats_to_ask(table, seat, undone))


def seats_to_ask(table: Table, seat: int, undone: Sequence[Step]) -> list[int]:
    """Return the seats whose people have to agree: all others in the game, those whose seats are lent among them.

    Who gave up or lost on time is asked only about moves of their own.
    """
    movers = {step.by for step in undone}
    return [
        number
        for number, other in enumerate(table.seats)
        if number != seat and other.person is not None and (table.is_playing(other) or other.person in movers)
    ]


def is_asked(table: Table, seat: int | None) -> bool:
    """Say whether an open question waits for a seat's answer."""
    request = table.take_back
    if request is None or seat is None or seat in request.answers:
        return False
    undone = find_take_back(table, request.seat)
    return undone is not None and seat in undone.asked


def is_lapsed(request: TakeBackRequest, now: float) -> bool:
    """Say whether the time for answers is over."""
    return now - request.at > ANSWER_SECONDS


def plays_alone(table: Table) -> bool:
    """Say whether no other person sat at the table when the game began."""
    return sum(seat.person is not None for seat in table.seats) == 1
