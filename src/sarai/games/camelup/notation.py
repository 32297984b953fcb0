"""Moves of Camel Up in notation: `bet g`, `tile 5+`, `roll`, `win g`, and what chance brings: `g2`, `place 2`."""

import re

from sarai.core.errors import BadText
from sarai.core.kernels.compile import Cell
from sarai.core.result import CHANCE
from sarai.games.camelup.edition import Edition, edition_of
from sarai.games.camelup.state import (
    BET,
    GREY_FACE,
    LAST_SPACE,
    LOSE,
    MIRAGE,
    OASIS,
    PARTNER,
    PLACE,
    PYRAMID,
    RACING,
    TILE,
    WHITE,
    WIN,
)

SIDE_SIGNS = "+-"


def write_move(cell: Cell, move: int) -> str:
    """Write a move, or at a chance node an outcome."""
    letters = edition_of(cell).letters
    if cell["actor"][0] == CHANCE:
        if PLACE <= move < GREY_FACE:
            return f"place {move - PLACE + 1}"
        return f"{letters[camel_of_outcome(move)]}{number_of_outcome(move)}"
    if move < TILE:
        return f"bet {letters[move - BET]}"
    if move < PYRAMID:
        return f"tile {space_of(move)}{SIDE_SIGNS[side_of(move)]}"
    if move == PYRAMID:
        return "roll"
    if move < LOSE:
        return f"win {letters[move - WIN]}"
    if move < PARTNER:
        return f"lose {letters[move - LOSE]}"
    return f"partner {move - PARTNER}"


def camel_of_outcome(outcome: int) -> int:
    """Return the camel whose die, or whose face of the grey die, an outcome shows."""
    return outcome // 3 if outcome < PLACE else WHITE + (outcome - GREY_FACE) // 3


def number_of_outcome(outcome: int) -> int:
    """Return the number that a die shows."""
    return (outcome if outcome < PLACE else outcome - GREY_FACE) % 3 + 1


def space_of(move: int) -> int:
    """Return the space of a move that puts a tile."""
    return (move - TILE) // 2 + 2


def side_of(move: int) -> int:
    """Return the side of a move that puts a tile."""
    return (move - TILE) % 2


def read_move(cell: Cell, text: str) -> int:
    """Read a move or an outcome; camels by letter or by name."""
    edition = edition_of(cell)
    lowered = text.lower()
    move = read_outcome(edition, lowered) if cell["actor"][0] == CHANCE else read_action(edition, lowered)
    if move is None:
        raise BadText("move_unreadable", text=text)
    return move


def read_camel(edition: Edition, text: str) -> int | None:
    """Read a camel's letter or name."""
    for camel, (letter, name) in enumerate(zip(edition.letters, edition.camels, strict=True)):
        if text in (letter.lower(), name):
            return camel
    return None


def read_outcome(edition: Edition, text: str) -> int | None:
    """Read what chance brings."""
    if place := re.fullmatch(r"place\s*([1-5])", text):
        return PLACE + int(place[1]) - 1
    if shown := re.fullmatch(r"([a-z]+)\s*([123])", text):
        camel, number = read_camel(edition, shown[1]), int(shown[2])
        if camel is not None:
            return (3 * camel if camel < RACING else GREY_FACE + 3 * (camel - WHITE)) + number - 1
    return None


def read_action(edition: Edition, text: str) -> int | None:
    """Read what a player does."""
    if text == "roll":
        return PYRAMID
    if tile := re.fullmatch(r"tile\s+([0-9]{1,2})\s*([+-]|[a-z]+)", text):
        sides = {"+": OASIS, "-": MIRAGE, edition.sides[OASIS]: OASIS, edition.sides[MIRAGE]: MIRAGE}
        space, side = int(tile[1]), sides.get(tile[2])
        if space == 1:
            raise BadText("no_tile_on_first_space")
        return TILE + 2 * (space - 2) + side if side is not None and 2 <= space <= LAST_SPACE else None
    if partner := re.fullmatch(r"partner\s+([0-7])", text):
        return PARTNER + int(partner[1]) if edition.has_crazy_camels else None
    if choice := re.fullmatch(r"(bet|win|lose)\s+([a-z]+)", text):
        camel = read_camel(edition, choice[2])
        if camel is not None and camel < RACING:
            return {"bet": BET, "win": WIN, "lose": LOSE}[choice[1]] + camel
    return None
