"""Sets of hexes as bits in a few words, and the board as such sets: neighbours, sand, water holes, palm spaces."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from sarai.core.kernels.compile import Array, kernel
from sarai.games.desert.state import HEXES, WHOLE_BOARD, WORD, WORDS, StateRecord
from sarai.games.desert.terrain import BOARD, DOT, SAND


def hex_set_of(hexes: Iterable[int]) -> list[int]:
    """Return the words of a set of hexes."""
    words = [0] * WORDS
    for hex in hexes:
        words[hex // WORD] |= 1 << hex % WORD
    return words


def hexes_of(sets: Array) -> list[list[int]]:
    """Return sets of hexes, a row of words each, as ascending lists."""
    return [[hex for number, word in enumerate(row) if word for hex in hexes_in(number, word)] for row in sets.tolist()]


@lru_cache(maxsize=1 << 16)
def hexes_in(number: int, word: int) -> tuple[int, ...]:
    """Return the hexes in one word of a set."""
    return tuple(number * WORD + bit for bit in range(WORD) if word >> bit & 1)


# Every array comes twice: for 2 or 3 players, when the thick line is a board edge, and for 4 or 5 players (D-03).
AREAS = (range(BOARD.inside), range(HEXES))
RING = np.array([[[n if n in area else -1 for n in around] for around in BOARD.ring] for area in AREAS], np.int64)
NEAR = np.array([[hex_set_of(n for n in around if n >= 0) for around in rings] for rings in RING.tolist()], np.int64)
IN_PLAY = np.array([hex_set_of(area) for area in AREAS], np.int64)
SAND_HEXES = np.array([hex_set_of(hex for hex in area if BOARD.kinds[hex] == SAND) for area in AREAS], np.int64)
DOTS = np.array([hex_set_of(hex for hex in area if BOARD.kinds[hex] == DOT) for area in AREAS], np.int64)
PALM_SPACES = np.array(BOARD.palm_spaces, np.int64)
SPACES_IN_PLAY = np.array([sum(hex in area for hex in BOARD.palm_spaces) for area in AREAS], np.int64)
PALMS_NEAR = np.array(
    [sum(1 << space for space, hex in enumerate(BOARD.palm_spaces) if hex in around) for around in BOARD.ring], np.int64
)


@kernel
def is_wide(state: StateRecord) -> int:
    """Return 1 if the area beyond the line is in play (D-03), 0 if not: the first index of every array of the board."""
    return 1 if state.players >= WHOLE_BOARD else 0


@kernel
def has(words: Array, hex: int) -> bool:
    """Say whether a set of hexes holds a hex."""
    return bool((words[hex // WORD] >> (hex % WORD)) & 1)


@kernel
def bit(hex: int) -> int:
    """Return a hex as a bit of its word."""
    return 1 << (hex % WORD)
