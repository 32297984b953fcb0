"""A seat's moves in words, and the list of them as buttons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup

from sarai.core.board import Board
from sarai.core.markup import join, markup
from sarai.core.messages import Say
from sarai.table.table import Table
from sarai.web.language import Language
from sarai.web.live.board import render, scene_of
from sarai.web.live.form_elements import form


def moves_of(table: Table, seat: int | None, say: Say) -> list[tuple[int, str]]:
    """Return a seat's moves in words; they are read from what the seat knows, so they reveal nothing else."""
    if seat is None or seat not in table.to_act or table.seats[seat].played_by or table.state is None:
        return []
    sampled: Any = table.state.view(seat).sample(0)
    return [(move, table.game.move_words(sampled, move, say)) for move in table.state.legal(seat)]


def move_list(table: Table, seat: int | None, language: Language) -> Markup:
    """Return every move of a seat as a button, those that begin with the same pick on the board together."""
    moves = moves_of(table, seat, language.say)
    if not moves:
        nothing = language.say("There is nothing for you to do just now.")
        content = markup('<p class="soft">{text}</p>', text=nothing)
    else:
        board = render(table.game, scene_of(table, seat, table.to_act, language))
        content = form(table.id, "Move", join(groups(moves, board)), {"number": table.number})
    return markup('<div id="move-list" class="move-list">{content}</div>', content=content)


def groups(moves: Sequence[tuple[int, str]], board: Board) -> Iterator[Markup]:
    """Yield the buttons of moves: first those that need nothing picked, then those of each pick under what it asks."""
    buttons = {
        move: markup('<button name="move" value="{move}">{words}</button>', move=move, words=words)
        for move, words in moves
    }
    picked = {pick: [move for move in spots.values() if move in buttons] for pick, spots in board.choices.items()}
    alone = buttons.keys() - {move for pick in board.picks for move in picked.get(pick.id, ())}
    if alone:
        yield markup('<div class="alone">{buttons}</div>', buttons=join(buttons[move] for move in sorted(alone)))
    for pick in board.picks:
        if found := picked.get(pick.id):
            yield markup(
                "<fieldset><legend>{step}</legend>{buttons}</fieldset>",
                step=pick.step,
                buttons=join(buttons[move] for move in sorted(found)),
            )
