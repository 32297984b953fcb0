"""Camel Up in a terminal: the track with what lies around it, and tables of odds."""

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sarai.core.language import ENGLISH, find_language
from sarai.core.markup import shorten
from sarai.core.messages import Name, Notation, Said, Say, Series, Term, in_digits, mark, number
from sarai.games.camelup.edition import EDITIONS, GREY_DIE, GREY_LETTER, Edition, edition_number
from sarai.games.camelup.notation import SIDE_SIGNS
from sarai.games.camelup.state import LAST_SPACE, RACING
from sarai.games.camelup.view import hidden_purses, ranking
from sarai.games.camelup.words import camel_with_letter

STYLES = {  # a camel's letter and name are always written too
    "blue": "bold white on blue",
    "green": "bold black on green",
    "orange": "bold black on dark_orange",
    "yellow": "bold black on yellow",
    "white": "bold black on white",
    "red": "bold white on red",
    "purple": "bold white on purple",
    "black": "bold white on grey19",
}
WIDTH = 8  # of a space: eight of them fit into eighty columns
IN_ENGLISH = find_language(ENGLISH).say
BAR = 12  # characters of a bar
EIGHTHS = " ▏▎▍▌▋▊▉"
LEAST_PAY = 0.005  # pounds worth a line
HELP = mark(
    "  bet g            take a bet on the green camel for this leg; bet green too\n"
    "  tile 5+  tile 5- lay your tile on space 5: camels go one further, or one back\n"
    "  roll             let a die come out of the pyramid\n"
    "  win g  lose g    lay a card: green wins, or loses, the whole race"
)


def board(view: dict[str, Any], names: list[str], say: Say = IN_ENGLISH) -> RenderableType:
    """Render what a player, or a spectator, sees."""
    edition = EDITIONS[edition_number(view["tickets"])]
    parts: list[RenderableType] = [headline(view, names, say)]
    parts += [track(view, names, edition, first, say) for first in (1, LAST_SPACE // 2 + 1)]
    parts += [*(Text(line) for line in beyond(view, say)), legend(edition, say)]
    parts += [camels(view, names, edition, say), players(view, names, edition, say), *cards(view, names, edition, say)]
    return Group(*(Padding(part, (0, 0, 0, 1), expand=False) for part in parts))


def legend(edition: Edition, say: Say) -> Text:
    """Say what the marks on the track mean."""
    message = (
        mark("▐ the finish line · the highest camel stands on top · ‹ crazy, runs the other way")
        if edition.has_crazy_camels
        else mark("▐ the finish line · the highest camel stands on top")
    )
    return Text(say(message), "dim")


def headline(view: dict[str, Any], names: list[str], say: Say) -> Text:
    """Say how far the game is."""
    message = {
        "set_up": mark("Leg {leg}, the camels are set up"),
        "stack": mark("Leg {leg}, the camels are set up"),
        "crazy": mark("Leg {leg}, the crazy camels are set up"),
        "turn": mark("Leg {leg}, {name} to move"),
        "roll": mark("Leg {leg}, a die comes out for {name}"),
        "over": mark("Leg {leg}, the game is over"),
    }[view["phase"]]
    line = Text(say(message, leg=view["leg"], name=Name(names[view["turn"]])), "bold")
    return line.append(" · ", "dim").append(
        say("start marker: {name}", name=Name(names[view["start_player"]])), "not bold dim"
    )


def track(view: dict[str, Any], names: list[str], edition: Edition, first: int, say: Say) -> Table:
    """Render half the track: on every space its camels, the highest on top, or its tile."""
    stacks = {stack["space"]: stack["camels"] for stack in view["camels"]}
    lying = {tile["space"]: (tile["side"], names[seat]) for seat, tile in enumerate(view["tiles"]) if tile}
    table = Table(box=box.ROUNDED, border_style="dim", padding=0, collapse_padding=True)
    cells = []
    for space in range(first, first + LAST_SPACE // 2):
        head = number(space, say)
        table.add_column(f"{head} ▐" if space == LAST_SPACE else head, width=WIDTH, vertical="bottom")
        if space in lying:
            side, name = lying[space]
            sign = SIDE_SIGNS[edition.sides.index(side)]
            cells.append(
                Text(shorten(side_name(side, say), WIDTH), "italic").append(f"\n{sign} {shorten(name, WIDTH - 2)}")
            )
        else:
            cells.append(Text("\n").join(camel(edition, name, say) for name in reversed(stacks.get(space, []))))
    table.add_row(*cells)
    return table


def side_name(side: str, say: Say) -> str:
    """Name a side of a tile."""
    return {
        "oasis": say("oasis"),
        "mirage": say("mirage"),
        "cheering": say("cheering"),
        "booing": say("booing"),
    }[side]


def camel(edition: Edition, name: str, say: Say, width: int = WIDTH) -> Text:
    """Write a camel's letter and name on its colour; a crazy one has a mark, since it runs the other way."""
    mark_of_crazy = "‹" if edition.camels.index(name) >= RACING else ""
    return Text(set_cell_size(camel_with_letter(edition, name, say, mark_of_crazy), width), STYLES[name])


def longest_name(edition: Edition, say: Say) -> int:
    """Return how wide the names in a list of camels and dice are: no word is cut there, as it is on a space."""
    names = [camel_with_letter(edition, name, say) for name in edition.racing_camels]
    if GREY_DIE in edition.dice:
        names.append(grey_name(say))
    return max(WIDTH, *map(cell_len, names))


def beyond(view: dict[str, Any], say: Say) -> list[str]:
    """Say who crossed the finish line."""
    return [
        say(
            mark("over the finish line, from the bottom: {camels}")
            if stack["space"] > LAST_SPACE
            else mark("backwards over the finish line, from the bottom: {camels}"),
            camels=colours(stack["camels"]),
        )
        for stack in view["camels"]
        if not 1 <= stack["space"] <= LAST_SPACE
    ]


def colours(names: Sequence[str]) -> Series:
    """List camels by their colours."""
    return Series([Term(name, "camel") for name in names])


def camels(view: dict[str, Any], names: list[str], edition: Edition, say: Say) -> Table:
    """List the racing camels with their place, their die, and the bets on them."""
    heads = (say("camel"), say("place"), say("die"), say("bets left"), say("taken by"))
    table = Table(*heads, box=box.SIMPLE_HEAD, header_style="dim", show_edge=False)
    order, shown = ranking(view), {die["die"]: die for die in view["dice"]}
    width = longest_name(edition, say)
    for name in edition.racing_camels:
        tickets = view["tickets"][name]
        taken = [
            Said(f"{number(ticket['worth'], say)} {shorten(names[ticket['owner']], 10)}")
            for ticket in tickets
            if ticket["owner"] is not None
        ]
        left = " ".join(number(ticket["worth"], say) for ticket in tickets if ticket["owner"] is None)
        place = number(order.index(name) + 1, say) if name in order else "–"
        die = say("shows {number}", number=shown[name]["number"]) if name in shown else say("in pyramid")
        table.add_row(camel(edition, name, say, width), place, die, left or say("none"), say("{n}", n=Series(taken)))
    if GREY_DIE in edition.dice:
        table.add_row(*grey_die(shown.get(GREY_DIE), say), "", "")
    return table


def grey_name(say: Say) -> str:
    """Name the grey die by its letter and its colour."""
    return say("{letter} grey", letter=Notation(GREY_LETTER))


def grey_die(shown: dict[str, Any] | None, say: Say) -> tuple[Text, str, str]:
    """Write the grey die as the first cells of a row."""
    face = (
        say("shows {camel} {number}", camel=Term(shown["camel"], "number"), number=shown["number"])
        if shown
        else say("in pyramid")
    )
    return Text(grey_name(say), "bold"), "", face


def players(view: dict[str, Any], names: list[str], edition: Edition, say: Say) -> Table:
    """List the players with what lies before them; their money too unless it is hidden."""
    crazy = edition.has_crazy_camels
    heads = ["", say("player"), say("pounds"), say("pyramid")]
    heads += [
        say("spectator tile") if crazy else say("desert tile"),
        say("finish cards") if crazy else say("race cards"),
    ]
    table = Table(
        *heads,
        *([say("partner")] if view["partners"] else []),
        box=box.SIMPLE_HEAD,
        header_style="dim",
        show_edge=False,
    )
    for column in (2, 3, 5):
        table.columns[column].justify = "right"
    hidden = hidden_purses(view)
    for seat, name in enumerate(names):
        tile = view["tiles"][seat]
        row = [
            "▸" if seat == view["turn"] and view["phase"] in ("turn", "roll") else "",
            f"{number(seat, say)} {shorten(name, 16)}" if view["partners"] else shorten(name, 16),  # for `partner 3`
            "?" if seat in hidden else number(view["pounds"][seat], say),
            number(view["pyramid_tickets"][seat], say),
            say("{space} {side}", space=tile["space"], side=Said(side_name(tile["side"], say)))
            if tile
            else say("not laid"),
            number(view["cards_left"][seat], say),
        ]
        if view["partners"]:
            partner = view["partners"][seat]
            row.append(say("available") if partner is None else shorten(names[partner], 12))
        table.add_row(*map(Text, row), style="bold" if seat == view["seat"] else None)
    return table


def cards(view: dict[str, Any], names: list[str], edition: Edition, say: Say) -> list[Text]:
    """Write both piles in the order of laying, and the cards in the own hand."""
    laid: dict[str, list[Said]] = {"winner": [], "loser": []}
    for card in view["cards"]:
        laid[card["pile"]].append(Said(laid_card(shorten(names[card["seat"]], 10), card["camel"], say)))
    none = Notation("–")
    lines = [
        say("overall winner: {cards}", cards=Series(laid["winner"]) or none),
        say("overall loser: {cards}", cards=Series(laid["loser"]) or none),
    ]
    if view["hand"]:
        message = mark("your finish cards: {camels}") if edition.has_crazy_camels else mark("your race cards: {camels}")
        lines.append(say(message, camels=colours(view["hand"])))
    elif view["hand"] is not None:
        lines.append(
            say("your finish cards: all laid") if edition.has_crazy_camels else say("your race cards: all laid")
        )
    return [Text(line) for line in lines]


def laid_card(owner: str, camel: str | None, say: Say) -> str:
    """Name the owner of a card on a pile, and its camel if it is known."""
    return say("{name} {camel}", name=Name(owner), camel=Term(camel, "camel") if camel else Notation("?"))


# --- odds ------------------------------------------------------------------------------------------------------------


def render_odds(odds: dict[str, Any], say: Say = IN_ENGLISH) -> RenderableType:
    """Render what `odds.numbers` returned as tables with bars."""
    edition = EDITIONS[edition_number(odds["bets"])]
    tables = [leg_table(odds, edition, say), race_table(odds["race"], edition, say), *tile_tables(odds, edition, say)]
    return Group(*(Padding(table, (0, 0, 1, 1), expand=False) for table in tables))


def new_table(title: str, note: str, *heads: str) -> Table:
    """Make an empty table with what its numbers mean under its title; numbers stand right."""
    table = Table(
        box=box.SIMPLE_HEAD,
        header_style="dim",
        show_edge=False,
        padding=(0, 1, 0, 0),
        title_justify="left",
        title_style="",
    )
    table.title = Text(title, "bold").append("\n").append(note, "not bold dim")
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place == 0 or not head else "right", no_wrap=True)
    return table


def percent(chance: float, say: Say) -> str:
    """Write a chance."""
    return in_digits(f"{100 * chance:.1f}%", say)


def bar(value: float, whole: float, style: str) -> Text:
    """Render a bar, to an eighth of a character."""
    eighths = round(8 * BAR * max(value, 0) / whole) if whole > 0 else 0
    return Text(("█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()).ljust(BAR), style)


def colour(name: str) -> str:
    """Return the colour of a camel's bar."""
    return {"black": "grey50"}.get(name, STYLES[name].rpartition(" ")[2])


def leg_table(odds: dict[str, Any], edition: Edition, say: Say) -> Table:
    """Render who ends the leg where, and what bets on it pay."""
    table = new_table(
        say("This leg"),
        say("exact; if nobody lays or moves a tile before the leg ends"),
        say("camel"),
        *(say("1st"), say("2nd"), say("3rd"), say("4th"), say("5th")),
        "",
        say("top bet pays"),
    )
    table.columns[-1].no_wrap = False  # a long head takes two lines before a number is cut
    best = max((bet["pay"]["value"] for bet in odds["bets"].values() if bet), default=0)
    width = longest_name(edition, say)
    for name, places in odds["leg"]["places"].items():
        bet = odds["bets"][name]
        pays = Text(say("none left"), "dim")
        if bet:
            pays = Text(
                in_digits(f"{bet['worth']}: {bet['pay']['value']:+.2f}", say),
                "bold green" if bet["pay"]["value"] == best > 0 else "",
            )
        table.add_row(
            camel(edition, name, say, width),
            *(percent(place["value"], say) for place in places),
            bar(places[0]["value"], 1, colour(name)),
            pays,
        )
    return table


def race_table(race: dict[str, Any], edition: Edition, say: Say) -> Table:
    """Render who wins and who loses the race."""
    if race["exact"]:
        note = say("exact; if nobody lays or moves a tile before the leg ends, and there are no tiles in later legs")
        heads = [say("wins"), "", say("loses"), ""]
    else:
        note = say(
            "from {races, plural, one {# race} other {# races}}, within 95% confidence; "
            "if nobody lays or moves a tile before the leg ends, and there are no tiles in later legs",
            races=race["races"],
        )
        heads = [say("wins"), say("within"), "", say("loses"), say("within"), ""]
    table = new_table(say("The race"), note, say("camel"), *heads)
    width = longest_name(edition, say)
    for name in race["win"]:
        cells: list[RenderableType] = []
        for end in ("win", "lose"):
            cells.append(percent(race[end][name], say))
            if not race["exact"]:
                low, high = race[f"{end}_95"][name]
                cells.append(Text(in_digits(f"{100 * low:.1f}–{100 * high:.1f}", say), "dim"))
            cells.append(bar(race[end][name], 1, colour(name)))
        table.add_row(camel(edition, name, say, width), *cells)
    return table


def tile_tables(odds: dict[str, Any], edition: Edition, say: Say) -> list[Table]:
    """Render what a tile would bring on each space where a unit may end its move, and what tiles on the track bring."""
    tables, crazy = [], edition.has_crazy_camels
    worth = [tile for tile in odds["tiles"] if tile["pay"]["value"] >= LEAST_PAY]
    if worth:
        best = max(tile["pay"]["value"] for tile in worth)
        table = new_table(
            say("Where a spectator tile earns") if crazy else say("Where a desert tile earns"),
            say("pounds on average for your spectator tile in this leg, and whose chance to lead changes most")
            if crazy
            else say("pounds on average for your desert tile in this leg, and whose chance to lead changes most"),
            say("space"),
            *(head for side in edition.sides for head in (side_name(side, say), "", "")),
        )
        table.columns[0].justify = "right"
        for space in sorted({tile["space"] for tile in worth}):
            cells: list[RenderableType] = []
            for side in edition.sides:
                tile = next(tile for tile in odds["tiles"] if (tile["space"], tile["side"]) == (space, side))
                style = "bold green" if tile["pay"]["value"] == best else "cyan"
                cells += [
                    in_digits(f"{tile['pay']['value']:.2f}", say),
                    bar(tile["pay"]["value"], best, style),
                    change(odds, tile, edition, say),
                ]
            table.add_row(number(space, say), *cells)
        tables.append(table)
    if odds["tiles_on_track"]:
        table = new_table(
            say("Spectator tiles on the track") if crazy else say("Desert tiles on the track"),
            say("pounds on average for their owners in this leg"),
            say("space"),
            say("side"),
            say("seat"),
            say("pays"),
        )
        for tile in odds["tiles_on_track"]:
            pays = in_digits(f"{tile['pay']['value']:.2f}", say)
            space, seat = number(tile["space"], say), number(tile["seat"], say)
            table.add_row(space, side_name(tile["side"], say), seat, pays)
        tables.append(table)
    return tables


def change(odds: dict[str, Any], tile: dict[str, Any], edition: Edition, say: Say) -> Text:
    """Say which camel's chance to lead a tile changes most."""
    changes = {name: first["value"] - odds["leg"]["places"][name][0]["value"] for name, first in tile["first"].items()}
    name = max(changes, key=lambda name: abs(changes[name]))
    if abs(changes[name]) < 0.0005:
        return Text()
    percentage = in_digits(f"{100 * changes[name]:+.1f}%", say)
    return Text(f"{edition.letters[edition.camels.index(name)]} {percentage}", "dim")
