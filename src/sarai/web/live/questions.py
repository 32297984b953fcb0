"""Questions of one player to the others, answered in the status line: taking back a move, ending the game together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from sarai.core.markup import EMPTY, join, markup
from sarai.core.messages import mark
from sarai.table.decide_end import asked_to_end
from sarai.table.takeback import is_asked
from sarai.web.language import Language, isolated
from sarai.web.live.form_elements import button, form

if TYPE_CHECKING:
    from sarai.table.table import Table
    from sarai.web.live.viewer import Viewer


def question(table: Table, viewer: Viewer, language: Language) -> Markup:
    """Return what the viewer is asked, or may withdraw, or is told of a refusal; nothing if there is none of them."""
    found = [about_move(table, viewer, language), about_end(table, viewer, language)]
    return join([part for part in found if part])


def about_move(table: Table, viewer: Viewer, language: Language) -> Markup:
    """Offer the answers about taking back a move; the words are those of the status line itself."""
    say, request = language.say, table.take_back
    if request is None:
        if table.refused_by is None or table.refused_by[0] != viewer.seat:
            return EMPTY
        return refusal(table, table.refused_by[1], mark("{name} did not agree: your move stays."), language)
    if is_asked(table, viewer.seat):
        return answers(table.id, "AnswerBack", request.number, say("Yes, take it back"), say("No"))
    return withdraw(table.id, "AnswerBack", request.number, language) if viewer.seat == request.seat else EMPTY


def about_end(table: Table, viewer: Viewer, language: Language) -> Markup:
    """Ask whether the game should end without a result, beside what the status line says of the game."""
    say, asked = language.say, table.end_questions.open
    if asked is None:
        refused = table.end_questions.refusal
        if refused is None or refused[0] != viewer.seat:
            return EMPTY
        return refusal(table, refused[1], mark("{name} wants to play on."), language)
    if viewer.seat == asked.seat:
        text = say("You asked whether the game should end without a result.")
        return block(text, withdraw(table.id, "AnswerEnd", asked.number, language))
    if viewer.seat is not None and viewer.seat in asked_to_end(table):
        name = isolated(table.seats[asked.seat].name)
        text = say("{name} would like to end the game without a result. Do you agree?", name=name)
        return block(text, answers(table.id, "AnswerEnd", asked.number, say("Yes, end it"), say("No, play on")))
    return EMPTY  # the log tells others of it


def answers(table_id: str, command: str, number: int, yes: str, no: str) -> Markup:
    """Return the buttons for both answers to the question of a number."""
    agree = form(table_id, command, button(yes, "main"), {"yes": "true", "question": number})
    refuse = form(table_id, command, button(no), {"yes": "false", "question": number})
    return markup('<span class="answers">{agree}{refuse}</span>', agree=agree, refuse=refuse)


def withdraw(table_id: str, command: str, number: int, language: Language) -> Markup:
    """Let the asker take the question back."""
    label = button(language.say("Withdraw the question"), "quiet")
    inside = form(table_id, command, label, {"yes": "false", "question": number})
    return markup('<span class="answers">{inside}</span>', inside=inside)


def refusal(table: Table, seat: int | None, message: str, language: Language) -> Markup:
    """Tell the asker who refused, or that not everybody answered; until the next move."""
    if seat is None:
        return block(language.say("Not everybody agreed in time."))
    return block(language.say(message, name=isolated(table.seats[seat].name)))


def block(words: str, inside: Markup = EMPTY) -> Markup:
    """Return a question as a line of its own in the status line."""
    return markup('<span class="question">{words}</span>{inside}', words=words, inside=inside)
