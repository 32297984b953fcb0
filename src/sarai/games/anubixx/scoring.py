"""What a sheet is worth (A-27 … A-31)."""

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import Array, kernel
from sarai.games.anubixx.quarry import places_behind
from sarai.games.anubixx.sheet_arrays import ARCH_POINTS, PYRAMID_POINTS, RELIEF_POINTS
from sarai.games.anubixx.state import (
    ARCH_FROM,
    ARCH_STONES,
    COLUMN,
    COLUMN_STONES,
    KEYSTONE,
    LEFT_FROM,
    PYRAMID_ROWS,
    PYRAMID_STONES,
    QUARRY,
    RELIEF_STONES,
    RIGHT_FROM,
    StateRecord,
)

LEVEL_STARTS = tuple(sum(PYRAMID_ROWS[:level]) for level in range(len(PYRAMID_ROWS)))  # the first stone of each level
BONUS_POINTS, JOKER_POINTS = 3, 2


@kernel
def pyramid_points(marks: int) -> int:
    """Return the points of the highest level that has a marked stone (A-28)."""
    pyramid = marks & PYRAMID_STONES
    level = 0
    for start in LEVEL_STARTS:
        if pyramid >> start:
            level += 1
    return int(PYRAMID_POINTS[level])


@kernel
def arch_points(marks: int) -> int:
    """Return the points of the level that both columns have reached, or those of the keystone (A-28)."""
    if (marks >> KEYSTONE) & 1:
        return int(ARCH_POINTS[COLUMN + 1])
    left, right = count_bits((marks >> LEFT_FROM) & COLUMN_STONES), count_bits((marks >> RIGHT_FROM) & COLUMN_STONES)
    return int(ARCH_POINTS[min(left, right)])


@kernel
def relief_points(marks: int) -> int:
    """Return the points of the stones covered (A-29)."""
    return int(RELIEF_POINTS[count_bits(marks & RELIEF_STONES) // 2])


@kernel
def bonus_points(bonuses: int) -> int:
    """Return three points for each bonus (A-29)."""
    return BONUS_POINTS * count_bits(bonuses)


@kernel
def quarry_points(crossed: int) -> int:
    """Return a point for each stone to the right of the last crossed-off one (A-30)."""
    return QUARRY - places_behind(crossed)


@kernel
def joker_points(jokers: int) -> int:
    """Return two points for each joker not used (A-30)."""
    return JOKER_POINTS * jokers


@kernel
def buildings_done(marks: int) -> int:
    """Return how many buildings are complete (A-27)."""
    done = 0
    if marks & PYRAMID_STONES == PYRAMID_STONES:
        done += 1
    if marks & ARCH_STONES == ARCH_STONES:
        done += 1
    if marks & RELIEF_STONES == RELIEF_STONES:
        done += 1
    return done


@kernel
def points_of(state: StateRecord, seat: int) -> int:
    """Return a seat's points as they stand (A-28 … A-30)."""
    marks = int(state.marks[seat])
    buildings = pyramid_points(marks) + arch_points(marks) + relief_points(marks)
    rest = (
        bonus_points(int(state.bonuses[seat]))
        + quarry_points(int(state.crossed[seat]))
        + joker_points(int(state.jokers[seat]))
    )
    return buildings + rest


@kernel
def score(state: StateRecord, out: Array) -> None:
    """Write every seat's points."""
    for seat in range(state.players):
        out[seat] = points_of(state, seat)


@kernel
def standing(state: StateRecord, out: Array) -> None:
    """Most points are best, then most pyramid stones (A-31)."""
    for seat in range(state.players):
        out[seat] = points_of(state, seat) * (ARCH_FROM + 1) + count_bits(int(state.marks[seat]) & PYRAMID_STONES)
