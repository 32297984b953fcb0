"""A seat's moves in words, and the list of them as buttons."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from markupsafe import Markup

from sarai.core.markup import join, markup
from sarai.core.messages import Say
from sarai.table.table import Table
from sarai.web.language import Language
from sarai.web.live.forms import form


def moves_of(table: Table, seat: int | None, say: Say) -> list[tuple[int, str]]:
    """Return a seat's moves in words; they are read from what the seat knows, so they reveal nothing else."""
    if seat is None or seat not in table.to_act or table.seats[seat].played_by or table.state is None:
        return []
    sampled: Any = table.state.view(seat).sample(0)
    return [(move, table.game.move_words(sampled, move, say)) for move in table.state.legal(seat)]


def move_list(table: Table, seat: int | None, language: Language) -> Markup:
    """Return every move of a seat as a button, those with a common beginning together under it."""
    rows = sorted((beginning(words), move, words) for move, words in moves_of(table, seat, language.say))
    alone, groups = list[Markup](), list[Markup]()
    for group, moves in groupby(rows, key=lambda row: row[0]):
        buttons = [
            markup('<button name="move" value="{move}">{words}</button>', move=move, words=words)
            for _, move, words in moves
        ]
        if len(buttons) == 1:
            alone += buttons
        else:
            groups.append(
                markup("<fieldset><legend>{group} …</legend>{buttons}</fieldset>", group=group, buttons=join(buttons))
            )
    if alone:
        groups.insert(0, markup('<div class="alone">{buttons}</div>', buttons=join(alone)))
    if groups:
        content = form(table.id, "Move", join(groups), {"number": table.number})
    else:
        content = markup('<p class="soft">{text}</p>', text=language.say("There is nothing for you to do just now."))
    return markup('<div id="move-list" class="move-list">{content}</div>', content=content)


def beginning(words: str) -> str:
    """Return what a move's words share with those of similar moves: all up to a place, a number or the last word."""
    said = words.split(" ")
    stop = next(
        (index for index, word in enumerate(said) if index and any(letter.isdigit() for letter in word)),
        min(3, len(said)),
    )
    return " ".join(said[:stop])
