"""The map of the desert: where hexes lie, outlines around sets of them, and the scenery that stays all game."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from math import cos, pi, sin, sqrt
from typing import NamedTuple

from markupsafe import Markup

from sarai.core.markup import EMPTY, join, markup
from sarai.games.desert.terrain import BOARD, DOT, NUMBERS, PALM, Place, around

RADIUS = 20  # of a hex, in the picture's units
HALF = RADIUS * sqrt(3) / 2  # from a hex's middle to its upper edge
CORNERS = tuple((RADIUS * cos(pi * k / 3), RADIUS * sin(pi * k / 3)) for k in range(6))  # clockwise from the right
MARGIN = 24  # above and below the hexes, for the letters of columns
SIDE = 28  # left and right of them: the numbers of rows have two digits
TINTS = 3  # of sand

Point = tuple[float, float]


class Crop(NamedTuple):
    """The part of the grid that is shown: first and last column and row."""

    left: int
    right: int
    top: int
    bottom: int


def number(value: float) -> str:
    """Write a coordinate briefly."""
    return f"{round(value, 1):g}"


def middle(place: Place) -> Point:
    """Return the middle of a hex: even columns lie half a hex lower (D-01)."""
    column, row = place
    return 1.5 * RADIUS * column, HALF * (2 * row + (column % 2 == 0))


def polygon(place: Place) -> str:
    """Return a hex as a closed path."""
    x, y = middle(place)
    return "M" + "L".join(f"{number(x + dx)} {number(y + dy)}" for dx, dy in CORNERS) + "Z"


@cache
def transform_of(hex: str) -> str:
    """Return where a hex, given by its name, lies, as a transform."""
    x, y = middle(BOARD.places[NUMBERS[hex]])
    return f"translate({number(x)} {number(y)})"


HEX_PATH = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in CORNERS) + "Z"  # around 0 0


@cache
def sides_of(place: Place) -> tuple[tuple[Place, Point, Point], ...]:
    """Return every place around a hex and the corners between which it touches, clockwise."""
    x, y = middle(place)
    corners = [(round(x + dx, 1), round(y + dy, 1)) for dx, dy in CORNERS]
    return tuple(
        (beside, corners[(side + 4) % 6], corners[(side + 5) % 6]) for side, beside in enumerate(around(place))
    )


def edges(places: Iterable[Place]) -> dict[Point, Point]:
    """Return the border of a set of hexes: from each corner on it the next one, clockwise."""
    inside = set(places)
    return {
        corner: following for place in inside for beside, corner, following in sides_of(place) if beside not in inside
    }


def outline(places: Iterable[Place], inset: float) -> str:
    """Return the border of a set of hexes as a path, moved inwards so that neighbours' borders lie side by side."""
    following = edges(places)
    loops = []
    while following:
        corner = next(iter(following))
        loop = []
        while corner in following:
            loop.append(corner)
            corner = following.pop(corner)
        around_corners = zip(loop[-1:] + loop[:-1], loop, loop[1:] + loop[:1], strict=True)
        loops.append("M" + "L".join([moved_in(*three, inset) for three in around_corners]) + "Z")
    return "".join(loops)


@lru_cache(maxsize=8192)
def moved_in(before: Point, corner: Point, after: Point, inset: float) -> str:
    """Return a corner of a border, moved inwards from both of its edges; each edge is as long as a hex's radius."""
    x = (before[1] - corner[1] + corner[1] - after[1]) / RADIUS
    y = (corner[0] - before[0] + after[0] - corner[0]) / RADIUS
    return f"{number(corner[0] + x * inset / 1.5)} {number(corner[1] + y * inset / 1.5)}"


@lru_cache(maxsize=4096)
def hexes_outline(hexes: tuple[str, ...], inset: float) -> str:
    """Return the border of hexes, given by their names."""
    return outline([BOARD.places[NUMBERS[name]] for name in hexes], inset)


# --- scenery --------------------------------------------------------------------------------------------------------


def crop(wide: bool) -> Crop:
    """Return the columns and rows that hold every hex in play."""
    places = BOARD.places if wide else BOARD.places[: BOARD.inside]
    columns, rows = zip(*places, strict=True)
    return Crop(min(columns), max(columns), min(rows), max(rows))


def view_box(shown: Crop) -> str:
    """Return the picture's left, top, width and height."""
    left, top = 1.5 * RADIUS * shown.left - RADIUS - SIDE, HALF * (2 * shown.top - 1) - MARGIN
    width = 1.5 * RADIUS * (shown.right - shown.left) + 2 * (RADIUS + SIDE)
    height = HALF * (2 * (shown.bottom - shown.top) + 3) + 2 * MARGIN
    return " ".join(map(number, (left, top, width, height)))


def tint(place: Place) -> int:
    """Return which tint of sand a hex has: dunes lie in long bands."""
    column, row = place
    return int((sin(column * 0.55 + row * 0.3) + sin(row * 0.9 - column * 0.2) + 2) / 4 * TINTS) % TINTS


def scenery(wide: bool) -> Markup:
    """Render the land: sand in play, sand beyond the line, mountains, and what is printed on the hexes."""
    shown = crop(wide)
    in_play = BOARD.places if wide else BOARD.places[: BOARD.inside]
    beyond = [place for place in BOARD.places[len(in_play) :] if shown.left <= place[0] <= shown.right]
    playable = set(BOARD.places)
    rocks = [
        (column, row)
        for row in range(shown.top, shown.bottom + 1)
        for column in range(shown.left, shown.right + 1)
        if (column, row) not in playable
    ]
    return join(
        [
            path("land", [outline([*in_play, *beyond, *rocks], -5)]),
            path("rock", map(polygon, rocks)),
            path("beyond", map(polygon, beyond)) if beyond else EMPTY,
            *(
                path(f"sand s{kind}", (polygon(place) for place in in_play if tint(place) == kind))
                for kind in range(TINTS)
            ),
            path("dune", (dune(place) for place in in_play if sum(place) * 7 % 5 == 0)),
            *(printed(hex) for hex in range(len(in_play)) if BOARD.kinds[hex] in (DOT, PALM)),
            *map(peaks, rocks),
            EMPTY if wide else path("border", line()),
            axes(shown),
        ]
    )


def path(kind: str, pieces: Iterable[str]) -> Markup:
    """Render pieces of a path as one path of a class."""
    return markup('<path class="{kind}" d="{pieces}"/>', kind=kind, pieces="".join(pieces))


def dune(place: Place) -> str:
    """Return the ridges of a dune as a path."""
    x, y = middle(place)
    return f"M{number(x - 11)} {number(y + 5)}q6 -7 12 -2t10 -1M{number(x - 5)} {number(y - 6)}q5 -5 11 -1"


def printed(hex: int) -> Markup:
    """Render what is printed on a hex: a dry water hole, or a place for a palm."""
    x, y = (number(value) for value in middle(BOARD.places[hex]))
    if BOARD.kinds[hex] == DOT:
        return markup('<ellipse class="hole" cx="{x}" cy="{y}" rx="6" ry="4.5"/>', x=x, y=y)
    return markup(
        '<circle class="hole" cx="{x}" cy="{y}" r="9"/>'
        '<use class="print" href="#d-palm" transform="translate({x} {y}) scale(.6)"/>',
        x=x,
        y=y,
    )


def peaks(place: Place) -> Markup:
    """Render the peaks of a mountain hex: a high one and a low one, mirrored on some hexes."""
    x, y = middle(place)
    side = -1 if (place[0] * 5 + place[1] * 3) % 4 < 2 else 1
    return markup(
        '<use class="peaks" href="#d-peaks" transform="translate({x} {y}) scale({side} 1)"/>',
        x=number(x),
        y=number(y),
        side=side,
    )


def line() -> Iterator[str]:
    """Yield the thick line: every edge between a hex inside it and one beyond."""
    for hex in range(BOARD.inside):
        x, y = middle(BOARD.places[hex])
        for side, beside in enumerate(BOARD.ring[hex]):
            if beside >= BOARD.inside:
                (ax, ay), (bx, by) = CORNERS[(side + 4) % 6], CORNERS[(side + 5) % 6]
                yield f"M{number(x + ax)} {number(y + ay)}L{number(x + bx)} {number(y + by)}"


def axes(shown: Crop) -> Markup:
    """Write the columns' letters above and below, the rows' numbers on both sides."""
    above_and_below = HALF * (2 * shown.top - 1) - 13, HALF * (2 * shown.bottom + 2) + 13
    texts = [
        (1.5 * RADIUS * column, y, chr(ord("a") + column))
        for column in range(shown.left, shown.right + 1)
        for y in above_and_below
    ]
    for row in range(shown.top, shown.bottom + 1):
        for column, away in (shown.left, -RADIUS - 19), (shown.right, RADIUS + 19):
            x, y = middle((column, row))
            texts.append((x + away, y, str(row + 1)))
    labels = [
        markup('<text x="{x}" y="{y}">{text}</text>', x=number(x), y=number(y), text=text) for x, y, text in texts
    ]
    return markup('<g class="axis" aria-hidden="true">{labels}</g>', labels=join(labels))
