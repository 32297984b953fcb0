"""A position of Anubixx as one picture: the dice, the viewer's sheet large, the bonuses, the other sheets small."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sarai.core.board import Scene
from sarai.core.markup import EMPTY, classes, join, markup, shorten_to_width
from sarai.core.picture import Block, Box, Columns
from sarai.games.anubixx.board.dice import dice
from sarai.games.anubixx.board.pieces import picture, symbols
from sarai.games.anubixx.board.players import PICTURES
from sarai.games.anubixx.board.sheet import LARGE, QUARRY_OF, arch, pyramid, relief
from sarai.games.anubixx.board.small_sheet import small_place, small_sheet
from sarai.games.anubixx.board.words import Words, words_of
from sarai.games.anubixx.state import ARCH, BONUSES, PYRAMID, RELIEF

__all__ = ["columns", "symbols"]

SOURCES = ("pyramid", "arch", "relief", "bonuses", "quarry", "jokers")
BUILDINGS = {  # how each is drawn, its stones, its picture's box on the page, and where that lies on the sheet
    "pyramid": (pyramid, PYRAMID, Box(-4, -8, 328, 228), (12, 110)),
    "arch": (arch, ARCH, Box(-4, -8, 172, 272), (360, 66)),
    "relief": (relief, RELIEF, Box(-4, -8, 282, 222), (552, 116)),
}
BROAD = 850  # of the own sheet
CHIP, CHIPS = 2.1, (20, 136)  # the size of the quarry's stones against those of a small sheet, and where they begin
LITTLE = Box(-1, -1, 218, 117)  # a small sheet
CARD, ACROSS = 277, 3  # the width of a player's card; how many lie beside each other
DIE = Box(-29, -29, 58, 58)


def columns(scene: Scene) -> Columns:
    """Return the parts of the table."""
    view, words = scene.view, words_of(scene.say)
    seat = view["seat"]
    own = [] if seat is None or not view["seats"][seat]["sheet"] else [sheet(words, view, scene.names[seat])]
    others = [number for number in range(view["players"]) if not own or number != seat]
    return [[all_dice(words, view), *own, bonuses(words, view), players(words, view, scene.names, others)]]


def all_dice(words: Words, view: Mapping[str, Any]) -> Block:
    """Draw the dice: those in the middle, and the used ones small."""
    middle, used = tuple(view["dice"]["middle"]), (*view["dice"]["gone"], *view["dice"]["taken"])
    places, seen = {}, dict.fromkeys((*middle, *used), 0)
    for slot, colour in enumerate((*middle, *used)):
        seen[colour] += 1
        x = 46 + 92 * slot if slot < len(middle) else 402 + 45 * (slot - len(middle))
        places[f"die-{colour}-{seen[colour]}"] = DIE._replace(x=x + DIE.x, y=33 + DIE.y)
    content = markup('<g class="dice">{dice}</g>', dice=dice(words, middle, used, False))
    return Block("dice", content, Box(0, 0, 470, 76), places)


def nested(drawn: Markup, box: Box, x: float, y: float, scale: float = 1) -> Markup:
    """Put what is drawn in a box of its own into a place."""
    return markup(
        '<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" viewBox="{box}" overflow="visible">{drawn}'
        "</svg>",
        x=x,
        y=y,
        width=box.width * scale,
        height=box.height * scale,
        box=" ".join(f"{number:g}" for number in box),
        drawn=drawn,
    )


# --- the own sheet ----------------------------------------------------------------------------------------------------


def sheet(words: Words, view: Mapping[str, Any], name: str) -> Block:
    """Draw the viewer's sheet: buildings, quarry and jokers."""
    seat = view["seat"]
    entry = view["seats"][seat]
    letter, marked = entry["sheet"], frozenset(entry["marked"])
    closed = frozenset(view["closed"]).difference(entry["bonuses"])
    drawn, places = [], {f"seat-{seat}": Box(0, 0, BROAD, 404)}
    for building, (render, stones, box, (x, y)) in BUILDINGS.items():
        parts = render(words, letter, marked.intersection(stones), (), frozenset(), closed)
        drawn.append(nested(join(parts.values()), box, x, y))
        drawn.append(
            markup(
                '<text class="picture-title" x="{x}" y="{y}">{title}</text>',
                x=x + 4,
                y=y - 4 if building != "arch" else y - 2,
                title=words.buildings[building],
            )
        )
        places[building] = Box(x, y, box.width, box.height)
        for stone in stones:
            left, top, wide, high = LARGE[stone]
            places[stone] = Box(x + left - box.x, y + top - box.y, wide, high)
    quarry, chips = own_quarry(words, letter, entry, view["players"])
    content = markup(
        '<rect class="picture-card" width="{width}" height="404" rx="14"/>{head}{drawn}'
        '<g transform="translate(0 354)">{quarry}</g>',
        width=BROAD,
        head=head(words, entry, seat, name, BROAD, seat in view["to_act"]),
        drawn=join(drawn),
        quarry=quarry,
    )
    return Block("sheet", content, Box(0, 0, BROAD, 404), places | chips)


def own_quarry(words: Words, letter: str, entry: Mapping[str, Any], of: int) -> tuple[Markup, dict[str, Box]]:
    """Draw the quarry and the jokers in a line, and say where they lie."""
    colours, crossed = QUARRY_OF[letter], entry["crossed"]
    behind = max(crossed, default=0)
    stones = join(
        small_place(place, colour, place in crossed, place <= behind and place not in crossed)
        for place, colour in enumerate(colours, 1)
    )
    pitch, radius = 18 * CHIP, 7.6 * CHIP
    places = {
        f"quarry-{place}": Box(CHIPS[0] + (place - 1) * pitch + 0.4 * CHIP, 358, 2 * radius, 2 * radius)
        for place in range(1, len(colours) + 1)
    }
    right = CHIPS[0] + len(colours) * pitch + 30
    stars = join(
        markup(
            '<use class="star" href="#x-i-j" transform="translate({x:g} 20) scale(1.3)"{faded}/>',
            x=right + 30 * at,
            faded=Markup(' opacity=".3"') if at >= entry["jokers"] else EMPTY,
        )
        for at in range(of)
    )
    drawn = markup(
        '<g class="little" transform="translate({x} {y:g}) scale({scale})">{stones}</g>{stars}',
        x=CHIPS[0],
        y=20 - 107 * CHIP,
        scale=CHIP,
        stones=stones,
        stars=stars,
    )
    row = Box(CHIPS[0], 356, len(colours) * pitch, 40)
    return drawn, {**places, "quarry": row, "jokers": Box(right - 16, 356, 30 * of, 40)}


def head(words: Words, entry: Mapping[str, Any], seat: int, name: str, width: float, acts: bool) -> Markup:
    """Draw the head of a sheet: the seat's number, the name, points by their sources and in all."""
    is_wide = width > CARD
    sources = join(
        markup(
            '<g transform="translate({x:g} 0)">{picture}<text class="picture-note" x="24" y="17">{points}</text></g>',
            x=at * (64 if is_wide else 44),
            picture=nested(picture(PICTURES.get(source, source)), Box(0, 0, 20, 20), 0, 0),
            points=words.number(entry["points"][source]),
        )
        for at, source in enumerate(SOURCES)
    )
    return markup(
        '{ring}<rect class="picture-seat" x="12" y="10" width="28" height="28" rx="6"/>'
        '<text class="picture-seat-number" x="26" y="31">{number}</text>'
        '<text class="picture-name" x="50" y="31">{name}</text>'
        '<text class="picture-number" x="{right:g}" y="33">{total}</text>'
        '<g class="sources" transform="translate({x} {y})">{sources}</g>',
        ring=markup('<rect class="picture-card acts" width="{width:g}" height="46" rx="14"/>', width=width)
        if acts
        else EMPTY,
        number=words.number(seat + 1),
        name=shorten_to_width(name, 28 if is_wide else 13),
        right=width - 14,
        total=words.number(entry["points"]["total"]),
        x=376 if is_wide else 8,
        y=14 if is_wide else 52,
        sources=sources,
    )


# --- the bonuses and the others ---------------------------------------------------------------------------------------


def bonuses(words: Words, view: Mapping[str, Any]) -> Block:
    """Draw the bonuses: open or closed, and who has won them."""
    drawn, places, broad = [], {}, BROAD / len(BONUSES)
    for at, bonus in enumerate(BONUSES):
        is_closed = bonus in view["closed"]
        places[f"bonus-{bonus}"] = box = Box(at * broad, 0, broad - 6, 62)
        seats = [seat for seat, entry in enumerate(view["seats"]) if bonus in entry["bonuses"]]
        badges = join(
            markup(
                '<rect class="picture-seat" x="{x}" y="34" width="20" height="20" rx="5"/>'
                '<text class="picture-seat-number small" x="{middle}" y="49">{number}</text>',
                x=42 + 22 * place,
                middle=52 + 22 * place,
                number=words.number(seat + 1),
            )
            for place, seat in enumerate(seats)
        )
        state = words.closed if is_closed else words.open
        drawn.append(
            markup(
                '<g class="bonus{kind}" transform="translate({x:g} 0)"><rect class="picture-card" width="{width:g}" '
                'height="62" rx="10"/><g class="art">{art}</g><text class="picture-small start" x="42" y="24">{what}'
                "</text>{state}</g>",
                kind=classes(closed=is_closed),
                x=box.x,
                width=box.width,
                art=nested(picture(bonus), Box(0, 0, 30, 30), 6, 16),
                what=shorten_to_width(words.symbols[bonus], 7),
                state=badges or markup('<text class="picture-small start" x="42" y="48">{state}</text>', state=state),
            )
        )
    return Block("bonuses", join(drawn), Box(0, 0, BROAD, 62), places)


def players(words: Words, view: Mapping[str, Any], names: Sequence[str], seats: Sequence[int]) -> Block:
    """Draw sheets small, three beside each other."""
    drawn, places, high = [], {}, 230
    for at, seat in enumerate(seats):
        entry = view["seats"][seat]
        x, y = at % ACROSS * (CARD + 10), at // ACROSS * (high + 10)
        places[f"seat-{seat}"] = Box(x, y, CARD, high)
        letter = entry["sheet"] or ""
        parts = small_sheet(
            words,
            seat,
            letter,
            frozenset(entry["marked"]),
            tuple(entry["crossed"]),
            entry["jokers"],
            frozenset(),
        )
        inside = join(part for name, part in parts.items() if name != f"x-sheet-{seat}")
        drawn.append(
            markup(
                '<g transform="translate({x} {y})"><rect class="picture-card" width="{width}" height="{height}" '
                'rx="14"/>{head}{little}</g>',
                x=x,
                y=y,
                width=CARD,
                height=high,
                head=head(words, entry, seat, names[seat], CARD, seat in view["to_act"]),
                little=markup('<g class="little">{drawn}</g>', drawn=nested(inside, LITTLE, 8, 84, 1.19)),
            )
        )
    lines = -(-len(seats) // ACROSS)
    return Block("players", join(drawn), Box(0, 0, BROAD, lines * (high + 10) - 10), places)
