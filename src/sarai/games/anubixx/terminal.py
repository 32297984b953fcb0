"""The sheets of Anubixx in a terminal."""

from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sarai.games.anubixx.state import BONUSES, COLUMN, IDLE_LIMITS, PYRAMID_ROWS, RELIEF_COLUMNS, RELIEF_ROWS

STYLES = {
    "red": "red",
    "orange": "dark_orange",
    "yellow": "yellow",
    "green": "green",
    "blue": "dodger_blue1",
    "violet": "medium_orchid",
}
SYMBOL_LETTERS = {"scarab": "s", "snake": "n", "eye": "e", "ankh": "a", "falcon": "f", "lotus": "l", "cat": "c"}
DONE, LOST = "■", "·"
STONE = 4  # the width of a stone on the own sheet

HELP = """
  p1.3     mark the pyramid's stone 3 of row 1 with a die of its colour
  al1 key  the left column's first stone; the keystone of the arch
  f1.2-1.3 two stones of the relief that touch, for the whole turn
  p1.3q    pay with a quarry stone, p1.3j with a joker; stop: no more stones
"""


def board(view: dict[str, Any], names: list[str]) -> RenderableType:
    """Show the table as a player sees it, the own sheet large, or as a spectator does."""
    parts: list[RenderableType] = [headline(view, names), dice(view, names), bonuses(view, names)]
    dealt = [seat for seat in range(view["players"]) if view["seats"][seat]["sheet"]]
    if view["seat"] in dealt:
        parts.append(large_sheet(view, view["seat"]))
    parts.append(
        Columns([small_sheet(view, seat, names[seat]) for seat in dealt if seat != view["seat"]], padding=(0, 1))
    )
    if len(dealt) > (view["seat"] in dealt):
        parts.append(Text(f"small sheets: {DONE} marked or crossed off, {LOST} lost, a letter: still to come", "dim"))
    parts.append(points(view, names))
    return Group(*(Padding(part, (0, 0, 0, 1), expand=False) for part in parts))


def headline(view: dict[str, Any], names: list[str]) -> Text:
    """Say how far the game is and whose turn it is."""
    active = names[view["active"]]
    where = {
        "deal": "the sheets are dealt",
        "roll": f"{active} rolls the dice",
        "build": f"{active} is active, {names[view['actor']]} builds" if view["phase"] == "build" else "",
        "over": f"the game is over: {view['ending'].replace('_', ' ')}",
    }[view["phase"]]
    text = Text(f"Round {view['round']}, {where}", "bold")
    if view["phase"] == "build":
        is_second = view["marked_this_turn"]
        text.append(
            f" · {'one more stone of pyramid or arch' if is_second else 'up to two stones, or a relief pair'}", "dim"
        )
    if view["idle_rounds"]:
        limit = IDLE_LIMITS[view["rules_version"]]
        text.append(f" · rounds without a stone: {view['idle_rounds']} ({limit} end the game)", "dim")
    return text


def letter(colour: str) -> Text:
    """Write a colour as its letter."""
    return Text(colour[0].upper(), f"bold {STYLES[colour]}")


def dice(view: dict[str, Any], names: list[str]) -> Text:
    """Write the dice: in the middle, used by the active player, used in this turn."""
    text = Text("dice in the middle: ")
    text.append_text(Text(" ").join(letter(colour) for colour in view["dice"]["middle"]) or Text("none", "dim"))
    for place, seat in (("gone", view["active"]), ("taken", view["actor"])):
        if view["dice"][place]:
            text.append(f" · used by {names[seat]}: ").append_text(
                Text(" ").join(letter(colour) for colour in view["dice"][place])
            )
    return text


def bonuses(view: dict[str, Any], names: list[str]) -> Text:
    """List the bonuses: where each symbol stands, who has it, and whether it is closed."""
    parts = []
    for bonus in BONUSES:
        winners = [names[seat] for seat in range(view["players"]) if bonus in view["seats"][seat]["bonuses"]]
        what = f"{bonus} ({SYMBOL_LETTERS[bonus]})" if bonus in SYMBOL_LETTERS else "end (two buildings)"
        is_closed = bonus in view["closed"] or view["phase"] == "over"
        text = Text(what, "dim" if is_closed else "bold").append(
            " closed" if is_closed else " open", "dim" if is_closed else "green"
        )
        parts.append(text.append(f": {', '.join(winners)}" if winners else "", "default"))
    return Text("bonuses, 3 points each: ").append_text(Text(" · ", "dim").join(parts))


class SheetText:
    """A seat's sheet as text, stone by stone."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        self.mine = view["seats"][seat]
        self.print = view["print"]
        self.colours = self.print["stones"][self.mine["sheet"]]
        self.symbols = {
            stone: SYMBOL_LETTERS[symbol] for symbol, stones in self.print["symbols"].items() for stone in stones
        }

    def small(self, stone: str) -> Text:
        """Write a stone as one letter, its colour's or, if it is marked, a block."""
        colour = self.colours[stone]
        return Text(DONE if stone in self.mine["marked"] else colour[0].upper(), STYLES[colour])

    def large(self, stone: str) -> Text:
        """Write a stone as its colour's letter and its symbol, in brackets if it is marked."""
        colour, symbol = self.colours[stone], self.symbols.get(stone, "")
        left, right = "[]" if stone in self.mine["marked"] else "  "
        return Text(left, f"bold {STYLES[colour]}").append(f"{colour[0].upper()}{symbol or ' '}").append(right)

    def row(self, stones: list[str], large: bool = False) -> Text:
        """Write stones side by side."""
        return Text("" if large else " ").join(self.large(stone) if large else self.small(stone) for stone in stones)

    def quarry(self) -> Text:
        """Write the quarry: crossed-off stones as blocks, skipped ones as dots."""
        behind = max(self.mine["crossed"], default=0)
        quarry = self.print["quarries"][self.mine["sheet"]]
        marks = [
            DONE if place in self.mine["crossed"] else LOST if place <= behind else ""
            for place in range(1, len(quarry) + 1)
        ]
        return Text(" ").join(
            Text(mark, "dim") if mark else letter(colour) for mark, colour in zip(marks, quarry, strict=True)
        )


def pyramid_row(level: int) -> list[str]:
    """Return the names of a pyramid row's stones."""
    return [f"p{level}.{place}" for place in range(1, PYRAMID_ROWS[level - 1] + 1)]


def relief_row(row: int) -> list[str]:
    """Return the names of a relief row's stones."""
    return [f"f{row}.{place}" for place in range(1, RELIEF_COLUMNS + 1)]


def centred(text: Text, stones: int) -> Text:
    """Put text into the middle of a row of stones; a table that centres would not count blanks at its end."""
    return Text(" " * ((STONE * stones - len(text)) // 2)).append_text(text)


def large_sheet(view: dict[str, Any], seat: int) -> Panel:
    """Show a sheet with names, symbols and points."""
    sheet, scales = SheetText(view, seat), view["print"]["points"]
    widths = {"pyramid": PYRAMID_ROWS[0], "arch": 3, "relief": RELIEF_COLUMNS}
    tables = []
    for title, stones in widths.items():
        table = Table(
            "", centred(Text(title), stones).plain, "", box=None, header_style="bold", pad_edge=False, padding=0
        )
        for column, width in zip(table.columns, (3 + (title == "arch"), STONE * stones, 3), strict=True):
            column.min_width = width
        tables.append(table)
    pyramid, arch, relief = tables
    for level in range(len(PYRAMID_ROWS), 0, -1):
        pyramid.add_row(
            f"p{level}",
            centred(sheet.row(pyramid_row(level), large=True), widths["pyramid"]),
            f"{scales['pyramid'][level]:>3}",
        )
    arch.add_row("key", centred(sheet.large("key"), widths["arch"]), f"    {scales['arch'][-1]:>3}")
    for level in range(COLUMN, 0, -1):
        pair = Text(" " * STONE).join(sheet.large(f"a{side}{level}") for side in "lr")
        arch.add_row(f"al{level}", pair, f" ar{level}{scales['arch'][level]:>3}")
    for row in range(1, RELIEF_ROWS + 1):
        relief.add_row(f"f{row}", sheet.row(relief_row(row), large=True))
    covered = len([stone for stone in sheet.mine["marked"] if stone.startswith("f")])
    relief.add_row("", Text(f"{covered} covered", "dim"))
    for pairs in (2, 4), (4, len(scales["relief"])):
        relief.add_row("", Text(" ".join(f"{2 * count}→{scales['relief'][count]}" for count in range(*pairs)), "dim"))
    grid = Table.grid(padding=(0, 2))
    grid.add_row(pyramid, arch, relief)
    below = Text("quarry: ").append_text(sheet.quarry()).append(f"   jokers: {sheet.mine['jokers']}   ")
    below.append(f"{DONE} crossed off, {LOST} lost, [] marked", "dim")
    return Panel(
        Group(grid, Text(""), below),
        title=f"your sheet {sheet.mine['sheet']}",
        title_align="left",
        expand=False,
        border_style="dim",
    )


def small_sheet(view: dict[str, Any], seat: int, name: str) -> Panel:
    """Show a sheet small: a letter for a stone still to be marked, a block for a marked one."""
    sheet = SheetText(view, seat)
    grid = Table.grid(padding=(0, 2))
    for _ in range(3):
        grid.add_column(justify="center")
    for line in range(COLUMN + 1, 0, -1):
        pyramid = sheet.row(pyramid_row(line)) if line <= len(PYRAMID_ROWS) else Text("")
        arch = sheet.row([f"al{line}", f"ar{line}"]) if line <= COLUMN else sheet.small("key")
        relief = sheet.row(relief_row(RELIEF_ROWS + 1 - line)) if line <= RELIEF_ROWS else Text("")
        grid.add_row(pyramid, arch, relief)
    below = Text(f"jokers: {sheet.mine['jokers']}")
    is_turn = seat in view["to_act"]
    title = Text(f"{name}, sheet {sheet.mine['sheet']}{' builds' * is_turn}")
    return Panel(
        Group(grid, sheet.quarry(), below),
        title=title,
        title_align="left",
        expand=False,
        padding=0,
        border_style="bold" if is_turn else "dim",
    )


def points(view: dict[str, Any], names: list[str]) -> Table:
    """List the points of all players so far."""
    kinds = ("pyramid", "arch", "relief", "bonuses", "quarry", "jokers", "total")
    table = Table("player", *kinds, box=box.SIMPLE_HEAD, header_style="dim", pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for seat, name in enumerate(names):
        worth = view["seats"][seat]["points"]
        table.add_row(Text(name), *(str(worth[kind]) for kind in kinds), style="bold" if seat == view["seat"] else None)
    return table
