"""The table of 6 nimmt! on a page: four rows, the trick, the players, the own hand."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sarai.core.board import Board, Scene
from sarai.core.events import Event
from sarai.core.markup import classes, safe, shorten
from sarai.core.messages import Say
from sarai.games.sixnimmt.board_ask import ask
from sarai.games.sixnimmt.board_cards import BULL, HEIGHT, WIDTH, bull, chip, face, heads_of, label, picture, symbols
from sarai.games.sixnimmt.rules import CARDS, HAND, ROW_LIMIT, ROWS, TAKE_ROW

__all__ = ["ask", "draw", "icon", "last_trick"]

LEFT, PITCH, LANE = (
    46,
    83,
    114,
)  # of the rows' drawing: where the first place begins, from place to place, from row to row
BROAD = 600
TOOK = ("took_row", "took_full_row")


class Placed(NamedTuple):
    """What became of a card of the last trick."""

    seat: int
    card: int
    row: int  # from 1; 0 while the card waits or when its row has been taken since
    took: bool
    heads: int  # taken, as far as it was just seen


def draw(scene: Scene) -> Board:
    """Draw what a player, or a spectator, sees."""
    view, say = scene.view, safe(scene.say)
    trick = last_trick(view, scene.news)
    spots = {spot_of(move): move for move in scene.moves}
    parts = {
        "where": headline(view, say),
        "middle": middle(view, scene, say, trick, spots),
        "trick": strip(view, scene.names, say, trick),
        "seats": seats(view, scene.names, say),
        "hand": hand(view, say, frozenset(scene.moves)),
        "seen": seen(view, say),
    }
    return Board(frame(), parts, {"": spots} if spots else {}, (), summary(view, scene.names, say))


def spot_of(move: int) -> str:
    """Name the spot that means a move: a card's number, or a row."""
    return f"r{move - TAKE_ROW + 1}" if move >= TAKE_ROW else str(move + 1)


@lru_cache(maxsize=1)
def frame() -> str:
    """Return what stays the same all game."""
    return (
        f'<div class="board sixnimmt">{symbols()}<div class="table"><!--where--><div class="rows" dir="ltr"><!--middle--></div>'
        "<!--trick--><!--seats--><!--hand--><!--seen--></div></div>"
    )


# --- the rows --------------------------------------------------------------------------------------------------------------------


def middle(view: Any, scene: Scene, say: Say, trick: Sequence[Placed], spots: dict[str, int]) -> str:
    """Draw the rows, or during a draft the cards that lie open."""
    if view["phase"] == "draft":
        cards = "".join(open_card(card, str(card) in spots, say) for card in open_cards(view))
        return f'<div id="middle" class="open">{cards}</div>'
    fresh = {placed.card: step for step, placed in enumerate(trick, 1)}
    drawn = "".join(
        row(
            place,
            tuple(cards),
            f"r{place + 1}" in spots,
            frozenset(fresh.items() & {(c, fresh.get(c)) for c in cards}),
            say,
        )
        for place, cards in enumerate(view["rows"])
    )
    banners = "".join(
        banner(placed.row, len(view["rows"][placed.row - 1]), scene.names[placed.seat], placed.heads, step)
        for step, placed in enumerate(trick, 1)
        if placed.took and view["rows"][placed.row - 1][:1] == [placed.card]
    )
    return f'<svg id="middle" viewBox="0 0 {BROAD} {ROWS * LANE}" role="group" aria-label="{say("the four rows")}">{drawn}{banners}</svg>'


@lru_cache(maxsize=2048)
def row(place: int, cards: tuple[int, ...], spot: bool, fresh: frozenset[tuple[int, int]], say: Say) -> str:
    """Draw a row: its cards, its free places, the sixth place that nobody wants, and what it costs."""
    y, middle_of = 5, LANE / 2
    heads, steps, size = heads_of(cards), dict(fresh), f'width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="8"'
    told = say("Row {row}: {cards}; bull heads: {heads}").format(
        row=place + 1, cards=", ".join(map(str, cards)) or "–", heads=heads
    )
    full = len(cards) == ROW_LIMIT
    if full:
        told += "; " + say("the next card takes it")
    role = f'role="button" data-spot="r{place + 1}"' if spot else 'role="img"'
    free = "".join(
        f'<rect class="place" x="{LEFT + at * PITCH + 2}" y="{y + 2}" {size}/>' for at in range(len(cards), ROW_LIMIT)
    )
    sixth = LEFT + ROW_LIMIT * PITCH
    danger = (
        f'<g class="sixth{classes(hot=full)}"><rect x="{sixth + 2}" y="{y + 2}" {size}/>'
        f'{bull(sixth + 20, y + 16, 36, "sixnimmt-ghost")}<text x="{sixth + 38}" y="{y + 84}">6</text></g>'
    )
    laid = "".join(
        f'<g class="piece card{f" new step-{steps[card]}" if card in steps else ""}" id="card-{card}" transform="translate({LEFT + at * PITCH} {y})">'
        f"{face(card)}</g>"
        for at, card in enumerate(cards)
    )
    right = LEFT + 6 * PITCH
    cost = (
        f'<text class="cost" x="{right + 26}" y="{middle_of + 2:g}">{heads}</text>{bull(right + 10, middle_of + 10, 32)}'
        if cards
        else ""
    )
    return (
        f'<g class="row{classes(spot=spot)}" id="row-{place + 1}" transform="translate(0 {place * LANE})" {role} aria-label="{told}">'
        f'<rect class="lane" x="1" y="1" width="{BROAD - 2}" height="{LANE - 4}" rx="14"/><text class="which" x="23" y="{middle_of + 8:g}">{place + 1}</text>'
        f"{free}{danger}{laid}{cost}</g>"
    )


@lru_cache(maxsize=4096)
def banner(place: int, cards: int, name: str, heads: int, step: int) -> str:
    """Write into the foot of a row who took it in the last trick, as long as there is room, and with how many heads, if it was just seen."""
    wide = (0 if cards == ROW_LIMIT else 92 if cards == ROW_LIMIT - 1 else 136) + (70 if heads else 0)
    x, y = LEFT + 6 * PITCH - 6 - wide, (place - 1) * LANE + 70
    who = (
        f'<text class="name" x="{x + 12}" y="{y + 24}">{shorten(name, 9 if cards < ROW_LIMIT - 1 else 6)}</text>'
        if cards < ROW_LIMIT
        else ""
    )
    loss = (
        f'<text class="plus" x="{x + wide - 36}" y="{y + 24}">+{heads}</text>{bull(x + wide - 33, y + 6, 24)}'
        if heads
        else ""
    )
    if not wide:
        return ""
    return f'<g class="taken new step-{step}" id="taken-{place}"><rect x="{x}" y="{y}" width="{wide}" height="35" rx="17"/>{who}{loss}</g>'


def open_cards(view: Any) -> list[int]:
    """Return the cards that can still be drafted."""
    taken = {number for hand in view["hands"].values() for number in hand}
    return [number for number in range(1, HAND * view["players"] + ROWS + 1) if number not in taken]


@lru_cache(maxsize=512)
def open_card(card: int, spot: bool, say: Say) -> str:
    """Draw a card that lies open to be drafted."""
    if spot:
        told = say("Take {card} into hand, bull heads: {heads}").format(card=card, heads=heads_of((card,)))
        return f'<div class="card spot" id="open-{card}" role="button" data-spot="{card}" aria-label="{told}">{picture(card)}</div>'
    return f'<div class="card" id="open-{card}" role="img" aria-label="{label(card, say)}">{picture(card)}</div>'


# --- the trick -------------------------------------------------------------------------------------------------------------------


def last_trick(view: Any, news: Sequence[Event]) -> list[Placed]:
    """Return the cards last turned up, lowest first, and what became of them: by what the view still shows, told more exactly by the news."""
    told = {event.args["card"]: event for event in news if event.key in ("joined_row", *TOOK)}
    shown = {seat: cards[-1] for seat, cards in enumerate(view["played"]) if cards}
    turned_up: list[dict[str, Any]] = [dict(event.args) for event in news if event.key == "turned_up"]
    shown = shown or {args["seat"]: args["card"] for args in turned_up}
    lying = {card: (row, at) for row, cards in enumerate(view["rows"], 1) for at, card in enumerate(cards)}
    trick = []
    for seat, card in sorted(shown.items(), key=lambda item: item[1]):
        row, at = lying.get(card, (0, 1))
        took, heads = at == 0, 0
        if card in told:
            args: dict[str, Any] = dict(told[card].args)
            row, took, heads = args["row"], told[card].key in TOOK, args.get("heads", 0)
        trick.append(Placed(seat, card, row, took, heads))
    return trick


def strip(view: Any, names: Sequence[str], say: Say, trick: Sequence[Placed]) -> str:
    """Show the last trick in the order in which its cards were placed."""
    if not trick or view["phase"] == "draft":
        return '<ol id="trick" class="trick" hidden="hidden"></ol>'
    waiting = view["turned_up"]
    shown = "".join(
        turned(
            placed,
            names[placed.seat],
            str(placed.seat) in waiting,
            placed.seat in view["to_act"] and view["phase"] == "row",
            step,
            say,
        )
        for step, placed in enumerate(trick, 1)
    )
    return f'<ol id="trick" class="trick{classes(many=len(trick) > 6)}" aria-label="{say("the last cards, lowest first")}">{shown}</ol>'


@lru_cache(maxsize=8192)
def turned(placed: Placed, name: str, waits: bool, acts: bool, step: int, say: Say) -> str:
    """Show a card that was turned up, whose it is and what became of it."""
    if acts:
        fate = say("takes a row")
    elif waits:
        fate = say("waits")
    elif placed.took:
        fate = say("takes row {row}").format(row=placed.row) if placed.row else say("takes a row")
    else:
        fate = say("row {row}").format(row=placed.row) if placed.row else say("taken since")
    loss = f' <b class="loss" dir="ltr">+{placed.heads}</b>' if placed.heads else ""
    kind = classes(waits=waits, acts=acts, took=placed.took) + f" new step-{step}"
    return (
        f'<li class="turned{kind}" id="turned-{placed.card}"><span class="card" role="img" aria-label="{label(placed.card, say)}">{picture(placed.card)}</span>'
        f'<bdi class="name">{name}</bdi><span class="fate">{fate}{loss}</span></li>'
    )


# --- the players -----------------------------------------------------------------------------------------------------------------


def seats(view: Any, names: Sequence[str], say: Say) -> str:
    """List the players: their heads, what they do, and after a draft what they hold."""
    goal = 0 if view["options"]["rounds"] else view["options"]["target"]
    totals = [before + pile for before, pile in zip(view["heads"], view["pile_heads"], strict=True)]
    over = view["phase"] == "over"
    listed = []
    for number, name in enumerate(names):
        state = doing(view, number)
        cards = tuple(view["hands"].get(str(number), ())) if number != view["seat"] and not over else ()
        wins = over and totals[number] == min(totals)
        listed.append(
            seat(
                number,
                name,
                totals[number],
                view["pile_heads"][number],
                goal,
                state,
                number == view["seat"],
                wins,
                cards,
                say,
            )
        )
    return f'<ul id="seats" class="seats{classes(many=len(names) > 6)}" aria-label="{say("the players")}">{"".join(listed)}</ul>'


def doing(view: Any, number: int) -> str:
    """Return what a player is doing."""
    phase, acts = view["phase"], number in view["to_act"]
    if phase == "choose":
        return "chooses" if acts else "chosen"
    if phase == "row":
        return "takes" if acts else "waits" if str(number) in view["turned_up"] else ""
    return "drafts" if acts else ""


@lru_cache(maxsize=8192)
def seat(
    number: int,
    name: str,
    total: int,
    pile: int,
    goal: int,
    state: str,
    me: bool,
    wins: bool,
    cards: tuple[int, ...],
    say: Say,
) -> str:
    """Show a player: name, heads, how near the end of the game they are, and what they do."""
    words = {
        "chooses": say("chooses"),
        "chosen": say("has chosen"),
        "takes": say("takes a row"),
        "waits": say("waits"),
        "drafts": say("takes a card"),
    }
    sign = (
        f'<span class="down" role="img" aria-label="{words["chosen"]}">{picture(0)}</span>' if state == "chosen" else ""
    )
    what = f'<span class="doing">{words[state]}</span>' if state and state != "chosen" else ""
    if wins:
        what = f'<span class="doing wins">★ {say("fewest heads")}</span>'
    bar = ""
    if goal:
        reach = min(100 * total // (goal + 1), 100)
        bar = (
            '<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="4"/>'
            f'<rect class="run" width="{reach}" height="4"/></svg>'
        )
    told = say("bull heads: {heads}, of this round: {pile}").format(heads=total, pile=pile)
    hand = (
        f'<span class="holds" aria-label="{say("hand")}" role="group">{"".join(chip(card) for card in cards)}</span>'
        if cards
        else ""
    )
    return (
        f'<li class="seat{classes(me=me, acts=state in ("chooses", "takes", "drafts"), wins=wins)}" id="seat-{number}"><bdi class="name">{name}</bdi>{sign}{what}'
        f'<span class="tally" role="img" aria-label="{told}"><b>{total}</b><svg viewBox="0 0 24 22" aria-hidden="true">{bull(0, 0, 24)}</svg>'
        f'<i dir="ltr">{f"+{pile}" if pile else ""}</i></span>{bar}{hand}</li>'
    )


# --- the own hand, and words -----------------------------------------------------------------------------------------------------


def hand(view: Any, say: Say, moves: frozenset[int]) -> str:
    """Fan the own cards out, the chosen one raised."""
    if view["seat"] is None or view["phase"] == "over":
        return '<div id="hand" class="hand" hidden="hidden"></div>'
    held = view["hands"].get(str(view["seat"]), [])
    chosen = view["my_choice"]
    cards = sorted(held + [chosen]) if chosen else held
    playing = view["phase"] == "choose"
    fan = "".join(
        held_card(card, 2 * at - len(cards) + 1, playing and card - 1 in moves, card == chosen, say)
        for at, card in enumerate(cards)
    )
    call = ""
    if view["phase"] == "draft" and cards:
        call = f'<p class="call">{say("your hand")}</p>'
    return f'<div id="hand" class="hand" role="group" aria-label="{say("your hand")}">{call}<div class="fan" dir="ltr">{fan}</div></div>'


@lru_cache(maxsize=8192)
def held_card(card: int, lean: int, spot: bool, chosen: bool, say: Say) -> str:
    """Draw a card of the own hand; `lean` is how far from the middle it is, in half cards."""
    kind = f"card lean-{'left' if lean < 0 else 'right'}-{abs(lean)}" + classes(spot=spot, chosen=chosen)
    if spot:
        told = say("Play {card}, bull heads: {heads}").format(card=card, heads=heads_of((card,)))
        return f'<div class="{kind}" id="hand-{card}" role="button" data-spot="{card}" aria-label="{told}">{picture(card)}</div>'
    told = say("chosen: {card}").format(card=label(card, say)) if chosen else label(card, say)
    return f'<div class="{kind}" id="hand-{card}" role="img" aria-label="{told}">{picture(card)}</div>'


def seen(view: Any, say: Say) -> str:
    """List the cards this round has shown, if the table counts for its players (N-20)."""
    if view["options"]["memory"] != "on":
        return '<div id="seen" class="seen" hidden="hidden"></div>'
    shown = {number for cards in (*view["rows"], *view["piles"], *view["played"]) for number in cards}
    chips = "".join(chip(number) for number in range(1, CARDS + 1) if number in shown)
    return f'<div id="seen" class="seen" dir="ltr"><span class="title">{say("seen this round")}</span>{chips}</div>'


def headline(view: Any, say: Say) -> str:
    """Say how far the game is."""
    options = view["options"]
    return headline_of(
        view["round"],
        view["trick"],
        view["phase"],
        view["dealt"],
        HAND * view["players"],
        options["rounds"],
        options["target"],
        say,
    )


@lru_cache(maxsize=1024)
def headline_of(number: int, trick: int, phase: str, dealt: int, cards: int, rounds: int, target: int, say: Say) -> str:
    """Say how far the game is, by what it depends on."""
    where = {
        "deal": say("the cards are dealt"),
        "draft": say("draft: card {card} of {cards}").format(card=dealt + 1, cards=cards),
        "over": say("the game is over"),
    }.get(phase) or say("trick {trick} of {tricks}").format(trick=trick, tricks=HAND)
    goal = (
        say("{rounds} rounds in all").format(rounds=rounds)
        if rounds
        else say("ends above {target} heads").format(target=target)
    )
    return f'<p id="where" class="where"><b>{say("Round {round}").format(round=number)}</b> · {where} · <span class="goal">{goal}</span></p>'


def summary(view: Any, names: Sequence[str], say: Say) -> str:
    """Tell the position in words."""
    rows = [
        say("Row {row}: {cards}; bull heads: {heads}").format(
            row=at, cards=", ".join(map(str, cards)), heads=heads_of(tuple(cards))
        )
        for at, cards in enumerate(view["rows"], 1)
        if cards
    ]
    totals = [
        say("{name}: bull heads {heads}").format(name=name, heads=view["heads"][at] + view["pile_heads"][at])
        for at, name in enumerate(names)
    ]
    held = view["hands"].get(str(view["seat"]), [])
    mine = [say("Your hand: {cards}").format(cards=", ".join(map(str, held)))] if held else []
    return ". ".join([say("Round {round}").format(round=view["round"]), *rows, *totals, *mine]) + "."


def icon(game_id: str) -> str:
    """Draw the game for the front page: a row, and the sixth card that takes it."""
    cards = "".join(
        f'<g transform="translate({x} {y}) rotate({turn} 28 38) scale(.74)"><rect class="sixnimmt-paper" x="1" y="1" width="74" height="102" rx="10"/>'
        f'<rect class="sixnimmt-inlay heads-{kind}" x="6" y="6" width="64" height="92" rx="7"/>{big_bull(9, 12, 2.4, "sixnimmt-ghost")}'
        f'<text class="number heads-{kind}" x="38" y="64">{number}</text>{big_bull(28, 76, 0.8, f"sixnimmt-bull heads-{kind}")}</g>'
        for x, y, turn, kind, number in ((12, 26, -12, 1, 6), (52, 18, -2, 5, 66), (93, 24, 9, 7, 55))
    )
    return f'<svg class="icon sixnimmt" viewBox="0 0 160 120" aria-hidden="true"><rect class="ground" x="-160" width="480" height="120"/>{cards}</svg>'


def big_bull(x: float, y: float, scale: float, kind: str) -> str:
    """Draw a bull's head by itself, without the board's symbols."""
    paths = BULL.partition(">")[2].removesuffix("</symbol>")
    return f'<g class="{kind}" transform="translate({x:g} {y:g}) scale({scale:g})">{paths}</g>'
