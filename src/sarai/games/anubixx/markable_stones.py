"""Which stones may be marked next (A-18 … A-21), as sets of stones and of relief pairs."""

from sarai.core.kernels.compile import kernel
from sarai.games.anubixx.state import (
    ARCH_FROM,
    COLUMN,
    KEYSTONE,
    LEFT_FROM,
    PYRAMID_ROWS,
    RELIEF_FROM,
    RIGHT_FROM,
    SIDE_BY_SIDE,
    STONES,
)

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
