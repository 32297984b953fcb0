"""A sheet of Anubixx as the others see it: small."""

from functools import lru_cache

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup
from sarai.games.anubixx.board.sheet import COLOUR_OF, KEPT, QUARRY_OF, Box, Parts, slots
from sarai.games.anubixx.board.words import Words
from sarai.games.anubixx.state import ARCH, COLUMN, PYRAMID, RELIEF
from sarai.games.anubixx.words import SYMBOL_OF

BUILDINGS = {"pyramid": PYRAMID, "arch": ARCH, "relief": RELIEF}


def boxes_small() -> dict[str, Box]:
    """Return where every stone lies on a small sheet."""
    wide, high = 15, 14
    found: dict[str, Box] = {}
    for stone in PYRAMID:
        row, place = (int(number) - 1 for number in stone[1:].split("."))
        found[stone] = row * 8 + place * 16, (COLUMN - row) * 15, wide, high
    for stone in ARCH[:-1]:
        found[stone] = (92 if stone[1] == "l" else 124), (COLUMN + 1 - int(stone[2])) * 15, wide, high
    found["key"] = 102, 0, 27, high
    for stone in RELIEF:
        row, place = (int(number) - 1 for number in stone[1:].split("."))
        found[stone] = 152 + place * 16, (row + 3) * 15, wide, high
    return found


SMALL = boxes_small()


@lru_cache(maxsize=KEPT)
def small_stone(letter: str, name: str, is_marked: bool, is_new: bool) -> Markup:
    """Render a stone of another player's sheet: its colour's letter until it is marked."""
    x, y, wide, high = SMALL[name]
    colour = COLOUR_OF[letter][name]
    text = '<text x="{x:g}" y="{y:g}">{letter}</text>'
    return markup(
        '<g class="{kind}"><rect class="x-face" x="{x:g}" y="{y:g}" width="{wide}" height="{high}" rx="2.5"/>'
        "{text}</g>",
        kind=colour + classes(done=is_marked, holy=name in SYMBOL_OF, new=is_new),
        x=x,
        y=y,
        wide=wide,
        high=high,
        text=EMPTY if is_marked else markup(text, x=x + wide / 2, y=y + high / 2 + 0.5, letter=colour[0].upper()),
    )


@lru_cache(maxsize=KEPT)
def small_place(place: int, colour: str, is_crossed: bool, is_lost: bool) -> Markup:
    """Render a place of the quarry on another player's sheet."""
    x = (place - 1) * 18
    mark = '<path class="cross" d="M{left} 103L{right} 111M{right} 103L{left} 111"/>'
    text = '<text x="{x}" y="107.5">{letter}</text>'
    return markup(
        '<g class="{kind}"><circle class="x-face" cx="{x}" cy="107" r="7.6"/>{mark}</g>',
        kind=colour + classes(crossed=is_crossed, lost=is_lost),
        x=x + 8,
        mark=markup(mark, left=x + 4, right=x + 12) if is_crossed else markup(text, x=x + 8, letter=colour[0].upper()),
    )


def small_sheet_slots(seat: int) -> Markup:
    """Return a small sheet with the places of its parts."""
    return markup(
        '<svg class="little" viewBox="-1 -1 218 117" role="img" aria-labelledby="x-sheet-{seat}">{slots}</svg>',
        seat=seat,
        slots=slots(f"x-{name}-{seat}" for name in ("sheet", *BUILDINGS, "stars", "quarry")),
    )


@lru_cache(maxsize=KEPT)
def small_sheet(
    words: Words,
    seat: int,
    letter: str,
    marked: frozenset[str],
    crossed: tuple[int, ...],
    jokers: int,
    new: frozenset[str],
) -> Parts:
    """Render a sheet small: the three buildings, the jokers above the relief, and the quarry under all."""
    behind = max(crossed, default=0)
    label = words.sheet(letter, jokers) if letter else ""
    stars = join(
        markup('<use class="star" href="#x-i-j" transform="translate({x} 8) scale(.6)"/>', x=209 - 13 * at)
        for at in range(jokers)
    )
    places = join(
        small_place(place, colour, place in crossed, place <= behind and place not in crossed)
        for place, colour in enumerate(QUARRY_OF.get(letter, ()), 1)
    )
    parts = {"sheet": markup('<desc id="x-sheet-{seat}">{label}</desc>', seat=seat, label=label)}
    drawn = {"stars": stars if letter else EMPTY, "quarry": places}
    for name, names in BUILDINGS.items():
        drawn[name] = join(small_stone(letter, stone, stone in marked, stone in new) for stone in names if letter)
    for name, inside in drawn.items():
        parts[name] = markup('<g id="x-{name}-{seat}">{inside}</g>', name=name, seat=seat, inside=inside)
    return {f"x-{name}-{seat}": part for name, part in parts.items()}
