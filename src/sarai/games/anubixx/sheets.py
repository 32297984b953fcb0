"""The sheets as data: sheets.toml read and checked. Nothing here needs NumPy."""

import tomllib
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from sarai.core.errors import Error
from sarai.games.anubixx import ANUBIXX
from sarai.games.anubixx.stones import (
    BUILDINGS,
    COLOURS,
    COLUMN,
    LETTERS,
    PAIRS,
    PYRAMID_ROWS,
    QUARRY,
    RELIEF_COLUMNS,
    RELIEF_FROM,
    RELIEF_ROWS,
    SHEET_LETTERS,
    STONES,
    SYMBOLS,
)

FILE = Path(__file__).with_name("sheets.toml")


class BadSheets(Error):
    """Sheets that cannot be played with."""


@dataclass(frozen=True)
class Sheet:
    """One sheet: the colour of every stone by its number, and the quarry from left to right."""

    letter: str
    colours: tuple[int, ...]
    quarry: tuple[int, ...]


@dataclass(frozen=True)
class Sheets:
    """Everything that is printed: the sheets, and what all of them share."""

    sheets: tuple[Sheet, ...]
    symbols: dict[str, tuple[int, ...]]  # the numbers of the stones each symbol stands on
    pyramid_points: tuple[int, ...]  # by levels reached, from none
    arch_points: tuple[int, ...]  # by levels reached, from none; the last is the keystone
    relief_points: tuple[int, ...]  # by pairs covered, from none


def load_sheets(path: Path = FILE) -> Sheets:
    """Read a file of sheets; BadSheets says what is wrong with it."""
    try:
        return read_sheets(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadSheets("sheets_unreadable", why=error) from None


def read_sheets(text: str) -> Sheets:
    """Read sheets from the text of a file; BadSheets says what is wrong with it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSheets("sheets_unreadable", why=error) from None
    parts = Part("the file", data)
    balanced = parts.take("balanced", bool)
    points, symbols, sheets = (parts.part(name) for name in ("points", "symbols", "sheets"))
    parts.close()
    found = Sheets(
        sheets=tuple(read_sheet(letter, sheets.part(letter)) for letter in SHEET_LETTERS),
        symbols=read_symbols(symbols),
        pyramid_points=(0, *points.numbers("pyramid", len(PYRAMID_ROWS))),
        arch_points=(0, *points.numbers("arch", COLUMN), points.take("keystone", int)),
        relief_points=points.numbers("relief", len(BUILDINGS["relief"]) // 2 + 1),
    )
    points.close()
    sheets.close()
    check_points(found)
    check_different(found, balanced)
    if balanced:
        for sheet in found.sheets:
            check_balance(sheet)
    return found


class Part:
    """A table of the file, its entries taken one by one; what is left over at the end is an error."""

    def __init__(self, name: str, entries: dict[str, Any]) -> None:
        self.name = name
        self.left = dict(entries)

    def take(self, name: str, kind: type) -> Any:
        """Return an entry of a kind."""
        where = name if self.name == "the file" else f"{self.name}.{name}"
        if name not in self.left:
            raise BadSheets("sheets_part_missing", part=where)
        value = self.left.pop(name)
        if type(value) is not kind:
            kinds = {
                bool: "it is true or false",
                int: "it is a whole number",
                str: "it is a text",
                list: "it is a list",
                dict: "it is a table",
            }
            raise BadSheets("sheets_bad_value", part=where, value=value, why=kinds[kind])
        return value

    def part(self, name: str) -> "Part":
        """Return a table within."""
        return Part(name if self.name == "the file" else f"{self.name}.{name}", self.take(name, dict))

    def numbers(self, name: str, count: int) -> tuple[int, ...]:
        """Return a list of so many whole numbers."""
        values = self.take(name, list)
        if len(values) != count or any(type(value) is not int for value in values):
            raise BadSheets(
                "sheets_bad_value",
                part=f"{self.name}.{name}",
                value=values,
                why=f"it is a list of {count} whole numbers",
            )
        return tuple(values)

    def rows(self, name: str, widths: tuple[int, ...]) -> list[list[int]]:
        """Return rows of colours, from the top as they stand in the file."""
        lines = self.take(name, list)
        if len(lines) != len(widths) or any(type(line) is not str for line in lines):
            raise BadSheets(
                "sheets_bad_value", part=f"{self.name}.{name}", value=lines, why=f"it is a list of {len(widths)} texts"
            )
        return [
            self.colours(name, line, width, number)
            for number, (line, width) in enumerate(zip(lines, widths, strict=True), 1)
        ]

    def colours(self, name: str, line: str, width: int, number: int = 1) -> list[int]:
        """Return the colours of a line."""
        letters = line.replace(" ", "")
        for letter in letters:
            if letter.lower() not in LETTERS:
                raise BadSheets(
                    "sheets_bad_colour", part=f"{self.name}.{name}", line=number, letter=letter, letters=LETTERS.upper()
                )
        if len(letters) != width:
            raise BadSheets(
                "sheets_row_length", part=f"{self.name}.{name}", line=number, found=len(letters), wanted=width
            )
        return [LETTERS.index(letter.lower()) for letter in letters]

    def close(self) -> None:
        """Refuse entries that nobody took."""
        for name in self.left:
            raise BadSheets("sheets_part_unknown", part=name if self.name == "the file" else f"{self.name}.{name}")


def read_sheet(letter: str, part: Part) -> Sheet:
    """Read one sheet (A-03 … A-06)."""
    pyramid = part.rows("pyramid", PYRAMID_ROWS[::-1])[::-1]
    keystone, *levels = part.rows("arch", (1,) + (2,) * COLUMN)
    relief = part.rows("relief", (RELIEF_COLUMNS,) * RELIEF_ROWS)
    quarry = part.colours("quarry", part.take("quarry", str), QUARRY)
    part.close()
    for colour, name in enumerate(COLOURS):
        if quarry.count(colour) != 2:
            raise BadSheets("sheets_quarry_colours", sheet=letter, colour=name, found=quarry.count(colour))
    columns = [[level[side] for level in reversed(levels)] for side in (0, 1)]
    return Sheet(letter, tuple(sum([*pyramid, *columns, keystone, *relief], [])), tuple(quarry))


def read_symbols(part: Part) -> dict[str, tuple[int, ...]]:
    """Read where the symbols stand (A-08): each in its building, on one stone or on several, no two on one."""
    places: dict[str, tuple[int, ...]] = {}
    taken: dict[str, str] = {}
    for symbol, (building, many) in SYMBOLS.items():
        stones = part.take(symbol, list)
        if (len(stones) == 1) != (many == "one") or not stones:
            raise BadSheets("sheets_symbol_stones", symbol=symbol, found=len(stones), wanted=many)
        for stone in stones:
            if stone not in BUILDINGS[building]:
                raise BadSheets("sheets_symbol_place", symbol=symbol, stone=stone, building=building)
            if stone in taken:
                raise BadSheets("sheets_two_symbols", stone=stone, first=taken[stone], second=symbol)
            taken[stone] = symbol
        places[symbol] = tuple(STONES.index(stone) for stone in stones)
    part.close()
    return places


def check_points(sheets: Sheets) -> None:
    """Refuse points that fall as a building grows, or pass the bounds of a score."""
    scales = {"pyramid": sheets.pyramid_points, "arch": sheets.arch_points, "relief": sheets.relief_points}
    for name, points in scales.items():
        for before, after in zip((0, *points), points, strict=False):
            if after < before:
                raise BadSheets("sheets_points_falling", part=f"points.{name}", before=before, after=after)
    best, bound = most_points(sheets), ANUBIXX.score_bounds[1]
    if best > bound:
        raise BadSheets("sheets_points_too_high", found=best, bound=bound)


def most_points(sheets: Sheets) -> int:
    """Return the score of a player who has everything: buildings, eight bonuses, the whole quarry and five jokers."""
    return (
        sheets.pyramid_points[-1]
        + sheets.arch_points[-1]
        + sheets.relief_points[-1]
        + 3 * (len(SYMBOLS) + 1)
        + QUARRY
        + 2 * ANUBIXX.players[-1]
    )


def check_different(sheets: Sheets, balanced: bool) -> None:
    """Refuse two sheets that are alike (A-02), and among balanced ones two quarries that are."""
    for first, second in combinations(sheets.sheets, 2):
        if (first.colours, first.quarry) == (second.colours, second.quarry):
            raise BadSheets("sheets_alike", first=first.letter, second=second.letter)
        if balanced and first.quarry == second.quarry:
            raise BadSheets("sheets_same_quarry", first=first.letter, second=second.letter)


def check_balance(sheet: Sheet) -> None:
    """Refuse a sheet that one colour decides too much on."""
    for colour, name in enumerate(COLOURS):
        found = sheet.colours.count(colour)
        if found not in (6, 7):
            raise BadSheets("sheets_colour_count", sheet=sheet.letter, colour=name, found=found)
    levels = [
        sheet.colours[STONES.index(f"al{level}")] == sheet.colours[STONES.index(f"ar{level}")]
        for level in range(1, COLUMN + 1)
    ]
    if sum(levels) > 2:
        raise BadSheets("sheets_arch_levels", sheet=sheet.letter, found=sum(levels))
    alike = sum(sheet.colours[RELIEF_FROM + first] == sheet.colours[RELIEF_FROM + second] for first, second in PAIRS)
    if alike > 2:
        raise BadSheets("sheets_relief_pairs", sheet=sheet.letter, found=alike)


SHEETS = load_sheets()
