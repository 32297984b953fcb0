"""The desert as data: a file of letters, read and checked (D-01 … D-03). Nothing here needs NumPy."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sarai.core.errors import Error, register_reasons

MOUNTAIN = "#"
INSIDE, BEYOND = ".oP", ",0Q"  # sand, water-hole dot and palm space, on either side of the thick line
SAND, DOT, PALM = range(3)
PALMS, TOKENS = 5, 45
MOST_COLUMNS, MOST_ROWS, MOST_PALM_SPACES = 26, 99, 30

OWN_BOARD = "SARAI_DATA_DESERT_BOARD"  # an environment variable: the path of another board
STANDARD_BOARD = Path(__file__).with_name("terrain.txt")

Place = tuple[int, int]  # column, row

register_reasons(
    {
        "board_unreadable": "The board {path} cannot be read: {why}.",
        "board_empty": "A board has at least one row.",
        "board_ragged": "{found, plural, one {Row {row} of the board has # hex, the first row has {wanted}.} "
        "other {Row {row} of the board has # hexes, the first row has {wanted}.}}",
        "board_unknown_letter": "{letter!r} in row {row}, column {column} of the board is none of # . o P , 0 Q.",
        "board_too_large": "A board has at most {columns, plural, one {# column} other {# columns}} "
        "and {rows, plural, one {# row} other {# rows}}.",
        "board_few_palm_spaces": "The board has {found} palm spaces inside the line; the five palms need 5.",
        "board_many_palm_spaces": "{found, plural, one {The board has # palm space; at most {most} can be told apart.} "
        "other {The board has # palm spaces; at most {most} can be told apart.}}",
        "board_much_water": "The board has room for {found} water tokens; there are {tokens}.",
        "board_unreachable": "Hex {hex} cannot be reached from {start} {area}.",
    }
)


class BadBoard(Error):
    """A board that cannot be played on."""


@dataclass(frozen=True)
class Board:
    """A board: its playable hexes, those inside the line first, with their names, kinds and neighbours."""

    columns: int
    rows: int
    places: tuple[Place, ...]
    names: tuple[str, ...]
    kinds: tuple[int, ...]  # SAND, DOT or PALM
    inside: int  # the number of hexes inside the line
    ring: tuple[tuple[int, ...], ...]  # the hexes around a hex, clockwise from above; -1 where there is none
    palm_spaces: tuple[int, ...]
    mountains: frozenset[Place]  # the ranges inside the desert, not those around it
    fingerprint: str


def around(place: Place) -> list[Place]:
    """Return the six places around one, clockwise from above; even columns lie half a hex lower (D-01)."""
    column, row = place
    upper = row - column % 2
    return [
        (column, row - 1),
        (column + 1, upper),
        (column + 1, upper + 1),
        (column, row + 1),
        (column - 1, upper + 1),
        (column - 1, upper),
    ]


def hex_name(place: Place) -> str:
    """Return a hex's name: a letter for its column, the number of its row."""
    return f"{chr(ord('a') + place[0])}{place[1] + 1}"


def read_board(text: str) -> Board:
    """Read a board from its text: a line per row, a letter per hex, blanks between; or BadBoard."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    check_letters(rows)
    letters = {(column, row): letter for row, line in enumerate(rows) for column, letter in enumerate(line)}
    places = [place for kinds in (INSIDE, BEYOND) for place, letter in letters.items() if letter in kinds]
    numbers = {place: number for number, place in enumerate(places)}
    kinds = tuple((INSIDE + BEYOND).index(letters[place]) % 3 for place in places)
    board = Board(
        columns=len(rows[0]),
        rows=len(rows),
        places=tuple(places),
        names=tuple(map(hex_name, places)),
        kinds=kinds,
        inside=sum(letters[place] in INSIDE for place in places),
        ring=tuple(tuple(numbers.get(place, -1) for place in around(hex)) for hex in places),
        palm_spaces=tuple(hex for hex, kind in enumerate(kinds) if kind == PALM),
        mountains=ranges({place for place, letter in letters.items() if letter == MOUNTAIN}, len(rows[0]), len(rows)),
        fingerprint=sha256("\n".join(" ".join(line) for line in rows).encode()).hexdigest()[:12],
    )
    check_pieces(board)
    check_reachable(board, range(board.inside), "inside the line")
    check_reachable(board, range(len(board.places)), "on the whole board")
    return board


def ranges(mountains: set[Place], columns: int, rows: int) -> frozenset[Place]:
    """Return the mountains that are not connected with the edge of the grid."""
    found = [(column, row) for column, row in mountains if column in (0, columns - 1) or row in (0, rows - 1)]
    inner = mountains.difference(found)
    while found:
        outer = inner.intersection(around(found.pop()))
        inner -= outer
        found += outer
    return frozenset(inner)


def check_letters(rows: list[list[str]]) -> None:
    """Refuse a board that is no grid of known letters."""
    if not rows:
        raise BadBoard("board_empty")
    if len(rows) > MOST_ROWS or len(rows[0]) > MOST_COLUMNS:
        raise BadBoard("board_too_large", columns=MOST_COLUMNS, rows=MOST_ROWS)
    for number, line in enumerate(rows, 1):
        for column, letter in enumerate(line, 1):
            if letter not in (MOUNTAIN, *INSIDE, *BEYOND):
                raise BadBoard("board_unknown_letter", letter=letter, row=number, column=column)
        if len(line) != len(rows[0]):
            raise BadBoard("board_ragged", row=number, found=len(line), wanted=len(rows[0]))


def check_pieces(board: Board) -> None:
    """Refuse a board that the palms (D-08) or the water tokens (D-09) do not fit."""
    spaces = board.palm_spaces
    inside = sum(space < board.inside for space in spaces)
    if inside < PALMS:
        raise BadBoard("board_few_palm_spaces", found=inside)
    if len(spaces) > MOST_PALM_SPACES:
        raise BadBoard("board_many_palm_spaces", found=len(spaces), most=MOST_PALM_SPACES)
    water = board.kinds.count(DOT) + len(spaces) - PALMS
    if water > TOKENS:
        raise BadBoard("board_much_water", found=water, tokens=TOKENS)


def check_reachable(board: Board, hexes: Iterable[int], area: str) -> None:
    """Refuse a board on which some hex cannot be reached from another."""
    in_play = set(hexes)
    reached, found = {0}, [0]
    while found:
        for hex in board.ring[found.pop()]:
            if hex in in_play and hex not in reached:
                reached.add(hex)
                found.append(hex)
    for hex in sorted(in_play - reached):
        raise BadBoard("board_unreachable", hex=board.names[hex], start=board.names[0], area=area)


def load_board(path: Path) -> Board:
    """Read a board from a file."""
    try:
        return read_board(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadBoard("board_unreadable", path=path, why=getattr(error, "strerror", None) or error) from None


BOARD = load_board(Path(os.environ.get(OWN_BOARD) or STANDARD_BOARD))
IS_STANDARD = not os.environ.get(OWN_BOARD)
NUMBERS = {name: number for number, name in enumerate(BOARD.names)}  # of hexes, by their names
