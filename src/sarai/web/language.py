"""Languages: which one a visitor reads, and how a text of ours is said in it."""

from __future__ import annotations

import gettext
import os
from collections.abc import Callable
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from markupsafe import escape

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "sarai"
MOST_KEPT, LONGEST_KEPT = 10_000, 500  # texts that are remembered in a language, and their letters
EASTERN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")

Say = Callable[[str], str]


class Tongue(NamedTuple):
    """A language as the house offers it."""

    code: str
    name: str  # in itself
    direction: str = "ltr"
    plurals: tuple[int, str] = (2, "(n != 1)")  # Babel knows other forms for some, which do not fit what people say


TONGUES = {
    tongue.code: tongue
    for tongue in (
        Tongue("en", "English"),
        Tongue("fa", "فارسی", "rtl", (2, "(n > 1)")),
        Tongue("he", "עברית", "rtl", (3, "(n == 1 ? 0 : n == 2 ? 1 : 2)")),
        Tongue("el", "Ελληνικά"),
    )
}
DEFAULT = "en"


def catalog_path(code: str, folder: Path = LOCALE) -> Path:
    """Return where the texts of a language are."""
    return folder / code / "LC_MESSAGES" / f"{DOMAIN}.po"


class Language:
    """One language: its texts and how numbers are written in it."""

    def __init__(self, tongue: Tongue, texts: gettext.NullTranslations) -> None:
        self.code, self.name, self.direction = tongue.code, tongue.name, tongue.direction
        self._texts = texts
        self._said: dict[str, str] = {}

    def say(self, text: str) -> str:
        """Return a text of ours in this language; what nobody translated stays English."""
        said = self._said.get(text)
        if said is None:
            said = self._texts.gettext(text) if text else text
            if len(self._said) < MOST_KEPT and len(text) < LONGEST_KEPT:  # people's words may be asked for too
                self._said[text] = said
        return said

    def say_count(self, one: str, many: str, n: int) -> str:
        """Return a text that depends on a number, with the number in it as `{n}`."""
        return self._texts.ngettext(one, many, n).format(n=self.number(n))

    def number(self, value: object) -> str:
        """Write a number in prose: Persian has digits of its own."""
        return str(value).translate(EASTERN_DIGITS) if self.code == "fa" else str(value)

    def listed(self, words: list[str]) -> str:
        """Join words as people do."""
        if len(words) < 2:
            return "".join(words)
        return self.say("{words} and {last}").format(words=self.say(", ").join(words[:-1]), last=words[-1])


def read_texts(path: Path, code: str) -> gettext.NullTranslations:
    """Read a catalog as translators write it; no compiled file lies about."""
    if not path.exists():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        catalog = read_po(file, locale=code)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@cache
def language(code: str) -> Language:
    """Return a language of the house."""
    folder = Path(os.environ.get("SARAI_LOCALE_DIR") or LOCALE)
    return Language(TONGUES[code], read_texts(catalog_path(code, folder), code))


def choose(asked: str | None, kept: str | None, accepted: str) -> str:
    """Return the code of the language to speak: what was asked for, else what was kept in a cookie, else what the browser accepts."""
    for code in (asked, kept):
        if code in TONGUES:
            return str(code)
    return most_wanted(accepted[:LONGEST_KEPT])


@lru_cache(1000)
def most_wanted(accepted: str) -> str:
    """Return the code of the language that a browser accepts best."""
    return next((code for code in accepted_codes(accepted) if code in TONGUES), DEFAULT)


def accepted_codes(header: str) -> list[str]:
    """Read an Accept-Language header: primary codes, the most wanted first."""
    wanted = []
    for place, part in enumerate(header.split(",")):
        tag, _, weight = part.strip().partition(";q=")
        try:
            wanted.append((-float(weight or 1), place, tag.partition("-")[0].lower()))
        except ValueError:
            continue
    return ["he" if code == "iw" else code for weight, _, code in sorted(wanted) if weight < 0]


@lru_cache(20_000)
def isolated(name: str) -> str:
    """Return a person's text as markup that cannot change the direction of what stands around it."""
    return f"<bdi>{escape(name)}</bdi>"
