"""A picture of a position: one SVG that needs nothing around it, for rules, lessons, sharing, printing.

A game whose boards can be pictures has a module `board.picture` with `columns(scene)`, which returns the parts of a
table as blocks, put together from the pieces of its board.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, cast

from markupsafe import Markup

from sarai.core.board import Scene
from sarai.core.css_cascade import LIGHT, StyleSheet
from sarai.core.errors import Illegal
from sarai.core.markup import EMPTY, join, markup
from sarai.core.resolved_svg import resolve

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.messages import Say
    from sarai.core.state_and_view import View

GAP, MARGIN = 16, 14  # between blocks; around all of them
NEAR = 26  # around what is cut out
RADIUS = 9  # of the corners of an outline
LINE, HALO, HEAD = 6, 12, 26  # how broad a mark is, and the light border around it; how long the head of an arrow is
USUAL = 700  # the width of a picture whose marks are so large; in a smaller one they are smaller
NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def grown(self, by: float) -> Self:
        """Return it with a margin."""
        return self._replace(x=self.x - by, y=self.y - by, width=self.width + 2 * by, height=self.height + 2 * by)


class Hexagon(Box):
    """A hexagon with a side above and one below, by the rectangle around it."""

    __slots__ = ()

    @property
    def corners(self) -> list[tuple[float, float]]:
        """Its corners, clockwise."""
        (x, y), across, down = self.middle, self.width / 4, self.height / 2
        return [
            (x - across, y - down),
            (x + across, y - down),
            (x + 2 * across, y),
            (x + across, y + down),
            (x - across, y + down),
            (x - 2 * across, y),
        ]


class Block(NamedTuple):
    """A part of a table: what is drawn of it, and where on it the things lie that can be pointed at."""

    name: str
    content: Markup
    box: Box  # that is seen of it, in its own units
    places: Mapping[str, Box]  # by name, in its own units
    width: float = 0  # in the picture's units; 0: as in its own

    @property
    def scale(self) -> float:
        """How large its units are in the picture."""
        return self.width / self.box.width if self.width else 1

    def placed(self, box: Box, x: float, y: float) -> Box:
        """Return where one of its places lies in the picture if the block lies at a point."""
        scale = self.scale
        return box._replace(
            x=x + (box.x - self.box.x) * scale,
            y=y + (box.y - self.box.y) * scale,
            width=box.width * scale,
            height=box.height * scale,
        )


Columns = Sequence[Sequence[Block]]


class Pictures(Protocol):
    """The module of a game that puts pictures together."""

    def symbols(self) -> Markup:
        """Return the shapes that what is drawn uses."""

    def columns(self, scene: Scene) -> Columns:
        """Return the parts of a table, one below the other in each column."""


class Outline(NamedTuple):
    """A place that is pointed at."""

    place: str


class Arrow(NamedTuple):
    """A way from one place to another that is pointed at."""

    origin: str
    place: str


class PlaceName(NamedTuple):
    """A place whose name, by which texts beside the picture call it, is written on it."""

    place: str


Mark = Outline | Arrow | PlaceName


def has_picture(game: Game) -> bool:
    """Tell whether a game's positions can be pictures."""
    return game.module("board") is not None and game.module("board.picture") is not None


def picture_of(
    view: View,
    say: Say,
    names: Sequence[str] = (),
    title: str = "",
    parts: Sequence[str] = (),
    near: Sequence[str] = (),
    marks: Iterable[Mark] = (),
    scheme: str = LIGHT,
) -> Markup:
    """Return the picture of what a view knows; KeyError if there is no such part or place in it."""
    named = names or [say("Player {n}", n=seat + 1) for seat in range(view.players)]
    scene = Scene(view.to_json(), (), named, say)
    return render_picture(view.game, scene, title, parts, near, marks, scheme)


def render_picture(
    game: Game,
    scene: Scene,
    title: str = "",
    parts: Sequence[str] = (),
    near: Sequence[str] = (),
    marks: Iterable[Mark] = (),
    scheme: str = LIGHT,
) -> Markup:
    """Return the picture of a scene, whose moves are not shown; Illegal if the game has no pictures."""
    if not has_picture(game):
        raise Illegal("no_picture", title=game.title)
    scene = scene._replace(moves=(), names=[NOT_IN_XML.sub("", name) for name in scene.names])
    pictures = cast("Pictures", game.module("board.picture"))
    content, size, places = arranged(pictures.columns(scene), parts)
    seen = around([places[name] for name in near], size) if near else size
    drawing = markup(
        '<svg class="picture" viewBox="{x:g} {y:g} {width:g} {height:g}"><title>{title}</title><desc>{summary}</desc>'
        '<rect class="picture-ground" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="18"/>'
        '<g class="board {game}">{symbols}{content}</g>{marks}</svg>',
        **Box(*(round(number, 1) for number in seen))._asdict(),
        title=title or scene.say(game.title),
        summary=summary_of(game, scene),
        game=game.folder.name,
        symbols=pictures.symbols(),
        content=content,
        marks=join(rendered_mark(mark, places, min(1, seen.width / USUAL)) for mark in marks),
    )
    return resolve(drawing, style_sheet(game), scheme)


@cache
def style_sheet(game: Game) -> StyleSheet:
    """Return the rules by which a game's pictures get their colours: those of its board, and what all share."""
    here = Path(__file__).parent
    files = (here / "tokens.css", here / "picture.css", game.folder / "board" / "style.css")
    return StyleSheet(*(file.read_text(encoding="utf-8") for file in files))


def summary_of(game: Game, scene: Scene) -> str:
    """Return the position in words, as people hear it who cannot see the board."""
    module = game.module("board")
    assert module is not None
    return " ".join(module.render(scene).summary.striptags().split())


# --- the arrangement --------------------------------------------------------------------------------------------------


def arranged(columns: Columns, parts: Sequence[str]) -> tuple[Markup, Box, dict[str, Box]]:
    """Put blocks side by side and below each other: what is drawn, how large it is, where every place lies."""
    known = {block.name for column in columns for block in column}
    if unknown := set(parts) - known:
        raise KeyError(f"no part {', '.join(sorted(unknown))} among {', '.join(sorted(known))}")
    content, places = list[Markup](), dict[str, Box]()
    left, bottom = 0.0, 0.0
    for column in columns:
        shown = [block for block in column if not parts or block.name in parts]
        if not shown:
            continue
        top = 0.0
        for block in shown:
            width, height = block.box.width * block.scale, block.box.height * block.scale
            content.append(
                markup(
                    '<svg class="part-{name}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
                    'viewBox="{box}" overflow="visible">{content}</svg>',
                    name=block.name,
                    x=left,
                    y=top,
                    width=width,
                    height=height,
                    box=" ".join(f"{number:g}" for number in block.box),
                    content=block.content,
                )
            )
            places |= {name: block.placed(box, left, top) for name, box in block.places.items()}
            top += height + GAP
        left += max(block.box.width * block.scale for block in shown) + GAP
        bottom = max(bottom, top - GAP)
    return join(content), Box(0, 0, left - GAP, bottom).grown(MARGIN), places


def around(boxes: Sequence[Box], within: Box) -> Box:
    """Return what lies around boxes, cut where the picture ends."""
    left, top = min(box.x for box in boxes) - NEAR, min(box.y for box in boxes) - NEAR
    right, bottom = max(box.x + box.width for box in boxes) + NEAR, max(box.y + box.height for box in boxes) + NEAR
    left, top = max(left, within.x), max(top, within.y)
    return Box(left, top, min(right, within.x + within.width) - left, min(bottom, within.y + within.height) - top)


def rendered_mark(mark: Mark, places: Mapping[str, Box], size: float) -> Markup:
    """Render what is pointed at, with a light border that sets it off."""
    if isinstance(mark, Arrow):
        return arrow(places[mark.origin].middle, places[mark.place].middle, size)
    if isinstance(mark, PlaceName):
        box = places[mark.place]
        return markup(
            '<text class="picture-place" x="{x:g}" y="{y:g}">{name}</text>',
            x=box.x + box.width / 2,
            y=box.y + box.height - box.height / 16,
            name=mark.place,
        )
    return outline(places[mark.place], size)


def outline(box: Box, size: float) -> Markup:
    """Render the outline of a place: around it, or within a hexagon, beside which others may be outlined."""
    return join(
        markup(
            '<path class="picture-{kind}" d="{line}Z" stroke-width="{broad:g}"/>',
            kind=kind,
            line=path(*box.grown(-LINE / 2 * size).corners),
            broad=broad * size,
        )
        if isinstance(box, Hexagon)
        else markup(
            '<rect class="picture-{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
            'rx="{radius:g}" stroke-width="{broad:g}"/>',
            kind=kind,
            radius=RADIUS * size,
            broad=broad * size,
            **box.grown(LINE / 2 * size)._asdict(),
        )
        for kind, broad in (("halo", HALO), ("mark", LINE))
    )


def arrow(origin: tuple[float, float], goal: tuple[float, float], size: float) -> Markup:
    """Render an arrow from a point to another."""
    across, down = goal[0] - origin[0], goal[1] - origin[1]
    length = hypot(across, down)
    if not length:
        return EMPTY
    x, y = across / length * HEAD * size, down / length * HEAD * size
    neck = goal[0] - x, goal[1] - y
    wings = (neck[0] - y / 2, neck[1] + x / 2), (neck[0] + y / 2, neck[1] - x / 2)
    return markup(
        '<path class="picture-halo" d="{line}" stroke-width="{halo:g}"/>'
        '<path class="picture-mark" d="{line}" stroke-width="{broad:g}"/><path class="picture-head" d="{head}Z"/>',
        line=path(origin, neck),
        halo=HALO * size,
        broad=LINE * size,
        head=path(goal, *wings),
    )


def path(*points: tuple[float, float]) -> str:
    """Return a path from point to point."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
