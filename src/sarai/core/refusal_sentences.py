"""Refusals in sentences: the facts of an error, typed so that its message can be said with them."""

from __future__ import annotations

from sarai.core.errors import CONTEXTS, REASONS, Error
from sarai.core.events import NOTATION
from sarai.core.language import Language
from sarai.core.messages import Argument, Message, Name, Notation, Said, Series, Term

TERMS = frozenset({"camel", "colour"})  # facts that are words of a game
AS_WRITTEN = NOTATION | {"port"}  # facts that are the same in every language
LARGEST_NUMBER = 2**53  # beyond it a number is nonsense, written digit by digit


def say_refusal(error: Error, language: Language) -> str:
    """Say a refusal as a sentence."""
    noun, facts = CONTEXTS.get(error.key), dict[str, Argument]()
    for name, value in error.facts.items():
        if name in TERMS and not isinstance(value, Said):
            facts[name] = Term(str(value), noun or name)
        elif name == "title":  # of a game
            facts[name] = Name(language.say(str(value)))
        else:
            as_written = name in AS_WRITTEN and type(value) in (int, str)
            facts[name] = Notation(value) if as_written else said_fact(value, language)
    return language.say(REASONS[error.key], **facts)


def said_fact(value: object, language: Language) -> Argument:
    """Return a fact as a sentence is said with it: numbers, messages of ours, other refusals, else texts of others."""
    if isinstance(value, (Said, Name, Notation)):
        return value
    if isinstance(value, Message):
        return Said(language.say_message(value))
    if isinstance(value, Error):
        return Said(say_refusal(value, language))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value if abs(value) <= LARGEST_NUMBER else Notation(value)
    if isinstance(value, (list, tuple)):
        return Series([Notation(item) for item in value])
    said = language.say(text := str(value))  # reasons that stand in the source are in the catalogs
    return Name(text) if said == text else Said(said)
