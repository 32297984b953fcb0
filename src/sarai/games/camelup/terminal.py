"""The race track of Camel Up in a terminal."""

from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sarai.games.camelup.edition import EDITIONS, GREY_DIE, Edition
from sarai.games.camelup.table import LINE, RACING

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
SIGNS = "+-"
FOLDED = dict.fromkeys(
    ("camel_set_up", "camel_stacked", "crazy_camel_set_up"), "The camels are set up."
)  # the board shows where
HELP = """
  bet g            take a bet on the green camel for this leg; bet green too
  tile 5+  tile 5- lay your tile on space 5: camels go one further, or one back
  roll             let a die come out of the pyramid
  win g  lose g    lay a card: green wins, or loses, the whole race
"""
DISCREET = {  # what is told of another player's pounds while they are hidden
    ("money", "hidden"): {
        "tile_paid": "The tile on space {space} brings {seat} money.",
        "leg_paid": "{seat} is paid for the leg.",
        "card_shown": "{seat} bet on the {camel} camel as overall {pile}.",
    }
}


def board(view: dict[str, Any], names: list[str]) -> RenderableType:
    """Draw what a player, or a spectator, sees."""
    edition = EDITIONS[1 if view["game"].endswith("2018") else 0]
    parts: list[RenderableType] = [headline(view, names)]
    parts += [track(view, names, edition, first) for first in (1, LINE // 2 + 1)]
    parts += [*(Text(line) for line in beyond(view)), legend(edition)]
    parts += [camels(view, names, edition), players(view, names, edition), *cards(view, names, edition)]
    return Group(*(Padding(part, (0, 0, 0, 1), expand=False) for part in parts))


def legend(edition: Edition) -> Text:
    """Say what the marks on the track mean."""
    crazy = " · ‹ crazy, runs the other way" if len(edition.camels) > RACING else ""
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


def short(name: str, room: int) -> str:
    """Return a name that fits."""
    return name if len(name) <= room else name[: room - 1] + "…"


def track(view: dict[str, Any], names: list[str], edition: Edition, first: int) -> Table:
    """Draw half the track: on every space its camels, the highest on top, or its tile."""
    stacks = {stack["space"]: stack["camels"] for stack in view["camels"]}
    lying = {tile["space"]: (tile["side"], names[seat]) for seat, tile in enumerate(view["tiles"]) if tile}
    table = Table(box=box.ROUNDED, border_style="dim", padding=0, collapse_padding=True)
    cells = []
    for space in range(first, first + LINE // 2):
        table.add_column(f"{space} ▐" if space == LINE else str(space), width=WIDTH, vertical="bottom")
        if space in lying:
            side, name = lying[space]
            cells.append(Text(f"{side}\n{SIGNS[edition.sides.index(side)]} {short(name, WIDTH - 2)}", "italic"))
        else:
            cells.append(Text("\n").join(camel(edition, name) for name in reversed(stacks.get(space, []))))
    table.add_row(*cells)
    return table


def camel(edition: Edition, name: str) -> Text:
    """Write a camel: its letter and its name on its colour; a crazy one with a mark, for it runs the other way."""
    number = edition.camels.index(name)
    return Text(f"{'‹' if number >= RACING else ''}{edition.letters[number]} {name}".ljust(WIDTH), STYLES[name])


def beyond(view: dict[str, Any]) -> list[str]:
    """Say who crossed the finish line."""
    return [
        f"{'over the finish line' if stack['space'] > LINE else 'backwards over the finish line'}, from the bottom: {', '.join(stack['camels'])}"
        for stack in view["camels"]
        if (stack["space"] > LINE or stack["space"] < 1)
    ]


def ranking(view: dict[str, Any], edition: Edition) -> list[str]:
    """Return the racing camels that stand on the track, the first one first."""
    racing = edition.camels[:RACING]
    return [name for stack in reversed(view["camels"]) for name in reversed(stack["camels"]) if name in racing]


def camels(view: dict[str, Any], names: list[str], edition: Edition) -> Table:
    """List the racing camels with their place, their die, and the bets on them."""
    table = Table(
        "camel", "place", "die", "bets left", "taken by", box=box.SIMPLE_HEAD, header_style="dim", show_edge=False
    )
    order, shown = ranking(view, edition), {die["die"]: die for die in view["dice"]}
    for name in edition.camels[:RACING]:
        tickets = view["tickets"][name]
        taken = [
            f"{ticket['worth']} {short(names[ticket['owner']], 10)}"
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
            Text("x grey".ljust(WIDTH), "bold"),
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
    for seat, name in enumerate(names):
        hidden = view["options"]["money"] == "hidden" and seat != view["seat"] and view["phase"] != "over"
        tile = view["tiles"][seat]
        row = [
            "▸" if seat == view["turn"] and view["phase"] in ("turn", "roll") else "",
            f"{seat} {short(name, 16)}" if view["partners"] else short(name, 16),  # `partner 3` names a seat
            "?" if hidden else str(view["pounds"][seat]),
            str(view["pyramid_tickets"][seat]),
            f"{tile['space']} {tile['side']}" if tile else "not laid",
            str(view["cards_left"][seat]),
        ]
        if view["partners"]:
            partner = view["partners"][seat]
            row.append("available" if partner is None else short(names[partner], 12))
        table.add_row(*map(Text, row), style="bold" if seat == view["seat"] else None)
    return table


def cards(view: dict[str, Any], names: list[str], edition: Edition) -> list[Text]:
    """Write both piles in the order of laying, and the cards in the own hand."""
    lines = []
    for pile in ("winner", "loser"):
        laid = [
            f"{short(names[card['seat']], 10)} {card['camel'] or '?'}" for card in view["cards"] if card["pile"] == pile
        ]
        lines.append(Text(f"overall {pile}: ", "bold").append(", ".join(laid) or "–", "not bold"))
    if view["hand"] is not None:
        hand = Text(f"your {edition.card}s: ", "bold")
        lines.append(hand.append(", ".join(view["hand"]) or "all laid", "not bold"))
    return lines
