"""The language that the terminal speaks: the one asked for, else the locale's if it is offered."""

import os
import re

from sarai.cli.errors import CommandError
from sarai.core.language import ENGLISH, Language, find_language, offered_languages, with_plain_digits

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # of the locale; the first that is set counts
INVISIBLE = re.compile("[\u200c\u200d\u2066-\u2069]")  # joiners, and marks that keep a direction


def terminal_language(asked: str | None) -> Language:
    """Return the language of a command; one that is asked for and not offered is refused."""
    if asked is not None and asked != ENGLISH and asked not in offered_languages():
        raise CommandError("unknown_language", language=asked, languages=", ".join(offered_languages()))
    return find_language(asked or code_of_locale())


def code_of_locale() -> str:
    """Return the code of the locale's language if it is offered, else of English."""
    locale = next((value for name in VARIABLES if (value := os.environ.get(name))), "")
    code = re.split("[_.@-]", locale)[0].lower()
    return code if code not in ("", "c", "posix", ENGLISH) and code in offered_languages() else ENGLISH


def searchable(text: str) -> str:
    """Return a text as a word is looked for in it: small letters, plain digits, nothing that cannot be seen."""
    return INVISIBLE.sub("", with_plain_digits(text)).lower()
