"""Errors as values: a reason key, the facts that fill its sentence, and the English sentences of all keys."""

import re
from collections.abc import Mapping

REASONS: dict[str, str] = {
    "unknown_game": "There is no game called ''{game}''; there are {games}.",
    "wrong_player_count": "{most, plural, one {{title} is for {fewest} to # player, not {players}.} "
    "other {{title} is for {fewest} to # players, not {players}.}}",
    "unknown_rules_version": "{title} is known by its rules up to version {known}, not by version {found}.",
    "unknown_option": "{known, plural, =0 {{title} has no option ''{option}''; it has none.} "
    "one {{title} has no option ''{option}''; it has {options}.} other {{title} has no option ''{option}''; "
    "it has {options}.}}",
    "bad_option_value": "Option ''{option}'' cannot be ''{value}'': {allowed}.",
    "conflicting_options": "Options ''{first}'' and ''{second}'' do not go together: {why}.",
    "unknown_move": "There is no move {move} in {title}.",
    "not_your_turn": "Seat {seat} may not act now.",
    "no_such_seat": "There is no seat {seat}; seats are 0 to {last}.",
    "game_over": "The game is over.",
    "impossible_outcome": "Chance cannot bring {move} here.",
    "no_chance_here": "It is not chance's turn.",
    "text_other_game": "This is a text of ''{found}'', not of ''{game}''.",
    "text_empty": "The text is empty.",
    "text_bad_field": "''{field}'' is not of the form name=value.",
    "text_repeated_field": "Field ''{field}'' stands there twice.",
    "text_missing_field": "Field ''{field}'' is missing.",
    "text_unknown_field": "Field ''{field}'' is not known here.",
    "text_bad_value": "Field ''{field}'' cannot be ''{value}'': {why}.",
    "text_inconsistent": "No game comes to this position: {why}.",
    "move_unreadable": "''{text}'' is no move that can be read here.",
    "move_ambiguous": "''{text}'' may mean {choices}.",
    "record_not_json": "This is not a JSON file: {why}.",
    "record_not_record": "This JSON file is not a record of a game: {why}.",
    "record_format": "This record has format {found}; this program reads format {known}.",
    "record_rules_version": "This record was played by version {found} of the rules of {game}; "
    "this program knows {known}.",
    "record_bad_move": "Move {number} of the record cannot be played: {why}",
    "record_unfinished_result": "The record names a result, but its moves do not end the game.",
    "record_missing_result": "The record's moves end the game, but it names no result.",
    "record_wrong_result": "The record names the {field} {found}, but its moves give {real}.",
    "record_resigned": "Seat {seat} cannot have given up: two play, and the moves do not end the game.",
    "no_picture": "There are no pictures of {title}.",
    "view_unreadable": "This is no view of {title}: {why}.",
    "file_unreadable": "{path} cannot be read: {why}.",
    "file_unwritable": "{path} cannot be written: {why}.",
}


CONTEXTS: dict[str, str] = {}  # the noun that a word of a game among the facts describes, by reason key
REPRESENTED = re.compile(r"\{(\w+)!r\}")  # Python's way to quote a value, which games may write too
NOT_ON_PAGES: set[str] = set()  # keys that only commands use, which need no translation


def register_reasons(sentences: Mapping[str, str], on_pages: bool = True) -> None:
    """Add sentences for more reason keys; one key cannot have two sentences."""
    for key, text in sentences.items():
        sentence = REPRESENTED.sub(r"''{\1}''", text)
        if REASONS.setdefault(key, sentence) != sentence:
            raise ValueError(f"reason ''{key}'' already has another sentence")
    if not on_pages:
        NOT_ON_PAGES.update(sentences)


def register_contexts(nouns: Mapping[str, str]) -> None:
    """Add the nouns that colours and the like among the facts of refusals describe, so that translations agree."""
    CONTEXTS.update(nouns)


class Error(Exception):
    """Something was refused; nothing changed."""

    def __init__(self, key: str, **facts: object) -> None:
        super().__init__(key)
        self.key = key
        self.facts = facts

    def __str__(self) -> str:
        from sarai.core.language import ENGLISH, find_language  # most refusals are counted, not said
        from sarai.core.refusal_sentences import say_refusal

        return say_refusal(self, find_language(ENGLISH))

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.key, self.facts)


def _again(kind: type[Error], key: str, facts: dict[str, object]) -> Error:
    return kind(key, **facts)


class UnknownGame(Error):
    """There is no game of that id."""


class BadStart(Error):
    """A game cannot be started with that player count or those options."""


class Illegal(Error):
    """A move that the rules, or the moment, do not allow."""


class BadText(Error):
    """A position or a move that cannot be read."""


class BadRecord(Error):
    """A record that is damaged, edited or from other rules."""
