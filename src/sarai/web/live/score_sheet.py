"""How the points of a finished game came about: a table by source, a chart of their course, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup

from sarai.core.markup import EMPTY, classes, join, markup, shorten
from sarai.core.messages import Said, isolated_text
from sarai.core.score_sheet import ScoreRow, ScoreSheet
from sarai.web.language import Language, isolated
from sarai.web.live.board import board_module
from sarai.web.live.names import shown_names

if TYPE_CHECKING:
    from sarai.table.table import Table

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 190, 26, 262, 10, 166  # of the chart, and where its lines are
NAME_LETTERS, NAME_HEIGHT = 12, 15
MOST_TICKS = 8  # marks below the chart


def score_sheet(table: Table, seat: int | None, language: Language) -> Markup:
    """Show how the points came about, from what everybody saw happen; nothing if the game has nothing to say of it."""
    sheet = read_sheet(table, language)
    if sheet is None or not (sheet.sources or len(sheet.course) > 1):
        return EMPTY
    names, say, unit = shown_names(table.seats, language), language.say, Said(sheet.unit)
    parts = [markup('<p class="note">{note}</p>', note=sheet.note)] if sheet.note else []
    if sheet.sources:
        total = ScoreRow(say("In all"), tuple(map(sum, zip(*(row.points for row in sheet.sources), strict=True))))
        caption = say("{points}: where they came from", points=unit)
        parts.append(points_table(caption, [*sheet.sources, total], names, seat, language, "sources"))
    if len(sheet.course) > 1:
        caption = say("{points}: how they stood", points=unit)
        parts.append(
            markup(
                '<figure class="course"><figcaption>{caption}</figcaption>{chart}'
                "<details><summary>{title}</summary>{table}</details></figure>",
                caption=caption,
                chart=chart(sheet.course, names, seat, caption, language),
                title=say("As a table"),
                table=points_table(caption, sheet.course, names, seat, language, "stood"),
            )
        )
    return markup('<div class="score-sheet">{parts}</div>', parts=join(parts))


def read_sheet(table: Table, language: Language) -> ScoreSheet | None:
    """Return what a game's board makes of the events that hold; None if it brings no score sheet."""
    read = getattr(board_module(table.game), "score_sheet", None)
    if read is None or table.playthrough is None:
        return None
    held = {step.number for step in table.steps}
    events = [(number, event) for number, event in table.seen(None) if number in held]
    sheet: ScoreSheet = read(events, table.players, table.playthrough.points_after, language.say)
    return sheet


def points_table(
    caption: str, rows: Sequence[ScoreRow], names: Sequence[str], seat: int | None, language: Language, css: str
) -> Markup:
    """Return a table with a column for every seat."""
    return markup(
        '<div class="wide {css}" tabindex="0" role="region" aria-label="{caption}"><table><caption>{caption}</caption>'
        "<thead><tr><td></td>{names}</tr></thead><tbody>{rows}</tbody></table></div>",
        css=css,
        caption=caption,
        names=join(
            markup('<th scope="col" class="{css}">{name}</th>', css=classes(own=number == seat), name=isolated(name))
            for number, name in enumerate(names)
        ),
        rows=join(
            markup(
                '<tr><th scope="row">{label}</th>{points}</tr>',
                label=row.label,
                points=join(
                    markup('<td class="{css}">{n}</td>', css=classes(own=number == seat), n=signed(points, language))
                    for number, points in enumerate(row.points)
                ),
            )
            for row in rows
        ),
    )


def signed(points: int, language: Language) -> str:
    """Write points, a minus sign to the left of the number in every language."""
    text = language.number(points)
    return text if points >= 0 else "\u200e" + text.lstrip("\u200e")


# --- the chart ----------------------------------------------------------------------------------------------------


def chart(course: Sequence[ScoreRow], names: Sequence[str], seat: int | None, label: str, language: Language) -> Markup:
    """Draw a line for every seat, with its name at the end; lines differ by dashes as well as colour."""
    lowest = min(0, *(min(row.points) for row in course))
    highest = max(lowest + 1, *(max(row.points) for row in course))

    def x(place: int) -> float:
        return LEFT + (RIGHT - LEFT) * place / (len(course) - 1)

    def y(points: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * (points - lowest) / (highest - lowest)

    ends = [y(points) for points in course[-1].points]
    lines = []
    for number, (name, height) in enumerate(zip(names, spread(ends), strict=True)):
        points = " ".join(f"{x(place):.1f},{y(row.points[number]):.1f}" for place, row in enumerate(course))
        lines.append(
            markup(
                '<g class="line line-{number}{own}"><polyline points="{points}"/><circle cx="{x}" cy="{y:.1f}" r="3"/>'
                '<text x="{name_x}" y="{height:.1f}">{name}</text></g>',
                number=number,
                own=classes(own=number == seat),
                points=points,
                x=RIGHT,
                y=ends[number],
                name_x=RIGHT + 8,
                height=height + 4,
                name=isolated_text(shorten(name, NAME_LETTERS)),
            )
        )
    return markup(
        '<svg viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{grid}{ticks}{lines}</svg>',
        width=WIDTH,
        height=HEIGHT,
        label=label,
        grid=join(level(points, y(points), language) for points in levels(lowest, highest)),
        ticks=join(tick(x(place)) for place in range(len(course)) if place % -(-len(course) // MOST_TICKS) == 0),
        lines=join(lines),
    )


def levels(lowest: int, highest: int) -> list[int]:
    """Return the round numbers between two, at most six of them."""
    size = next(
        unit * 10**power for power in range(9) for unit in (1, 2, 5) if (highest - lowest) / (unit * 10**power) <= 5
    )
    return list(range(-(-lowest // size) * size, highest + 1, size))


def level(points: int, height: float, language: Language) -> Markup:
    """Draw a level of the chart with its number."""
    return markup(
        '<path class="level" d="M{left} {y:.1f}H{right}"/>'
        '<text class="number" x="{x}" y="{text_y:.1f}">{points}</text>',
        left=LEFT,
        y=height,
        right=RIGHT,
        x=LEFT - 5,
        text_y=height + 4,
        points=signed(points, language),
    )


def tick(place: float) -> Markup:
    """Draw a mark below the chart."""
    return markup('<path class="level" d="M{x:.1f} {bottom}v5"/>', x=place, bottom=BOTTOM)


def spread(heights: Sequence[float]) -> list[float]:
    """Return where names stand that belong to these heights, so that none covers another."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = list(heights)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + NAME_HEIGHT)
    over = max(placed) - (HEIGHT - 6)
    if over > 0:  # push them up from the lowest on
        limit = float(HEIGHT - 6)
        for number in reversed(order):
            placed[number] = min(placed[number], limit)
            limit = placed[number] - NAME_HEIGHT
    return placed
