"""Finding a game's board and drawing it for one viewer."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from sarai.core.board import Board, Scene
from sarai.core.events import Event
from sarai.core.registry import game as find
from sarai.table.table import PLAYING

if TYPE_CHECKING:
    from sarai.table.table import Table
    from sarai.web.language import Language

Ask = tuple[str, str]


@cache
def board_module(package: str) -> Any:
    """Return the module that draws a game's board; None if the game is played from the list of moves."""
    return importlib.import_module(f"{package}.board") if importlib.util.find_spec(f"{package}.board") else None


@cache
def folder(game_id: str) -> str:
    """Return the name of a game's folder, which is the class of its colours."""
    return find(game_id).package.rpartition(".")[2]


@cache
def icon(game_id: str) -> str:
    """Return a game's picture."""
    module = board_module(find(game_id).package)
    if module is None:
        return '<svg viewBox="0 0 160 120"></svg>'
    return str(module.icon(game_id))


def scene_of(
    table: Table, seat: int | None, acting: tuple[int, ...], language: Language, news: Sequence[Event]
) -> Scene:
    """Return what a board is drawn from for one viewer: what that viewer knows."""
    assert table.state is not None
    playing = seat is not None and seat in acting and table.seats[seat].played_by is None
    moves = table.state.legal(seat) if playing else []
    return Scene(table.state.view(seat).to_json(), moves, [escape(name) for name in table.names], language.say, news)


def draw(table: Table, scene: Scene) -> Board:
    """Draw the board."""
    module = board_module(table.game.package)
    if module is None:
        return plain(scene.view, scene.moves)
    drawing: Board = module.draw(scene)
    return drawing


def ask(table: Table, scene: Scene) -> Ask | None:
    """Return what is expected of the viewer, and what of others, who are `{names}` in it; None where nobody wrote it."""
    module = board_module(table.game.package)
    if table.phase != PLAYING or not hasattr(module, "ask"):
        return None
    asked: Ask = module.ask(scene)
    return asked


def plain(view: Mapping[str, Any], moves: Sequence[int]) -> Board:
    """Show a game that nobody has drawn a board for: what a viewer knows, as it stands."""
    rows = "".join(f"<dt>{escape(str(name))}</dt><dd>{escape(str(value))}</dd>" for name, value in view.items())
    return Board(
        '<div class="board plain"><!--known--></div>',
        {"known": f'<dl id="known">{rows}</dl>'},
        {"": {f"move-{move}": move for move in moves}},
        (),
        "",
    )


def news_of(table: Table, seat: int | None) -> list[Event]:
    """Return what a viewer saw of the last move and of the chance that followed it."""
    since = next((step.number for step in reversed(table.steps) if step.seat >= 0), 0)
    found: list[Event] = []
    for number, event in reversed(table.seen(seat)):
        if number < since or event.key == "taken_back":
            break
        found.append(event)
    return found[::-1]
