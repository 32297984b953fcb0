"""People: a name, a language, and an id that only their own cookie holds; and checks of the texts they type."""

import secrets
import unicodedata

from msgspec import Struct

from sarai.table.refusals import Refused

LONGEST = {"name": 24, "chat": 300, "word": 40}
LANGUAGES = ("en", "fa", "he", "el")
JOINERS = "\u200c\u200d"  # Persian needs the first, families of emoji the second
BLANKS = "\u034f\u115f\u1160\u2800\u3164\uffa0"  # letters and marks by their category, but invisible
INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class Person(Struct, frozen=True):
    """A person known to this server; the id is never shown to others."""

    id: str
    name: str
    language: str


def new_id() -> str:
    """Return a new person's id: 22 characters that cannot be guessed."""
    return secrets.token_urlsafe(16)


def clean(text: str, kind: str) -> str:
    """Return a text that a person typed, stripped; Refused if it is empty, too long or has invisible characters.

    Characters that change the direction of writing are refused too. Markup stays text.
    """
    text = unicodedata.normalize("NFC", text).strip()
    if any(
        letter in BLANKS or (unicodedata.category(letter) in INVISIBLE and letter not in JOINERS) for letter in text
    ):
        raise Refused(f"{kind}_unprintable")
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in text):
        raise Refused(f"{kind}_empty")
    if len(text) > LONGEST[kind]:
        raise Refused(f"{kind}_too_long", most=LONGEST[kind])
    return text


def language(code: str) -> str:
    """Return a language code that may be chosen; Refused otherwise."""
    if code not in LANGUAGES:
        raise Refused("bad_language", language=code)
    return code
