"""The pieces of Camel Up as SVG: camels, dice, tiles, tickets, race cards, signs, all made of a few shapes."""

from functools import lru_cache

from markupsafe import Markup

from sarai.core.markup import EMPTY, join, markup

COAT = (
    "M-30 -13C-36 -20 -35 -31 -24 -33C-20 -33 -18 -34 -16 -36C-11 -45 1 -45 6 -36C9 -32 14 -31 18 -33"
    "C22 -36 22 -42 24 -47C26 -53 33 -55 38 -52L45 -48"
    "C48 -46 47 -41 43 -41L36 -41C32 -41 33 -37 33 -33C33 -25 30 -18 26 -14L27 0L20.5 0L19 -11L15.5 -10L15 0L8.5 0"
    "L8 -11C0 -9 -8 -9 -14 -11L-14.5 0L-21 0"
    "L-21 -10L-24.5 -11L-25.5 0L-32 0Z"
)
BLANKET = "M-17 -35.5C-10 -44 0 -44 7 -35.5L9.5 -16C1 -13 -11 -13 -19.5 -16Z"
PALM = Markup(
    '<ellipse class="camelup-water" cx="0" cy="17" rx="24" ry="6"/>'
    '<path class="camelup-trunk" d="M-2 17C-1 8 0 2 4 -6"/>'
    '<path class="camelup-leaf" d="M4 -6C-2 -14 -11 -13 -16 -6C-9 -9 -3 -9 4 -6C0 -3 -5 2 -5 8C-1 2 2 -2 4 -6'
    'C10 -14 18 -12 22 -5C15 -9 10 -8 4 -6C9 -3 12 2 12 8C9 2 6 -3 4 -6Z"/>'
)
WAVES = Markup(
    '<circle class="camelup-sun" cx="0" cy="-7" r="9"/>'
    '<path class="camelup-wave" d="M-22 4q5.5 -6 11 0t11 0t11 0t11 0M-22 12q5.5 -6 11 0t11 0t11 0t11 0'
    'M-22 20q5.5 -6 11 0t11 0t11 0t11 0"/>'
)
FACE = Markup(
    '<circle class="camelup-face" cy="4" r="16"/><circle class="camelup-dot" cx="-5.5" cy="0" r="2.2"/>'
    '<circle class="camelup-dot" cx="5.5" cy="0" r="2.2"/>'
)
SMILE = markup(
    '<path class="camelup-arm" d="M-13 2L-23 -12M13 2L23 -12"/>{face}'
    '<path class="camelup-mouth" d="M-8 7C-5 15 5 15 8 7Z"/>',
    face=FACE,
)
FROWN = markup(
    '<path class="camelup-arm" d="M-14 8L-24 20M14 8L24 20"/>{face}'
    '<path class="camelup-frown" d="M-8 14C-4 7 4 7 8 14"/>',
    face=FACE,
)
# The coloured bands of a ticket and of a card.
LOWER, UPPER = "M2 52H62V74A8 8 0 0 1 54 82H10A8 8 0 0 1 2 74Z", "M10 2H54A8 8 0 0 1 62 10V24H2V10A8 8 0 0 1 10 2Z"
PICTURES = ((PALM, WAVES), (SMILE, FROWN))  # of a tile's sides, by edition

PATTERNS = {  # every coat has a pattern too: colour alone says nothing
    "blue": (
        Markup('width="7" height="7" patternTransform="rotate(45)"'),
        Markup('<rect width="2.6" height="7"/>'),
    ),
    "green": (Markup('width="8" height="7"'), Markup('<path class="open" d="M0 3.5Q2 0 4 3.5T8 3.5"/>')),
    "orange": (Markup('width="6" height="6"'), Markup('<rect width="2.2" height="6"/>')),
    "yellow": (
        Markup('width="7" height="7"'),
        Markup('<circle cx="2" cy="2" r="1.5"/><circle cx="5.5" cy="5.5" r="1.5"/>'),
    ),
    "red": (Markup('width="8" height="8"'), Markup('<path class="open" d="M0 5L4 1.5L8 5"/>')),
    "purple": (
        Markup('width="8" height="8"'),
        Markup('<rect width="4" height="4"/><rect x="4" y="4" width="4" height="4"/>'),
    ),
    "white": (Markup('width="9" height="9"'), Markup('<path class="open" d="M4.5 1.5L7.5 4.5L4.5 7.5L1.5 4.5Z"/>')),
    "black": (Markup('width="9" height="9"'), Markup('<path class="open" d="M2 4.5H7M4.5 2V7"/>')),
}
SIGNS = {
    "coin": Markup(
        '<circle class="coin" cx="10" cy="10" r="8.5"/>'
        '<path class="coin-mark" d="M13 6.5C11 4.5 8 5.5 8 8.5V14M6 10.5H11.5M6.5 14.5H13.5"/>'
    ),
    "pyramid": Markup('<path class="stone-left" d="M10 3L2 17H10Z"/><path class="stone-right" d="M10 3L18 17H10Z"/>'),
    "card": Markup(
        '<rect class="back" x="4" y="2" width="12" height="16" rx="2.5"/><path class="weave" d="M7 5L13 15M13 5L7 15"/>'
    ),
    "flag": Markup('<path class="pole" d="M5 2V18"/><path class="cloth" d="M5.5 3H17L13.5 7L17 11H5.5Z"/>'),
    "plank": Markup('<rect class="plank" x="2" y="4.5" width="16" height="11" rx="3"/>'),
    "plank-out": Markup('<rect class="plank gone" x="2" y="4.5" width="16" height="11" rx="3"/>'),
    "pair": Markup('<circle class="ring" cx="7" cy="10" r="5"/><circle class="ring" cx="13" cy="10" r="5"/>'),
}


def symbols() -> Markup:
    """Render the shapes of pieces, once for the whole board; each shape used elsewhere is styled by its own class."""
    patterns = join(
        markup(
            '<pattern id="cu-{name}" patternUnits="userSpaceOnUse" class="camelup-pattern on-{name}" {box}>'
            "{marks}</pattern>",
            name=name,
            box=box,
            marks=marks,
        )
        for name, (box, marks) in PATTERNS.items()
    )
    return markup(
        '<svg class="defs" width="0" height="0" aria-hidden="true"><defs>{patterns}'
        '<g id="cu-camel"><path class="camelup-tail" d="M-33 -28C-38 -25 -39 -19 -37 -14"/>'
        '<path class="camelup-ear" d="M27 -50L25 -59L32 -54Z"/><path class="camelup-coat" d="{coat}"/></g>'
        '<path id="cu-coat" d="{coat}"/>'
        '<g id="cu-cloth"><path class="camelup-blanket" d="{blanket}"/>'
        '<path class="camelup-fringe" d="M-19 -19C-11 -16 1 -16 9 -19"/></g>'
        '<g id="cu-head"><circle class="camelup-eye" cx="36.5" cy="-47.5" r="1.9"/>'
        '<path class="camelup-rein" d="M41 -41.5L39 -50M40 -44C33 -36 26 -30 9 -31"/></g>'
        '<g id="cu-mane">'
        '<path class="camelup-mane" d="M19 -35L12 -38L20 -41L14 -46L22 -47L19 -54L27 -53L28 -60L33 -54"/>'
        '<circle class="camelup-stare" cx="36.5" cy="-47.5" r="3.6"/>'
        '<circle class="camelup-eye" cx="37.5" cy="-47.5" r="1.5"/></g></defs></svg>',
        patterns=patterns,
        coat=COAT,
        blanket=BLANKET,
    )


@lru_cache(maxsize=512)
def camel(name: str, letter: str, crazy: bool, right: bool, drop: float = 0) -> Markup:
    """Render a camel that stands on 0, 0 and looks right or left: coat, pattern and saddle cloth with the letter.

    Under others the cloth hangs lower by `drop`, where they do not cover the letter.
    """
    return markup(
        '<g transform="scale({minus}1.15 1.15)"><use href="#cu-camel"/><use href="#cu-coat" fill="url(#cu-{name})"/>'
        '<use href="#cu-cloth" y="{hang:g}"/><use href="#cu-head"/>{mane}</g>'
        '<text class="letter" x="{x}" y="{y:g}">{letter}</text>',
        minus="" if right else "-",
        name=name,
        mane=Markup('<use href="#cu-mane"/>') if crazy else EMPTY,
        hang=drop / 1.15,
        x=-3.5 if right else 3.5,
        y=drop - (19 if drop else 22),  # the cloth above hangs lower, too
        letter=letter,
    )


@lru_cache(maxsize=128)
def die(name: str, letter: str, number: str) -> Markup:
    """Render a die of 46 × 46 that is out, or the place of one that is not (without a number)."""
    if not number:
        return markup(
            '<rect class="hole" x="2" y="2" width="42" height="42" rx="9"/>'
            '<text class="die-letter" x="23" y="32">{letter}</text>',
            letter=letter,
        )
    return markup(
        '<rect class="cube" width="46" height="46" rx="10"/>'
        '<rect width="46" height="46" rx="10" fill="url(#cu-{name})"/>'
        '<circle class="pip" cx="23" cy="23" r="15.5"/><text class="pips" x="23" y="31">{number}</text>'
        '<text class="die-letter" x="23" y="68">{letter}</text>',
        name=name,
        letter=letter,
        number=number,
    )


@lru_cache(maxsize=32)
def tile(edition: int, side: int, sign: str) -> Markup:
    """Render a tile of 92 × 64 around 0, 0, one of its sides up, with a sign of how it sends camels."""
    return markup(
        '<rect class="slab side-{side}" x="-46" y="-32" width="92" height="64" rx="9"/>'
        '<g transform="translate(-17 0)">{picture}</g><text class="sign" x="24" y="9">{sign}</text>',
        side=side,
        picture=PICTURES[edition][side],
        sign=sign,
    )


@lru_cache(maxsize=64)
def disc(number: str, x: float, y: float) -> Markup:
    """Render a player's mark: the number of the seat."""
    return markup(
        '<circle class="disc" cx="{x:g}" cy="{y:g}" r="12"/>'
        '<text class="seat-number" x="{x:g}" y="{foot:g}">{number}</text>',
        x=x,
        y=y,
        foot=y + 7,
        number=number,
    )


@lru_cache(maxsize=256)
def ticket(name: str, letter: str, worth: str, left: int) -> Markup:
    """Render a camel's stack of tickets by how many are left and the worth of the top one, or its empty place."""
    if not left:
        return markup(
            '<svg viewBox="0 0 64 84" aria-hidden="true">'
            '<rect class="hole" x="3" y="11" width="58" height="70" rx="8"/>'
            '<text class="gone" x="32" y="56">{letter}</text></svg>',
            letter=letter,
        )
    under = join(
        markup(
            '<rect class="slip" x="{x:g}" y="{y}" width="{width}" height="40" rx="8"/>',
            x=2 + 1.5 * k,
            y=12 - 4 * k,
            width=60 - 3 * k,
        )
        for k in range(left - 1, 0, -1)
    )
    return markup(
        '<svg viewBox="0 0 64 84" aria-hidden="true">{under}'
        '<rect class="slip" x="2" y="12" width="60" height="70" rx="8"/>'
        '<g transform="translate(30 50) scale(.54)">{camel}</g>'
        '<path class="band" d="{lower}"/><path d="{lower}" fill="url(#cu-{name})"/>'
        '<circle class="pip" cx="44" cy="66" r="13.5"/><text class="worth" x="44" y="74">{worth}</text>'
        '<circle class="pip" cx="17" cy="66" r="11.5"/><text class="tag" x="17" y="72.5">{letter}</text></svg>',
        under=under,
        camel=camel(name, letter, False, True),
        lower=LOWER,
        name=name,
        worth=worth,
        letter=letter,
    )


@lru_cache(maxsize=64)
def race_card(name: str, letter: str) -> Markup:
    """Render a race card of the own hand."""
    return markup(
        '<svg viewBox="0 0 64 84" aria-hidden="true"><rect class="slip" x="2" y="2" width="60" height="80" rx="8"/>'
        '<path class="band" d="{upper}"/><path d="{upper}" fill="url(#cu-{name})"/>'
        '<circle class="pip" cx="32" cy="15" r="11.5"/><text class="tag" x="32" y="21.5">{letter}</text>'
        '<g transform="translate(30.5 75) scale(.58)">{camel}</g></svg>',
        upper=UPPER,
        name=name,
        letter=letter,
        camel=camel(name, letter, False, True),
    )


@lru_cache(maxsize=256)
def laid_card(number: str, name: str, letter: str) -> Markup:
    """Render a race card on a pile with its owner's number: its camel where the viewer knows it, else its back."""
    if not name:
        return markup(
            '<svg class="laid" viewBox="0 0 32 52"><rect class="back" x="1" y="1" width="30" height="50" rx="5"/>'
            '<path class="weave" d="M6 6L26 46M26 6L6 46"/>{disc}</svg>',
            disc=disc(number, 16, 26),
        )
    return markup(
        '<svg class="laid coat-{name}" viewBox="0 0 32 52">'
        '<rect class="band" x="1" y="1" width="30" height="50" rx="5"/>'
        '<rect x="1" y="1" width="30" height="50" rx="5" fill="url(#cu-{name})"/>'
        '<rect class="pip" x="6" y="4" width="20" height="19" rx="4"/>'
        '<text class="tag" x="16" y="19.5">{letter}</text>{disc}</svg>',
        name=name,
        letter=letter,
        disc=disc(number, 16, 37),
    )


@lru_cache(maxsize=16)
def small(kind: str) -> Markup:
    """Render a small sign: a coin, a pyramid, a card's back, a flag, a tile, two rings."""
    return markup('<svg class="small" viewBox="0 0 20 20" aria-hidden="true">{sign}</svg>', sign=SIGNS[kind])
