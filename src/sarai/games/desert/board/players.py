"""Around the map: the piles of camels, and a card for every player."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from sarai.core.markup import classes, join, markup, pick
from sarai.games.desert.board.map_layers import MOST_KEPT
from sarai.games.desert.board.pieces import camel, leader
from sarai.games.desert.board.words import Words
from sarai.games.desert.state import COLOURS, VALUES

SOURCES = {"water": "drop", "oases": "oasis", "areas": "area", "largest": "crown"}  # of points, and the picture of each


LARGEST = "largest"


def shown_totals(view: Mapping[str, Any]) -> dict[int, int]:
    """Return the points in all of the seats whose points are shown to the viewer."""
    is_over = view["phase"] == "over"
    return {
        seat: total_of(tuple(points.values()), is_over)
        for seat, points in enumerate(view["points"])
        if is_open(view, seat)
    }


def total_of(points: Sequence[int], is_over: bool) -> int:
    """Return a player's points as far as they are certain: without the largest caravans until the end (D-33)."""
    return sum(points) if is_over else sum(points[: list(SOURCES).index(LARGEST)])


def is_open(view: Mapping[str, Any], seat: int) -> bool:
    """Tell whether a seat's points are shown to the viewer (D-24)."""
    return bool(view["options"]["scores"] == "open" or view["phase"] == "over" or seat == view["seat"])


def leaders_left(view: Mapping[str, Any]) -> frozenset[str]:
    """Return the colours of the leaders that the viewer still has to place."""
    if view["phase"] != "leaders" or view["seat"] is None:
        return frozenset()
    seat = view["seat"]
    return frozenset(COLOURS).difference(view["caravans"][seat], view["aside"][seat : seat + 1])


def piles(
    words: Words, counts: tuple[int, ...], rider: int | None, leaders: frozenset[str], new: frozenset[str]
) -> dict[str, Markup]:
    """Render the five piles, the first choice of every move; on them the leaders that the seat `rider` has to place."""
    return {
        f"d-pile-{colour}": pile(
            words,
            colour,
            count,
            colour in leaders,
            rider is not None and colour not in leaders,
            rider or 0,
            "new" if colour in new else "count",
        )
        for colour, count in zip(COLOURS, counts, strict=True)
    }


@lru_cache(maxsize=MOST_KEPT)
def pile(words: Words, colour: str, count: int, rides: bool, is_placed: bool, seat: int, count_kind: str) -> Markup:
    """Render a pile, which can be chosen while some move begins with its colour."""
    label = words.pile(colour, count, rides)
    return markup(
        '<div class="pile {colour} r{seat}{kind}" id="d-pile-{colour}" role="img" aria-label="{label}"{pick}>'
        '<svg viewBox="-19 -20 38 36" aria-hidden="true">{picture}</svg><b class="{count_kind}">{count}</b></div>',
        colour=colour,
        seat=seat,
        kind=classes(out=not count, placed=is_placed),
        label=label,
        pick=pick(colour, label),
        picture=leader(colour) if rides else camel(colour),
        count_kind=count_kind,
        count=words.number(count),
    )


@lru_cache(maxsize=64)
def acting_mark(seats: tuple[int, ...]) -> Markup:
    """Say for the style rules who is to act, apart from the cards, which stay the same when the turn moves."""
    acting = " ".join([f"acts-{seat}" for seat in seats])
    return markup('<div id="d-acting" class="{acting}" hidden="hidden"></div>', acting=acting)


def seat_card(words: Words, view: Mapping[str, Any], seat: int, name: str) -> Markup:
    """Render what a player has: points by their sources, water tokens, the sizes of caravans."""
    caravans, points, aside = view["caravans"][seat], view["points"], view["aside"]
    is_shown, is_over = is_open(view, seat), view["phase"] == "over"
    is_best = is_over and sum(points[seat].values()) == max(sum(row.values()) for row in points)
    return card(
        words,
        seat,
        name,
        seat == view["seat"],
        is_over,
        is_best,
        tuple(points[seat].values()) if is_shown else (),
        tuple(view["tokens"][seat]) if is_shown else (),
        tuple([len(caravans[colour]) if colour in caravans else 0 for colour in COLOURS]),
        aside[seat] if seat < len(aside) else "",
    )


@lru_cache(maxsize=MOST_KEPT)
def card(
    words: Words,
    seat: int,
    name: str,
    is_own: bool,
    is_over: bool,
    is_best: bool,
    points: tuple[int, ...],
    tokens: tuple[int, ...],
    sizes: tuple[int, ...],
    aside: str,
) -> Markup:
    """Render a player's card; points and tokens that are not shown are question marks.

    The total is what is certain: largest caravans, which others may still outgrow, stand beside it until the end.
    """
    sources = [
        points_of(words, source, value, is_over or source != LARGEST)
        for source, value in zip(SOURCES, points or "?" * len(SOURCES), strict=True)
    ]
    drops = [
        tokens_of(words.number(value), words.number(tokens[value - 1]) if tokens else "?")
        for value in range(1, VALUES + 1)
    ]
    chips = [chip(words, colour, size, colour == aside) for colour, size in zip(COLOURS, sizes, strict=True)]
    return markup(
        '<section id="d-seat-{seat}" class="player r{seat}{kind}"><h3>'
        '<span class="seat-number" role="img" aria-label="{rider}">{number}</span>'
        '<bdi class="name">{name}</bdi><b class="total">{total}</b></h3>'
        '<ul class="sources" dir="ltr">{sources}</ul>'
        '<ul class="chips" dir="ltr" aria-label="{sizes_title}">{chips}</ul>'
        '<ul class="drops" dir="ltr" aria-label="{tokens_title}">{drops}</ul></section>',
        seat=seat,
        kind=classes(own=is_own, best=is_best),
        rider=words.riders[seat],
        number=words.number(seat + 1),
        name=name,
        total=words.number(total_of(points, is_over)) if points else "?",
        sources=join(sources),
        sizes_title=words.sizes,
        chips=join(chips),
        tokens_title=words.tokens,
        drops=join(drops),
    )


@lru_cache(maxsize=MOST_KEPT)
def points_of(words: Words, source: str, value: int | str, is_certain: bool) -> Markup:
    """Render a player's points from one source; what is not certain yet with a plus, beside the total."""
    return markup(
        '<li class="{source}{kind}"><svg viewBox="-11 -11 22 22" aria-hidden="true">'
        '<use href="#d-icon-{picture}"/></svg><span class="sr">{title}</span> {value}</li>',
        source=source,
        kind=classes(open=not is_certain),
        title=words.sources[source] if is_certain else words.largest_now,
        picture=SOURCES[source],
        value=points_text(words, value, is_certain),
    )


def points_text(words: Words, value: int | str, is_certain: bool) -> str:
    """Write points, which are a question mark if they are not shown."""
    if isinstance(value, str):
        return value if is_certain else f"+{value}"
    return words.number(value) if is_certain else words.gain(value)


@lru_cache(maxsize=256)
def tokens_of(value: str, count: str) -> Markup:
    """Render how many water tokens of a value a player took."""
    return markup("<li><b>{value}</b>×{count}</li>", value=value, count=count)


@lru_cache(maxsize=MOST_KEPT)
def chip(words: Words, colour: str, size: int, is_aside: bool) -> Markup:
    """Render the size of a caravan, or that its leader was set aside."""
    return markup(
        '<li class="{colour}{kind}"><svg viewBox="-6 -6 12 12" aria-hidden="true">'
        '<use href="#d-mark-{colour}"/></svg><span class="sr">{title}</span>'
        '<span aria-hidden="true">{size}</span></li>',
        colour=colour,
        kind=" aside" if is_aside else "" if size else " none",
        title=words.chip(colour, size, is_aside),
        size="×" if is_aside else words.number(size),
    )
