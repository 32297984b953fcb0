"""Moments: what happened since the last picture, as steps that a page plays one after the other before the next one.

A game that shows more than its next picture has a module `board.animation` with

- `LENGTHS`: seconds by an event's key, or by the name of a group of keys; other events are not shown by themselves,
- `GROUPS`: the group of each key whose events are shown together if they follow each other,
- `actions(beats, before, after)`: for each beat its steps, each a list of actions.

An element of the board is named by its id, perhaps with a selector after it; a place is such a name, or a list: the
name of an element of an SVG picture with a point or a rectangle (x, y, width, height) in its coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from markupsafe import Markup

from sarai.core.markup import EMPTY, join, markup
from sarai.core.messages import number

if TYPE_CHECKING:
    from sarai.core.board import Scene
    from sarai.core.events import Event
    from sarai.core.game import Game

LONGEST = 4.0  # seconds of a show, whatever happened

Action = dict[str, Any]  # as the page's script reads it
Place = str | list[Any]


class Beat(NamedTuple):
    """Events that are shown together, and the seconds they take if there is time enough."""

    group: str
    events: list[Event]
    seconds: float


class Moments(Protocol):
    """The module of a game that says what is shown of its events."""

    LENGTHS: Mapping[str, float]
    GROUPS: Mapping[str, str]

    def actions(self, beats: Sequence[Beat], before: Scene, after: Scene) -> list[list[list[Action]]]:
        """Return the steps of each beat."""


@cache
def moments_of(game: Game) -> Moments | None:
    """Return the module that shows a game's events, None if the game has none."""
    if game.module("board") is None:
        return None
    return cast("Moments | None", game.module("board.animation"))


def beats_of(game: Game, events: Sequence[Event]) -> list[Beat]:
    """Return what is shown of events, in their order; those of a group together."""
    shown = moments_of(game)
    if shown is None:
        return []
    lengths, groups, last = shown.LENGTHS, shown.GROUPS, None
    found = list[Beat]()
    for event in events:
        group = groups.get(event.key)
        name = event.key if group is None else group
        if name in lengths:
            if group is not None and group == last:
                found[-1].events.append(event)
            else:
                found.append(Beat(name, [event], lengths[name]))
            last = group
    return found


def seconds_of(beats: Sequence[Beat]) -> float:
    """Return how long a show lasts."""
    return min(LONGEST, sum(beat.seconds for beat in beats))


def facts(event: Event) -> dict[str, Any]:
    """Return an event's arguments, whose types its key says."""
    return dict(event.args)


# --- actions ------------------------------------------------------------------------------------------------------


def put(name: str, picture: Markup, place: Place, turned: bool = False) -> Action:
    """Let something appear at a place, where the next actions know it by a name; cards and dice turn up."""
    return {"put": name, "html": picture, "at": place, **({"turned": True} if turned else {})}


def move(names: Sequence[str], *path: Place, gone: bool = False) -> Action:
    """Let things go to a place, perhaps by way of others; `gone`: they disappear there."""
    return {"move": list(names), "to": list(path), **({"gone": True} if gone else {})}


def hide(*names: str) -> Action:
    """Hide elements of the board until the show is over: what appears instead was there."""
    return {"hide": list(names)}


def pop(text: str, place: Place) -> Action:
    """Let a short text rise from a place, for example what somebody gets."""
    return {"pop": text, "at": place}


def point(*places: Place) -> Action:
    """Outline places."""
    return {"point": list(places)}


def panel(content: Markup) -> Action:
    """Show a panel over the board until the next beat."""
    return {"panel": content}


# --- what panels show ---------------------------------------------------------------------------------------------


class PlayerRow(NamedTuple):
    """A player's row of a table: texts or markup."""

    seat: int
    cells: Sequence[object]


def player_table(titles: Sequence[str], rows: Sequence[PlayerRow], scene: Scene, caption: str = "") -> Markup:
    """Render a table with a row for each player; the first title is that of their names, the viewer's row is marked."""
    return markup(
        "<table>{caption}<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>",
        caption=markup("<caption>{caption}</caption>", caption=caption) if caption else EMPTY,
        heads=join(markup("<th>{title}</th>", title=title) for title in titles),
        rows=join(
            markup(
                '<tr{kind}><th scope="row"><bdi>{name}</bdi></th>{cells}</tr>',
                kind=Markup(' class="me"') if row.seat == scene.view["seat"] else EMPTY,
                name=scene.names[row.seat],
                cells=join(markup("<td>{cell}</td>", cell=cell) for cell in row.cells),
            )
            for row in rows
        ),
    )


def count_table(
    scores: Sequence[Mapping[str, Any]], shown: Sequence[str], names: Mapping[str, str], scene: Scene
) -> Markup:
    """Render a count by source: points of those that are shown so far, and their sums."""
    say = scene.say
    return player_table(
        [say("Player"), *names.values(), say("in all")],
        [
            PlayerRow(
                score["seat"],
                [
                    *(number(score[source], say) if source in shown else "" for source in names),
                    markup("<b>{total}</b>", total=number(sum(score[source] for source in shown), say)),
                ],
            )
            for score in scores
        ],
        scene,
    )
