"""A position of Through the Desert as one picture: the map, the piles of camels, the players."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sarai.core.board import Scene
from sarai.core.markup import classes, join, markup, shorten_to_width
from sarai.core.picture import Block, Box, Columns, Hexagon
from sarai.games.desert.board.hex_map import HALF, RADIUS, crop, middle, scenery, view_box
from sarai.games.desert.board.map_layers import areas, badge, caravan, water
from sarai.games.desert.board.pieces import camel, leader, symbols
from sarai.games.desert.board.players import SOURCES, is_open, leaders_left, total_of
from sarai.games.desert.board.words import Words, words_of
from sarai.games.desert.state import COLOURS, VALUES, WHOLE_BOARD
from sarai.games.desert.terrain import BOARD

__all__ = ["columns", "symbols"]

BROAD = 260  # of the blocks beside the map
PILE = Box(0, 0, 48, 70)
ROW = 132  # the height of a player's row


def columns(scene: Scene) -> Columns:
    """Return the parts of the table."""
    words = words_of(scene.say)
    return [[land(scene, words)], [piles(scene.view, words), players(scene.view, scene.names, words)]]


def land(scene: Scene, words: Words) -> Block:
    """Draw the map with everything on it."""
    view, is_whole = scene.view, scene.view["players"] >= WHOLE_BOARD
    caravans = [
        caravan(words, seat, colour, tuple(hexes), frozenset(), scene.names[seat])
        for seat, owned in enumerate(view["caravans"])
        for colour, hexes in owned.items()
    ]
    content = markup(
        '<g class="map"><svg overflow="visible">{scenery}{areas}{water}{caravans}</svg></g>',
        scenery=scenery(is_whole),
        areas=areas(words, tuple(map(tuple, view["enclosed"])), frozenset(), tuple(scene.names)),
        water=water(words, tuple(view["water"].items()), tuple(view["oases"])),
        caravans=join(caravans),
    )
    places = {}
    for name, place in zip(BOARD.names, BOARD.places, strict=True):
        x, y = middle(place)
        places[name] = Hexagon(x - RADIUS, y - HALF, 2 * RADIUS, 2 * HALF)
    box = Box(*map(float, view_box(crop(is_whole)).split()))
    return Block("map", content, box, places, box.width * 1.2)


def piles(view: Mapping[str, Any], words: Words) -> Block:
    """Draw the piles of camels with what is left, and on them the leaders that the viewer has to place."""
    drawn, places, leaders = [], {}, leaders_left(view)
    for at, (colour, count) in enumerate(view["piles"].items()):
        box = places[f"pile-{colour}"] = PILE._replace(x=at * (BROAD - PILE.width) / 4)
        drawn.append(
            markup(
                '<g class="{colour} r{seat}" transform="translate({x:g} 0)">'
                '<rect class="picture-card" width="{width:g}" height="{height:g}" rx="10"/>'
                '<g transform="translate(23 26)">{piece}</g>'
                '<text class="picture-small" x="24" y="60">{count}</text></g>',
                colour=colour,
                seat=view["seat"] or 0,
                x=box.x,
                width=box.width,
                height=box.height,
                piece=leader(colour) if colour in leaders else camel(colour),
                count=words.number(count),
            )
        )
    return Block("piles", join(drawn), Box(0, 0, BROAD, PILE.height), places)


def players(view: Mapping[str, Any], names: Sequence[str], words: Words) -> Block:
    """Draw a card for each player: points by their sources, the sizes of caravans, water tokens."""
    drawn, places, is_over = [], {}, view["phase"] == "over"
    for seat, name in enumerate(names):
        y = seat * (ROW + 8)
        places[f"seat-{seat}"] = Box(0, y, BROAD, ROW)
        points, shown = tuple(view["points"][seat].values()), is_open(view, seat)
        drawn.append(
            markup(
                '<g class="r{seat}" transform="translate(0 {y})">'
                '<rect class="picture-card{acts}" width="{width}" height="{height}" rx="12"/>'
                '<g transform="translate(10 12) scale(1.5)">{badge}</g>'
                '<text class="picture-name" x="46" y="32">{name}</text>'
                '<text class="picture-number" x="{right}" y="33">{total}</text>'
                '<g transform="translate(22 58)">{sources}</g><g transform="translate(12 72)">{sizes}</g>'
                '<g transform="translate(22 116)">{drops}</g></g>',
                seat=seat,
                y=y,
                acts=classes(acts=seat in view["to_act"]),
                width=BROAD,
                height=ROW,
                badge=badge(words.number(seat + 1)),
                name=shorten_to_width(name, 13),
                right=BROAD - 12,
                total=words.number(total_of(points, is_over)) if shown else "?",
                sources=sources(list(map(words.number, points)) if shown else ()),
                sizes=sizes(view, seat, words),
                drops=drops(view["tokens"][seat] if shown else (), words),
            )
        )
    return Block("players", join(drawn), Box(0, 0, BROAD, len(names) * (ROW + 8) - 8), places)


def sources(points: Sequence[str]) -> Markup:
    """Draw the points by their sources; question marks for those that are not shown."""
    return markup(
        '<g class="sources">{sources}</g>',
        sources=join(
            markup(
                '<g class="{source}" transform="translate({x} 0)"><svg overflow="visible">'
                '<use href="#d-icon-{picture}" transform="scale(.8)"/></svg>'
                '<text class="picture-note" x="13" y="6">{value}</text></g>',
                source=source,
                x=at * 60,
                picture=picture,
                value=value,
            )
            for at, ((source, picture), value) in enumerate(
                zip(SOURCES.items(), points or "?" * len(SOURCES), strict=True)
            )
        ),
    )


def sizes(view: Mapping[str, Any], seat: int, words: Words) -> Markup:
    """Draw how large a player's caravans are, or that a leader was set aside."""
    aside = view["aside"][seat] if seat < len(view["aside"]) else ""
    return join(
        markup(
            '<g class="{colour}" transform="translate({x} 0)"><rect class="d-coat" width="42" height="26" rx="6"/>'
            '<g transform="translate(13 13)"><use href="#d-mark-{colour}"/></g>'
            '<text class="picture-chip" x="29" y="19">{size}</text></g>',
            colour=colour,
            x=at * (BROAD - 24 - 42) / 4,
            size="×" if colour == aside else words.number(len(view["caravans"][seat].get(colour, ()))),
        )
        for at, colour in enumerate(COLOURS)
    )


def drops(tokens: Sequence[int], words: Words) -> Markup:
    """Draw how many water tokens of each value a player took."""
    return join(
        markup(
            '<g transform="translate({x} 0)"><g class="token" transform="scale(.72)"><use href="#d-pool"/>'
            '<text y=".5">{value}</text></g><text class="picture-note" x="14" y="6">×{count}</text></g>',
            x=at * 80,
            value=words.number(at + 1),
            count=words.number(tokens[at]) if tokens else "?",
        )
        for at in range(VALUES)
    )
