"""Languages: which there are, which are offered, and how a message with its arguments is said in one of them."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache, lru_cache
from operator import index
from pathlib import Path
from typing import Any, NamedTuple

from icu4py.messageformat import MessageFormat
from markupsafe import Markup, escape

from sarai.core.icu_patterns import Field, Pattern, Piece, plural_form
from sarai.core.markup import isolated, join, markup
from sarai.core.messages import Argument, Choice, Duration, Either, Item, Message, Name, Notation, Said, Series, Term

LOCALE = Path(__file__).parent / "locale"
TEMPLATE = LOCALE / "messages.pot"
DOMAIN = "sarai"
ENGLISH = "en"  # the messages themselves are English
NUMBERS_KEPT = 10_000
UNITS = ((120, 1, "second"), (2 * 3600, 60, "minute"), (2 * 86_400, 3600, "hour"))  # up to, seconds, name
AND_IN_HEBREW = "\u05d5"  # a prefix of the next word
MAQAF = "\u05be"  # joins a Hebrew prefix to what is not Hebrew
FOREIGN_AT_START = re.compile("[^\u05d0-\u05ea]*[^\\W\u05d0-\u05ea]")


def with_plain_digits(text: str) -> str:
    """Return a text with the digits of every script as 0 to 9, as notation writes them."""
    return "".join(str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text)


def capitalised(text: str) -> str:
    """Return a text with a capital first letter, its accent kept: styles take it from Greek letters."""
    return text[:1].upper() + text[1:]


class LanguageInfo(NamedTuple):
    """What is known of a language before its texts are read."""

    code: str
    name: str  # in the language itself
    direction: str = "ltr"
    region: str = ""  # whose habits of writing numbers, dates and lists are followed, if not the usual ones

    @property
    def locale(self) -> str:
        """The name of these habits in CLDR."""
        return f"{self.code}_{self.region}" if self.region else self.code


LANGUAGES = {  # people can choose any of them; pages are in those that are complete
    info.code: info
    for info in (
        LanguageInfo(ENGLISH, "English", region="GB"),
        LanguageInfo("fa", "فارسی", "rtl"),
        LanguageInfo("he", "עברית", "rtl"),
        LanguageInfo("el", "Ελληνικά"),
    )
}


class Language:
    """One language: its texts, and how numbers, names, notation, terms, times and lists are written in it."""

    def __init__(self, info: LanguageInfo, texts: Mapping[str, str], terms: Mapping[Term, str]) -> None:
        self.code, self.name, self.direction, self.locale = info.code, info.name, info.direction, info.locale
        self._texts, self._terms = texts, dict(terms)
        self._patterns: dict[str, Pattern] = {}
        self._formats: dict[str, MessageFormat] = {}
        self.number = lru_cache(NUMBERS_KEPT)(self._number)
        self.duration = lru_cache(NUMBERS_KEPT)(self._duration)
        self._writers: dict[type, Callable[[Any], str]] = {
            int: self.number,
            float: self._number,
            Name: self._name,
            Notation: self._notation,
            Said: str,
            Term: self._term,
            Duration: lambda value: self.duration(value.seconds),
            date: self._date,
            datetime: self._date,
            **dict.fromkeys((list, tuple, Either, Series), self._list),
        }
        self._renderers: dict[type, Callable[[Any], Markup]] = {
            Markup: lambda value: value,
            Name: isolated,
            int: lru_cache(NUMBERS_KEPT)(lambda value: escape(self.number(value))),
            Term: lambda value: escape(self._term(value)),
            Notation: lru_cache(NUMBERS_KEPT)(self._rendered_notation),
            **dict.fromkeys((list, tuple, Either, Series), self._rendered_list),
        }

    def say(self, message: str, /, **arguments: Argument) -> str:
        """Return a message in this language: markup if an argument is, with everything else escaped.

        One that is not in the catalog stays English.
        """
        if not arguments:
            return self._texts.get(message, message)
        pattern = self._patterns.get(message) or self._read(message)
        for value in arguments.values():
            kind = type(value)
            if kind is Markup or (kind in LISTS and any(type(item) is Markup for item in value)):  # type: ignore[union-attr]
                return self._rendered(pattern, arguments)
        return "".join(self._filled(pattern, pattern.texts, pattern.pieces, arguments, self.write, self._writers))

    def say_message(self, message: Message, /, **arguments: Argument) -> str:
        """Return a message that was marked elsewhere, with further arguments."""
        return self.say(message.text, **message.arguments, **arguments)

    def _rendered(self, pattern: Pattern, arguments: Mapping[str, Argument]) -> Markup:
        texts, escaped = pattern.escaped_texts, pattern.escaped
        pieces = self._filled(pattern, texts, escaped, arguments, self.render, self._renderers)
        return str.__new__(Markup, "".join(pieces))

    def _filled(
        self,
        pattern: Pattern,
        texts: list[str],
        pieces: tuple[Piece, ...],
        arguments: Mapping[str, Argument],
        write: Callable[[Any], str],
        writers: Mapping[type, Callable[[Any], str]],
    ) -> list[str]:
        """Return the pieces of a message with its arguments; `writers` are how `write` writes most of them."""
        if pattern.places is None:
            return list(self._chosen(pieces, arguments, write, pattern.locale, ""))
        filled = texts.copy()
        for place, name in pattern.places:
            value = arguments[name]
            writer = writers.get(type(value))
            filled[place] = write(value) if writer is None else writer(value)
        return filled

    def _chosen(
        self,
        pieces: tuple[Piece, ...],
        arguments: Mapping[str, Argument],
        write: Callable[[Any], str],
        locale: str,
        counted: str,
    ) -> Iterator[str]:
        """Yield the pieces of the forms that arguments select; `counted` is the number of the plural around them."""
        for piece in pieces:
            if isinstance(piece, str):
                yield piece
            elif piece.kind == "#":
                yield counted
            elif not piece.kind:
                yield write(arguments[piece.name])
            elif piece.forms:
                form, number = self._form(piece, arguments[piece.name], locale)
                yield from self._chosen(form, arguments, write, locale, number)
            else:
                value: Any = arguments[piece.name]
                yield self._format(f"{{n, {piece.kind}{piece.style}}}", value)

    def _form(self, field: Field, value: Any, locale: str) -> tuple[tuple[Piece, ...], str]:
        """Return the form that a value selects, and the number that is written in it."""
        forms = field.forms
        if field.kind == "select":
            if not isinstance(value, (Term, Choice)):
                raise TypeError(f"a message selects by {value!r}, which is no Term or Choice")
            return forms.get(value.key if isinstance(value, Term) else value, forms["other"]), ""
        number = value if isinstance(value, float) else index(value)
        left = number - field.offset
        form = forms.get(f"={number}")
        if form is None:
            form = forms.get(plural_form(locale, field.kind, left), forms["other"])
        return form, self.number(left)

    def _read(self, message: str) -> Pattern:
        text = self._texts.get(message)
        locale = self.locale if text is not None else LANGUAGES[ENGLISH].locale
        pattern = self._patterns[message] = Pattern(message if text is None else text, locale)
        return pattern

    # --- arguments ------------------------------------------------------------------------------------------------

    def write(self, value: Argument) -> str:
        """Write an argument as text; a text of no type is refused, since nobody knows whether it is ours."""
        writer = self._writers.get(type(value))
        return self._number_of(value) if writer is None else writer(value)

    def render(self, value: Argument) -> Markup:
        """Write an argument as markup: a name in an element of its own."""
        renderer = self._renderers.get(type(value))
        return escape(self.write(value)) if renderer is None else renderer(value)

    def _number_of(self, value: Any) -> str:
        """Write a number of another type, for example one of NumPy."""
        if isinstance(value, str):
            raise TypeError(f"nothing says how {value!r} is written: it is no Name, Notation or Term")
        return self.number(value if isinstance(value, float) else index(value))

    def _number(self, value: float) -> str:
        """Write a number in prose, in the digits of the language; CLDR has a hyphen for the minus of most languages."""
        return self._format("{n}", value).replace("-", "−")

    def _date(self, value: date) -> str:
        return self._format("{n, date, medium}", value)

    def _duration(self, seconds: int) -> str:
        """Return a time in the largest unit that says it well."""
        size, unit = next(((size, unit) for limit, size, unit in UNITS if seconds < limit), (86_400, "day"))
        return self._format(f"{{n, number, ::unit/{unit} unit-width-full-name}}", round(seconds / size))

    def _format(self, pattern: str, value: float | date) -> str:
        found = self._formats.get(pattern)
        if found is None:
            found = self._formats[pattern] = MessageFormat(pattern, self.locale)
        return found.format({"n": value})

    def _name(self, name: str) -> str:
        """Isolate a name where its direction, or that of the text around it, is not left to right."""
        return str(name) if self.direction == "ltr" and name.isascii() else f"\u2068{name}\u2069"

    def _notation(self, text: str) -> str:
        return str(text) if self.direction == "ltr" else f"\u2066{text}\u2069"

    def _rendered_notation(self, text: str) -> Markup:
        return escape(str(text)) if self.direction == "ltr" else markup('<bdi dir="ltr">{text}</bdi>', text=str(text))

    def _term(self, term: Term) -> str:
        text = self._terms.get(term)
        return term.key.replace("_", " ") if text is None else text

    # --- lists ----------------------------------------------------------------------------------------------------

    def listed(self, words: Sequence[str]) -> Markup:
        """Join words or pieces of markup as in a sentence: "a, b and c"."""
        return self._rendered_list([escape(word) for word in words])

    def _list(self, items: Sequence[Item]) -> str:
        return "".join(self._with_separators([self.write(item) for item in items], type(items)))

    def _rendered_list(self, items: Sequence[Item]) -> Markup:
        return join(map(escape, self._with_separators([self.render(item) for item in items], type(items))))

    def _with_separators(self, items: list[Any], kind: type) -> list[Any]:
        """Return the items of a list with what stands between them, as CLDR writes it for two of them."""
        comma, last = list_separators(self.locale, LISTS[kind])
        if len(items) < 2:
            return items
        if last.endswith(AND_IN_HEBREW) and FOREIGN_AT_START.match(Markup(items[-1]).striptags()):
            last += MAQAF
        found = [piece for item in items for piece in (comma, item)]
        found[-2] = last
        return found[1:]


LISTS: dict[type, str] = {list: "standard", tuple: "standard", Either: "or", Series: ""}


@cache
def list_separators(locale: str, style: str) -> tuple[str, str]:
    """Return what stands between the items of a list, and before the last one."""
    from babel import Locale  # it takes a moment

    patterns = Locale.parse(locale).list_patterns
    comma = patterns["standard"]["middle"].format("", "")
    return comma, patterns[style]["2"].format("", "") if style else comma


# --- catalogs -----------------------------------------------------------------------------------------------------


def locale_folder() -> Path:
    """Return the folder of the catalogs: the one of this package, unless a setting names another."""
    return Path(os.environ.get("SARAI_LOCALE_DIR") or LOCALE)


def catalog_path(code: str, folder: Path) -> Path:
    """Return where the texts of a language are."""
    return folder / code / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def find_language(code: str) -> Language:
    """Return a language with the texts of its catalog, as far as they are translated."""
    if code == ENGLISH:
        return Language(LANGUAGES[code], {}, {})
    from sarai.core.catalogs import read_catalog, terms_of, texts_of

    catalog = read_catalog(catalog_path(code, locale_folder()), code)
    return Language(LANGUAGES[code], texts_of(catalog), terms_of(catalog))


@cache
def offered_languages() -> dict[str, LanguageInfo]:
    """Return the languages that pages can be in: English, and those whose catalog translates every text well.

    A game of which nothing is translated yet takes no language from the others: its texts are English.
    """
    from sarai.core.catalogs import is_complete

    paths = {code: catalog_path(code, locale_folder()) for code in LANGUAGES}
    return {
        code: info
        for code, info in LANGUAGES.items()
        if code == ENGLISH or (paths[code].exists() and is_complete(paths[code], TEMPLATE, info))
    }
