"""The stones of a sheet: buildings, names and numbers (A-03 … A-06). No colours of stones here, and nothing that needs NumPy."""

from collections.abc import Iterable, Sequence
from typing import Any

COLOURS = ("red", "orange", "yellow", "green", "blue", "violet")
LETTERS = "roygbv"
SHEET_LETTERS = "ABCDEF"

PYRAMID_ROWS = (5, 4, 3, 2, 1)  # A-03, from the bottom
COLUMN = 5
RELIEF_ROWS, RELIEF_COLUMNS = 3, 4
QUARRY = 12
PLACES = tuple(range(1, QUARRY + 1))

PYRAMID = tuple(f"p{row}.{place}" for row, width in enumerate(PYRAMID_ROWS, 1) for place in range(1, width + 1))
ARCH = (*(f"a{side}{level}" for side in "lr" for level in range(1, COLUMN + 1)), "key")
RELIEF = tuple(f"f{row}.{place}" for row in range(1, RELIEF_ROWS + 1) for place in range(1, RELIEF_COLUMNS + 1))
BUILDINGS = {"pyramid": PYRAMID, "arch": ARCH, "relief": RELIEF}
STONES = (*PYRAMID, *ARCH, *RELIEF)  # a stone's number is its place here: pyramid 0 … 14, arch 15 … 25, relief 26 … 37
ARCH_FROM, RELIEF_FROM = len(PYRAMID), len(PYRAMID) + len(ARCH)
SINGLES = RELIEF_FROM  # stones that are marked one at a time

# A-20, by numbers of relief stones: side by side, row by row, then one above the other.
SIDE_BY_SIDE = tuple((stone, stone + 1) for stone in range(len(RELIEF)) if stone % RELIEF_COLUMNS < RELIEF_COLUMNS - 1)
ONE_ABOVE_THE_OTHER = tuple((stone, stone + RELIEF_COLUMNS) for stone in range(len(RELIEF) - RELIEF_COLUMNS))
PAIRS = SIDE_BY_SIDE + ONE_ABOVE_THE_OTHER

# a symbol's building, and whether it stands on one stone or on several; the end-of-game bonus is the eighth.
SYMBOLS = {
    "scarab": ("pyramid", "one"),
    "snake": ("pyramid", "one"),
    "eye": ("pyramid", "several"),
    "ankh": ("arch", "one"),
    "falcon": ("arch", "one"),
    "lotus": ("relief", "one"),
    "cat": ("relief", "several"),
}
BONUSES = (*SYMBOLS, "end")


def names_of(members: int, names: Sequence[Any]) -> list[Any]:
    """Return a set of bits as the names of its members."""
    return [name for number, name in enumerate(names) if members >> number & 1]


def bits_of(members: Iterable[Any], names: Sequence[Any]) -> int:
    """Return names as a set of bits; ValueError if one of them is none."""
    return sum(1 << names.index(name) for name in set(members))
