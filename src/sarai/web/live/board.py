"""Finding a game's board and rendering it for one viewer."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import groupby
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sarai.core.board import Board, Scene
from sarai.core.board_tooltips import Explanation
from sarai.core.duration_and_difficulty import About
from sarai.core.events import Event
from sarai.core.language import capitalised
from sarai.core.markup import EMPTY, join, markup
from sarai.table.table import FINISHED
from sarai.web.live.names import shown_names

if TYPE_CHECKING:
    from sarai.core.game import Game
    from sarai.core.state_and_view import State
    from sarai.table.table import Table
    from sarai.web.language import Language

MOST_VIEWS = 500  # of different states
RECENT = 50  # events, more than a trick of ten players
HIDDEN = Markup(' hidden="hidden"')
NO_PICTURE = Markup('<svg viewBox="0 0 160 120"></svg>')


@cache
def board_module(game: Game) -> ModuleType | None:
    """Return the module of a game's board; None if the game brings none and is played from the list of moves."""
    return game.module("board")


@cache
def icon(game: Game) -> Markup:
    """Return a game's picture."""
    module = board_module(game)
    if module is None:
        return NO_PICTURE
    picture: Markup = module.icon(game.id)
    return picture


@cache
def about(game: Game) -> About | None:
    """Return how long and how hard a game is, if it says so."""
    say_about = getattr(board_module(game), "about", None)
    return None if say_about is None else say_about(game.id)


@cache
def explanations(game: Game, language: Language) -> Markup:
    """Return the list of what everything on a game's board means, and the tooltip in which a script shows it."""
    explain = getattr(board_module(game), "explanations", None)
    if explain is None:
        return EMPTY
    found: list[Explanation] = explain(game.id, language.say)
    rows = join(
        markup("<div><dt>{name}</dt>{texts}</div>", name=capitalised(name), texts=explanation_texts(list(group)))
        for name, group in groupby(found, key=attrgetter("name"))
    )
    return markup(
        '<details id="explanations" class="explanations"><summary>{title}</summary><dl>{rows}</dl></details>'
        '<div id="explanation" role="tooltip" hidden><b aria-hidden="true"></b>'
        '<span id="explanation-text"></span></div><p id="beside" hidden></p>',
        title=language.say("What is what"),
        rows=rows,
    )


def explanation_texts(group: list[Explanation]) -> Markup:
    """Render what is said under one name; a text that another one begins with is there for the tooltip only."""
    texts = [text for _, _, text in group]
    return join(
        markup(
            '<dd data-for="{selector}"{hidden}>{text}</dd>',
            selector=selector,
            hidden=HIDDEN if any(other != text and other.startswith(text) for other in texts) else EMPTY,
            text=text,
        )
        for selector, _, text in group
    )


def css_class(game: Game) -> str:
    """Return the class by which pages give a game its colours: the name of its package."""
    return game.package.rpartition(".")[2]


def scene_of(table: Table, seat: int | None, acting: tuple[int, ...], language: Language) -> Scene:
    """Return what a board is rendered from for one viewer: what that viewer knows."""
    assert table.state is not None
    is_playing = seat is not None and seat in acting and table.seats[seat].played_by is None
    moves = table.state.legal(seat) if is_playing else []
    news, recent = last_events(table, seat)
    view = view_of(table.state, seat)
    if table.phase == FINISHED:
        view["to_act"] = []  # whoever was to act when the game ended without a result
    return Scene(view, moves, shown_names(table.seats, language), language.say, news, recent)


def view_of(state: State, seat: int | None) -> dict[str, Any]:
    """Return a viewer's view as JSON; without hidden information it is made once, and all viewers share its parts."""
    if not state.game.definition.nothing_hidden:
        return state.view(seat).to_json()
    return {**open_view(state, state.rules_version), "seat": seat}


@lru_cache(MOST_VIEWS)
def open_view(state: State, rules_version: int) -> dict[str, Any]:
    """Return the view of a state without hidden information; equal states can have different versions of the rules."""
    return state.view(None).to_json()


def render(game: Game, scene: Scene) -> Board:
    """Render a game's board."""
    module = board_module(game)
    if module is None:
        return render_without_board(scene)
    board: Board = module.render(scene)
    return board


def render_without_board(scene: Scene) -> Board:
    """Show a game that brings no board: what the viewer knows, as a list of names and values."""
    rows = join(markup("<dt>{name}</dt><dd>{value}</dd>", name=name, value=value) for name, value in scene.view.items())
    return Board(
        Markup('<div class="board plain"><!--known--></div>'),
        {"known": markup('<dl id="known">{rows}</dl>', rows=rows)},
        {"": {f"move-{move}": move for move in scene.moves}},
        (),
        EMPTY,
    )


def last_events(table: Table, seat: int | None) -> tuple[list[Event], list[Event]]:
    """Return what a viewer saw of the last move and the chance that followed it, and with what came before it.

    Nothing from before a move was taken back is among them.
    """
    since = next((step.number for step in reversed(table.steps) if step.seat >= 0), 0)
    news, seen = 0, table.seen(seat)
    for one in reversed(seen):
        if one.number < since:
            break
        news += 1
    recent = [one.event for one in seen[-max(news, RECENT) :]]
    for index in range(len(recent) - 1, -1, -1) if any(table.taken_back) else ():
        if recent[index].key == "taken_back":
            del recent[: index + 1]
            break
    news = min(news, len(recent))
    return recent[len(recent) - news :], recent
