"""What a sheet is worth (A-27 … A-31). A set of stones is a number of 38 bits, the quarry's crossed-off places one of 12."""

from sarai.core.kernels.bits import count_bits
from sarai.core.kernels.compile import kernel
from sarai.games.anubixx.printed import ARCH_POINTS, PYRAMID_POINTS, RELIEF_POINTS
from sarai.games.anubixx.stones import ARCH_FROM, COLUMN, PYRAMID_ROWS, QUARRY, RELIEF_FROM, STONES

PYRAMID_STONES = (1 << ARCH_FROM) - 1
ARCH_STONES = (1 << RELIEF_FROM) - 1 ^ PYRAMID_STONES
RELIEF_STONES = (1 << len(STONES)) - 1 ^ PYRAMID_STONES ^ ARCH_STONES
LEVEL_STARTS = tuple(sum(PYRAMID_ROWS[:level]) for level in range(len(PYRAMID_ROWS)))  # the first stone of each level
COLUMN_STONES = (1 << COLUMN) - 1
LEFT_FROM, RIGHT_FROM, KEYSTONE = ARCH_FROM, ARCH_FROM + COLUMN, ARCH_FROM + 2 * COLUMN
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
def places_behind(crossed: int) -> int:
    """Return how many places of the quarry are gone: the last one crossed off and all to its left (A-14)."""
    behind = 0
    while crossed >> behind:
        behind += 1
    return behind


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
