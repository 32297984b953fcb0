"""A position of Camel Up as one picture: the track, the bets, the piles, the players, the own tile and cards."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sarai.core.board import Scene
from sarai.core.markup import EMPTY, classes, join, markup, shorten_to_width
from sarai.core.picture import Block, Box, Columns
from sarai.games.camelup.board.panels import PILE_SIGNS, letter_of
from sarai.games.camelup.board.pieces import SIGNS, disc, laid_card, race_card, symbols, ticket, tile
from sarai.games.camelup.board.track import (
    CELL,
    CELLS,
    PLATE,
    SIDE,
    TALL,
    VIEW_BOX,
    camels,
    court,
    dice,
    ground,
    lap,
    lift,
    number_plate,
    numbers,
    scenery,
    stacks_of,
    tiles,
)
from sarai.games.camelup.board.words import Words, words_of
from sarai.games.camelup.edition import PILES, edition_number
from sarai.games.camelup.state import LAST_SPACE
from sarai.games.camelup.view import hidden_purses, ranking

__all__ = ["columns", "symbols"]

BROAD = 400  # of the blocks beside the track
TICKET, CARD, SIDE_WIDTH = 72, 62, 106  # the widths of a ticket, of a card in hand, of a side of the own tile
LAID = 36  # from card to card on a pile
SLIP = Box(0, 0, 64, 84)
ROW = 66  # the height of a player's row
CAMEL = 50  # how broad a camel is to both sides of its middle, about
DIE = Box(0, 0, 46, 72)
TILE = Box(-48, -34, 96, 68)
PYRAMID = Box(182, 156, 216, 196)


def columns(scene: Scene) -> Columns:
    """Return the parts of the table."""
    view, edition = scene.view, edition_number(scene.view["tickets"])
    words = words_of(edition, scene.say)
    beside = [bets(view, words), piles(view, words), players(view, scene.names, words)]
    return [[track(scene, edition, words), *hand(view, edition, words)], beside]


def nested(picture: Markup, box: Box) -> Markup:
    """Put a piece that is a picture of its own into a place."""
    return markup(
        '<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}">{picture}</svg>',
        picture=picture,
        **box._asdict(),
    )


def title(text: str, x: float = 2) -> Markup:
    """Write what a block is."""
    return markup('<text class="picture-title" x="{x:g}" y="16">{text}</text>', x=x, text=text)


def track(scene: Scene, edition: int, words: Words) -> Block:
    """Draw the track with everything on it."""
    view = scene.view
    out = dice(view, words, ())
    content = markup(
        "{scenery}{court}{dice}{tiles}{camels}{numbers}",
        scenery=scenery(scene.say),
        numbers=numbers(scene.say),
        court=court(view, words),
        dice=join(out.values()),
        tiles=tiles(view, scene.names, edition, words, ()),
        camels=camels(view, words, ()),
    )
    places = {f"space-{space}": space_box(space) for space in range(1, LAST_SPACE + 1)}
    for space, stack in stacks_of(view):
        for at, name in enumerate(stack):
            x, y = ground(lap(space), at * lift(len(stack)))
            places[f"camel-{name}"] = Box(x - CAMEL, y - TALL, 2 * CAMEL, TALL)
    for at, name in enumerate(words.dice):
        places[f"die-{name}"] = DIE._replace(x=SIDE / 2 - len(words.dice) * 28 + at * 56 + 5, y=360)
    for seat, lain in enumerate(view["tiles"]):
        if lain:
            x, y = ground(lain["space"])
            places[f"tile-{seat}"] = TILE._replace(x=x + TILE.x, y=y - 40 + TILE.y)
    return Block("track", content, Box(*map(float, VIEW_BOX.split())), {**places, "pyramid": PYRAMID})


def space_box(space: int) -> Box:
    """Return where a space lies, with its number at the rim."""
    (column, row), (left, top, width) = CELLS[space - 1], number_plate(space)
    x, y = min(column * CELL, left), row * CELL
    right, bottom = max((column + 1) * CELL, left + width), max((row + 1) * CELL, top + PLATE)
    return Box(x, y, right - x, bottom - y)


def bets(view: Mapping[str, Any], words: Words) -> Block:
    """Draw the stacks of betting tickets: the top one, the worth of the others, and the camel's place in the race."""
    order, drawn, places = ranking(view), [title(words.tickets)], {}
    for at, (name, tickets) in enumerate(view["tickets"].items()):
        left = tuple(each["worth"] for each in tickets if each["owner"] is None)
        box = Box(at * (BROAD - TICKET) / 4, 24, TICKET, TICKET * SLIP.height / SLIP.width)
        places[f"tent-{name}"] = box._replace(height=box.height + 24)
        rank = order.index(name) + 1 if name in order else 0
        drawn.append(
            markup(
                '<g class="tent coat-{name}">{ticket}{rank}<text class="picture-small" x="{x:g}" y="{y:g}">{rest}'
                "</text></g>",
                name=name,
                ticket=nested(
                    ticket(name, letter_of(name, words), words.number(left[0]) if left else "", len(left)), box
                ),
                x=box.middle[0],
                y=box.y + box.height + 15,
                rank=markup(
                    '<text class="picture-small" x="{x:g}" y="38">{rank}</text>', x=box.x + 10, rank=words.rank(rank)
                )
                if rank
                else EMPTY,
                rest=words.numbers(left[1:]) or "–",
            )
        )
    return Block("bets", join(drawn), Box(0, 0, BROAD, 150), places)


def piles(view: Mapping[str, Any], words: Words) -> Block:
    """Draw both piles of race cards."""
    drawn, places, broad = [], {}, (BROAD - 12) / 2
    for number, which in enumerate(PILES):
        box = Box(number * (broad + 12), 0, broad, 94)
        places[f"pile-{which}"] = box
        cards = [card for card in view["cards"] if card["pile"] == which]
        apart = min(LAID, (broad - 20 - LAID) / max(len(cards) - 1, 1))
        laid = [
            nested(
                laid_card(
                    words.number(card["seat"] + 1),
                    card["camel"] or "",
                    letter_of(card["camel"], words) if card["camel"] else "",
                ),
                Box(10 + at * apart, 34, 32, 52),
            )
            for at, card in enumerate(cards)
        ]
        drawn.append(
            markup(
                '<g transform="translate({x:g} 0)"><rect class="picture-card" width="{width:g}" height="94" rx="12"/>'
                '<g class="sign-{which}" transform="translate(8 7)"><path d="{sign}"/></g>'
                '<text class="picture-title" x="34" y="24">{title}</text>{laid}</g>',
                x=box.x,
                width=broad,
                which=which,
                sign=PILE_SIGNS[which],
                title=shorten_to_width(words.winner if which == "winner" else words.loser, 19),
                laid=join(laid),
            )
        )
    return Block("piles", join(drawn), Box(0, 0, BROAD, 94), places)


def hand(view: Mapping[str, Any], edition: int, words: Words) -> list[Block]:
    """Draw the viewer's own tile and race cards, if there is a viewer who has some."""
    if view["hand"] is None or view["phase"] == "over":
        return []
    drawn, places = [], {}
    for side in range(2):
        box = Box(side * (SIDE_WIDTH + 10), 4, SIDE_WIDTH, SIDE_WIDTH * TILE.height / TILE.width)
        places[f"side-{side}"] = box
        picture = tile(edition, side, words.change(-1 if side else 1))
        drawn.append(nested(markup('<svg viewBox="-48 -34 96 68">{tile}</svg>', tile=picture), box))
    for at, name in enumerate(view["hand"]):
        box = Box(2 * SIDE_WIDTH + 40 + at * (CARD + 8), 0, CARD, CARD * SLIP.height / SLIP.width)
        places[f"card-{name}"] = box
        card = nested(race_card(name, letter_of(name, words)), box)
        drawn.append(markup('<g class="coat-{name}">{card}</g>', name=name, card=card))
    return [Block("hand", join(drawn), Box(0, 0, SIDE + 16, 84), places)]


# --- the players ------------------------------------------------------------------------------------------------------


def players(view: Mapping[str, Any], names: Sequence[str], words: Words) -> Block:
    """Draw a row for each player: money, tickets, cards, tile, partner."""
    hidden, acting = hidden_purses(view), None if view["phase"] == "over" else view["turn"]
    rows, places = [], {}
    for seat, name in enumerate(names):
        places[f"seat-{seat}"] = Box(0, seat * (ROW + 6), BROAD, ROW)
        rows.append(
            markup(
                '<g transform="translate(0 {y})"><rect class="picture-card{acts}" width="{width}" height="{height}" '
                'rx="12"/>{disc}<text class="picture-name" x="42" y="26">{name}</text>'
                '<text class="picture-number" x="{right}" y="28">{pounds}</text>{coin}'
                '<g transform="translate(12 38)">{things}</g></g>',
                y=seat * (ROW + 6),
                acts=classes(acts=seat == acting),
                width=BROAD,
                height=ROW,
                disc=disc(words.number(seat + 1), 22, 20),
                name=shorten_to_width(name, 24),
                right=BROAD - 36,
                pounds="?" if seat in hidden else words.number(view["pounds"][seat]),
                coin=sign("coin", BROAD - 32, 9),
                things=things(view, seat, words),
            )
        )
    return Block("players", join(rows), Box(0, 0, BROAD, len(rows) * (ROW + 6) - 6), places)


def sign(kind: str, x: float, y: float) -> Markup:
    """Draw a small sign."""
    return markup('<g transform="translate({x:g} {y:g})">{sign}</g>', x=x, y=y, sign=SIGNS[kind])


def things(view: Mapping[str, Any], seat: int, words: Words) -> Markup:
    """Draw what a player has besides money, one thing beside the other."""
    found = list[Markup]()
    x = 0.0
    if seat == view["start_player"]:
        found.append(sign("flag", x, 2))
        x += 26
    for camel, stack in view["tickets"].items():
        for each in stack:
            if each["owner"] == seat:
                found.append(held_ticket(camel, each["worth"], x, words))
                x += 48
    lain, partner = view["tiles"][seat], view["partners"][seat] if view["partners"] else None
    counted = (
        ("pyramid", view["pyramid_tickets"][seat]),
        ("card", view["cards_left"][seat]),
        ("plank-out" if lain else "plank", lain["space"] if lain else 0),
        ("pair", 0 if partner is None else partner + 1),
    )
    for kind, count in counted:
        if count or kind == "plank":
            found.append(sign(kind, x, 2))
            if count:
                number = '<text class="picture-note" x="{x:g}" y="18">{count}</text>'
                found.append(markup(number, x=x + 23, count=words.number(count)))
            x += 44 if count else 28
    return join(found)


def held_ticket(camel: str, worth: int, x: float, words: Words) -> Markup:
    """Draw a betting ticket before its owner, small: its camel's letter and its worth."""
    return markup(
        '<g class="coat-{camel}" transform="translate({x:g} 0)"><rect class="slip" width="44" height="24" rx="6"/>'
        '<path class="band" d="M6 0H22V24H6A6 6 0 0 1 0 18V6A6 6 0 0 1 6 0Z"/>'
        '<circle class="pip" cx="11.5" cy="12" r="9.5"/><text class="tag" x="11.5" y="18">{letter}</text>'
        '<text class="tag" x="33" y="18">{worth}</text></g>',
        camel=camel,
        x=x,
        letter=letter_of(camel, words),
        worth=words.number(worth),
    )
