"""Texts that people read: how one is said, what may stand in it, and marks for those that are said elsewhere.

A message is a whole sentence or label in English, an ICU message with arguments by name: `{n, plural, one {# camel}
other {# camels}}`. It is also the key by which catalogs translate it. Without arguments a text stands as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple, Protocol

from markupsafe import Markup


class Name(str):
    """A text that is not ours, in any script: a person's name, a file's, what another program says."""

    __slots__ = ()


class Notation(str):
    """A text that is the same in every language and runs from left to right: a hex, a move, a version, an address."""

    __slots__ = ()


class Said(str):
    """A text of ours that was said before: the name of a thing, which stands by itself after a colon or in brackets."""

    __slots__ = ()


class Choice(str):
    """One of the cases that a message selects by; it is never shown itself."""

    __slots__ = ()


class Term(NamedTuple):
    """A word of a game, and the noun it describes, with which it has to agree: the red of a camel, of a die."""

    key: str  # English, perhaps with _ for spaces
    context: str


class Duration(NamedTuple):
    """A length of time, said in the largest unit that says it well."""

    seconds: int


class Either(list["Item"]):
    """A list of alternatives: "a, b or c"."""


class Series(list["Item"]):
    """A list without a word before the last: "a, b, c"."""


Item = int | Name | Notation | Said | Term | Markup
Argument = Item | float | Choice | Duration | date | Sequence[Item]  # a sequence is a list: "a, b and c"


class Say(Protocol):
    """Says a message in the reader's language; the result is markup if an argument is, with the rest escaped."""

    def __call__(self, message: str, /, **arguments: Argument) -> str:
        """Return the text."""

    def __hash__(self) -> int:
        """What is rendered in a language is memoised by it."""


class Message(NamedTuple):
    """A message that is said elsewhere, perhaps with further arguments; its text is marked."""

    text: str
    arguments: Mapping[str, Argument] = {}

    def __hash__(self) -> int:
        """Return a number by which what is rendered with a message can be memoised; arguments need not have one."""
        return hash(self.text)


def mark(text: str) -> str:
    """Mark a text that will be said in the reader's language somewhere else, so that catalogs contain it."""
    return text


@lru_cache(10_000)
def number(value: int, say: Say) -> str:
    """Write a number that stands by itself, as on a board, in the reader's digits."""
    return say("{n}", n=value)  # translators: a number by itself, on a card, a die or a ticket


@lru_cache(10)
def signs_of_numbers(say: Say) -> dict[int, str]:
    """Return how the signs of a formatted number are written beside digits that are not 0 to 9."""
    digits = {ord(str(digit)): number(digit, say) for digit in range(10)}
    return {} if "".join(digits.values()).isascii() else digits | {ord("."): "\u066b", ord("%"): "\u066a"}


def in_digits(formatted: str, say: Say) -> str:
    """Write a number that is formatted already, with decimals or as a percentage, in the reader's digits."""
    return formatted.translate(signs_of_numbers(say))


@lru_cache(10_000)
def notation(text: str, say: Say) -> str:
    """Write notation that stands by itself, as on a board: from left to right in every language."""
    return say("{n}", n=Notation(text))


@lru_cache(10_000)
def numbers(values: tuple[int, ...], say: Say) -> str:
    """Write numbers one after the other; a dot between them would look like the Persian zero."""
    return say("{n}", n=Series(values))


@lru_cache(10_000)
def signed(value: int, say: Say) -> str:
    """Write what somebody gets or loses in the reader's digits, its sign to the left in every language."""
    # translators: what somebody gets or loses; from right to left a mark (U+200E) keeps the sign on the left
    return say("+{n}", n=value) if value >= 0 else say("−{n}", n=-value)


def isolated_text(name: str) -> str:
    """Put a name between marks that keep its direction from the text around it."""
    return f"\u2068{name}\u2069"
