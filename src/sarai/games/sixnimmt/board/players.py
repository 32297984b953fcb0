"""The players of 6 nimmt! on the page: their heads and what they do, the viewer's own hand, and the cards seen."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from sarai.core.board import Scene
from sarai.core.markup import EMPTY, classes, join, markup
from sarai.core.messages import Say, signed
from sarai.core.messages import number as written
from sarai.games.sixnimmt.board.cards import HEADS_OF, bull, chip, label, picture
from sarai.games.sixnimmt.view import cards_seen

BULL = bull(0, 0, 24)
NO_HAND = Markup('<div id="hand" class="hand" hidden="hidden"></div>')
NONE_SEEN = Markup('<div id="seen" class="seen" hidden="hidden"></div>')


def seats(scene: Scene) -> dict[str, Markup]:
    """Render the players: their heads, what they do, and after a draft what they hold."""
    view, say = scene.view, scene.say
    goal = 0 if view["options"]["rounds"] else view["options"]["target"]
    totals = [before + pile for before, pile in zip(view["heads"], view["pile_heads"], strict=True)]
    is_over = view["phase"] == "over"
    listed = {}
    for number, name in enumerate(scene.names):
        is_own = number == view["seat"]
        listed[f"seat-{number}"] = seat(
            number,
            name,
            totals[number],
            view["pile_heads"][number],
            goal,
            activity(view, number),
            is_own,
            is_over and totals[number] == min(totals),
            () if is_own or is_over else tuple(view["hands"].get(str(number), ())),
            say,
        )
    return listed


def activity(view: Mapping[str, Any], number: int) -> str:
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
    activity: str,
    is_own: bool,
    wins: bool,
    cards: tuple[int, ...],
    say: Say,
) -> Markup:
    """Render a player: name, heads, how near the end of the game they are, and what they do."""
    held = EMPTY
    if cards:
        held = markup(
            '<span class="holds" aria-label="{label}" role="group">{chips}</span>',
            label=say("hand"),
            chips=join(chip(card, say) for card in cards),
        )
    return markup(
        '<li class="seat{kind}" id="seat-{number}"><bdi class="name">{name}</bdi>{status}'
        '<span class="tally" role="img" aria-label="{label}"><b>{total}</b>'
        '<svg viewBox="0 0 24 22" aria-hidden="true">{bull}</svg><i dir="ltr">{pile}</i></span>{bar}{held}</li>',
        kind=classes(me=is_own, acts=activity in ("chooses", "takes", "drafts"), wins=wins),
        number=number,
        name=name,
        status=status(activity, wins, say),
        label=say("bull heads: {heads}, of this round: {pile}", heads=total, pile=pile),
        total=written(total, say),
        bull=BULL,
        pile=signed(pile, say) if pile else "",
        bar=bar(total, goal) if goal else EMPTY,
        held=held,
    )


@lru_cache(maxsize=256)
def status(activity: str, wins: bool, say: Say) -> Markup:
    """Render what a player does as words, a choice as a card face down, and at the end who won."""
    words = {
        "chooses": say("chooses"),  # translators: beside a player's name
        "chosen": say("has chosen"),  # translators: beside a player's name
        "takes": say("takes a row"),  # translators: beside a player's name
        "waits": say("waits"),  # translators: beside a player's name, whose card waits for its turn
        "drafts": say("takes a card"),
    }
    if wins:
        return markup('<span class="doing wins">★ {words}</span>', words=say("fewest heads"))
    if activity == "chosen":
        return markup(
            '<span class="down" role="img" aria-label="{words}">{back}</span>',
            words=words[activity],
            back=picture(0, say),
        )
    return markup('<span class="doing">{words}</span>', words=words[activity]) if activity else EMPTY


@lru_cache(maxsize=1024)
def bar(total: int, goal: int) -> Markup:
    """Render how much of the way to the end of the game a player's heads are."""
    return markup(
        '<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="100" height="4"/><rect class="run" width="{reach}" height="4"/></svg>',
        reach=min(100 * total // (goal + 1), 100),
    )


def hand(view: Mapping[str, Any], moves: Sequence[int], say: Say) -> Markup:
    """Fan the own cards out, the chosen one raised."""
    if view["seat"] is None or view["phase"] == "over":
        return NO_HAND
    held, chosen = view["hands"].get(str(view["seat"]), []), view["my_choice"]
    cards = sorted([*held, chosen]) if chosen else held
    playable = {move + 1 for move in moves} if view["phase"] == "choose" else set()
    fan = [
        held_card(card, 2 * at - len(cards) + 1, card in playable, card == chosen, say) for at, card in enumerate(cards)
    ]
    return markup(
        '<div id="hand" class="hand" role="group" aria-label="{label}">{call}'
        '<div class="fan" dir="ltr">{fan}</div></div>',
        label=say("your hand"),
        call=markup('<p class="call">{label}</p>', label=say("your hand"))
        if view["phase"] == "draft" and cards
        else EMPTY,
        fan=join(fan),
    )


@lru_cache(maxsize=8192)
def held_card(card: int, lean: int, is_spot: bool, is_chosen: bool, say: Say) -> Markup:
    """Render a card of the own hand; `lean` is how far from the middle it is, in half cards."""
    if is_spot:
        words = say("Play {card}, bull heads: {heads}", card=card, heads=HEADS_OF[card])
        role = markup('role="button" data-spot="{card}"', card=card)
    else:
        words, role = label(card, say), Markup('role="img"')
    if is_chosen:
        words = say("chosen: card {card}, bull heads: {heads}", card=card, heads=HEADS_OF[card])
    return markup(
        '<div class="card lean-{side}-{away}{kind}" id="hand-{card}" {role} aria-label="{words}">{picture}</div>',
        side="left" if lean < 0 else "right",
        away=abs(lean),
        kind=classes(spot=is_spot, chosen=is_chosen),
        card=card,
        role=role,
        words=words,
        picture=picture(card, say),
    )


def seen(view: Mapping[str, Any], say: Say) -> Markup:
    """List the cards this round has shown, if the table's option says so (N-20)."""
    if view["options"]["memory"] != "on":
        return NONE_SEEN
    return markup(
        '<div id="seen" class="seen" dir="ltr"><span class="title">{title}</span>{chips}</div>',
        title=say("seen this round"),
        chips=join(chip(card, say) for card in cards_seen(view)),
    )
