"""Camel Up in a terminal: the track with what lies around it, and tables of odds."""

from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sarai.core.markup import shorten
from sarai.games.camelup.edition import EDITIONS, GREY_DIE, GREY_LETTER, Edition, edition_number
from sarai.games.camelup.notation import SIDE_SIGNS
from sarai.games.camelup.state import LAST_SPACE, RACING
from sarai.games.camelup.view import hidden_purses, ranking

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
PLACES = ("1st", "2nd", "3rd", "4th", "5th")
BAR = 12  # characters of a bar
EIGHTHS = " ▏▎▍▌▋▊▉"
LEAST_PAY = 0.005  # pounds worth a line
HELP = """
  bet g            take a bet on the green camel for this leg; bet green too
  tile 5+  tile 5- lay your tile on space 5: camels go one further, or one back
  roll             let a die come out of the pyramid
  win g  lose g    lay a card: green wins, or loses, the whole race
"""


def board(view: dict[str, Any], names: list[str]) -> RenderableType:
    """Render what a player, or a spectator, sees."""
    edition = EDITIONS[edition_number(view["tickets"])]
    parts: list[RenderableType] = [headline(view, names)]
    parts += [track(view, names, edition, first) for first in (1, LAST_SPACE // 2 + 1)]
    parts += [*(Text(line) for line in beyond(view)), legend(edition)]
    parts += [camels(view, names, edition), players(view, names, edition), *cards(view, names, edition)]
    return Group(*(Padding(part, (0, 0, 0, 1), expand=False) for part in parts))


def legend(edition: Edition) -> Text:
    """Say what the marks on the track mean."""
    crazy = " · ‹ crazy, runs the other way" if edition.has_crazy_camels else ""
    return Text(f"▐ the finish line · the highest camel stands on top{crazy}", "dim")


def headline(view: dict[str, Any], names: list[str]) -> Text:
    """Say how far the game is."""
    name = names[view["turn"]]
    where = {
        "set_up": "the camels are set up",
        "stack": "the camels are set up",
        "crazy": "the crazy camels are set up",
        "turn": f"{name} to move",
        "roll": f"a die comes out for {name}",
        "over": "the game is over",
    }[view["phase"]]
    return Text(f"Leg {view['leg']}, {where}", "bold").append(f" · start marker: {names[view['start_player']]}", "dim")


def track(view: dict[str, Any], names: list[str], edition: Edition, first: int) -> Table:
    """Render half the track: on every space its camels, the highest on top, or its tile."""
    stacks = {stack["space"]: stack["camels"] for stack in view["camels"]}
    lying = {tile["space"]: (tile["side"], names[seat]) for seat, tile in enumerate(view["tiles"]) if tile}
    table = Table(box=box.ROUNDED, border_style="dim", padding=0, collapse_padding=True)
    cells = []
    for space in range(first, first + LAST_SPACE // 2):
        table.add_column(f"{space} ▐" if space == LAST_SPACE else str(space), width=WIDTH, vertical="bottom")
        if space in lying:
            side, name = lying[space]
            cells.append(Text(f"{side}\n{SIDE_SIGNS[edition.sides.index(side)]} {shorten(name, WIDTH - 2)}", "italic"))
        else:
            cells.append(Text("\n").join(camel(edition, name) for name in reversed(stacks.get(space, []))))
    table.add_row(*cells)
    return table


def camel(edition: Edition, name: str) -> Text:
    """Write a camel's letter and name on its colour; a crazy one has a mark, since it runs the other way."""
    number = edition.camels.index(name)
    return Text(f"{'‹' if number >= RACING else ''}{edition.letters[number]} {name}".ljust(WIDTH), STYLES[name])


def beyond(view: dict[str, Any]) -> list[str]:
    """Say who crossed the finish line."""
    lines = []
    for stack in view["camels"]:
        if not 1 <= stack["space"] <= LAST_SPACE:
            way = "over the finish line" if stack["space"] > LAST_SPACE else "backwards over the finish line"
            lines.append(f"{way}, from the bottom: {', '.join(stack['camels'])}")
    return lines


def camels(view: dict[str, Any], names: list[str], edition: Edition) -> Table:
    """List the racing camels with their place, their die, and the bets on them."""
    table = Table(
        "camel", "place", "die", "bets left", "taken by", box=box.SIMPLE_HEAD, header_style="dim", show_edge=False
    )
    order, shown = ranking(view), {die["die"]: die for die in view["dice"]}
    for name in edition.racing_camels:
        tickets = view["tickets"][name]
        taken = [
            f"{ticket['worth']} {shorten(names[ticket['owner']], 10)}"
            for ticket in tickets
            if ticket["owner"] is not None
        ]
        left = [str(ticket["worth"]) for ticket in tickets if ticket["owner"] is None]
        place = str(order.index(name) + 1) if name in order else "–"
        die = f"shows {shown[name]['number']}" if name in shown else "in pyramid"
        table.add_row(camel(edition, name), place, die, " ".join(left) or "none", ", ".join(taken))
    if GREY_DIE in edition.dice:
        grey = shown.get(GREY_DIE)
        table.add_row(
            Text(f"{GREY_LETTER} {GREY_DIE}".ljust(WIDTH), "bold"),
            "",
            f"shows {grey['camel']} {grey['number']}" if grey else "in pyramid",
            "",
            "",
        )
    return table


def players(view: dict[str, Any], names: list[str], edition: Edition) -> Table:
    """List the players with what lies before them; their money too unless it is hidden."""
    heads = ["", "player", "pounds", "pyramid", edition.tile, edition.card + "s"]
    table = Table(
        *heads, *(["partner"] if view["partners"] else []), box=box.SIMPLE_HEAD, header_style="dim", show_edge=False
    )
    for column in (2, 3, 5):
        table.columns[column].justify = "right"
    hidden = hidden_purses(view)
    for seat, name in enumerate(names):
        tile = view["tiles"][seat]
        row = [
            "▸" if seat == view["turn"] and view["phase"] in ("turn", "roll") else "",
            f"{seat} {shorten(name, 16)}" if view["partners"] else shorten(name, 16),  # `partner 3` names a seat
            "?" if seat in hidden else str(view["pounds"][seat]),
            str(view["pyramid_tickets"][seat]),
            f"{tile['space']} {tile['side']}" if tile else "not laid",
            str(view["cards_left"][seat]),
        ]
        if view["partners"]:
            partner = view["partners"][seat]
            row.append("available" if partner is None else shorten(names[partner], 12))
        table.add_row(*map(Text, row), style="bold" if seat == view["seat"] else None)
    return table


def cards(view: dict[str, Any], names: list[str], edition: Edition) -> list[Text]:
    """Write both piles in the order of laying, and the cards in the own hand."""
    lines = []
    for pile in ("winner", "loser"):
        laid = [
            f"{shorten(names[card['seat']], 10)} {card['camel'] or '?'}"
            for card in view["cards"]
            if card["pile"] == pile
        ]
        lines.append(Text(f"overall {pile}: ", "bold").append(", ".join(laid) or "–", "not bold"))
    if view["hand"] is not None:
        hand = Text(f"your {edition.card}s: ", "bold")
        lines.append(hand.append(", ".join(view["hand"]) or "all laid", "not bold"))
    return lines


# --- odds ------------------------------------------------------------------------------------------------------------


def render_odds(odds: dict[str, Any]) -> RenderableType:
    """Render what `odds.numbers` returned as tables with bars."""
    edition = EDITIONS[edition_number(odds["bets"])]
    tables = [leg_table(odds, edition), race_table(odds["race"], edition), *tile_tables(odds, edition)]
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
    table.title = Text(title, "bold").append(f"\n{note}", "not bold dim")
    for place, head in enumerate(heads):
        table.add_column(head, justify="left" if place == 0 or not head else "right", no_wrap=True)
    return table


def percent(chance: float) -> str:
    """Write a chance."""
    return f"{100 * chance:.1f}%"


def bar(value: float, whole: float, style: str) -> Text:
    """Render a bar, to an eighth of a character."""
    eighths = round(8 * BAR * max(value, 0) / whole) if whole > 0 else 0
    return Text(("█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()).ljust(BAR), style)


def colour(name: str) -> str:
    """Return the colour of a camel's bar."""
    return {"black": "grey50"}.get(name, STYLES[name].rpartition(" ")[2])


def leg_table(odds: dict[str, Any], edition: Edition) -> Table:
    """Render who ends the leg where, and what bets on it pay."""
    table = new_table("This leg", f"exact; if {odds['leg']['assumption']}", "camel", *PLACES, "", "top bet pays")
    best = max((bet["pay"]["value"] for bet in odds["bets"].values() if bet), default=0)
    for name, places in odds["leg"]["places"].items():
        bet = odds["bets"][name]
        pays = Text("none left", "dim")
        if bet:
            pays = Text(
                f"{bet['worth']}: {bet['pay']['value']:+.2f}", "bold green" if bet["pay"]["value"] == best > 0 else ""
            )
        table.add_row(
            camel(edition, name),
            *(percent(place["value"]) for place in places),
            bar(places[0]["value"], 1, colour(name)),
            pays,
        )
    return table


def race_table(race: dict[str, Any], edition: Edition) -> Table:
    """Render who wins and who loses the race."""
    how = "exact" if race["exact"] else f"from {race['races']:,} races, within 95% confidence"
    heads = ("wins", "", "loses", "") if race["exact"] else ("wins", "within", "", "loses", "within", "")
    table = new_table("The race", f"{how}; if {race['assumption']}", "camel", *heads)
    for name in race["win"]:
        cells: list[RenderableType] = []
        for end in ("win", "lose"):
            cells.append(percent(race[end][name]))
            if not race["exact"]:
                low, high = race[f"{end}_95"][name]
                cells.append(Text(f"{100 * low:.1f}–{100 * high:.1f}", "dim"))
            cells.append(bar(race[end][name], 1, colour(name)))
        table.add_row(camel(edition, name), *cells)
    return table


def tile_tables(odds: dict[str, Any], edition: Edition) -> list[Table]:
    """Render what a tile would bring on each space where a unit may end its move, and what tiles on the track bring."""
    tables = []
    worth = [tile for tile in odds["tiles"] if tile["pay"]["value"] >= LEAST_PAY]
    if worth:
        best = max(tile["pay"]["value"] for tile in worth)
        note = f"pounds in the mean for your {edition.tile} in this leg, and whose chance to lead changes most"
        table = new_table(
            f"Where a {edition.tile} earns", note, "space", *(head for side in edition.sides for head in (side, "", ""))
        )
        table.columns[0].justify = "right"
        for space in sorted({tile["space"] for tile in worth}):
            cells: list[RenderableType] = []
            for side in edition.sides:
                tile = next(tile for tile in odds["tiles"] if (tile["space"], tile["side"]) == (space, side))
                style = "bold green" if tile["pay"]["value"] == best else "cyan"
                cells += [
                    f"{tile['pay']['value']:.2f}",
                    bar(tile["pay"]["value"], best, style),
                    change(odds, tile, edition),
                ]
            table.add_row(str(space), *cells)
        tables.append(table)
    if odds["tiles_on_track"]:
        table = new_table(
            f"{edition.tile.capitalize()}s on the track",
            "pounds in the mean for their owners in this leg",
            "space",
            "side",
            "seat",
            "pays",
        )
        for tile in odds["tiles_on_track"]:
            table.add_row(str(tile["space"]), tile["side"], str(tile["seat"]), f"{tile['pay']['value']:.2f}")
        tables.append(table)
    return tables


def change(odds: dict[str, Any], tile: dict[str, Any], edition: Edition) -> Text:
    """Say which camel's chance to lead a tile changes most."""
    changes = {name: first["value"] - odds["leg"]["places"][name][0]["value"] for name, first in tile["first"].items()}
    name = max(changes, key=lambda name: abs(changes[name]))
    if abs(changes[name]) < 0.0005:
        return Text()
    return Text(f"{edition.letters[edition.camels.index(name)]} {100 * changes[name]:+.1f}%", "dim")
