"""A person: a name, a language, and an id that only their own cookie holds."""

import secrets

from msgspec import Struct

from sarai.table.refusals import Refused

LANGUAGES = ("en", "fa", "he", "el")


class Person(Struct, frozen=True):
    """A person known to this server; the id is never shown to others."""

    id: str
    name: str
    language: str


def new_id() -> str:
    """Return a new person's id: 22 characters that cannot be guessed."""
    return secrets.token_urlsafe(16)


def check_language(code: str) -> str:
    """Return a language code that may be chosen; Refused otherwise."""
    if code not in LANGUAGES:
        raise Refused("bad_language", language=code)
    return code
