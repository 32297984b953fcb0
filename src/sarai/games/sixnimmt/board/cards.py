"""The cards of 6 nimmt! as pictures: a bull's head, a face for every number of heads, a back, and small numbers."""

from functools import lru_cache

from markupsafe import Markup

from sarai.core.markup import classes, join, markup
from sarai.core.messages import Say
from sarai.core.messages import number as written
from sarai.games.sixnimmt.cards import HEADS

WIDTH, HEIGHT = 76, 104
HEADS_OF = tuple(int(heads) for heads in HEADS)  # by card
KINDS = (1, 2, 3, 5, 7)  # numbers of heads that cards have
FOOT_WIDTHS = {1: 17, 2: 17, 3: 16, 5: 11, 7: 12}  # of a bull's head at the foot of a card

BULL_PATHS = Markup(
    '<path d="M2.2 1.2C.6 7.4 4.2 10.6 8.4 9.4L7.8 6.6C5.2 7 3.8 5 4.4 1.6Z"/>'
    '<path d="M21.8 1.2C23.4 7.4 19.8 10.6 15.6 9.4L16.2 6.6C18.8 7 20.2 5 19.6 1.6Z"/>'
    '<path fill-rule="evenodd" d="M7.4 6.6C10.2 5.2 13.8 5.2 16.6 6.6L19 8.6L22.2 8.8C21.6 11.4 19.6 12.4 17.6 11.8'
    "L16.2 17C15.6 21.8 8.4 21.8 7.8 17L6.4 11.8C4.4 12.4 2.4 11.4 1.8 8.8L5 8.6Z"
    "M9 11.4a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0ZM12.8 11.4a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0Z"
    'M9.6 17.4a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0ZM12.8 17.4a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0Z"/>'
)
SIZE = Markup(f'width="{WIDTH}" height="{HEIGHT}"')
EDGE = Markup(f'width="{WIDTH - 2}" height="{HEIGHT - 2}" x="1" y="1" rx="9"')
VIEW_BOX = Markup(f'viewBox="0 0 {WIDTH} {HEIGHT}"')


def bull(x: float, y: float, width: float, kind: str = "sixnimmt-bull") -> Markup:
    """Render a bull's head of a width."""
    return markup(
        '<use href="#six-bull" class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>',
        kind=kind,
        x=x,
        y=y,
        width=width,
        height=width * 22 / 24,
    )


def foot(heads: int) -> Markup:
    """Render a card's heads at its foot, seven of them in two lines."""
    width, lines, bulls = FOOT_WIDTHS[heads], [4, 3] if heads == 7 else [heads], []
    for line, count in enumerate(lines):
        y = HEIGHT - 8 - (len(lines) - line) * (width - 1)
        left = (WIDTH - count * (width + 1) + 1) / 2
        bulls += [bull(left + place * (width + 1), y, width) for place in range(count)]
    return join(bulls)


def symbols() -> Markup:
    """Render what cards are put together from, once for the whole board; each part is styled by its own class."""
    faces = join(
        markup(
            '<symbol id="six-{heads}" {box}><rect class="sixnimmt-paper" {edge}/>'
            '<rect class="sixnimmt-inlay" x="5" y="5" width="{width}" height="{height}" rx="6"/>{ghost}{foot}</symbol>',
            heads=heads,
            box=VIEW_BOX,
            edge=EDGE,
            width=WIDTH - 10,
            height=HEIGHT - 10,
            ghost=bull(8, 14, 60, "sixnimmt-ghost"),
            foot=foot(heads),
        )
        for heads in KINDS
    )
    weave = join(
        markup('<path class="sixnimmt-weave" d="M{x} 10l12 12l-12 12l12 12l-12 12l12 12l-12 12l12 12"/>', x=x)
        for x in (14, 26, 38, 50)
    )
    back = markup(
        '<symbol id="six-back" {box}><rect class="sixnimmt-back" {edge}/>{weave}{bull}</symbol>',
        box=VIEW_BOX,
        edge=EDGE,
        weave=weave,
        bull=bull(20, 34, 36, "sixnimmt-light"),
    )
    return markup(
        '<svg class="defs" width="0" height="0" aria-hidden="true"><defs>'
        '<symbol id="six-bull" viewBox="0 0 24 22">{paths}</symbol>{faces}{back}</defs></svg>',
        paths=BULL_PATHS,
        faces=faces,
        back=back,
    )


@lru_cache(maxsize=1024)
def face(number: int, say: Say) -> Markup:
    """Render a card's face; 0 is a back."""
    if number == 0:
        return markup('<use href="#six-back" {size}/>', size=SIZE)
    return markup(
        '<use href="#six-{heads}" class="heads-{heads}" {size}/>'
        '<text class="number heads-{heads}{long}" x="38" y="58">{number}</text>',
        heads=HEADS_OF[number],
        size=SIZE,
        long=classes(long=number > 99),
        number=written(number, say),
    )


@lru_cache(maxsize=1024)
def picture(number: int, say: Say) -> Markup:
    """Render a card as a picture of its own."""
    return markup('<svg class="face" {box} aria-hidden="true">{face}</svg>', box=VIEW_BOX, face=face(number, say))


@lru_cache(maxsize=1024)
def chip(number: int, say: Say) -> Markup:
    """Render a card small, as a number with its heads' colour and count."""
    return markup(
        '<span class="chip heads-{heads}">{number}<sup>{count}</sup></span>',
        heads=HEADS_OF[number],
        number=written(number, say),
        count=written(HEADS_OF[number], say),
    )


@lru_cache(maxsize=4096)
def label(number: int, say: Say) -> str:
    """Name a card."""
    return say("card {card}, bull heads: {heads}", card=number, heads=HEADS_OF[number])


def heads_on(cards: tuple[int, ...]) -> int:
    """Return the heads on cards."""
    return sum(HEADS_OF[card] for card in cards)


def large_bull(x: float, y: float, scale: float, kind: str) -> Markup:
    """Render a bull's head by itself, without the board's symbols."""
    return markup(
        '<g class="{kind}" transform="translate({x:g} {y:g}) scale({scale:g})">{paths}</g>',
        kind=kind,
        x=x,
        y=y,
        scale=scale,
        paths=BULL_PATHS,
    )
