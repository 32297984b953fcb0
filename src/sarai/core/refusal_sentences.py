"""Refusals in sentences: the facts of an error, typed so that its message can be said with them."""

from __future__ import annotations

from collections.abc import Mapping

from sarai.core.errors import REASONS, Error
from sarai.core.events import NOTATION
from sarai.core.language import Language
from sarai.core.messages import Argument, Name, Notation, Said, Term

TERMS = frozenset({"camel", "colour"})  # facts that are words of a game
LARGEST_NUMBER = 9999  # beyond it a number is an address, a size in bytes or nonsense, written digit by digit


def say_refusal(error: Error, language: Language) -> str:
    """Say a refusal as a sentence."""
    return language.say(REASONS[error.key], **said_facts(error.facts, language))


def said_facts(facts: Mapping[str, object], language: Language) -> dict[str, Argument]:
    """Return the facts of a refusal as its sentence is said with them."""
    return {name: _said(name, value, language) for name, value in facts.items()}


def _said(name: str, value: object, language: Language) -> Argument:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value if abs(value) <= LARGEST_NUMBER else Notation(value)
    if isinstance(value, (list, tuple)):
        return [Name(language.say(str(item))) for item in value]
    if isinstance(value, Said):
        return value
    if name in TERMS:
        return Term(str(value), name)
    return Notation(value) if name in NOTATION else Name(language.say(str(value)))
