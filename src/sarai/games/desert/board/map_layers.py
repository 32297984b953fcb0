"""What lies on the map: water and oases, enclosed areas, caravans, hexes to choose, points just made."""

from collections.abc import Mapping
from functools import cache, lru_cache

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup
from sarai.games.desert.board.hex_map import HEX_PATH, hexes_outline, transform_of
from sarai.games.desert.board.pieces import OASIS, camel, leader
from sarai.games.desert.board.words import Words

LEADER_SPOTS = Markup('<g id="d-spots" class="spots for-leaders">')
CAMEL_SPOTS = Markup('<g id="d-spots" class="spots">')
END = Markup("</g>")
MOST_KEPT = 4096  # fragments of boards that are memoised


@lru_cache(maxsize=MOST_KEPT)
def water(tokens: tuple[tuple[str, int], ...], oases: tuple[str, ...]) -> Markup:
    """Render the water tokens that lie open, and the oases."""
    palms = [
        markup('<g class="palm" transform="{place}">{oasis}</g>', place=transform_of(hex), oasis=OASIS) for hex in oases
    ]
    return markup(
        '<g id="d-water">{tokens}{palms}</g>',
        tokens=join(token(hex, value) for hex, value in tokens),
        palms=join(palms),
    )


@lru_cache(maxsize=MOST_KEPT)
def token(hex: str, value: int) -> Markup:
    """Render a water token with its value."""
    return markup(
        '<g class="token" id="d-water-{hex}" transform="{place}"><use href="#d-pool"/><text y=".5">{value}</text></g>',
        hex=hex,
        place=transform_of(hex),
        value=value,
    )


@lru_cache(maxsize=MOST_KEPT)
def areas(enclosed: tuple[tuple[str, ...], ...], new: frozenset[int]) -> Markup:
    """Shade the enclosed areas, each with its player's number on every hex."""
    shaded = [area(seat, hexes, seat in new) for seat, hexes in enumerate(enclosed) if hexes]
    return markup('<g id="d-areas">{areas}</g>', areas=join(shaded))


@lru_cache(maxsize=MOST_KEPT)
def area(seat: int, hexes: tuple[str, ...], is_new: bool) -> Markup:
    """Shade the areas of one seat."""
    numbers = [
        markup('<text transform="{place}">{number}</text>', place=transform_of(hex), number=seat + 1) for hex in hexes
    ]
    return markup(
        '<g class="area r{seat}{new}" id="d-area-{seat}"><path d="{outline}"/>{numbers}</g>',
        seat=seat,
        new=classes(new=is_new),
        outline=hexes_outline(hexes, 1.6),
        numbers=join(numbers),
    )


@lru_cache(maxsize=MOST_KEPT)
def caravan(words: Words, seat: int, colour: str, hexes: tuple[str, ...], new: frozenset[str], name: str) -> Markup:
    """Render a caravan: one border around its camels, the leader first."""
    if not hexes:
        return markup('<g id="d-caravan-{seat}-{colour}"></g>', seat=seat, colour=colour)
    return markup(
        '<g id="d-caravan-{seat}-{colour}" class="caravan {colour} r{seat}" role="img" aria-label="{label}">'
        '<path class="border" d="{outline}"/>{camels}</g>',
        seat=seat,
        colour=colour,
        label=words.caravan(name, colour, len(hexes)),
        outline=hexes_outline(hexes, 1.9),
        camels=join(placed_camel(seat, colour, hex, hex == hexes[0], hex in new) for hex in hexes),
    )


@lru_cache(maxsize=MOST_KEPT)
def placed_camel(seat: int, colour: str, hex: str, leads: bool, is_new: bool) -> Markup:
    """Render one camel of a caravan, the leader with its player's number."""
    return markup(
        '<g class="piece {kind}{new}" id="d-camel-{hex}" transform="{place}">{ring}<g class="pop">{picture}</g></g>',
        kind="leader" if leads else "camel",
        new=classes(new=is_new),
        hex=hex,
        place=transform_of(hex),
        ring=markup('<path class="ring" d="{path}"/>', path=HEX_PATH) if is_new else EMPTY,
        picture=leader(colour) + badge(seat) if leads else camel(colour),
    )


@cache
def badge(seat: int) -> Markup:
    """Render a player's number on a disc: letters could be taken for colours."""
    return markup(
        '<g class="badge" transform="translate(10.4 8.2)"><circle r="6.4"/><text>{number}</text></g>',
        number=seat + 1,
    )


def spots(words: Words, hexes: list[str], tokens: Mapping[str, int], for_leaders: bool) -> Markup:
    """Render the hexes that some choice leads to: many, so they are copied only once."""
    opening = LEADER_SPOTS if for_leaders else CAMEL_SPOTS
    return join([opening, *[spot(words, hex, tokens.get(hex, 0)) for hex in hexes], END])


@lru_cache(maxsize=MOST_KEPT)
def spot(words: Words, hex: str, value: int) -> Markup:
    """Render a hex that can be chosen."""
    return markup(
        '<path class="spot hex" id="d-spot-{hex}" data-spot="{hex}" role="button" aria-label="{label}" '
        'transform="{place}" d="{path}"/>',
        hex=hex,
        label=words.hex(hex, value),
        place=transform_of(hex),
        path=HEX_PATH,
    )


@lru_cache(maxsize=256)
def gains(points: tuple[tuple[str, int], ...]) -> Markup:
    """Let points rise from the hexes on which they were just made, one above the other."""
    texts = [
        markup(
            '<g transform="{place}"><text class="gain new" id="d-gain-{hex}-{number}" y="{y}">+{value}</text></g>',
            place=transform_of(hex),
            hex=hex,
            number=number,
            y=-15 * sum(hex == other for other, _ in points[:number]),
            value=value,
        )
        for number, (hex, value) in enumerate(points)
    ]
    return markup('<g id="d-gains" aria-hidden="true">{texts}</g>', texts=join(texts))
