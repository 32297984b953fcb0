"""The table of 6 nimmt! in a terminal."""

from collections.abc import Iterable
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sarai.core.language import ENGLISH, find_language
from sarai.core.messages import Notation, Say, mark, number
from sarai.games.sixnimmt.cards import HEADS
from sarai.games.sixnimmt.state import HAND, ROW_LIMIT, ROWS
from sarai.games.sixnimmt.view import cards_seen, open_cards

STYLES = {1: "default", 2: "cyan", 3: "yellow", 5: "red", 7: "bold magenta"}  # by bull heads, written beside a card too
IN_ENGLISH = find_language(ENGLISH).say
HELP = mark(
    "  55       play card 55; when cards lie open at the start, take it into hand\n"
    "  r2       take row 2, when your card is lower than every row"
)


def board(view: dict[str, Any], names: list[str], say: Say = IN_ENGLISH) -> RenderableType:
    """Render what a player, or a spectator, sees."""
    parts: list[RenderableType] = [headline(view, say), rows(view, say), players(view, names, say)]
    if view["phase"] == "draft":
        parts.append(line(say("on the table"), open_cards(view)))
    if view["options"]["memory"] == "on":
        parts.append(line(say("seen"), cards_seen(view), heads=False))
    for seat, hand in view["hands"].items():
        if view["phase"] != "over" and (hand or int(seat) == view["seat"]):
            parts.append(line(say("your hand") if int(seat) == view["seat"] else names[int(seat)], hand))
    return Group(*(Padding(part, (0, 0, 0, 1), expand=False) for part in parts))


def headline(view: dict[str, Any], say: Say) -> Text:
    """Say how far the game is, until when it goes on, and how cards are written."""
    rounds, target = view["options"]["rounds"], view["options"]["target"]
    if rounds:
        goal = say("{rounds, plural, one {# round in all} other {# rounds in all}}", rounds=rounds)
    else:
        goal = say("{target, plural, one {ends above # head} other {ends above # heads}}", target=target)
    written = say(
        "{heads, plural, one {{written}: card {card}, # head} other {{written}: card {card}, # heads}}",
        written=Notation("55×7"),
        card=55,
        heads=7,
    )
    line = Text(progress(view, say), "bold")
    for said in (goal, written):
        line.append(" · ", "dim").append(said, "dim")
    return line


def progress(view: dict[str, Any], say: Say) -> str:
    """Say which round it is, and how far it is."""
    number = view["round"]
    if view["phase"] == "deal":
        return say("Round {round}, the cards are dealt", round=number)
    if view["phase"] == "draft":
        cards = HAND * view["players"]
        return say("Round {round}, draft, card {card} of {cards}", round=number, card=view["dealt"] + 1, cards=cards)
    if view["phase"] == "over":
        return say("Round {round}, the game is over", round=number)
    return say("Round {round}, trick {trick} of {tricks}", round=number, trick=view["trick"], tricks=HAND)


def card(number: int) -> Text:
    """Write a card with its bull heads."""
    heads = int(HEADS[number])
    return Text(f"{number:>3}", f"bold {STYLES[heads]}").append(
        f"×{heads}", "dim" if heads == 1 else f"not bold {STYLES[heads]}"
    )


def rows(view: dict[str, Any], say: Say) -> Table:
    """Render the four rows and what they cost."""
    table = Table(*([""] * (ROW_LIMIT + 2)), box=box.ROUNDED, show_header=False, border_style="dim")
    for column in table.columns[1:-1]:
        column.min_width = 5
    table.columns[-1].justify = "right"
    for row in range(ROWS):
        cards = view["rows"][row]
        cells = [card(number) for number in cards] + [Text("  ·", "dim")] * (ROW_LIMIT - len(cards))
        heads = sum(int(HEADS[number]) for number in cards)
        cost = say("{heads, plural, one {# head} other {# heads}}", heads=heads)
        table.add_row(Text(f"r{row + 1}", "bold"), *cells, cost)
    return table


def players(view: dict[str, Any], names: list[str], say: Say) -> Table:
    """List the players with their heads and what they are doing."""
    titles = (say("player"), say("before"), say("round"), say("heads"), say("last card"), "")
    table = Table(*titles, box=box.SIMPLE_HEAD, header_style="dim", show_edge=False)
    for column in (1, 2, 3):
        table.columns[column].justify = "right"
    for seat, name in enumerate(names):
        before, pile = view["heads"][seat], view["pile_heads"][seat]
        style = "bold" if seat == view["seat"] else None
        last = card(view["played"][seat][-1]) if view["played"][seat] else Text("")
        doing = activity(view, seat, say)
        heads = (number(value, say) for value in (before, pile, before + pile))
        table.add_row(Text(name), *heads, last, doing, style=style)
    return table


def activity(view: dict[str, Any], seat: int, say: Say) -> Text:
    """Say what a player is doing."""
    if view["phase"] == "choose":
        if seat in view["to_act"]:
            return Text(say("chooses a card"))
        mine = seat == view["seat"] and view["my_choice"]
        return Text(say("has chosen {card}", card=view["my_choice"]) if mine else say("has chosen"), "green")
    if view["phase"] == "row" and str(seat) in view["turned_up"]:
        number = view["turned_up"][str(seat)]
        if seat in view["to_act"]:
            return Text(say("takes a row for {card}", card=number), "bold red")
        return Text(say("waits with {card}", card=number))
    if seat in view["to_act"]:
        return Text(say("takes a card"))
    return Text("")


def demand(view: dict[str, Any], say: Say = IN_ENGLISH) -> str:
    """Tell a player who must take a row to do so."""
    if view["phase"] != "row" or view["seat"] not in view["to_act"]:
        return ""
    return say(
        "Your card {card} is lower than every row: take {first} to {last}.",
        card=view["turned_up"][str(view["seat"])],
        first=Notation("r1"),
        last=Notation(f"r{ROWS}"),
    )


def line(label: str, cards: Iterable[int], heads: bool = True) -> Table:
    """Write cards behind a label."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    shown = [card(number) if heads else Text(f"{number:>3}") for number in cards]
    grid.add_row(Text(label, "bold"), Columns(shown, padding=(0, 1), equal=True) if shown else Text("–", "dim"))
    return grid
