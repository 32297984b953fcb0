"""Ending a game before its end: all people in it agree that it has no result, or one of two gives up."""

from sarai.table import commands, event_types
from sarai.table.command_checks import changes, own_seat, require_in_game
from sarai.table.end_question import MOST_QUESTIONS
from sarai.table.person import Person
from sarai.table.playthrough import Change
from sarai.table.refusals import Refused
from sarai.table.table import LENT_LEVEL, PLAYING, Table


def asked_to_end(table: Table) -> list[int]:
    """Return the seats whose people have still to say whether the game may end."""
    question = table.end_questions.open
    if question is None:
        return []
    return [seat for seat in people_in_game(table) if seat != question.seat and seat not in question.answers]


def people_in_game(table: Table) -> list[int]:
    """Return the seats of the people who are in the game, perhaps away for a while."""
    return [number for number, seat in enumerate(table.seats) if table.is_playing(seat)]


def ask_end(table: Table, command: commands.AskEnd, person: Person, now: float) -> list[Change]:
    """Ask whether all want to end the game; who plays alone ends it."""
    seat = require_in_game(table, person)
    if table.end_questions.open is not None:
        raise Refused("end_asked")
    if people_in_game(table) == [seat]:
        return changes(event_types.EndAgreed(now))
    if table.end_questions.times.get(seat, 0) >= MOST_QUESTIONS:
        raise Refused("end_questions_used", most=MOST_QUESTIONS)
    return changes(event_types.EndAsked(now, person.id, seat))


def answer_end(table: Table, command: commands.AnswerEnd, person: Person, now: float) -> list[Change]:
    """Agree that the game ends, or refuse; the player who asked may withdraw the question by refusing."""
    seat, question = own_seat(table, person), table.end_questions.open
    if table.phase != PLAYING:
        raise Refused("not_playing")
    number = None if question is None else question.number
    if command.question != number and (command.question is not None or command.yes):  # a yes to another question
        raise Refused("stale", number=table.number)
    asked, due = asked_to_end(table), table.end_questions.due(table.clock.kind)
    is_withdrawn = question is not None and seat == question.seat and not command.yes
    if question is None or due is None or now > due or (seat not in asked and not is_withdrawn):
        raise Refused("end_not_asked")
    answer = event_types.EndAnswered(now, person.id, seat, command.yes, question.number)
    return changes(answer, event_types.EndAgreed(now)) if command.yes and asked == [seat] else changes(answer)


def resign(table: Table, command: commands.Resign, person: Person, now: float) -> list[Change]:
    """Give up: the other of two people wins at once, elsewhere a bot plays on."""
    seat = require_in_game(table, person)
    return changes(event_types.Resigned(now, person.id, seat, "" if ends_by_resigning(table, seat) else LENT_LEVEL))


def ends_by_resigning(table: Table, seat: int) -> bool:
    """Say whether a game is over when the person of a seat gives up: two people play, and no bot sat down."""
    return table.players == 2 and all(
        other.person is not None and (number == seat or table.is_playing(other))
        for number, other in enumerate(table.seats)
    )
