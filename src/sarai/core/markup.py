"""HTML and SVG put together by type: whatever is not `Markup` already is escaped."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from string import Formatter
from typing import Any

from markupsafe import Markup, escape

EMPTY = Markup("")
JOINER = "\u200d"  # of emoji that are one picture
NUMBERS = frozenset({int, float})  # types of values that go in as they are and can have a format


def markup(template: str, /, **values: object) -> Markup:
    """Fill the `{names}` of a template of our own markup; values that are neither markup nor numbers are escaped."""
    return _filled(template, values)


def phrase(text: str, /, **values: object) -> Markup:
    """Fill the `{names}` of a text in words, which is escaped itself; values may be markup, a name in its element."""
    return _filled(_escaped(text), values)


def _filled(template: str, values: dict[str, Any]) -> Markup:
    """Fill a template; put together piece by piece, in half the time of `str.format`."""
    texts, fields = _parsed(template)
    pieces = texts.copy()
    for place, name, form in fields:
        value = values[name]
        kind = type(value)
        if kind is Markup:
            pieces[place] = value
        elif kind is str:
            pieces[place] = _escaped(value)
        elif kind in NUMBERS:
            pieces[place] = format(value, form)
        else:
            pieces[place] = escape(value)
    return str.__new__(Markup, "".join(pieces))


@lru_cache(maxsize=10_000)
def _parsed(template: str) -> tuple[list[str], tuple[tuple[int, str, str], ...]]:
    """Return a template's texts with an empty one for each field, and the fields: place, name, a number's format."""
    texts: list[str] = []
    fields: list[tuple[int, str, str]] = []
    for literal, name, form, _ in Formatter().parse(template):
        texts.append(literal)
        if name is not None:
            fields.append((len(texts), name, form or ""))
            texts.append("")
    return texts, tuple(fields)


@lru_cache(maxsize=10_000, typed=True)  # a text and markup of the same letters are equal, but escaped differently
def _escaped(text: str) -> str:
    return str(escape(text))


@lru_cache(20_000, typed=True)  # a text and markup of the same letters are equal, but escaped differently
def isolated(text: str) -> Markup:
    """Return a person's text as an element that cannot change the direction of what stands around it."""
    return markup("<bdi>{text}</bdi>", text=text)


def join(parts: Iterable[Markup], between: Markup = EMPTY) -> Markup:
    """Put pieces of markup together."""
    return str.__new__(Markup, str.join(between, parts))


def spot(name: str, label: str) -> Markup:
    """Return the attributes of an element that is a spot while some move leads to it: its name, and what it does then.

    The page's script makes it a button with this label, or without one with that which it has anyway, as long as it can
    be chosen, so that what the element shows need not be sent again whenever the turn moves.
    """
    return markup(' data-spot="{name}" data-do="{label}"', name=name, label=label)


def pick(name: str, label: str) -> Markup:
    """Return the attributes of an element that can be picked first at times, as `spot` does for spots."""
    return markup(' data-pick="{name}" data-do="{label}"', name=name, label=label)


def classes(**flags: object) -> str:
    """Return the names of those CSS classes whose flag is true, each after a space."""
    return "".join(f" {name}" for name, is_set in flags.items() if is_set)


def shorten(name: str, length: int) -> str:
    """Return a name cut to a number of characters."""
    return name if len(name) <= length else name[: length - 1] + "…"


def shorten_to_width(name: str, width: float) -> str:
    """Return a name cut to the width of a number of ordinary letters, for text in a picture, which is not clipped."""
    if sum(map(letter_width, name)) <= width:
        return name
    while sum(map(letter_width, name)) > width - 1:
        name = name[:-1]
    return name.rstrip(JOINER) + "…"


def letter_width(letter: str) -> float:
    """Return about how many ordinary letters a letter is wide: Chinese ones and emoji two, marks none."""
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in ("W", "F"):
        return 2.0
    return 1.7 if letter in "MWmw@%" else 1.25 if letter.isupper() else 1.0
