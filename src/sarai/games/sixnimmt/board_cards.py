"""The cards of 6 nimmt! as drawings: a bull's head, a face for every number of heads, a back, and rows of them."""

from functools import lru_cache

from sarai.core.markup import classes
from sarai.core.messages import Say
from sarai.games.sixnimmt.rules import CARDS, HEADS

WIDTH, HEIGHT = 76, 104
BULLS = tuple(int(heads) for heads in HEADS)  # by card
KINDS = (1, 2, 3, 5, 7)

BULL = (
    '<symbol id="six-bull" viewBox="0 0 24 22">'
    '<path d="M2.2 1.2C.6 7.4 4.2 10.6 8.4 9.4L7.8 6.6C5.2 7 3.8 5 4.4 1.6Z"/>'
    '<path d="M21.8 1.2C23.4 7.4 19.8 10.6 15.6 9.4L16.2 6.6C18.8 7 20.2 5 19.6 1.6Z"/>'
    '<path fill-rule="evenodd" d="M7.4 6.6C10.2 5.2 13.8 5.2 16.6 6.6L19 8.6L22.2 8.8C21.6 11.4 19.6 12.4 17.6 11.8L16.2 17C15.6 21.8 8.4 21.8 7.8 17L6.4 11.8'
    "C4.4 12.4 2.4 11.4 1.8 8.8L5 8.6Z"
    "M9 11.4a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0ZM12.8 11.4a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0Z"
    'M9.6 17.4a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0ZM12.8 17.4a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0Z"/></symbol>'
)


def bull(x: float, y: float, wide: float, kind: str = "sixnimmt-bull") -> str:
    """Draw a bull's head so wide."""
    return f'<use href="#six-bull" class="{kind}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{wide * 22 / 24:g}"/>'


def lines_of(heads: int) -> list[int]:
    """Return how many heads stand in each line of a card's foot."""
    return [4, 3] if heads == 7 else [heads]


def foot(heads: int) -> str:
    """Draw a card's heads at its foot."""
    wide = {1: 17, 2: 17, 3: 16, 5: 11, 7: 12}[heads]
    lines, drawn = lines_of(heads), []
    for line, count in enumerate(lines):
        y = HEIGHT - 8 - (len(lines) - line) * (wide - 1)
        left = (WIDTH - count * (wide + 1) + 1) / 2
        drawn += [bull(left + place * (wide + 1), y, wide) for place in range(count)]
    return "".join(drawn)


def symbols() -> str:
    """Draw what cards are put together from, once for the whole board; what is used elsewhere is styled by its own class alone."""
    edge = f'width="{WIDTH - 2}" height="{HEIGHT - 2}" x="1" y="1" rx="9"'
    faces = "".join(
        f'<symbol id="six-{heads}" viewBox="0 0 {WIDTH} {HEIGHT}"><rect class="sixnimmt-paper" {edge}/>'
        f'<rect class="sixnimmt-inlay" x="5" y="5" width="{WIDTH - 10}" height="{HEIGHT - 10}" rx="6"/>'
        f"{bull(8, 14, 60, 'sixnimmt-ghost')}{foot(heads)}</symbol>"
        for heads in KINDS
    )
    weave = "".join(
        f'<path class="sixnimmt-weave" d="M{x} 10l12 12l-12 12l12 12l-12 12l12 12l-12 12l12 12"/>'
        for x in (14, 26, 38, 50)
    )
    back = f'<symbol id="six-back" viewBox="0 0 {WIDTH} {HEIGHT}"><rect class="sixnimmt-back" {edge}/>{weave}{bull(20, 34, 36, "sixnimmt-light")}</symbol>'
    return f'<svg class="defs" width="0" height="0" aria-hidden="true"><defs>{BULL}{faces}{back}</defs></svg>'


@lru_cache(maxsize=CARDS + 1)
def face(number: int) -> str:
    """Draw a card's face; 0 is a back."""
    size = f'width="{WIDTH}" height="{HEIGHT}"'
    if number == 0:
        return f'<use href="#six-back" {size}/>'
    heads = BULLS[number]
    return f'<use href="#six-{heads}" class="heads-{heads}" {size}/><text class="number heads-{heads}{classes(long=number > 99)}" x="38" y="58">{number}</text>'


@lru_cache(maxsize=CARDS + 1)
def picture(number: int) -> str:
    """Draw a card as a picture of its own."""
    return f'<svg class="face" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{face(number)}</svg>'


@lru_cache(maxsize=4096)
def label(number: int, say: Say) -> str:
    """Name a card."""
    return say("card {card}, bull heads: {heads}").format(card=number, heads=BULLS[number])


def heads_of(cards: tuple[int, ...]) -> int:
    """Return the heads on cards."""
    return sum(BULLS[card] for card in cards)


@lru_cache(maxsize=256)
def chip(number: int) -> str:
    """Write a card small, as a number with its heads' colour and count."""
    return f'<span class="chip heads-{BULLS[number]}">{number}<sup>{BULLS[number]}</sup></span>'
