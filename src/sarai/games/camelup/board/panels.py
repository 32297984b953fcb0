"""What lies around the track of Camel Up: the bets, the two piles, the players, and the own tile and race cards."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from sarai.core.events import Event
from sarai.core.markup import EMPTY, classes, join, markup, pick, spot
from sarai.games.camelup.board.pieces import disc, laid_card, race_card, small, ticket, tile
from sarai.games.camelup.board.words import Words
from sarai.games.camelup.edition import PILES
from sarai.games.camelup.view import hidden_purses, ranking

PILE_SIGNS = {  # a crown, and a broken one upside down
    "winner": "M3 15.5L2 5L7 9L10 3L13 9L18 5L17 15.5Z",
    "loser": "M3 4.5L2 15L7 11L10 17L13 11L18 15L17 4.5Z",
}


def letter_of(name: str, words: Words) -> str:
    """Return a camel's letter."""
    return words.letters[words.order.index(name)]


# --- bets on the leg -------------------------------------------------------------------------------------------------


def tents(view: Mapping[str, Any], words: Words) -> dict[str, Markup]:
    """Render the stacks of betting tickets with what is left, and every camel's place in the race."""
    order = ranking(view)
    return {
        f"tent-{name}": tent(
            name,
            tuple([each["worth"] for each in tickets if each["owner"] is None]),
            order.index(name) + 1 if name in order else 0,
            words,
        )
        for name, tickets in view["tickets"].items()
    }


@lru_cache(maxsize=2048)
def tent(name: str, left: tuple[int, ...], rank: int, words: Words) -> Markup:
    """Render a stack of betting tickets; the top one can be taken."""
    return markup(
        '<div class="tent coat-{name}{classes}" id="tent-{name}" role="img" aria-label="{label}"{spot}>'
        '{ticket}<span class="rest">{rank}{rest}</span></div>',
        name=name,
        classes=classes(empty=not left),
        label=words.bets(name, left, rank),
        spot=spot(f"bet-{name}", words.bet_do(name, left, rank)) if left else EMPTY,
        ticket=ticket(name, letter_of(name, words), words.number(left[0]) if left else "", len(left)),
        rank=markup('<b class="rank">{rank}</b>', rank=words.rank(rank)) if rank else EMPTY,
        rest=words.numbers(left[1:]) or "–",
    )


# --- the piles -------------------------------------------------------------------------------------------------------


def piles(view: Mapping[str, Any], names: Sequence[str], words: Words, news: Sequence[Event]) -> dict[str, Markup]:
    """Render both piles of race cards in the order of laying: their owners, and the camels the viewer knows."""
    fresh = {event.args["pile"] for event in news if event.key.startswith("laid_card")}
    laid: dict[str, list[tuple[int, str]]] = {which: [] for which in PILES}
    for card in view["cards"]:
        laid[card["pile"]].append((card["seat"], card["camel"] or ""))
    owners = tuple(names)
    return {f"pile-{which}": pile(which, tuple(cards), owners, which in fresh, words) for which, cards in laid.items()}


@lru_cache(maxsize=4096)
def pile(which: str, cards: tuple[tuple[int, str], ...], names: tuple[str, ...], fresh: bool, words: Words) -> Markup:
    """Render a pile; a picked card can be laid on it."""
    laid, last = [(names[seat], camel) for seat, camel in cards], len(cards) - 1
    slips = [slip(which, at, seat, camel, fresh and at == last, words) for at, (seat, camel) in enumerate(cards)]
    return markup(
        '<div class="pile {which}" id="pile-{which}" role="img" aria-label="{label}"{spot}><span class="title">'
        '<svg class="small sign-{which}" viewBox="0 0 20 20" aria-hidden="true"><path d="{sign}"/></svg>{title}</span>'
        '<span class="prizes">{prizes}</span><span class="laid-cards">{slips}</span></div>',
        which=which,
        label=words.pile(which, laid),
        spot=spot(f"pile-{which}", words.pile_do(which, laid)),
        sign=PILE_SIGNS[which],
        title=words.winner if which == "winner" else words.loser,
        prizes=words.numbers(words.prizes),
        slips=join(slips),
    )


@lru_cache(maxsize=4096)
def slip(which: str, at: int, seat: int, camel: str, fresh: bool, words: Words) -> Markup:
    """Render a race card in its place on a pile."""
    return markup(
        '<span class="slot{classes}" id="{which}-{at}">{card}</span>',
        classes=classes(new=fresh),
        which=which,
        at=at,
        card=laid_card(words.number(seat + 1), camel, letter_of(camel, words) if camel else ""),
    )


# --- the own tile and cards ------------------------------------------------------------------------------------------


def hand(view: Mapping[str, Any], edition: int, words: Words) -> Markup:
    """Render the own tile's two sides and the own race cards: what is picked first."""
    if view["hand"] is None or view["phase"] == "over":
        return Markup('<div id="hand" class="hand" hidden="hidden"></div>')
    lain = view["tiles"][view["seat"]]
    return hand_of(tuple(view["hand"]), lain["space"] if lain else 0, edition, words)


@lru_cache(maxsize=8192)
def hand_of(cards: tuple[str, ...], lain: int, edition: int, words: Words) -> Markup:
    """Render the own tile and cards, by what they depend on."""
    held = join(own_card(name, words) for name in cards)
    return markup(
        '<div id="hand" class="hand"><div class="own-tile" role="group" aria-labelledby="own-tile-title">'
        '<span class="title" id="own-tile-title">{tile_title}</span><span class="sides">{sides}</span></div>'
        '<div class="own-cards" role="group" aria-labelledby="own-cards-title">'
        '<span class="title" id="own-cards-title">{cards_title}</span><span class="cards">{cards}</span></div></div>',
        tile_title=words.own_tile_lies(lain) if lain else words.own_tile,
        sides=join(own_side(side, edition, words) for side in range(2)),
        cards_title=words.own_cards,
        cards=held or markup('<span class="none">{all_laid}</span>', all_laid=words.all_laid),
    )


@lru_cache(maxsize=64)
def own_side(side: int, edition: int, words: Words) -> Markup:
    """Render a side of the own tile."""
    return markup(
        '<span class="own-side" id="side-{side}" role="img" aria-label="{label}"{pick}>'
        '<svg viewBox="-48 -34 96 68" aria-hidden="true">{tile}</svg></span>',
        side=side,
        label=words.side_names[side],
        pick=pick(f"side-{side}", words.side_do(side)),
        tile=tile(edition, side, words.change(-1 if side else 1)),
    )


@lru_cache(maxsize=256)
def own_card(name: str, words: Words) -> Markup:
    """Render a race card in the own hand."""
    return markup(
        '<span class="own-card coat-{name}" id="card-{name}" role="img" aria-label="{label}"{pick}>{card}</span>',
        name=name,
        label=words.card(name),
        pick=pick(f"card-{name}", words.card_do(name)),
        card=race_card(name, letter_of(name, words)),
    )


# --- the players -----------------------------------------------------------------------------------------------------


class Seat(NamedTuple):
    """What is shown of a player, but for whose turn it is."""

    number: int
    name: str
    pounds: int  # -1: hidden
    gained: int  # pounds in the last move
    pyramids: int  # pyramid tickets
    cards: int  # race cards in hand
    tile: int  # the space of the tile on the track, 0 for none
    tickets: tuple[tuple[str, int], ...]  # camel and worth
    me: bool
    starts: bool
    wins: bool
    partner: int  # a seat, -1 for none
    partner_name: str
    can_be_partner: bool


def changes(news: Sequence[Event]) -> dict[int, int]:
    """Return how many pounds every seat has just got or paid."""
    gained: dict[int, int] = {}
    for event in news:
        args: dict[str, Any] = dict(event.args)
        if event.key in ("leg_paid", "card_shown", "tile_paid"):
            gained[args["seat"]] = gained.get(args["seat"], 0) + args.get("change", 1)
    return gained


def seats(
    view: Mapping[str, Any], names: Sequence[str], words: Words, news: Sequence[Event], spots: frozenset[str]
) -> dict[str, Markup]:
    """List the players: whose turn it is, their pounds, tickets, cards, tile and partner.

    Whose turn it is is a part of its own, which a style rule reads: a player's part stays the same when the turn moves.
    """
    over, gained, partners = view["phase"] == "over", changes(news), view["partners"]
    held: dict[int, list[tuple[str, int]]] = {}
    for camel, stack in view["tickets"].items():
        for each in stack:
            if each["owner"] is not None:
                held.setdefault(each["owner"], []).append((camel, each["worth"]))
    most, hidden = max(view["pounds"]), hidden_purses(view)
    listed = {"turn": turn_mark(None if over else view["turn"])}
    for number, name in enumerate(names):
        is_hidden, pounds = number in hidden, view["pounds"][number]
        lain, partner = view["tiles"][number], partners[number] if partners else None
        player = Seat(  # positions cost half of what names cost, and this is done for every board
            number,
            name,
            -1 if is_hidden else pounds,
            0 if is_hidden else gained.get(number, 0),
            view["pyramid_tickets"][number],
            view["cards_left"][number],
            lain["space"] if lain else 0,
            tuple(held.get(number, ())),
            number == view["seat"],
            number == view["start_player"],
            over and pounds == most,
            -1 if partner is None else partner,
            "" if partner is None else names[partner],
            f"partner-{number}" in spots,
        )
        listed[f"seat-{number}"] = seat(player, words)
    return listed


@lru_cache(maxsize=16)
def turn_mark(seat: int | None) -> Markup:
    """Say for the style rules whose turn it is; people read it in the status line."""
    return markup('<li id="turn" class="{turn}" hidden="hidden"></li>', turn="" if seat is None else f"turn-{seat}")


@lru_cache(maxsize=16384)
def seat(player: Seat, words: Words) -> Markup:
    """Render a player."""
    return markup(
        '<li class="seat{classes}" id="seat-{number}">'
        '<svg class="badge" viewBox="0 0 26 26" aria-hidden="true">{disc}</svg><bdi class="name">{name}</bdi>'
        '<span class="purse" role="img" aria-label="{purse}"><b>{pounds}</b>{coin}</span>'
        '<span class="things">{things}</span></li>',
        classes=classes(me=player.me, wins=player.wins),
        number=player.number,
        disc=disc(words.number(player.number + 1), 13, 13),
        name=player.name,
        purse=words.pounds(player.pounds),
        pounds="?" if player.pounds < 0 else words.number(player.pounds),
        coin=small("coin"),
        things=join(things_of(player, words)),
    )


def things_of(player: Seat, words: Words) -> list[Markup]:
    """Render what a player has besides money, and what the last move changed."""
    things = []
    if player.wins:
        things.append(markup('<span class="star">★ {wins}</span>', wins=words.wins))
    if player.starts:
        things.append(start_marker(words))
    things += [held_ticket(camel, worth, words) for camel, worth in player.tickets]
    if player.pyramids:
        things.append(own_thing("pyramid", words.number(player.pyramids), words.pyramid_tickets(player.pyramids)))
    if player.cards:
        things.append(own_thing("card", words.number(player.cards), words.cards_left(player.cards)))
    if player.tile:
        things.append(own_thing("plank-out", words.number(player.tile), words.tile_lies(player.tile)))
    else:
        things.append(own_thing("plank", "", words.tile_at_home))
    if player.partner >= 0:
        things.append(own_thing("pair", words.number(player.partner + 1), words.partner(player.partner_name)))
    if player.can_be_partner:
        things.append(
            markup(
                '<span class="ask spot" id="ask-{number}" role="button" data-spot="partner-{number}" '
                'aria-label="{label}">{pair}{ask}</span>',
                number=player.number,
                label=words.partner_do(player.name),
                pair=small("pair"),
                ask=words.partner_ask,
            )
        )
    if player.gained:
        things.append(
            markup(
                '<i class="change new {way}" dir="ltr">{pounds}</i>',
                way="gain" if player.gained > 0 else "loss",
                pounds=words.change(player.gained),
            )
        )
    return things


@lru_cache(maxsize=32)
def start_marker(words: Words) -> Markup:
    """Render the start marker."""
    return markup(
        '<span class="flag" role="img" aria-label="{label}">{flag}</span>', label=words.starts, flag=small("flag")
    )


@lru_cache(maxsize=1024)
def held_ticket(camel: str, worth: int, words: Words) -> Markup:
    """Render a betting ticket before its owner."""
    return markup(
        '<span class="bet coat-{camel}" role="img" aria-label="{label}"><b>{letter}</b>{worth}</span>',
        camel=camel,
        label=words.bet(camel, worth),
        letter=letter_of(camel, words),
        worth=words.number(worth),
    )


@lru_cache(maxsize=1024)
def own_thing(kind: str, count: str, label: str) -> Markup:
    """Render a small sign with a number."""
    return markup(
        '<span class="own has-{kind}" role="img" aria-label="{label}">{sign}{count}</span>',
        kind=kind,
        label=label,
        sign=small(kind),
        count=count,
    )
