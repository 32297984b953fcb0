"""Moves of Through the Desert as people write them: a colour and a hex."""

import re

from sarai.core.errors import BadText
from sarai.core.kernels.compile import Cell
from sarai.core.result import CHANCE
from sarai.games.desert.state import COLOURS, HEXES, LAYING_WATER, PLANTING, SETTING_ASIDE
from sarai.games.desert.terrain import BOARD, NUMBERS


def write_move(cell: Cell, move: int) -> str:
    """Write a move as a colour and a hex; an outcome as a colour, a hex or a token's value."""
    if cell["actor"][0] == CHANCE:
        if cell["phase"][0] == SETTING_ASIDE:
            return COLOURS[move]
        return BOARD.names[BOARD.palm_spaces[move]] if cell["phase"][0] == PLANTING else str(move + 1)
    return f"{COLOURS[move // HEXES]} {BOARD.names[move % HEXES]}"


def read_colour(text: str, word: str) -> int:
    """Read a colour, or a beginning of one that no other colour has."""
    found = [number for number, colour in enumerate(COLOURS) if word and colour.startswith(word)]
    if len(found) > 1:
        raise BadText("move_ambiguous", text=text, choices=", ".join(COLOURS[number] for number in found))
    if not found:
        raise BadText("move_unreadable", text=text)
    return found[0]


def read_move(cell: Cell, text: str) -> int:
    """Read a colour and a hex: `lilac f7`, `li f7`, `lif7`; at a chance node what it brings."""
    word = text.lower()
    if cell["actor"][0] == CHANCE:
        phase = cell["phase"][0]
        if phase == SETTING_ASIDE:
            return read_colour(text, word)
        if phase == PLANTING and NUMBERS.get(word) in BOARD.palm_spaces:
            return BOARD.palm_spaces.index(NUMBERS[word])
        if phase == LAYING_WATER and word in ("1", "2", "3"):
            return int(word) - 1
    elif (match := re.fullmatch(r"([a-z]+)[\s-]*([a-z][0-9]{1,2})", word)) and match[2] in NUMBERS:
        return read_colour(text, match[1]) * HEXES + NUMBERS[match[2]]
    raise BadText("move_unreadable", text=text)
