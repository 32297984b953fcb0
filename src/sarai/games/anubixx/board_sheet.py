"""A sheet of Anubixx, drawn large with its spots for its owner, and small for the others."""

from functools import lru_cache
from typing import NamedTuple

from sarai.games.anubixx.board_pieces import picture
from sarai.games.anubixx.board_words import Words
from sarai.games.anubixx.sheets import SHEETS
from sarai.games.anubixx.stones import ARCH, COLOURS, COLUMN, PAIRS, PYRAMID, PYRAMID_ROWS, RELIEF, STONES

KEPT = 4096  # fragments of boards that are remembered

SYMBOL_OF = {STONES[stone]: symbol for symbol, stones in SHEETS.symbols.items() for stone in stones}
COLOUR_OF = {
    sheet.letter: {name: COLOURS[colour] for name, colour in zip(STONES, sheet.colours, strict=True)}
    for sheet in SHEETS.sheets
}
QUARRY_OF = {sheet.letter: tuple(COLOURS[colour] for colour in sheet.quarry) for sheet in SHEETS.sheets}
PAIR_NAMES = tuple(f"{RELIEF[one]}-{RELIEF[other][1:]}" for one, other in PAIRS)
PICTURES = {"quarry": "q", "jokers": "j", "bonuses": "bonus"}  # of the sources of points that are no buildings

Box = tuple[float, float, float, float]  # left, top, width, height


class Can(NamedTuple):
    """What the owner of a sheet can do with a stone or a pair: pay in one way, or choose one of several."""

    how: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Return the classes of its element."""
        cost = "" if set("".join(self.how)) == {"d"} else " costly"
        return ("spot" if len(self.how) == 1 else "pick") + cost


Cans = tuple[tuple[str, Can], ...]  # by the names of stones and pairs


def boxes_large() -> dict[str, Box]:
    """Return where every stone lies within its building, drawn large."""
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


def boxes_small() -> dict[str, Box]:
    """Return where every stone lies on a sheet drawn small."""
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


LARGE, SMALL = boxes_large(), boxes_small()


# --- large -------------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=KEPT)
def stone(words: Words, letter: str, name: str, is_marked: bool, can: Can | None, is_new: bool, is_closed: bool) -> str:
    """Draw a stone of the owner's sheet."""
    x, y, wide, high = LARGE[name]
    colour, symbol = COLOUR_OF[letter][name], SYMBOL_OF.get(name, "")
    label = words.stone(name, colour, symbol)
    does, kind, cost = "", "", ""
    if can:
        kind = f" {can.kind}"
        label += f", {words.paid(can.how[0]) if len(can.how) == 1 else words.choose}"
        does = f' data-{"spot" if len(can.how) == 1 else "pick"}="{name}" role="button"'
        cost = "".join(
            f'<g class="cost" transform="translate({wide - 6 - 15 * at} 6)"><circle r="8.5"/><use href="#x-i-{how}" transform="scale(.58)"/></g>'
            for at, how in enumerate(can.how)
            if how != "d"
        )
    else:
        label += f", {words.marked}" if is_marked else ""
        does = ' role="img"'
    x_text, y_text, x_tick, y_tick, size = (
        (12, 14, 13, 13, 0.72) if symbol else (wide / 2, high / 2, wide / 2, high / 2, 1)
    )
    inside = f'<text x="{x_text:g}" y="{y_text:g}">{colour[0].upper()}</text>'
    if is_marked:
        inside = f'<use href="#x-i-tick" transform="translate({x_tick:g} {y_tick:g}) scale({size:g})"/>'
    if symbol:
        faded = " closed" if is_closed else ""
        inside += f'<use class="symbol{faded}" href="#x-i-{symbol}" transform="translate({wide - 19} {high - 17}) scale(1.2)"/>'
    kind += f"{' done' if is_marked else ''}{' new' if is_new else ''}"
    return (
        f'<g class="stone {colour}{kind}" id="x-s-{name.replace(".", "-")}"{does} aria-label="{label}" transform="translate({x:g} {y:g})">'
        f'<rect class="x-face" width="{wide}" height="{high}" rx="6"/><path class="bevel" d="M6 5H{wide - 6}"/>{inside}{cost}</g>'
    )


def levels(scale: tuple[int, ...], reached: int, x: float, tops: list[float]) -> str:
    """Write the points of levels, from the lowest, and point out the one that counts."""
    return "".join(
        f'<g class="points{" on" if level == reached else ""}" transform="translate({x:g} {top:g})"><circle r="13"/><text>{points}</text></g>'
        for level, (points, top) in enumerate(zip(scale, tops, strict=True), 1)
    )


@lru_cache(maxsize=KEPT)
def pyramid(
    words: Words, letter: str, marked: frozenset[str], can: Cans, new: frozenset[str], closed: frozenset[str]
) -> str:
    """Draw the pyramid large."""
    able = dict(can)
    stones = "".join(
        [
            stone(words, letter, name, name in marked, able.get(name), name in new, SYMBOL_OF.get(name) in closed)
            for name in PYRAMID
        ]
    )
    reached = max((int(name[1]) for name in marked if name[0] == "p"), default=0)
    points = levels(
        SHEETS.pyramid_points[1:],
        reached,
        0,
        [(len(PYRAMID_ROWS) - level) * 44 + 20 for level in range(1, len(PYRAMID_ROWS) + 1)],
    )
    return f'<g id="x-pyramid"><g transform="translate(306 0)">{points}</g>{stones}</g>'


@lru_cache(maxsize=KEPT)
def arch(
    words: Words, letter: str, marked: frozenset[str], can: Cans, new: frozenset[str], closed: frozenset[str]
) -> str:
    """Draw the arch large."""
    able = dict(can)
    stones = "".join(
        [
            stone(words, letter, name, name in marked, able.get(name), name in new, SYMBOL_OF.get(name) in closed)
            for name in ARCH
        ]
    )
    heights = [sum(f"a{side}{level}" in marked for level in range(1, COLUMN + 1)) for side in "lr"]
    reached = min(heights) + ("key" in marked)
    points = levels(
        SHEETS.arch_points[1:-1], reached, 81, [(COLUMN + 1 - level) * 44 + 20 for level in range(1, COLUMN + 1)]
    )
    key = levels(SHEETS.arch_points[-1:], 1 if reached > COLUMN else 0, 148, [20])
    return f'<g id="x-arch">{points}{key}{stones}</g>'


@lru_cache(maxsize=KEPT)
def relief(
    words: Words, letter: str, marked: frozenset[str], can: Cans, new: frozenset[str], closed: frozenset[str]
) -> str:
    """Draw the relief large, with a joint for every pair that can be marked, and its scale."""
    stones = "".join(
        [
            stone(words, letter, name, name in marked, None, name in new, SYMBOL_OF.get(name) in closed)
            for name in RELIEF
        ]
    )
    joints = "".join([joint(words, letter, name, how) for name, how in can])
    covered = sum(name in marked for name in RELIEF) // 2
    scale = "".join(
        f'<g class="scale{" on" if pairs == covered else ""}" transform="translate({(pairs - 1) * 46} 174)"><rect width="43" height="36" rx="6"/>'
        f'<text class="few" x="21.5" y="10">{2 * pairs}</text><text x="21.5" y="25">{points}</text></g>'
        for pairs, points in enumerate(SHEETS.relief_points)
        if pairs
    )
    return f'<g id="x-relief">{stones}{scale}{joints}</g>'


@lru_cache(maxsize=KEPT)
def joint(words: Words, letter: str, name: str, can: Can) -> str:
    """Draw the joint of a relief pair that can be marked."""
    one, other = (RELIEF[stone] for stone in PAIRS[PAIR_NAMES.index(name)])
    (x, y, wide, high), (right, low, _, _) = LARGE[one], LARGE[other]
    is_flat = y == low
    cx, cy = (x + wide + right) / 2 if is_flat else x + wide / 2, y + high / 2 if is_flat else (y + high + low) / 2
    turned = "" if is_flat else ' transform="rotate(90)"'
    pin = f'<g class="pin"{turned}><rect class="x-pin" x="-15" y="-8" width="30" height="16" rx="8"/><path class="x-dot" d="M-7 0h.1M7 0h.1"/></g>'
    stones = words.pair(*(words.stone(end, COLOUR_OF[letter][end], SYMBOL_OF.get(end, "")) for end in (one, other)))
    label = f"{stones}, {words.paid(can.how[0]) if len(can.how) == 1 else words.choose}"
    attribute = "spot" if len(can.how) == 1 else "pick"
    return (
        f'<g class="joint {can.kind}" id="x-j-{name.replace(".", "-")}" data-{attribute}="{name}" role="button" aria-label="{label}" '
        f'transform="translate({cx:g} {cy:g})"><circle class="x-reach" r="20"/>{pin}</g>'
    )


@lru_cache(maxsize=KEPT)
def quarry(
    words: Words, letter: str, crossed: tuple[int, ...], jokers: int, of: int, new: tuple[int, ...], used: bool
) -> str:
    """Draw the quarry and the jokers of the owner."""
    behind = max(crossed, default=0)
    chips = []
    for place, colour in enumerate(QUARRY_OF[letter], 1):
        state = "crossed" if place in crossed else "lost" if place <= behind else ""
        said = f"{words.colours[colour]}{', ' + (words.crossed if state == 'crossed' else words.lost) if state else ''}"
        chips.append(
            f'<li class="{colour} {state}{" new" if place in new else ""}" title="{said}" aria-label="{said}">{colour[0].upper()}</li>'
        )
    stars = "".join(
        f'<li class="joker{"" if at < jokers else " crossed"}{" new" if used and at == jokers else ""}">{picture("j")}</li>'
        for at in range(of)
    )
    return (
        f'<div id="x-quarry" class="quarry"><h4>{words.quarry}</h4><ol class="chips" dir="ltr">{"".join(chips)}</ol>'
        f'<h4>{words.jokers} <b>{jokers}</b></h4><ul class="chips" dir="ltr" aria-label="{words.jokers}: {jokers}">{stars}</ul></div>'
    )


# --- small -------------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=KEPT)
def small_stone(letter: str, name: str, is_marked: bool, is_new: bool) -> str:
    """Draw a stone of somebody else's sheet: its colour's letter until it is marked."""
    x, y, wide, high = SMALL[name]
    colour = COLOUR_OF[letter][name]
    kind = f"{colour}{' done' if is_marked else ''}{' holy' if name in SYMBOL_OF else ''}{' new' if is_new else ''}"
    text = "" if is_marked else f'<text x="{x + wide / 2:g}" y="{y + high / 2 + 0.5:g}">{colour[0].upper()}</text>'
    return f'<g class="{kind}"><rect class="x-face" x="{x:g}" y="{y:g}" width="{wide}" height="{high}" rx="2.5"/>{text}</g>'


@lru_cache(maxsize=KEPT)
def small_sheet(
    words: Words, letter: str, marked: frozenset[str], crossed: tuple[int, ...], jokers: int, new: frozenset[str]
) -> str:
    """Draw a sheet small: the three buildings, the jokers above the relief, and the quarry under all."""
    stones = "".join([small_stone(letter, name, name in marked, name in new) for name in STONES])
    behind = max(crossed, default=0)
    row = []
    for place, colour in enumerate(QUARRY_OF[letter], 1):
        x, is_off = (place - 1) * 18, place in crossed
        kind = f"{colour}{' crossed' if is_off else ' lost' if place <= behind else ''}"
        mark = (
            f'<path class="cross" d="M{x + 4} 103L{x + 12} 111M{x + 12} 103L{x + 4} 111"/>'
            if is_off
            else f'<text x="{x + 8}" y="107.5">{colour[0].upper()}</text>'
        )
        row.append(f'<g class="{kind}"><circle class="x-face" cx="{x + 8}" cy="107" r="7.6"/>{mark}</g>')
    stars = "".join(
        f'<use class="star" href="#x-i-j" transform="translate({209 - 13 * at} 8) scale(.6)"/>' for at in range(jokers)
    )
    label = f"{words.sheet.format(letter=letter)}, {words.jokers}: {jokers}"
    return f'<svg class="little" viewBox="-1 -1 218 117" role="img" aria-label="{label}">{stones}{stars}{"".join(row)}</svg>'


@lru_cache(maxsize=KEPT)
def points_line(words: Words, points: tuple[tuple[str, int], ...]) -> str:
    """List points by their sources."""
    items = "".join(
        f'<li title="{words.sources[source]}">{picture(PICTURES.get(source, source))}<span class="sr">{words.sources[source]}</span> {value}</li>'
        for source, value in points
    )
    return f'<ul class="sources" dir="ltr">{items}</ul>'


@lru_cache(maxsize=KEPT)
def sheet_head(words: Words, letter: str, name: str, total: int, mark: str) -> str:
    """Head a sheet with its letter, its player and the points so far."""
    return (
        f'<h3><span class="letter">{letter}</span><bdi class="name">{name}</bdi>{f"<span>{mark}</span>" if mark else ""}'
        f'<b class="total" title="{words.total}">{total}</b></h3>'
    )
