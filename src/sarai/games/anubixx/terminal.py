"""The sheets of Anubixx in a terminal."""

from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sarai.core.messages import Name, Notation, Said, Say, Term, mark, notation, number
from sarai.games.anubixx.scoring import BONUS_POINTS
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
IDLE = mark("rounds without a stone: {n} ({limit, plural, one {# ends the game} other {# end the game}})")
STONE = 4  # the width of a stone on the own sheet

HELP = mark(
    """
  p1.3     mark the pyramid's stone 3 of row 1 with a die of its colour
  al1 key  the left column's first stone; the keystone of the arch
  f1.2-1.3 two stones of the relief that touch, for the whole turn
  p1.3q    pay with a quarry stone, p1.3j with a joker; stop: no more stones
"""
)


def board(view: dict[str, Any], names: list[str], say: Say) -> RenderableType:
    """Show the table as a player sees it, the own sheet large, or as a spectator does."""
    parts: list[RenderableType] = [headline(view, names, say), dice(view, names, say), bonuses(view, names, say)]
    dealt = [seat for seat in range(view["players"]) if view["seats"][seat]["sheet"]]
    if view["seat"] in dealt:
        parts.append(large_sheet(view, view["seat"], say))
    others = [small_sheet(view, seat, names[seat], say) for seat in dealt if seat != view["seat"]]
    parts.append(Columns(others, padding=(0, 1)))
    if others:
        key = mark("small sheets: {done} marked or crossed off, {lost} lost, a letter: still to come")
        parts.append(Text(say(key, done=Notation(DONE), lost=Notation(LOST)), "dim"))
    parts.append(points(view, names, say))
    return Group(*(Padding(part, (0, 0, 0, 1), expand=False) for part in parts))


def headline(view: dict[str, Any], names: list[str], say: Say) -> Text:
    """Say how far the game is and whose turn it is."""
    phase, round, active = view["phase"], view["round"], Name(names[view["active"]])
    if phase == "deal":
        parts = [Text(say("Round {n}, the sheets are dealt", n=round), "bold")]
    elif phase == "roll":
        parts = [Text(say("Round {n}, {name} rolls the dice", n=round, name=active), "bold")]
    elif phase == "build":
        who = mark("Round {n}, {active} is active, {name} builds")
        parts = [Text(say(who, n=round, active=active, name=Name(names[view["actor"]])), "bold")]
        may = (
            say("one more stone of pyramid or arch")
            if view["marked_this_turn"]
            else say("up to two stones, or a relief pair")
        )
        parts.append(Text(may, "dim"))
    else:
        ending = Term(view["ending"], "ending")
        parts = [Text(say("Round {n}, the game is over: {ending}", n=round, ending=ending), "bold")]
    if view["idle_rounds"]:
        limit = IDLE_LIMITS[view["rules_version"]]
        parts.append(Text(say(IDLE, n=view["idle_rounds"], limit=limit), "dim"))
    return Text(" · ", "dim").join(parts)


def letter(colour: str) -> Text:
    """Write a colour as its letter."""
    return Text(colour[0].upper(), f"bold {STYLES[colour]}")


def letters(colours: list[str]) -> Text:
    """Write colours as their letters."""
    return Text(" ").join(letter(colour) for colour in colours)


def dice(view: dict[str, Any], names: list[str], say: Say) -> Text:
    """Write the dice: in the middle, used by the active player, used in this turn."""
    middle = letters(view["dice"]["middle"]) or Text(say("none"), "dim")
    parts = [Text(" ").join([Text(say("dice in the middle:")), middle])]
    for place, seat in (("gone", view["active"]), ("taken", view["actor"])):
        if view["dice"][place]:
            used = Text(say("used by {name}:", name=Name(names[seat])))
            parts.append(Text(" ").join([used, letters(view["dice"][place])]))
    return Text(" · ").join(parts)


class Parts:
    """What a head announces, with dots between: a line ends after a part, and inside one only if it is too long."""

    def __init__(self, head: Text, parts: list[Text]) -> None:
        self.head, self.parts = head, parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Fill line after line; a blank that does not break would break all the same."""
        lines, between = [self.head], " "
        for part in self.parts:
            longer = Text(between, "dim").join([lines[-1], part])
            if longer.cell_len <= options.max_width:
                lines[-1] = longer
            else:
                lines.append(part)
            between = " · "
        yield from lines


def bonuses(view: dict[str, Any], names: list[str], say: Say) -> Parts:
    """List the bonuses: where each symbol stands, who has it, and whether it is closed."""
    parts = []
    for bonus in BONUSES:
        winners = [Name(names[seat]) for seat in range(view["players"]) if bonus in view["seats"][seat]["bonuses"]]
        is_closed = bonus in view["closed"] or view["phase"] == "over"
        parts.append(Text(bonus_words(bonus, is_closed, winners, say), "dim" if is_closed else "bold"))
    each = say("bonuses, {points, plural, one {# point} other {# points}} each:", points=BONUS_POINTS)
    return Parts(Text(each), parts)


def bonus_words(bonus: str, is_closed: bool, winners: list[Name], say: Say) -> str:
    """Say of a bonus whether it is closed, and who has it."""
    what = (
        say("{bonus} ({letter})", bonus=Term(bonus, "bonus"), letter=Notation(SYMBOL_LETTERS[bonus]))
        if bonus in SYMBOL_LETTERS
        else say("end (two buildings)")
    )
    if winners:
        message = mark("{bonus} closed: {names}") if is_closed else mark("{bonus} open: {names}")
        return say(message, bonus=Said(what), names=winners)
    return say(mark("{bonus} closed") if is_closed else mark("{bonus} open"), bonus=Said(what))


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


def in_order(text: Text, say: Say) -> Text:
    """Keep what has styles in the order of notation, beside words of any direction."""
    before, _, after = notation(text.plain, say).partition(text.plain)
    return Text(before).append_text(text).append(after)


def large_sheet(view: dict[str, Any], seat: int, say: Say) -> Panel:
    """Show a sheet with names, symbols and points."""
    sheet, scales = SheetText(view, seat), view["print"]["points"]
    widths = {"pyramid": PYRAMID_ROWS[0], "arch": 3, "relief": RELIEF_COLUMNS}
    titles = {"pyramid": say("pyramid"), "arch": say("arch"), "relief": say("relief")}
    tables = []
    for title, stones in widths.items():
        head = centred(Text(titles[title]), stones).plain
        table = Table("", head, "", box=None, header_style="bold", pad_edge=False, padding=0)
        for column, width in zip(table.columns, (3 + (title == "arch"), STONE * stones, 3), strict=True):
            column.min_width = width
        tables.append(table)
    pyramid, arch, relief = tables
    for level in range(len(PYRAMID_ROWS), 0, -1):
        pyramid.add_row(
            f"p{level}",
            centred(sheet.row(pyramid_row(level), large=True), widths["pyramid"]),
            f"{number(scales['pyramid'][level], say):>3}",
        )
    arch.add_row("key", centred(sheet.large("key"), widths["arch"]), f"    {number(scales['arch'][-1], say):>3}")
    for level in range(COLUMN, 0, -1):
        pair = Text(" " * STONE).join(sheet.large(f"a{side}{level}") for side in "lr")
        arch.add_row(f"al{level}", pair, f" ar{level}{number(scales['arch'][level], say):>3}")
    for row in range(1, RELIEF_ROWS + 1):
        relief.add_row(f"f{row}", sheet.row(relief_row(row), large=True))
    covered = len([stone for stone in sheet.mine["marked"] if stone.startswith("f")])
    relief.add_row("", Text(say("covered: {n}", n=covered), "dim"))
    for pairs in (2, 4), (4, len(scales["relief"])):
        worth = [(number(2 * count, say), number(scales["relief"][count], say)) for count in range(*pairs)]
        relief.add_row("", Text(" ".join(f"{stones}→{points}" for stones, points in worth), "dim"))
    grid = Table.grid(padding=(0, 2))
    grid.add_row(pyramid, arch, relief)
    key = say("{done} crossed off, {lost} lost, [] marked", done=Notation(DONE), lost=Notation(LOST))
    below = Text(" ").join([Text(say("quarry:")), in_order(sheet.quarry(), say)])
    below = Text("   ").join([below, Text(say("jokers: {n}", n=sheet.mine["jokers"])), Text(key, "dim")])
    return Panel(
        Group(grid, Text(""), below),
        title=say("your sheet {letter}", letter=Notation(sheet.mine["sheet"])),
        title_align="left",
        expand=False,
        border_style="dim",
    )


def small_sheet(view: dict[str, Any], seat: int, name: str, say: Say) -> Panel:
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
    below = Text(say("jokers: {n}", n=sheet.mine["jokers"]))
    is_turn = seat in view["to_act"]
    title = mark("{name}, sheet {letter} builds") if is_turn else mark("{name}, sheet {letter}")
    return Panel(
        Group(grid, sheet.quarry(), below),
        title=Text(say(title, name=Name(name), letter=Notation(sheet.mine["sheet"]))),
        title_align="left",
        expand=False,
        padding=0,
        border_style="bold" if is_turn else "dim",
    )


def points(view: dict[str, Any], names: list[str], say: Say) -> Table:
    """List the points of all players so far."""
    heads = {
        "pyramid": say("pyramid"),
        "arch": say("arch"),
        "relief": say("relief"),
        "bonuses": say("bonuses"),
        "quarry": say("quarry"),
        "jokers": say("jokers"),
        "total": say("total"),
    }
    table = Table(say("player"), *heads.values(), box=box.SIMPLE_HEAD, header_style="dim", pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for seat, name in enumerate(names):
        worth = view["seats"][seat]["points"]
        table.add_row(
            Text(name), *(number(worth[kind], say) for kind in heads), style="bold" if seat == view["seat"] else None
        )
    return table
