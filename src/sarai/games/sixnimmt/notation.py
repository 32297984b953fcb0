"""Moves of 6 nimmt! as people write them: a card is its number, a row is r1 … r4."""

from sarai.core.errors import BadText
from sarai.core.kernels.compile import Cell
from sarai.games.sixnimmt.state import CARDS, ROWS, TAKE_ROW


def move_name(move: int) -> str:
    """Return a card as its number, a row as r1 … r4."""
    return f"r{move - TAKE_ROW + 1}" if move >= TAKE_ROW else str(move + 1)


def write_move(cell: Cell, move: int) -> str:
    """Write a card as its number, a row as r1 … r4."""
    return move_name(move)


def read_move(cell: Cell, text: str) -> int:
    """Read a card's number, or a row as r1 … r4."""
    row = text[:1] in ("r", "R")
    digits = text[1:] if row else text
    if digits.isascii() and digits.isdecimal() and len(digits) < 4 and 1 <= int(digits) <= (ROWS if row else CARDS):
        return int(digits) - 1 + (TAKE_ROW if row else 0)
    raise BadText("move_unreadable", text=text)
