"""Position texts of Through the Desert: written and read; what no game comes to is refused by `restore`."""

import re

from sarai.core.errors import BadText
from sarai.core.kernels.compile import Cell
from sarai.core.messages import Message, Notation, Series, mark
from sarai.core.position_text import Fields, whole
from sarai.games.desert.hex_sets import is_wide
from sarai.games.desert.position_check import Position, describe, restore, water_holes
from sarai.games.desert.state import (
    CARAVANS,
    COLOURS,
    ENDINGS,
    FINISHED,
    FIRST_ROUND,
    LAYING_WATER,
    LEADERS,
    MAX_MOVES,
    PHASES,
    SEATS,
    TOKENS_EACH,
    VALUES,
)
from sarai.games.desert.terrain import BOARD, NUMBERS

SHORT = tuple(colour[:2] for colour in COLOURS)
OWN_COLOUR = mark("it does not begin with a colour of its own: {colours}")
DIGIT_FOR_HOLE = mark(
    "{holes, plural, one {it is not a digit {low} to 3 for # water hole} "
    "other {it is not a digit {low} to 3 for each of # water holes}}"
)


def write(cell: Cell) -> dict[str, str]:
    """Write a position's fields."""
    position = describe(cell)
    phase = position.phase
    holes = water_holes(is_wide(cell[0]), tuple(position.oases)) if phase >= LAYING_WATER else ()
    if phase == LAYING_WATER:
        holes = holes[: len(position.water)]
    aside = ",".join(COLOURS[colour] for colour in position.aside)
    return {
        "phase": PHASES[phase],
        **({"ending": ENDINGS[position.ending]} if phase == FINISHED else {}),
        "moves": str(position.moves),
        **({"aside": aside or "-"} if cell["players"][0] == SEATS else {}),
        "oases": ",".join(BOARD.names[hex] for hex in position.oases) or "-",
        "water": "".join(str(position.water.get(hex, 0)) for hex in holes) or "-",
        "caravans": "/".join(map(write_caravans, position.caravans)),
        "tokens": "/".join(".".join(map(str, counts)) for counts in position.tokens),
        **({"turn": str(position.turn), "left": str(position.left)} if phase in (FIRST_ROUND, CARAVANS) else {}),
    }


def write_caravans(caravans: dict[int, list[int]]) -> str:
    """Write a player's caravans: each a colour's first two letters and the hexes of its camels, the leader's first."""
    parts = [f"{SHORT[colour]}:{''.join([BOARD.names[hex] for hex in camels])}" for colour, camels in caravans.items()]
    return ",".join(parts) or "-"


def bad(field: str, value: str, why: str | Message) -> BadText:
    """Return the error for a field that cannot be read."""
    return BadText("text_bad_value", field=field, value=value, why=why)


def read_hexes(field: str, text: str) -> list[int]:
    """Read hexes' names that stand one after the other."""
    names = re.findall(r"[a-z][0-9]*", text)
    if "".join(names) != text or not names or any(name not in NUMBERS for name in names):
        raise bad(field, text, "it is no list of hexes")
    return [NUMBERS[name] for name in names]


def read_caravans(text: str) -> dict[int, list[int]]:
    """Read a player's caravans."""
    caravans: dict[int, list[int]] = {}
    for part in text.split(",") if text != "-" else []:
        short, _, hexes = part.partition(":")
        if short not in SHORT or SHORT.index(short) in caravans:
            raise bad("caravans", part, Message(OWN_COLOUR, {"colours": Series(map(Notation, SHORT))}))
        caravans[SHORT.index(short)] = read_hexes("caravans", hexes)
    return caravans


def read(cell: Cell, fields: Fields) -> None:
    """Read a position's fields into a cell that was set up, refusing what no game comes to."""
    players = int(cell["players"][0])
    phase = fields.word("phase", PHASES)
    ending = fields.word("ending", ENDINGS) if phase == FINISHED else 0
    moves = fields.number("moves", 0, MAX_MOVES)
    aside = fields.parts("aside") if players == SEATS else []
    if any(colour not in COLOURS for colour in aside):
        raise bad("aside", ",".join(aside), "it is no list of colours")
    oases = [hex for part in fields.parts("oases") for hex in read_hexes("oases", part)]
    restore(
        cell,
        Position(
            phase=phase,
            ending=ending,
            moves=moves,
            aside=[COLOURS.index(colour) for colour in aside],
            oases=oases,
            water=read_water(cell, fields.take("water"), phase, oases),
            caravans=[read_caravans(part) for part in fields.parts("caravans", players, "/")],
            tokens=[read_tokens(part) for part in fields.parts("tokens", players, "/")],
            turn=fields.number("turn", 0, players - 1) if phase in (FIRST_ROUND, CARAVANS) else 0,
            left=fields.number("left", 1, 2) if phase in (FIRST_ROUND, CARAVANS) else 0,
        ),
    )


def read_water(cell: Cell, text: str, phase: int, oases: list[int]) -> dict[int, int]:
    """Read a digit for every water hole in order: a token's value, or 0 where a caravan took it."""
    digits = "" if text == "-" else text
    holes = water_holes(is_wide(cell[0]), tuple(sorted(oases)))
    known = set("0123" if phase > LEADERS else "123")
    if not set(digits) <= known or len(digits) > len(holes) or (phase > LAYING_WATER and len(digits) < len(holes)):
        raise bad("water", text, Message(DIGIT_FOR_HOLE, {"low": int(min(known)), "holes": len(holes)}))
    return {hex: int(digit) for hex, digit in zip(holes, digits, strict=False) if digit != "0"}


def read_tokens(text: str) -> list[int]:
    """Read how many tokens of 1, 2 and 3 a player took."""
    counts = text.split(".")
    if len(counts) != VALUES:
        raise bad("tokens", text, "it is not three numbers with dots between")
    return [whole("tokens", count, 0, TOKENS_EACH) for count in counts]
