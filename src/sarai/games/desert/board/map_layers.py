"""What lies on the map: water and oases, enclosed areas, caravans, hexes to choose, points just made."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup, spot
from sarai.games.desert.board.hex_map import HEX_PATH, hexes_outline, transform_of
from sarai.games.desert.board.pieces import OASIS, camel, leader
from sarai.games.desert.board.words import Words
from sarai.games.desert.terrain import BOARD, NUMBERS, around

MOST_KEPT = 4096  # fragments of boards that are memoised
COLUMNS = {  # the hexes of the board, by the letter of their column: of the part that few players use, and of the whole
    is_whole: {letter: tuple(hex for hex in names if hex[0] == letter) for letter in sorted({hex[0] for hex in names})}
    for is_whole, names in ((False, BOARD.names[: BOARD.inside]), (True, BOARD.names))
}


@lru_cache(maxsize=MOST_KEPT)
def water(words: Words, tokens: tuple[tuple[str, int], ...], oases: tuple[str, ...]) -> Markup:
    """Render the water tokens that lie open, and the oases."""
    palms = [
        markup('<g class="palm" transform="{place}">{oasis}</g>', place=transform_of(hex), oasis=OASIS) for hex in oases
    ]
    return markup(
        '<g id="d-water" aria-hidden="true">{tokens}{palms}</g>',  # hexes tell what lies on them
        tokens=join(token(hex, words.number(value)) for hex, value in tokens),
        palms=join(palms),
    )


@lru_cache(maxsize=MOST_KEPT)
def token(hex: str, value: str) -> Markup:
    """Render a water token with its value."""
    return markup(
        '<g class="token" id="d-water-{hex}" transform="{place}"><use href="#d-pool"/><text y=".5">{value}</text></g>',
        hex=hex,
        place=transform_of(hex),
        value=value,
    )


@lru_cache(maxsize=MOST_KEPT)
def areas(words: Words, enclosed: tuple[tuple[str, ...], ...], new: frozenset[int], names: tuple[str, ...]) -> Markup:
    """Shade the enclosed areas, each with its player's number on every hex."""
    shaded = [area(words, seat, hexes, seat in new, names[seat]) for seat, hexes in enumerate(enclosed) if hexes]
    return markup('<g id="d-areas">{areas}</g>', areas=join(shaded))


@lru_cache(maxsize=MOST_KEPT)
def area(words: Words, seat: int, hexes: tuple[str, ...], is_new: bool, name: str) -> Markup:
    """Shade the areas of one seat."""
    number = words.number(seat + 1)
    numbers = [
        markup('<text transform="{place}">{number}</text>', place=transform_of(hex), number=number) for hex in hexes
    ]
    return markup(
        '<g class="area r{seat}{new}" id="d-area-{seat}" role="img" aria-label="{label}">'
        '<path d="{outline}"/>{numbers}</g>',
        seat=seat,
        new=classes(new=is_new),
        label=words.area(name, hexes),
        outline=hexes_outline(hexes, 1.6),
        numbers=join(numbers),
    )


@lru_cache(maxsize=MOST_KEPT)
def caravan(words: Words, seat: int, colour: str, hexes: tuple[str, ...], new: frozenset[str], name: str) -> Markup:
    """Render a caravan: one border around its camels, the leader first."""
    if not hexes:
        return markup('<g id="d-caravan-{seat}-{colour}"></g>', seat=seat, colour=colour)
    return markup(
        '<g id="d-caravan-{seat}-{colour}" class="caravan {colour} r{seat}" role="group" aria-label="{label}">'
        '<path class="border" d="{outline}"/>{camels}</g>',
        seat=seat,
        colour=colour,
        label=words.caravan(name, colour, len(hexes)),
        outline=hexes_outline(hexes, 1.9),
        camels=join(placed_camel(words, seat, name, colour, hex, hex == hexes[0], hex in new) for hex in hexes),
    )


@lru_cache(maxsize=MOST_KEPT)
def placed_camel(words: Words, seat: int, name: str, colour: str, hex: str, leads: bool, is_new: bool) -> Markup:
    """Render one camel of a caravan, the leader with its player's number."""
    return markup(
        '<g class="piece {kind}{new}" id="d-camel-{hex}" role="img" aria-label="{label}" data-on="d-spot-{hex}" '
        'transform="{place}">{ring}<g class="pop">{picture}</g></g>',
        kind="leader" if leads else "camel",
        new=classes(new=is_new),
        hex=hex,
        label=words.camel(hex, colour, name, leads),
        place=transform_of(hex),
        ring=markup('<path class="ring" d="{path}"/>', path=HEX_PATH) if is_new else EMPTY,
        picture=leader(colour) + badge(words.number(seat + 1)) if leads else camel(colour),
    )


@cache
def badge(number: str) -> Markup:
    """Render a player's number on a disc: letters could be taken for colours."""
    return markup(
        '<g class="badge" transform="translate(10.4 8.2)"><circle r="6.4"/><text>{number}</text></g>',
        number=number,
    )


@cache
def phase_mark(for_leaders: bool) -> Markup:
    """Say for what hexes are chosen: an element before them, so that they stay as they are when it changes."""
    return markup('<g id="d-phase"{kind}></g>', kind=Markup(' class="for-leaders"') if for_leaders else EMPTY)


def spots(words: Words, tokens: Mapping[str, int], oases: Sequence[str], is_whole: bool) -> dict[str, Markup]:
    """Render all hexes as places that can be chosen at times, a part for each column: a token that goes changes one."""
    values: dict[str, tuple[tuple[str, int], ...]] = {}
    for hex, value in tokens.items():
        values[hex[0]] = (*values.get(hex[0], ()), (hex, value))
    for hex in oases:
        values[hex[0]] = (*values.get(hex[0], ()), (hex, 0))
    return {
        f"d-spots-{letter}": column_of_spots(words, letter, values.get(letter, ()), is_whole)
        for letter in COLUMNS[is_whole]
    }


@lru_cache(maxsize=MOST_KEPT)
def column_of_spots(words: Words, letter: str, tokens: tuple[tuple[str, int], ...], is_whole: bool) -> Markup:
    """Render the hexes of a column with their water (0: an oasis); which can be chosen now is the page's affair."""
    values = dict(tokens)
    return markup(
        '<g id="d-spots-{letter}">{hexes}</g>',
        letter=letter,
        hexes=join(hex_spot(words, hex, values.get(hex), is_whole) for hex in COLUMNS[is_whole][letter]),
    )


@lru_cache(maxsize=MOST_KEPT)
def hex_spot(words: Words, hex: str, value: int | None, is_whole: bool) -> Markup:
    """Render a hex that can be chosen at times: it tells its water, or (0) its palm, and which hexes are beside it."""
    beside, mountains, edge = around_hex(hex, is_whole)
    border = words.border(mountains, edge)
    return markup(
        '<path class="hex" id="d-spot-{hex}" role="img" aria-label="{label}"{spot}{bare} data-beside="{beside}"{edge} '
        'transform="{place}" d="{path}"/>',
        hex=hex,
        label=words.hex(hex, value or 0, value == 0),
        spot=spot(hex, ""),
        bare=Markup(' data-bare="bare"') if value is None else EMPTY,
        beside=" ".join(f"d-spot-{other}" for other in beside),
        edge=markup(' data-edge="{border}"', border=border) if border else EMPTY,
        place=transform_of(hex),
        path=HEX_PATH,
    )


@cache
def around_hex(hex: str, is_whole: bool) -> tuple[tuple[str, ...], bool, bool]:
    """Return the hexes in play around a hex, and whether mountains or the edge are beside it."""
    number = NUMBERS[hex]
    count = len(BOARD.places) if is_whole else BOARD.inside
    hexes = tuple(BOARD.names[other] for other in BOARD.ring[number] if 0 <= other < count)
    mountains = sum(place in BOARD.mountains for place in around(BOARD.places[number]))
    return hexes, mountains > 0, len(hexes) + mountains < len(BOARD.ring[number])


@lru_cache(maxsize=256)
def gains(words: Words, points: tuple[tuple[str, int], ...]) -> Markup:
    """Let points rise from the hexes on which they were just made, one above the other."""
    texts = [
        markup(
            '<g transform="{place}"><text class="gain new" id="d-gain-{hex}-{number}" y="{y}">{value}</text></g>',
            place=transform_of(hex),
            hex=hex,
            number=number,
            y=-15 * sum(hex == other for other, _ in points[:number]),
            value=words.gain(value),
        )
        for number, (hex, value) in enumerate(points)
    ]
    return markup('<g id="d-gains" aria-hidden="true">{texts}</g>', texts=join(texts))
