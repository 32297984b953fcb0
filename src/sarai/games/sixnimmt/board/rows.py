"""The middle of the table: four rows and who just took one, or during a draft the cards that lie open."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from sarai.core.board import Scene
from sarai.core.markup import EMPTY, classes, join, letter_width, markup, shorten_to_width
from sarai.core.messages import Say, number, signed
from sarai.games.sixnimmt.board.cards import HEADS_OF, HEIGHT, WIDTH, bull, face, heads_on, label, picture
from sarai.games.sixnimmt.board.trick import Placed
from sarai.games.sixnimmt.board.words import row_label, rows_beside
from sarai.games.sixnimmt.state import CARDS, HAND, ROW_LIMIT, ROWS
from sarai.games.sixnimmt.view import open_cards

# by cards in a row: how many letters of a name its banner has room for beside them, and its least width; else 14, 136
NAME_ROOM = {ROW_LIMIT: (0, 0), ROW_LIMIT - 1: (6, 92), ROW_LIMIT - 2: (11, 136)}
LEFT, PITCH, LANE = 46, 83, 114  # where the first place begins, from place to place, from row to row
BROAD, TOP = 600, 5
ROLE_IMAGE = Markup('role="img"')
PLACE_SIZE = Markup(f'y="{TOP + 2}" width="{WIDTH - 4}" height="{HEIGHT - 4}" rx="8"')


def middle(scene: Scene, trick: Sequence[Placed], spots: Mapping[str, int]) -> Markup:
    """Render the rows, or during a draft the cards that lie open."""
    view, say = scene.view, scene.say
    if view["phase"] == "draft":
        cards = join(open_card(card, str(card) in spots, say) for card in open_cards(view))
        return markup('<div id="middle" class="open">{cards}</div>', cards=cards)
    banners = {
        placed.row: banner(placed.row, len(view["rows"][placed.row - 1]), scene.names[placed.seat], placed.heads, say)
        for placed in trick
        if placed.took and view["rows"][placed.row - 1][:1] == [placed.card]
    }
    covered = [row for row, shown in banners.items() if shown]
    return markup(
        '<svg id="middle" viewBox="0 0 {width} {height}" role="group" aria-label="{label}">{content}</svg>',
        width=BROAD,
        height=ROWS * LANE,
        label=say("the four rows"),
        content=join([*rendered_rows(view, spots, say, covered), *banners.values()]),
    )


def rendered_rows(
    view: Mapping[str, Any], spots: Mapping[str, int], say: Say, covered: Sequence[int] = ()
) -> list[Markup]:
    """Render the rows; a card comes to the one whose last card is the next lower one (N-08).

    `covered` are the rows, from 1, with a banner over their foot.
    """
    lasts = (0, *(cards[-1] if cards else 0 for cards in view["rows"]), 0)
    most = HAND * view["players"] + ROWS if view["options"]["deck"] == "known" else CARDS  # N-01, N-15
    return [
        row(
            place,
            tuple(cards),
            min((last for last in lasts if last > lasts[place + 1]), default=most + 1),
            lasts[place],
            lasts[place + 2],
            f"r{place + 1}" in spots,
            place + 1 in covered,
            say,
        )
        for place, cards in enumerate(view["rows"])
    ]


@lru_cache(maxsize=4096)
def row(
    place: int,
    cards: tuple[int, ...],
    following: int,
    above: int,
    below: int,
    is_spot: bool,
    is_covered: bool,
    say: Say,
) -> Markup:
    """Render a row, which says what lies on it and, by the last cards of the rows above and below, beside it."""
    return markup(
        '<g class="row{spot}" id="row-{number}" transform="translate(0 {y})" {role} aria-label="{words}"{beside}>'
        "{content}</g>",
        spot=classes(spot=is_spot),
        number=place + 1,
        y=place * LANE,
        role=markup('role="button" data-spot="r{number}"', number=place + 1) if is_spot else ROLE_IMAGE,
        words=row_label(place + 1, cards, following, say),
        beside=markup(' data-beside="" data-edge="{rows}"', rows=rows_beside(place + 1, above, below, say))
        if cards and (above or below)
        else EMPTY,
        content=row_content(place, cards, is_covered, say),
    )


@lru_cache(maxsize=2048)
def row_content(place: int, cards: tuple[int, ...], is_covered: bool, say: Say) -> Markup:
    """Render what a row shows: its cards, free places, sixth place and cost."""
    return markup(
        '<rect class="lane" x="1" y="1" width="{width}" height="{height}" rx="14"/>'
        '<text class="which" x="23" y="{middle:g}">{which}</text>{free}{sixth}{laid}{cost}',
        which=number(place + 1, say),
        width=BROAD - 2,
        height=LANE - 4,
        middle=LANE / 2 + 8,
        free=free_places(len(cards)),
        sixth=sixth_place(len(cards) == ROW_LIMIT, is_covered, say),
        laid=join([laid_card(card, at, say) for at, card in enumerate(cards)]),
        cost=cost(heads_on(cards), say) if cards else EMPTY,
    )


@lru_cache(maxsize=ROW_LIMIT + 1)
def free_places(taken: int) -> Markup:
    """Render the free places of a row."""
    return join(
        markup('<rect class="place" x="{x}" {size}/>', x=LEFT + at * PITCH + 2, size=PLACE_SIZE)
        for at in range(taken, ROW_LIMIT)
    )


@lru_cache(maxsize=512)
def cost(heads: int, say: Say) -> Markup:
    """Render what a row costs."""
    right = LEFT + 6 * PITCH
    return markup(
        '<text class="cost" x="{x}" y="{y:g}">{heads}</text>{bull}',
        x=right + 26,
        y=LANE / 2 + 2,
        heads=number(heads, say),
        bull=bull(right + 10, LANE / 2 + 10, 32),
    )


@lru_cache(maxsize=16)
def sixth_place(is_full: bool, is_covered: bool, say: Say) -> Markup:
    """Render the sixth place of a row, marked when the next card comes there; without its number under a banner."""
    x = LEFT + ROW_LIMIT * PITCH
    which = markup('<text x="{x}" y="{y}">{number}</text>', x=x + 38, y=TOP + 84, number=number(ROW_LIMIT + 1, say))
    return markup(
        '<g class="sixth{hot}"><rect x="{x}" {size}/>{bull}{which}</g>',
        hot=classes(hot=is_full),
        x=x + 2,
        size=PLACE_SIZE,
        bull=bull(x + 20, TOP + 16, 36, "sixnimmt-ghost"),
        which=EMPTY if is_covered else which,
    )


@lru_cache(maxsize=4096)
def laid_card(card: int, at: int, say: Say) -> Markup:
    """Render a card of a row."""
    return markup(
        '<g class="piece card" id="card-{card}" transform="translate({x} {y})">{face}</g>',
        card=card,
        x=LEFT + at * PITCH,
        y=TOP,
        face=face(card, say),
    )


@lru_cache(maxsize=4096)
def banner(place: int, cards: int, name: str, heads: int, say: Say) -> Markup:
    """Write into the foot of a row who took it, as long as there is room, and the heads, if they were just seen."""
    letters, least = NAME_ROOM.get(cards, (14, 136))
    shown = shorten_to_width(name, letters) if letters else ""
    if not (letters or heads):
        return EMPTY
    width = max(least, round(13.2 * sum(map(letter_width, shown))) + 12 if shown else 0) + (70 if heads else 0)
    x, y = LEFT + 6 * PITCH - 6 - width, (place - 1) * LANE + 70
    who = loss = EMPTY
    if shown:
        who = markup(
            '<text class="name" x="{x}" y="{y}">{name}</text>',
            x=x + 12,
            y=y + 24,
            name=shown,
        )
    if heads:
        loss = markup(
            '<text class="plus" x="{x}" y="{y}">{heads}</text>{bull}',
            x=x + width - 36,
            y=y + 24,
            heads=signed(heads, say),
            bull=bull(x + width - 33, y + 6, 24),
        )
    return markup(
        '<g class="taken" id="taken-{place}">'
        '<rect x="{x}" y="{y}" width="{width}" height="35" rx="17"/>{who}{loss}</g>',
        place=place,
        x=x,
        y=y,
        width=width,
        who=who,
        loss=loss,
    )


@lru_cache(maxsize=512)
def open_card(card: int, is_spot: bool, say: Say) -> Markup:
    """Render a card that lies open to be drafted."""
    if is_spot:
        words = say("Take {card} into your hand, bull heads: {heads}", card=card, heads=HEADS_OF[card])
        role = markup('role="button" data-spot="{card}"', card=card)
    else:
        words, role = label(card, say), ROLE_IMAGE
    return markup(
        '<div class="card{spot}" id="open-{card}" {role} aria-label="{words}">{picture}</div>',
        spot=classes(spot=is_spot),
        card=card,
        role=role,
        words=words,
        picture=picture(card, say),
    )
