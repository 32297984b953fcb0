"""The quarry, which is used up from left to right (A-14): its crossed-off places are a number of 12 bits."""

from sarai.core.kernels.compile import kernel
from sarai.games.anubixx.sheet_arrays import NEXT_PLACE, ONE_LEFT, TWO_LEFT
from sarai.games.anubixx.state import StateRecord


@kernel
def places_behind(crossed: int) -> int:
    """Return how many places of the quarry are gone: the last one crossed off and all to its left (A-14)."""
    behind = 0
    while crossed >> behind:
        behind += 1
    return behind


@kernel
def quarry_place(state: StateRecord, seat: int, colour: int) -> int:
    """Return the place of the quarry stone of a colour that comes next, -1 if there is none (A-14)."""
    return int(NEXT_PLACE[state.sheets[seat], places_behind(int(state.crossed[seat])), colour])


@kernel
def quarry_left(state: StateRecord, seat: int) -> tuple[int, int]:
    """Return the colours that the quarry still has, and those it has twice."""
    sheet, behind = state.sheets[seat], places_behind(int(state.crossed[seat]))
    return int(ONE_LEFT[sheet, behind]), int(TWO_LEFT[sheet, behind])
