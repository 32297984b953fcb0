"""The players on Anubixx's board: their names and points, the cards of the others, and the bonuses they have won."""

from functools import lru_cache

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup
from sarai.games.anubixx.board.pieces import picture
from sarai.games.anubixx.board.sheet import KEPT, Parts
from sarai.games.anubixx.board.small_sheet import small_sheet, small_sheet_slots
from sarai.games.anubixx.board.words import Words
from sarai.games.anubixx.state import BONUSES

PICTURES = {"quarry": "q", "jokers": "j", "bonuses": "bonus"}  # of the sources of points that are not buildings

Points = tuple[tuple[str, int], ...]  # by their sources


@lru_cache(maxsize=KEPT)
def points_line(words: Words, points: Points, id: str = "") -> Markup:
    """List points by their sources."""
    items = join(
        markup(
            '<li class="from-{source}">{picture}<span class="sr">{name}</span> {value}</li>',
            source=source,
            name=words.sources[source],
            picture=picture(PICTURES.get(source, source)),
            value=words.number(value),
        )
        for source, value in points
    )
    named = markup(' id="{id}"', id=id) if id else EMPTY
    return markup('<ul{named} class="sources" dir="ltr">{items}</ul>', named=named, items=items)


@lru_cache(maxsize=KEPT)
def sheet_head(words: Words, seat: int, name: str, total: int, note: str) -> Markup:
    """Head a sheet with the number and the name of its player and the points so far."""
    return markup(
        '<h3><span class="seat-number">{number}</span><bdi class="name">{name}</bdi>{note}'
        '<b class="total">{total}</b></h3>',
        number=words.number(seat + 1),
        name=name,
        note=markup("<span>{note}</span>", note=note) if note else EMPTY,
        total=words.number(total),
    )


@lru_cache(maxsize=KEPT)
def own_head(words: Words, seat: int, name: str, kind: str, points: Points, total: int) -> Markup:
    """Head the own sheet."""
    return markup(
        '<header id="x-own" class="head{kind}">{head}{points}</header>',
        kind=kind,
        head=sheet_head(words, seat, name, total, words.your_sheet),
        points=points_line(words, points),
    )


def card_slots(seat: int) -> Markup:
    """Return another player's card with the places of its parts."""
    return markup(
        '<section id="x-seat-{seat}" class="rival"><!--x-head-{seat}-->{sheet}<!--x-points-{seat}--></section>',
        seat=seat,
        sheet=small_sheet_slots(seat),
    )


@lru_cache(maxsize=KEPT)
def card(
    words: Words,
    seat: int,
    name: str,
    kind: str,
    letter: str,
    marked: frozenset[str],
    crossed: tuple[int, ...],
    jokers: int,
    points: Points,
    total: int,
    new: frozenset[str],
) -> Parts:
    """Render another player's card, with the sheet small."""
    head = markup(
        '<div id="x-head-{seat}" class="{kind}">{head}</div>',
        seat=seat,
        kind=kind.lstrip(),
        head=sheet_head(words, seat, name, total, ""),
    )
    around = {f"x-head-{seat}": head, f"x-points-{seat}": points_line(words, points, f"x-points-{seat}")}
    return around | small_sheet(words, seat, letter, marked, crossed, jokers, new)


@lru_cache(maxsize=KEPT)
def bonus_item(
    words: Words, bonus: str, is_closed: bool, seats: tuple[int, ...], names: tuple[str, ...], is_new: bool
) -> Markup:
    """Render a bonus: open or closed, and the players who have won it."""
    status = words.closed if is_closed else words.open
    badges = join(markup('<span class="seat-number">{number}</span>', number=words.number(seat + 1)) for seat in seats)
    return markup(
        '<li class="bonus{kind}" id="x-bonus-{bonus}" aria-label="{said}">{picture}'
        '<span class="what">{symbol}</span><span class="state">{status}</span></li>',
        kind=classes(closed=is_closed, won=names, new=is_new),
        bonus=bonus,
        said=words.bonus(bonus, is_closed, names),
        picture=picture(bonus, "art"),
        symbol=words.symbols[bonus],
        status=badges or status,
    )


@lru_cache(maxsize=KEPT)
def bonuses(
    words: Words,
    won: tuple[tuple[str, ...], ...],
    closed: tuple[str, ...],
    names: tuple[str, ...],
    new: frozenset[str],
) -> Markup:
    """List the bonuses."""
    items = []
    for bonus in BONUSES:
        seats = tuple([seat for seat, mine in enumerate(won) if bonus in mine])
        winners = tuple([names[seat] for seat in seats])
        items.append(bonus_item(words, bonus, bonus in closed, seats, winners, bonus in new))
    return markup(
        '<ul id="x-bonuses" class="bonuses" aria-label="{label}">{items}</ul>', label=words.bonuses, items=join(items)
    )
