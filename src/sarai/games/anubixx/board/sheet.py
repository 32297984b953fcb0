"""A sheet of Anubixx as its owner sees it: large, with its spots, in many parts, for a step changes little of it."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup
from sarai.games.anubixx.board.pieces import picture
from sarai.games.anubixx.board.words import Payment, Words
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.state import ARCH, COLOURS, COLUMN, PAIRS, PYRAMID, PYRAMID_ROWS, RELIEF, STONES
from sarai.games.anubixx.words import SYMBOL_OF

KEPT = 4096  # fragments of boards that are memoised

COLOUR_OF = {
    sheet.letter: {name: COLOURS[colour] for name, colour in zip(STONES, sheet.colours, strict=True)}
    for sheet in SHEETS.sheets
}
QUARRY_OF = {sheet.letter: tuple(COLOURS[colour] for colour in sheet.quarry) for sheet in SHEETS.sheets}
PAIR_NAMES = tuple(f"{RELIEF[one]}-{RELIEF[other][1:]}" for one, other in PAIRS)

Box = tuple[float, float, float, float]  # left, top, width, height
Parts = dict[str, Markup]  # by id; those that a function here returns are memoised and not changed


class Can(NamedTuple):
    """What the owner of a sheet can do with a stone or a pair: pay in one way, or choose one of several."""

    payments: tuple[Payment, ...]

    @property
    def how(self) -> tuple[str, ...]:
        """Return the letters of each payment."""
        return tuple(["".join([letter for letter, _ in payment.stones]) for payment in self.payments])

    @property
    def act(self) -> str:
        """Return what a click on its element does: choose a spot, or pick it before a payment is chosen."""
        return "spot" if len(self.payments) == 1 else "pick"

    @property
    def kind(self) -> str:
        """Return the classes of its element."""
        return self.act + ("" if set("".join(self.how)) == {"d"} else " costly")


Cans = tuple[tuple[str, Can], ...]  # by the names of stones and pairs


def stone_id(name: str) -> str:
    """Return the id of a stone of the owner's sheet."""
    return f"x-s-{name.replace('.', '-')}"


def boxes_large() -> dict[str, Box]:
    """Return where every stone lies within its building on the large sheet."""
    wide, high, gap = 54, 40, 4
    found: dict[str, Box] = {}
    for stone in PYRAMID:
        row, place = (int(number) - 1 for number in stone[1:].split("."))
        found[stone] = (
            row * (wide + gap) / 2 + place * (wide + gap),
            (len(PYRAMID_ROWS) - 1 - row) * (high + gap),
            wide,
            high,
        )
    for stone in ARCH[:-1]:
        found[stone] = (0 if stone[1] == "l" else 108), (COLUMN + 1 - int(stone[2])) * (high + gap), wide, high
    found["key"] = 31, 0, 100, high
    for stone in RELIEF:
        row, place = (int(number) - 1 for number in stone[1:].split("."))
        found[stone] = place * 72, row * 58, 58, 44
    return found


LARGE = boxes_large()


def stones_beside() -> dict[str, tuple[str, ...]]:
    """Return the stones that touch each stone: those it rests on first, then those on it and beside it."""
    found: dict[str, list[str]] = {stone: [] for stone in STONES}
    for stone in PYRAMID:
        row, place = (int(number) for number in stone[1:].split("."))
        around = ((row - 1, place), (row - 1, place + 1), (row + 1, place - 1), (row + 1, place))
        found[stone] += [f"p{r}.{p}" for r, p in (*around, (row, place - 1), (row, place + 1))]
    for side in "lr":
        for level in range(1, COLUMN + 1):
            found[f"a{side}{level}"] += [f"a{side}{level - 1}", f"a{side}{level + 1}" if level < COLUMN else "key"]
        found["key"].append(f"a{side}{COLUMN}")
    for one, other in PAIRS:
        found[RELIEF[one]].append(RELIEF[other])
        found[RELIEF[other]].append(RELIEF[one])
    return {stone: tuple(name for name in names if name in found) for stone, names in found.items()}


BESIDE = {stone: " ".join(map(stone_id, names)) for stone, names in stones_beside().items()}
PYRAMID_TOPS = tuple((len(PYRAMID_ROWS) - level) * 44 + 20.0 for level in range(1, len(PYRAMID_ROWS) + 1))
ARCH_TOPS = tuple((COLUMN + 1 - level) * 44 + 20.0 for level in range(1, COLUMN + 1))
KEYSTONE_TOP = (20.0,)

# --- large ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=KEPT)
def stone(
    words: Words, letter: str, name: str, is_marked: bool, can: Can | None, is_new: bool, is_closed: bool
) -> Markup:
    """Render a stone of the owner's sheet."""
    x, y, wide, high = LARGE[name]
    colour, symbol = COLOUR_OF[letter][name], SYMBOL_OF.get(name, "")
    kind, role, cost = "", Markup(' role="img"'), EMPTY
    if can:
        kind = f" {can.kind}"
        role = markup(' data-{act}="{name}" role="button"', act=can.act, name=name)
        cost = join(
            markup(
                '<g class="cost" transform="translate({x} {y:g})"><circle r="7.5"/>'
                '<use href="#x-i-{how}" transform="scale(.52)"/></g>',
                x=7 + 15 * at,
                y=high - 1,
                how=how,
            )
            for at, how in enumerate(can.how)
            if how != "d"
        )
    return markup(
        '<g class="stone {colour}{kind}" id="{id}"{role} aria-label="{label}" data-beside="{beside}" '
        'transform="translate({x:g} {y:g})"><rect class="x-face" width="{wide}" height="{high}" rx="6"/>'
        '<path class="bevel" d="M6 5H{right}"/>'
        "{inside}{cost}</g>",
        colour=colour,
        kind=kind + classes(done=is_marked, new=is_new),
        id=stone_id(name),
        role=role,
        beside=BESIDE[name],
        label=words.stone_to_mark(name, colour, can.payments) if can else words.stone(name, colour, is_marked),
        x=x,
        y=y,
        wide=wide,
        high=high,
        right=wide - 6,
        inside=face(colour, symbol, wide, high, is_marked, is_closed),
        cost=cost,
    )


@lru_cache(maxsize=KEPT)
def face(colour: str, symbol: str, wide: float, high: float, is_marked: bool, is_closed: bool) -> Markup:
    """Render what is on a stone: its colour's letter or a tick, in a corner if there is a symbol too."""
    if is_marked:
        x, y, size = (13, 13, 0.72) if symbol else (wide / 2, high / 2, 1)
        tick = '<use href="#x-i-tick" transform="translate({x:g} {y:g}) scale({size:g})"/>'
        shown = markup(tick, x=x, y=y, size=size)
    else:
        x, y = (13, 14) if symbol else (wide / 2, high / 2)
        shown = markup('<text x="{x:g}" y="{y:g}">{letter}</text>', x=x, y=y, letter=colour[0].upper())
    if not symbol:
        return shown
    return shown + markup(
        '<use class="symbol{faded}" href="#x-i-{symbol}" transform="translate({x} {y}) scale(1.1)"/>',
        faded=classes(closed=is_closed),
        symbol=symbol,
        x=wide - 17,
        y=high - 20,
    )


def stones(
    names: tuple[str, ...],
    words: Words,
    letter: str,
    marked: frozenset[str],
    can: Cans,
    new: frozenset[str],
    closed: frozenset[str],
) -> Parts:
    """Render the stones of a building."""
    able = dict(can)
    return {
        stone_id(name): stone(
            words, letter, name, name in marked, able.get(name), name in new, SYMBOL_OF.get(name) in closed
        )
        for name in names
    }


@lru_cache(maxsize=KEPT)
def levels(words: Words, scale: tuple[int, ...], reached: int, x: float, tops: tuple[float, ...]) -> Markup:
    """Write the points of levels, from the lowest, and point out the one that counts."""
    return join(
        markup(
            '<g class="points{on}" transform="translate({x:g} {y:g})"><circle r="13"/><text>{points}</text></g>',
            on=classes(on=level == reached),
            x=x,
            y=top,
            points=words.number(points),
        )
        for level, (points, top) in enumerate(zip(scale, tops, strict=True), 1)
    )


@lru_cache(maxsize=KEPT)
def pyramid(
    words: Words, letter: str, marked: frozenset[str], can: Cans, new: frozenset[str], closed: frozenset[str]
) -> Parts:
    """Render the pyramid large."""
    reached = max((int(name[1]) for name in marked if name[0] == "p"), default=0)
    points = markup(
        '<g id="x-pyramid-points" transform="translate(306 0)">{points}</g>',
        points=levels(words, SHEETS.pyramid_points[1:], reached, 0, PYRAMID_TOPS),
    )
    return {"x-pyramid-points": points, **stones(PYRAMID, words, letter, marked, can, new, closed)}


@lru_cache(maxsize=KEPT)
def arch(
    words: Words, letter: str, marked: frozenset[str], can: Cans, new: frozenset[str], closed: frozenset[str]
) -> Parts:
    """Render the arch large."""
    heights = [sum(f"a{side}{level}" in marked for level in range(1, COLUMN + 1)) for side in "lr"]
    reached = min(heights) + ("key" in marked)
    points = markup(
        '<g id="x-arch-points">{points}{key}</g>',
        points=levels(words, SHEETS.arch_points[1:-1], reached, 81, ARCH_TOPS),
        key=levels(words, SHEETS.arch_points[-1:], 1 if reached > COLUMN else 0, 148, KEYSTONE_TOP),
    )
    return {"x-arch-points": points, **stones(ARCH, words, letter, marked, can, new, closed)}


@lru_cache(maxsize=KEPT)
def relief(
    words: Words, letter: str, marked: frozenset[str], can: Cans, new: frozenset[str], closed: frozenset[str]
) -> Parts:
    """Render the relief large, with a joint for every pair that can be marked, and its scale."""
    joints = join([joint(words, letter, name, how) for name, how in can])
    return {
        **stones(RELIEF, words, letter, marked, (), new, closed),
        "x-relief-points": scale(words, sum(name in marked for name in RELIEF) // 2),
        "x-joints": markup('<g id="x-joints">{joints}</g>', joints=joints),
    }


@cache
def no_stones() -> Parts:
    """Return the parts of the buildings before the sheets are dealt."""
    names = [*map(stone_id, STONES), "x-pyramid-points", "x-arch-points", "x-relief-points", "x-joints"]
    return {name: markup('<g id="{name}"></g>', name=name) for name in names}


def slots(names: Iterable[str]) -> Markup:
    """Return the places of parts in the frame."""
    return join(markup("<!--{name}-->", name=name) for name in names)


@cache
def building_slots() -> dict[str, Markup]:
    """Return the places of the parts of each building."""
    pyramid, arch, relief = (slots(map(stone_id, names)) for names in (PYRAMID, ARCH, RELIEF))
    return {
        "pyramid": slots(["x-pyramid-points"]) + pyramid,
        "arch": slots(["x-arch-points"]) + arch,
        "relief": relief + slots(["x-relief-points", "x-joints"]),
    }


@lru_cache(maxsize=KEPT)
def scale(words: Words, covered: int) -> Markup:
    """Write the points of the relief by stones covered, and point out those of the pairs that are."""
    points = join(
        markup(
            '<g class="scale{on}" transform="translate({x} 174)"><rect width="43" height="36" rx="6"/>'
            '<text class="few" x="21.5" y="10">{stones}</text><text x="21.5" y="25">{points}</text></g>',
            on=classes(on=pairs == covered),
            x=(pairs - 1) * 46,
            stones=words.number(2 * pairs),
            points=words.number(points),
        )
        for pairs, points in enumerate(SHEETS.relief_points)
        if pairs
    )
    return markup('<g id="x-relief-points">{points}</g>', points=points)


@lru_cache(maxsize=KEPT)
def joint(words: Words, letter: str, name: str, can: Can) -> Markup:
    """Render the joint of a relief pair that can be marked."""
    one, other = (RELIEF[stone] for stone in PAIRS[PAIR_NAMES.index(name)])
    (x, y, wide, high), (right, low, _, _) = LARGE[one], LARGE[other]
    is_flat = y == low
    return markup(
        '<g class="joint {kind}" id="x-j-{id}" data-{act}="{name}" role="button" aria-label="{label}" '
        'transform="translate({x:g} {y:g})"><circle class="x-reach" r="20"/><g class="pin"{turned}>'
        '<rect class="x-pin" x="-11" y="-8" width="22" height="16" rx="8"/>'
        '<path class="x-dot" d="M-4.6 0h.1M4.6 0h.1"/></g></g>',
        kind=can.kind,
        id=name.replace(".", "-"),
        act=can.act,
        name=name,
        label=words.pair_to_mark([(end, COLOUR_OF[letter][end]) for end in (one, other)], can.payments),
        x=(x + wide + right) / 2 if is_flat else x + wide / 2,
        y=y + high / 2 if is_flat else (y + high + low) / 2,
        turned=EMPTY if is_flat else Markup(' transform="rotate(90)"'),
    )


@lru_cache(maxsize=KEPT)
def quarry_stone(words: Words, colour: str, is_crossed: bool, is_lost: bool, is_new: bool) -> Markup:
    """Render a stone of the owner's quarry."""
    return markup(
        '<li class="{colour} {state}{new}" aria-label="{said}">{letter}</li>',
        colour=colour,
        state="crossed" if is_crossed else "lost" if is_lost else "",
        new=classes(new=is_new),
        said=words.quarry_stone(colour, is_crossed, is_lost),
        letter=colour[0].upper(),
    )


@lru_cache(maxsize=KEPT)
def joker(is_used: bool, is_new: bool) -> Markup:
    """Render a joker of the owner."""
    return markup('<li class="joker{kind}">{star}</li>', kind=classes(crossed=is_used, new=is_new), star=picture("j"))


@lru_cache(maxsize=KEPT)
def quarry(
    words: Words, letter: str, crossed: tuple[int, ...], jokers: int, of: int, new: tuple[int, ...], used: bool
) -> Markup:
    """Render the quarry and the jokers of the owner."""
    behind = max(crossed, default=0)
    return markup(
        '<div id="x-quarry" class="quarry"><h4>{quarry}</h4><ol class="chips" dir="ltr">{stones}</ol>'
        '<h4>{jokers} <b>{left}</b></h4><ul class="chips" dir="ltr" aria-label="{said}">{stars}</ul></div>',
        quarry=words.quarry,
        stones=join(
            [
                quarry_stone(words, colour, place in crossed, place <= behind and place not in crossed, place in new)
                for place, colour in enumerate(QUARRY_OF[letter], 1)
            ]
        ),
        jokers=words.jokers,
        left=words.number(jokers),
        said=words.jokers_left(jokers),
        stars=join([joker(at >= jokers, used and at == jokers) for at in range(of)]),
    )
