"""The desert in a terminal: hexes with letters, on the camels' colours."""

from typing import Any

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from sarai.core.language import ENGLISH, find_language
from sarai.core.messages import Name, Notation, Say, Term, mark, notation, number
from sarai.games.desert.state import COLOURS, RIDERS, WHOLE_BOARD
from sarai.games.desert.terrain import BOARD
from sarai.games.desert.words import RIDER_TERMS

FRAME = 4  # the border around the hexes, left and right
INK = {"lilac": "#c8a2e8", "mint": "#9be8b8", "lemon": "#f4ec8a", "sky": "#92cdf4", "salmon": "#fab0a0"}
RIDER_INK = {"red": "#e04040", "blue": "#5a8cff", "green": "#3fae4f", "orange": "#ff9a3c", "violet": "#b070ff"}
SAND, BLACK, WATER_INK, OASIS_INK = "#d9c29a", "#000000", "#1d4fd8", "#0b6b2e"
IN_ENGLISH = find_language(ENGLISH).say
HELP = mark(
    "  lilac f7  li f7  place your lilac leader, later a lilac camel, on hex f7\n"
    "  ? f7             what you may place on f7; ? water: where there is water"
)
Cell = tuple[str, str]  # letters and their style


def board(view: dict[str, Any], names: list[str], say: Say = IN_ENGLISH) -> RenderableType:
    """Render a view for people: the board, then who has what, the piles and whose turn it is."""
    state = Text(turn(view, names, say), style="bold")
    return Group(Desert(view), Columns([players(view, names, say), piles(view, say)]), legend(say), state)


def turn(view: dict[str, Any], names: list[str], say: Say) -> str:
    """Say whose turn it is, and how many camels are left to place in it."""
    phase, left = view["phase"], view["camels_left"]
    if phase == "aside":
        return say("Leaders are set aside.")
    if phase == "palms":
        return say("Palms are planted.")
    if phase == "water":
        return say("Water tokens are laid.")
    if phase == "over":
        return say("The game is over.")
    name = Name(names[view["actor"]])
    if phase == "leaders":
        return say("{name} is to place a leader.", name=name)
    if phase == "first":
        return say("{name} is to place a camel (first round).", name=name)
    return say("{n, plural, one {{name} is to place a camel.} other {{name} is to place # camels.}}", name=name, n=left)


class Desert:
    """The hexes: columns side by side, even ones half a hex lower; what lies on a hex stands above its name."""

    def __init__(self, view: dict[str, Any]) -> None:
        wide = view["players"] >= WHOLE_BOARD
        self.names = {
            place: name
            for hex, (place, name) in enumerate(zip(BOARD.places, BOARD.names, strict=True))
            if wide or hex < BOARD.inside
        }
        self.shown = contents(view)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render hexes four letters wide where there is room for them, three where there is not."""
        width = 4 if 4 * BOARD.columns + FRAME <= options.max_width else 3
        lines = []
        for height in range(2 * BOARD.rows + 1):
            line = Text()
            for column in range(BOARD.columns):
                row, below = divmod(height - (column % 2 == 0), 2)
                letters, style = self.half((column, row), bool(below))
                line.append(letters.center(width), style)
            lines.append(line)
        yield Panel(Group(*lines), width=width * BOARD.columns + FRAME, title="Through the Desert")

    def half(self, place: tuple[int, int], below: bool) -> Cell:
        """Return the upper or the lower half of a hex: what lies there, or its name."""
        if place not in self.names:
            return ("▲▲▲", "dim") if place in BOARD.mountains else ("", "")
        letters, style = self.shown.get(self.names[place], ("·", f"{BLACK} on {SAND}"))
        return (self.names[place], style) if below else (letters, f"bold {style}")


def contents(view: dict[str, Any]) -> dict[str, Cell]:
    """Return what lies on each hex: a camel as rider and colour, water as ~1~, an oasis as *P*, an area as /r/."""
    shown: dict[str, Cell] = {}
    for seat, hexes in enumerate(view["enclosed"]):
        for hex in hexes:
            shown[hex] = f"/{RIDERS[seat][0]}/", f"{RIDER_INK[RIDERS[seat]]} on #303030"
    for hex, value in view["water"].items():
        shown[hex] = f"~{value}~", f"{WATER_INK} on {SAND}"
    for hex in view["oases"]:
        letters = f"*{shown[hex][0][1]}*" if hex in shown else "*P*"
        shown[hex] = letters, f"#ffffff on {OASIS_INK}"
    for seat, caravans in enumerate(view["caravans"]):
        for colour, hexes in caravans.items():
            for place, hex in enumerate(hexes):
                letters = RIDERS[seat][0] + colour[:2]
                shown[hex] = letters if place else letters.upper(), f"{BLACK} on {INK[colour]}"
    return shown


def players(view: dict[str, Any], names: list[str], say: Say) -> Table:
    """List who rides what, and their points; with hidden scores only the own ones until the game is over."""
    table = Table(
        "",
        say("player"),
        say("water"),
        say("oases"),
        say("areas"),
        say("largest"),
        say("points"),
        title=say("Points, the largest caravans as they stand"),
    )
    for seat, points in enumerate(view["points"]):
        is_shown = view["options"]["scores"] == "open" or view["phase"] == "over" or seat == view["seat"]
        turn = "▶" if seat in view["to_act"] else ""
        rider, name = RIDER_TERMS[seat], Name(names[seat])
        if view["aside"][seat : seat + 1]:
            aside = Term(view["aside"][seat], "leader")
            who = say("{name} ({rider}), no {colour}", name=name, rider=rider, colour=aside)
        else:
            who = say("{name} ({rider})", name=name, rider=rider)
        values = (
            [number(value, say) for value in (*points.values(), sum(points.values()))]
            if is_shown
            else ["?"] * (len(points) + 1)
        )
        letter = f"{notation(RIDERS[seat][0], say)} "
        table.add_row(turn, Text.assemble((letter, f"bold {RIDER_INK[RIDERS[seat]]}"), who), *values)
    return table


def piles(view: dict[str, Any], say: Say) -> Table:
    """List how many camels of each colour are left, and how long each caravan is."""
    seats = (RIDERS[seat][0] for seat in range(view["players"]))
    table = Table(say("colour"), say("pile"), *seats, title=say("Camels"))
    for colour in COLOURS:
        sizes = [number(len(caravans.get(colour, ())), say) for caravans in view["caravans"]]
        name = say("{letters} {colour}", letters=Notation(colour[:2]), colour=Term(colour, "camel"))
        table.add_row(Text(name, f"{BLACK} on {INK[colour]}"), number(view["piles"][colour], say), *sizes)
    return table


def legend(say: Say) -> Text:
    """Say what the letters mean."""
    return Text(
        say(
            "{leader}: red's lilac leader   {camel}: a camel of that caravan   {water}: water   {oasis}: oasis   "
            "{area} {enclosed}: enclosed by red   {peaks}: mountains\na hex's name stands under what lies on it",
            leader=Notation("RLI"),
            camel=Notation("rli"),
            water=Notation("~2~"),
            oasis=Notation("*P*"),
            area=Notation("/r/"),
            enclosed=Notation("*r*"),
            peaks=Notation("▲▲▲"),
        ),
        style="dim",
    )
