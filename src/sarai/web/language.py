"""Languages: which ones are offered, which one a visitor reads, and how a text of ours is said in it."""

from __future__ import annotations

import gettext
import os
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from markupsafe import Markup, escape

from sarai.core.markup import join, markup, phrase

LOCALE = Path(__file__).parent / "locale"
TEMPLATE = LOCALE / "messages.pot"
DOMAIN = "sarai"
ENGLISH = "en"  # the texts themselves are English
MOST_KEPT, LONGEST_KEPT = 10_000, 500  # texts that are remembered in a language, and their letters
EASTERN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


class LanguageInfo(NamedTuple):
    """What is known of a language before its texts are read."""

    code: str
    name: str  # in the language itself
    direction: str = "ltr"
    plurals: tuple[int, str] = (2, "(n != 1)")  # where Babel knows other forms, they do not fit what people say


LANGUAGES = {  # people can choose any of them; pages are in those that are complete
    info.code: info
    for info in (
        LanguageInfo(ENGLISH, "English"),
        LanguageInfo("fa", "فارسی", "rtl", (2, "(n > 1)")),
        LanguageInfo("he", "עברית", "rtl", (3, "(n == 1 ? 0 : n == 2 ? 1 : 2)")),
        LanguageInfo("el", "Ελληνικά"),
    )
}


class Language:
    """One language: its texts and how numbers are written in it."""

    def __init__(self, info: LanguageInfo, texts: gettext.NullTranslations) -> None:
        self.code, self.name, self.direction = info.code, info.name, info.direction
        self._texts = texts
        self._said: dict[str, str] = {}

    def say(self, text: str) -> str:
        """Return a text of ours in this language; a text that is not in the catalog stays English."""
        said = self._said.get(text)
        if said is None:
            said = self._texts.gettext(text) if text else text
            if len(self._said) < MOST_KEPT and len(text) < LONGEST_KEPT:  # texts that people typed come here too
                self._said[text] = said
        return said

    def say_count(self, one: str, many: str, n: int) -> str:
        """Return a text that depends on a number, with the number in it as `{n}`."""
        return self._texts.ngettext(one, many, n).format(n=self.number(n))

    def number(self, value: object) -> str:
        """Write a number in prose: Persian has digits of its own."""
        return str(value).translate(EASTERN_DIGITS) if self.code == "fa" else str(value)

    def duration(self, seconds: int) -> str:
        """Return a time in the largest unit that says it well."""
        if seconds < 120:
            return self.say_count("{n} second", "{n} seconds", seconds)
        if seconds < 2 * 3600:
            return self.say_count("{n} minute", "{n} minutes", round(seconds / 60))
        if seconds < 2 * 86_400:
            return self.say_count("{n} hour", "{n} hours", round(seconds / 3600))
        return self.say_count("{n} day", "{n} days", round(seconds / 86_400))

    def listed(self, words: Sequence[str]) -> Markup:
        """Join words or pieces of markup as in a sentence: "a, b and c"."""
        items = [escape(word) for word in words]
        if len(items) < 2:
            return join(items)
        return phrase(self.say("{words} and {last}"), words=join(items[:-1], escape(self.say(", "))), last=items[-1])


@lru_cache(20_000, typed=True)  # a text and markup of the same letters are equal, but escaped differently
def isolated(text: str) -> Markup:
    """Return a person's text as an element that cannot change the direction of what stands around it."""
    return markup("<bdi>{text}</bdi>", text=text)


# --- catalogs -----------------------------------------------------------------------------------------------------


def locale_folder() -> Path:
    """Return the folder of the catalogs: the one of this package, unless a setting names another."""
    return Path(os.environ.get("SARAI_LOCALE_DIR") or LOCALE)


def catalog_path(code: str, folder: Path) -> Path:
    """Return where the texts of a language are."""
    return folder / code / "LC_MESSAGES" / f"{DOMAIN}.po"


def read_catalog(path: Path, code: str | None = None) -> Catalog:
    """Read a catalog as translators write it; a file that is missing is an empty catalog."""
    if not path.exists():
        return Catalog()
    with path.open("rb") as file:
        return read_po(file, locale=code)


def compiled(catalog: Catalog) -> gettext.NullTranslations:
    """Return the texts of a catalog as gettext looks them up."""
    file = BytesIO()
    write_mo(file, catalog)
    file.seek(0)
    return gettext.GNUTranslations(file)


def untranslated(catalog: Catalog, template: Catalog) -> list[str]:
    """Return the texts of the template that a catalog does not translate, or only doubtfully (marked as fuzzy)."""
    missing = []
    for message in template:
        if message.id:
            found = catalog.get(message.id)
            forms = (
                found.string if found and isinstance(found.string, (list, tuple)) else [found.string if found else ""]
            )
            if found is None or found.fuzzy or not all(forms):
                missing.append(message.id if isinstance(message.id, str) else message.id[0])
    return missing


@cache
def find_language(code: str) -> Language:
    """Return a language with the texts of its catalog, as far as they are translated."""
    return Language(LANGUAGES[code], compiled(read_catalog(catalog_path(code, locale_folder()), code)))


@cache
def offered_languages() -> dict[str, LanguageInfo]:
    """Return the languages that pages can be in: English, and those whose catalog translates every text."""
    offered = {}
    for code, info in LANGUAGES.items():
        path = catalog_path(code, locale_folder())
        if code == ENGLISH or (path.exists() and not untranslated(read_catalog(path, code), read_catalog(TEMPLATE))):
            offered[code] = info
    return offered


# --- which language a visitor reads -------------------------------------------------------------------------------


def choose(asked: str | None, kept: str | None, accepted: str, codes: Collection[str]) -> str:
    """Return one of some languages: the one asked for, else the one kept in a cookie, else what the browser accepts."""
    for code in (asked, kept):
        if code is not None and code in codes:
            return code
    return best_accepted(accepted[:LONGEST_KEPT], frozenset(codes))


@lru_cache(1000)
def best_accepted(accepted: str, codes: frozenset[str]) -> str:
    """Return which of some languages a browser accepts best; English if it accepts none of them."""
    return next((code for code in accepted_codes(accepted) if code in codes), ENGLISH)


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
