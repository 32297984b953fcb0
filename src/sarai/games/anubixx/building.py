"""What may be marked (A-18 … A-21) and how it can be paid (A-11 … A-17), as sets of stones, pairs and colours."""

from sarai.core.kernels.compile import kernel
from sarai.games.anubixx.printed import ALIKE_OF, FIRST_OF, SECOND_OF, SINGLES_OF
from sarai.games.anubixx.scoring import KEYSTONE, LEFT_FROM, RIGHT_FROM
from sarai.games.anubixx.stones import ARCH_FROM, COLOURS, COLUMN, PYRAMID_ROWS, RELIEF_FROM, SIDE_BY_SIDE, STONES

DIE, BY_QUARRY, BY_JOKER = range(3)
PAYMENTS = 3
ALL_COLOURS = (1 << len(COLOURS)) - 1

BOTTOM_ROW = (1 << PYRAMID_ROWS[0]) - 1
ROW_2, ROW_3, ROW_4, TOP = (
    ((1 << width) - 1) << sum(PYRAMID_ROWS[:row]) for row, width in enumerate(PYRAMID_ROWS) if row
)
COLUMNS = ((1 << 2 * COLUMN) - 1) << ARCH_FROM
COLUMN_FEET = 1 << LEFT_FROM | 1 << RIGHT_FROM
COLUMN_HEADS = 1 << RIGHT_FROM - 1 | 1 << KEYSTONE - 1
RELIEF_ALL = (1 << len(STONES) - RELIEF_FROM) - 1


@kernel
def open_singles(marks: int) -> int:
    """Return the pyramid and arch stones that may be marked next."""
    both = marks & (marks >> 1)  # a stone and its right neighbour carry the one above them
    pyramid = BOTTOM_ROW | (both << 5 & ROW_2) | (both << 4 & ROW_3) | (both << 3 & ROW_4) | (both << 2 & TOP)
    arch = COLUMN_FEET | (marks << 1 & COLUMNS)  # the left head would carry the right foot, which needs nothing
    if marks & COLUMN_HEADS == COLUMN_HEADS:
        arch |= 1 << KEYSTONE
    return (pyramid | arch) & ~marks


@kernel
def open_pairs(marks: int) -> int:
    """Return the relief pairs that are free: side by side, row by row, and then one above the other (A-20)."""
    free = ~(marks >> RELIEF_FROM) & RELIEF_ALL
    beside = free & (free >> 1)
    above = free & (free >> 4)
    return (beside & 0b111) | (beside >> 1 & 0b111_000) | (beside >> 2 & 0b111_000_000) | above << len(SIDE_BY_SIDE)


@kernel
def colours_by(payment: int, dice: int, quarry: int, jokers: int) -> int:
    """Return the colours in which a stone can be paid so: by a die if one fits, else by the quarry or a joker (A-11, A-16)."""
    if payment == DIE:
        return dice
    if payment == BY_QUARRY:
        return quarry & ~dice
    return ALL_COLOURS & ~dice if jokers > 0 else 0


@kernel
def colours_twice_by(
    first: int, second: int, dice: int, two_dice: int, quarry: int, two_quarry: int, jokers: int
) -> int:
    """Return the colours in which two stones can be paid so, the die named before the quarry stone and that before the joker (A-11, A-12)."""
    if first > second:
        return 0
    if first == DIE:
        if second == DIE:
            return two_dice
        return colours_by(second, 0, quarry, jokers) & dice & ~two_dice
    if first == BY_JOKER:
        return ALL_COLOURS & ~dice if jokers > 1 else 0
    return colours_by(second, dice, quarry, jokers) & (two_quarry if second == BY_QUARRY else quarry)


@kernel
def singles_by(payment: int, sheet: int, dice: int, quarry: int, jokers: int) -> int:
    """Return the pyramid and arch stones of a sheet that can be paid so (A-17)."""
    return int(SINGLES_OF[sheet, colours_by(payment, dice, quarry, jokers)])


@kernel
def pairs_by(
    first: int, second: int, sheet: int, dice: int, two_dice: int, quarry: int, two_quarry: int, jokers: int
) -> int:
    """Return the relief pairs of a sheet of which both stones can be paid so (A-17)."""
    pairs = int(ALIKE_OF[sheet, colours_twice_by(first, second, dice, two_dice, quarry, two_quarry, jokers)])
    if first == BY_JOKER and second == BY_JOKER and jokers < 2:
        return pairs
    return pairs | int(
        FIRST_OF[sheet, colours_by(first, dice, quarry, jokers)]
        & SECOND_OF[sheet, colours_by(second, dice, quarry, jokers)]
    )
