"""Moves of Anubixx in notation: `p1.3`, `al1j`, `f1.2q-1.3`, `stop`; sheets and colours by their letters."""

import re

from sarai.core.errors import BadText
from sarai.core.kernels.compile import Cell
from sarai.core.result import CHANCE
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.state import (
    COLOURS,
    DEALING,
    LETTERS,
    PAIRS,
    PAIRS_FROM,
    PAYMENTS,
    RELIEF,
    RELIEF_FROM,
    SHEET_LETTERS,
    SINGLES,
    STONES,
    STOP,
)

SUFFIXES = "dqj"  # die, quarry, joker; the die's is not written
SINGLE = re.compile(r"(p[1-5]\.[1-5]|a[lr][1-5]|key)([dqj]?)")
PAIR = re.compile(r"f([1-3]\.[1-4])([dqj]?)-f?([1-3]\.[1-4])([dqj]?)")


def stones_and_payments(move: int) -> tuple[list[int], list[int]]:
    """Return the stones that a move marks, and how each is paid."""
    if move < PAIRS_FROM:
        return [move % SINGLES], [move // SINGLES]
    payments, pair = divmod(move - PAIRS_FROM, len(PAIRS))
    return [RELIEF_FROM + stone for stone in PAIRS[pair]], list(divmod(payments, PAYMENTS))


def colour_of(cell: Cell, seat: int, stone: int) -> int:
    """Return the colour of a stone on a seat's sheet."""
    return SHEETS.sheets[int(cell["sheets"][0, seat]) - 1].colours[stone]


def write_move(cell: Cell, move: int) -> str:
    """Write a sheet, a die, `stop`, or stones with a letter behind each that is not paid by a die."""
    if cell["actor"][0] == CHANCE:
        return SHEET_LETTERS[move] if cell["phase"][0] == DEALING else LETTERS[move]
    if move == STOP:
        return "stop"
    stones, payments = stones_and_payments(move)
    return "-".join(
        STONES[stone] + SUFFIXES[payment].removeprefix("d") for stone, payment in zip(stones, payments, strict=True)
    ).replace("-f", "-")


def read_move(cell: Cell, text: str) -> int:
    """Read a move; of two stones in one colour it does not matter which is paid how."""
    word = text.lower()
    if cell["actor"][0] == CHANCE:
        names = list(SHEET_LETTERS.lower()) if cell["phase"][0] == DEALING else list(LETTERS)
        if word in COLOURS and cell["phase"][0] != DEALING:
            return COLOURS.index(word)
        if word in names:
            return names.index(word)
    elif word == "stop":
        return STOP
    elif (single := SINGLE.fullmatch(word)) and single[1] in STONES:
        return SUFFIXES.index(single[2] or "d") * SINGLES + STONES.index(single[1])
    elif pair := PAIR.fullmatch(word):
        ends = sorted((RELIEF.index("f" + pair[i]), SUFFIXES.index(pair[i + 1] or "d")) for i in (1, 3))
        (first, payment), (second, other_payment) = ends
        if (first, second) in PAIRS:
            seat = int(cell["actor"][0])
            if seat >= 0 and colour_of(cell, seat, RELIEF_FROM + first) == colour_of(cell, seat, RELIEF_FROM + second):
                payment, other_payment = sorted((payment, other_payment))
            return PAIRS_FROM + (payment * PAYMENTS + other_payment) * len(PAIRS) + PAIRS.index((first, second))
    raise BadText("move_unreadable", text=text)
