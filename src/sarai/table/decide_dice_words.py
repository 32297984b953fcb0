"""Words for the dice: what committing and opening change, how a game begins, and what happens when time is up.

From the moment words are asked for until the game begins, nothing else about seats or words can change
(`require_gathering`): a change that began the opening anew would give somebody another deal to choose from.
"""

import unicodedata

from sarai.table import commands, event_types
from sarai.table.command_checks import changes, own_seat, require_gathering
from sarai.table.dice_word_commitments import DIGEST, NONCE, GivenWord
from sarai.table.person import Person
from sarai.table.playthrough import Change
from sarai.table.refusals import Refused
from sarai.table.table import GATHERING, Table
from sarai.table.text_checks import LONGEST, clean

BREAKS = frozenset({"Cc", "Cs", "Zl", "Zp"})  # categories of characters that would break a line


def give_word(table: Table, command: commands.GiveWord, person: Person, now: float) -> list[Change]:
    """Add a plain word to the dice of version 1."""
    require_gathering(table)
    own_seat(table, person)
    if table.dice.version > 1:
        raise Refused("word_is_plain")
    return changes(event_types.WordGiven(now, person.id, clean(command.text, "word")))


def commit_word(table: Table, command: commands.CommitWord, person: Person, now: float) -> list[Change]:
    """Commit to a word; if all were asked to do so anew, the last one lets them be opened."""
    if table.phase != GATHERING:
        raise Refused("already_started")
    seat, dice = own_seat(table, person), table.dice
    if dice.version < 2:
        raise Refused("words_are_plain")
    check_digest(command.digest)
    if seat in dice.lost_seats:
        raise Refused("word_is_lost")
    if dice.is_running and not (dice.is_renewing and seat in dice.asked):
        raise Refused("words_opening")
    committed = event_types.WordCommitted(now, person.id, seat, command.digest)
    if dice.is_renewing and dice.waits_for == [seat]:
        return changes(committed, event_types.WordsAsked(now, dice.begun_by, dice.round + 1, list(dice.asked)))
    return changes(committed)


def check_digest(digest: str) -> str:
    """Return a SHA-256 in hexadecimal; Refused if it is none."""
    if not DIGEST.fullmatch(digest):
        raise Refused("bad_digest")
    return digest


def open_word(table: Table, command: commands.OpenWord, person: Person, now: float) -> list[Change]:
    """Open one's word; the last one begins the game."""
    if table.phase != GATHERING:
        raise Refused("already_started")
    seat, dice = own_seat(table, person), table.dice
    if seat in dice.lost_seats:
        raise Refused("word_is_lost")
    if dice.is_renewing or seat not in dice.waits_for:
        raise Refused("no_opening")
    given = GivenWord(seat, command.nonce, command.word)
    check_word(given)
    if given.commitment != dice.commitments[seat]:
        raise Refused("other_word")
    opened = event_types.WordOpened(now, person.id, seat, given.nonce, given.word)
    if dice.waits_for == [seat]:
        words = sorted([*dice.given, given], key=lambda word: word.seat)
        return changes(opened, event_types.Started(now, dice.begun_by, given=words))
    return changes(opened)


def check_word(given: GivenWord) -> None:
    """Refuse a word or a nonce of the wrong form; a word is exactly what was committed to, so nothing is mended."""
    if not NONCE.fullmatch(given.nonce):
        raise Refused("bad_nonce")
    if not given.word:
        raise Refused("word_empty")
    if len(given.word) > LONGEST["word"]:
        raise Refused("word_too_long", most=LONGEST["word"])
    if any(unicodedata.category(letter) in BREAKS for letter in given.word):
        raise Refused("word_unprintable")


def begin(table: Table, by: str, now: float) -> list[Change]:
    """Return what begins a game whose seats are taken: the start, or the question for the words that go into it."""
    dice = table.dice
    if dice.version < 2:
        words = [table.words[seat.person] for seat in table.seats if seat.person in table.words]
        return changes(event_types.Started(now, by, words))
    if dice.is_running:  # all words are open, and the rules were not ready then
        return changes(event_types.Started(now, dice.begun_by, given=dice.given))
    if dice.commitments:
        return changes(event_types.WordsAsked(now, by, 1, sorted(dice.commitments)))
    return changes(event_types.Started(now, by))


def end_waiting(table: Table, now: float) -> list[Change]:
    """Return what happens when the time for opening or for committing anew is over; nothing if it is not."""
    dice = table.dice
    if dice.due is None or now < dice.due:
        return []
    late = dice.waits_for
    others = [seat for seat in dice.asked if seat not in late]
    if not dice.is_renewing:
        failed = event_types.WordsFailed(now, dice.round, late)
        return changes(failed) if others else changes(failed, event_types.Started(now, dice.begun_by))
    missing = event_types.WordsMissing(now, dice.round, late)
    if others:
        return changes(missing, event_types.WordsAsked(now, dice.begun_by, dice.round + 1, others))
    return changes(missing, event_types.Started(now, dice.begun_by))
