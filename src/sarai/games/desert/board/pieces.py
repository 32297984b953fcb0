"""The pieces of the desert as pictures: camels with their marks, riders, palms, water, mountains."""

from functools import cache

from markupsafe import Markup

from sarai.core.markup import join, markup
from sarai.games.desert.state import COLOURS

# Every picture stands around 0 0 in a hex of radius 20; colours come from the classes of what uses it.
CAMEL = (
    "M-13.2 .5C-14 -3.5 -12 -6 -8.6 -6.2C-7.6 -9.8 -5.8 -12 -3.4 -12C-.8 -12 .6 -9.4 2.2 -6.4C4 -4.6 6 -5 6.8 -7.4"
    "C7.6 -10 7.6 -13.4 9.8 -14.4L10.6 -16L11.8 -14.4C13.8 -14.2 16.6 -12.4 16.4 -10.8C16.2 -9.6 13.6 -9.8 12.2 -9.4"
    "C11.8 -5 11.4 .6 7.4 3.2L7 12.5H4.6L4.2 4.6L2.6 12.5H.2L.8 4.4"
    "C-2 5.2 -4.6 5 -6.6 4.4L-6 12.5H-8.4L-9.4 5.4L-10.4 12.5H-12.8L-12.2 4C-12.8 3 -13 1.8 -13.2 .5Z"
)
MARKS = {
    "lilac": "M0 -4.6L4.2 0L0 4.6L-4.2 0Z",  # a diamond
    "mint": "M-3.8 0A3.8 3.8 0 1 1 3.8 0A3.8 3.8 0 1 1 -3.8 0Z",  # a disc
    "lemon": "M0 -4.4L4.6 3.6H-4.6Z",  # a triangle
    "sky": "M-3.6 -3.6H3.6V3.6H-3.6Z",  # a square
    "salmon": "M-1.6 -4.4H1.6V-1.6H4.4V1.6H1.6V4.4H-1.6V1.6H-4.4V-1.6H-1.6Z",  # a cross
}
PALM = Markup(
    '<path class="d-trunk" d="M-1.6 13C-1.2 7 -1.6 2 .4 -4L3 -3.4C1.4 2 1.8 7 2.2 13Z"/>'
    '<path class="d-leaf" d="M1.6 -4C-1 -9.6 -7.4 -10.6 -13 -5.4C-8.6 -6.4 -4 -5.6 -1 -3.2C-6.4 -4 -10.4 -.6 -11 4.6'
    "C-7.6 .6 -3 -1.4 1.6 -2.6"
    'C5.4 -1.6 9.4 .8 11.6 5.4C12.2 -.2 8.8 -3.4 4.2 -3.6C7.4 -5.6 11 -6 14.2 -4.2C10.4 -10 4.6 -9.8 1.6 -4Z"/>'
    '<path class="d-leaf" d="M1.6 -4C-1.6 -8.6 -1.2 -12.6 2 -16C3.4 -12.6 5 -8.6 1.6 -4Z"/>'
)
PEAKS = Markup(
    '<path class="d-slope" d="M-19 15L-6 -17L2 -4L8 -10L19 15Z"/>'
    '<path class="d-shade" d="M-6 -17L-3 -3L-7 4L-2 15H19L8 -10L2 -4Z"/>'
    '<path class="d-snow" d="M-6 -17L-10.4 -6L-7 -8.4L-4.6 -4.4L-1.2 -9.2Z"/>'
)
RIDER = Markup(
    '<path class="d-robe" d="M-11 -6.2C-10.6 -10.6 -8.4 -14.4 -3.4 -14.6C1.4 -14.4 3.6 -10.4 4.4 -6.2'
    'C2 -4.8 .6 -6.8 -1 -6.6C-3 -6.2 -4.6 -6.2 -6.4 -6.6C-8 -6.8 -9 -4.8 -11 -6.2Z"/>'
    '<circle class="d-face" cx="-3" cy="-17" r="3.4"/>'
    '<path class="d-turban" d="M-7.4 -17.4C-7.6 -22.8 1.4 -23 1.2 -17.6C-1.6 -18.8 -4.6 -18.8 -7.4 -17.4Z"/>'
)
POOL = Markup(
    '<path class="d-pool" d="M-13 1C-13 -6.6 -6.6 -10.6 .4 -10.4C7.8 -10.2 13.2 -6 13 1.2'
    'C12.8 7.6 7.2 10.6 -.2 10.6C-7.6 10.6 -13 7.4 -13 1Z"/>'
    '<path class="d-ripple" d="M-9.6 -3.4C-7.6 -6.8 -4 -8 -.6 -8M9.8 3.6C8 6.8 4.4 8 .8 8.2"/>'
)
OASIS = Markup(
    '<path class="d-green" d="M-14 4C-15 -2 -8 -7 0 -7C9 -7 15 -2 14 5C13 11 7 14 0 14C-8 14 -13 11 -14 4Z"/>'
    '<use href="#d-palm"/>'
)
ICONS = {  # of the sources of points
    "drop": Markup('<path d="M0 -9C4 -3.4 6.4 0 6.4 3.2A6.4 6.4 0 0 1 -6.4 3.2C-6.4 0 -4 -3.4 0 -9Z"/>'),
    "oasis": markup('<g transform="translate(0 1) scale(.68)">{palm}</g>', palm=PALM),
    "area": Markup('<path d="M-8.6 0L-4.3 -7.4H4.3L8.6 0L4.3 7.4H-4.3Z"/>'),
    "crown": Markup('<path d="M-8.4 6.8L-9.4 -4.6L-4 -.4L0 -7.6L4 -.4L9.4 -4.6L8.4 6.8Z"/>'),
}


def symbols() -> Markup:
    """Return every picture once, for `use`."""
    coat = markup('<path class="d-coat" d="{camel}"/><circle class="d-eye" cx="11.6" cy="-12.2" r=".9"/>', camel=CAMEL)
    pictures = {
        "d-camel": coat,
        "d-rider": RIDER,
        "d-palm": PALM,
        "d-peaks": PEAKS,
        "d-pool": POOL,
        **{f"d-mark-{colour}": markup('<path class="d-mark" d="{mark}"/>', mark=MARKS[colour]) for colour in COLOURS},
        **{f"d-icon-{name}": picture for name, picture in ICONS.items()},
    }
    groups = [markup('<g id="{name}">{picture}</g>', name=name, picture=picture) for name, picture in pictures.items()]
    return markup("<defs>{groups}</defs>", groups=join(groups))


@cache
def camel(colour: str) -> Markup:
    """Render a camel with its colour's mark on the flank."""
    return markup('<use href="#d-camel"/><use href="#d-mark-{colour}" transform="translate(-3.2 -2)"/>', colour=colour)


@cache
def leader(colour: str) -> Markup:
    """Render a camel with a rider, whose colour comes from a class around it."""
    return markup(
        '<g transform="translate(0 4.4) scale(.9)"><use href="#d-camel"/><use href="#d-rider"/>'
        '<use href="#d-mark-{colour}" transform="translate(-3.2 -.8)"/></g>',
        colour=colour,
    )


def standing_camel(colour: str, x: int, y: int) -> Markup:
    """Render a camel by itself, without the board's symbols."""
    return markup(
        '<g class="{colour}" transform="translate({x} {y}) scale(1.25)"><path class="d-coat" d="{camel}"/>'
        '<path class="d-mark" transform="translate(-3.2 -2)" d="{mark}"/></g>',
        colour=colour,
        x=x,
        y=y,
        camel=CAMEL,
        mark=MARKS[colour],
    )
