"""The table of 6 nimmt! in a terminal."""

from collections.abc import Iterable
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sarai.games.sixnimmt.cards import HEADS
from sarai.games.sixnimmt.state import HAND, ROW_LIMIT, ROWS
from sarai.games.sixnimmt.view import cards_seen, open_cards

STYLES = {1: "default", 2: "cyan", 3: "yellow", 5: "red", 7: "bold magenta"}  # by bull heads, written beside a card too

HELP = """
  55       play card 55; when cards lie open at the start, take it into hand
  r2       take row 2, when your card is lower than every row
"""


def board(view: dict[str, Any], names: list[str]) -> RenderableType:
    """Render what a player, or a spectator, sees."""
    parts: list[RenderableType] = [headline(view), rows(view), players(view, names)]
    if view["phase"] == "draft":
        parts.append(line("on the table", open_cards(view)))
    if view["options"]["memory"] == "on":
        parts.append(line("seen", cards_seen(view), heads=False))
    for seat, hand in view["hands"].items():
        if view["phase"] != "over" and (hand or int(seat) == view["seat"]):
            parts.append(line("your hand" if int(seat) == view["seat"] else names[int(seat)], hand))
    return Group(*(Padding(part, (0, 0, 0, 1), expand=False) for part in parts))


def headline(view: dict[str, Any]) -> Text:
    """Say how far the game is."""
    rounds, target = view["options"]["rounds"], view["options"]["target"]
    goal = f"{rounds} round{'s' * (rounds != 1)} in all" if rounds else f"ends above {target} heads"
    where = {
        "deal": "the cards are dealt",
        "draft": f"draft, card {view['dealt'] + 1} of {HAND * view['players']}",
        "choose": f"trick {view['trick']} of {HAND}",
        "row": f"trick {view['trick']} of {HAND}",
        "over": "the game is over",
    }[view["phase"]]
    return Text(f"Round {view['round']}, {where}", "bold").append(f" · {goal} · 55×7: card 55, 7 heads", "dim")


def card(number: int) -> Text:
    """Write a card with its bull heads."""
    heads = int(HEADS[number])
    return Text(f"{number:>3}", f"bold {STYLES[heads]}").append(
        f"×{heads}", "dim" if heads == 1 else f"not bold {STYLES[heads]}"
    )


def rows(view: dict[str, Any]) -> Table:
    """Render the four rows and what they cost."""
    table = Table(*([""] * (ROW_LIMIT + 2)), box=box.ROUNDED, show_header=False, border_style="dim")
    for column in table.columns[1:-1]:
        column.min_width = 5
    for row in range(ROWS):
        cards = view["rows"][row]
        cells = [card(number) for number in cards] + [Text("  ·", "dim")] * (ROW_LIMIT - len(cards))
        heads = sum(int(HEADS[number]) for number in cards)
        table.add_row(Text(f"r{row + 1}", "bold"), *cells, f"{heads:>2} head{'s' * (heads != 1)}")
    return table


def players(view: dict[str, Any], names: list[str]) -> Table:
    """List the players with their heads and what they are doing."""
    table = Table(
        "player", "before", "round", "heads", "last card", "", box=box.SIMPLE_HEAD, header_style="dim", show_edge=False
    )
    for column in (1, 2, 3):
        table.columns[column].justify = "right"
    for seat, name in enumerate(names):
        before, pile = view["heads"][seat], view["pile_heads"][seat]
        style = "bold" if seat == view["seat"] else None
        last = card(view["played"][seat][-1]) if view["played"][seat] else Text("")
        table.add_row(Text(name), str(before), str(pile), str(before + pile), last, activity(view, seat), style=style)
    return table


def activity(view: dict[str, Any], seat: int) -> Text:
    """Say what a player is doing."""
    if view["phase"] == "choose":
        if seat in view["to_act"]:
            return Text("chooses a card")
        mine = seat == view["seat"] and view["my_choice"]
        return Text(f"has chosen {view['my_choice']}" if mine else "has chosen", "green")
    if view["phase"] == "row" and str(seat) in view["turned_up"]:
        number = view["turned_up"][str(seat)]
        return Text(f"takes a row for {number}", "bold red") if seat in view["to_act"] else Text(f"waits with {number}")
    if seat in view["to_act"]:
        return Text("takes a card")
    return Text("")


def demand(view: dict[str, Any]) -> str:
    """Tell a player who must take a row to do so."""
    if view["phase"] != "row" or view["seat"] not in view["to_act"]:
        return ""
    return f"Your card {view['turned_up'][str(view['seat'])]} is lower than every row: take r1 to r{ROWS}."


def line(label: str, cards: Iterable[int], heads: bool = True) -> Table:
    """Write cards behind a label."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    shown = [card(number) if heads else Text(f"{number:>3}") for number in cards]
    grid.add_row(Text(label, "bold"), Columns(shown, padding=(0, 1), equal=True) if shown else Text("–", "dim"))
    return grid
