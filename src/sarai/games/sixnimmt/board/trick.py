"""The last trick: the cards turned up, lowest first, and what became of each."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from markupsafe import Markup

from sarai.core.board import Scene
from sarai.core.events import Event
from sarai.core.markup import EMPTY, classes, join, markup
from sarai.core.messages import Say, signed
from sarai.games.sixnimmt.board.cards import label, picture

TOOK = ("took_row", "took_full_row")  # the events of a row that is taken
HIDDEN = Markup('<ol id="trick" class="trick" hidden="hidden"></ol>')


class Placed(NamedTuple):
    """What became of a card of the last trick."""

    seat: int
    card: int
    row: int  # from 1; 0 while the card waits or when its row has been taken since
    took: bool
    heads: int  # taken, as far as it was just seen


def last_trick(view: Mapping[str, Any], events: Sequence[Event]) -> list[Placed]:
    """Return the cards last turned up, lowest first, by what the view still shows, and more exactly by events."""
    news = since_turned_up(events)
    placings = {event.args["card"]: event for event in news if event.key in ("joined_row", *TOOK)}
    shown = {seat: cards[-1] for seat, cards in enumerate(view["played"]) if cards}
    turned_up: list[dict[str, Any]] = [dict(event.args) for event in news if event.key == "turned_up"]
    shown = shown or {args["seat"]: args["card"] for args in turned_up}
    lying = {card: (row, at) for row, cards in enumerate(view["rows"], 1) for at, card in enumerate(cards)}
    trick = []
    for seat, card in sorted(shown.items(), key=lambda item: item[1]):
        row, at = lying.get(card, (0, 1))
        took, heads = at == 0, 0
        if card in placings:
            args: dict[str, Any] = dict(placings[card].args)
            row, took, heads = args["row"], placings[card].key in TOOK, args.get("heads", 0)
        trick.append(Placed(seat, card, row, took, heads))
    return trick


def since_turned_up(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events from the last turning up of cards on, all of them if that is longer ago."""
    places = [place for place, event in enumerate(events) if event.key == "turned_up"]
    if not places:
        return events
    first = places[-1]
    while first and events[first - 1].key == "turned_up":
        first -= 1
    return events[first:]


def strip(scene: Scene, trick: Sequence[Placed]) -> Markup:
    """Render the last trick in the order in which its cards were placed."""
    view, say = scene.view, scene.say
    if not trick or view["phase"] == "draft":
        return HIDDEN
    takers = view["to_act"] if view["phase"] == "row" else ()
    shown = [
        turned(placed, scene.names[placed.seat], str(placed.seat) in view["turned_up"], placed.seat in takers, say)
        for placed in trick
    ]
    return markup(
        '<ol id="trick" class="trick{many}" aria-label="{label}">{cards}</ol>',
        many=classes(many=len(trick) > 6),
        label=say("the last cards, lowest first"),
        cards=join(shown),
    )


@lru_cache(maxsize=8192)
def turned(placed: Placed, name: str, waits: bool, acts: bool, say: Say) -> Markup:
    """Render a card that was turned up, whose it is and what became of it."""
    return markup(
        '<li class="turned{kind}" id="turned-{card}">'
        '<span class="card" role="img" aria-label="{label}">{picture}</span>'
        '<bdi class="name">{name}</bdi><span class="fate">{outcome}{loss}</span></li>',
        kind=classes(waits=waits, acts=acts, took=placed.took),
        card=placed.card,
        label=label(placed.card, say),
        picture=picture(placed.card, say),
        name=name,
        outcome=outcome(placed, waits, acts, say),
        loss=markup(' <b class="loss" dir="ltr">{heads}</b>', heads=signed(placed.heads, say))
        if placed.heads
        else EMPTY,
    )


def outcome(placed: Placed, waits: bool, acts: bool, say: Say) -> str:
    """Say what became of a card."""
    if acts:
        return say("takes a row")
    if waits:
        return say("waits")
    if placed.took:
        return say("takes row {row}", row=placed.row) if placed.row else say("takes a row")
    return say("row {row}", row=placed.row) if placed.row else say("taken since")
