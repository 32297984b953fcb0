"""ICU messages, read once: what stands in them, and the quick way to fill those that only hold names of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from icu4py.messageformat import MessageFormat
from markupsafe import escape

NAME = re.compile(r"\s*(\w+)\s*")
FORM = re.compile(r"\s*(=\d+|\w+)\s*\{")
OFFSET = re.compile(r"\s*offset:(\d+)")
COUNTING = ("plural", "selectordinal")
FORMS = ("zero", "one", "two", "few", "many", "other")


class BadPattern(ValueError):
    """A text that is no ICU message."""


class Field(NamedTuple):
    """An argument in a message: its name, how it is used, and the forms that it selects from."""

    name: str
    kind: str = ""  # "" (as it is), plural, selectordinal, select, number, date, …; # is the number of a plural
    forms: Mapping[str, tuple[Piece, ...]] = {}
    offset: int = 0  # taken off the number of a plural
    style: str = ""  # of a number or a date, after its kind


Piece = str | Field
NUMBER = Field("", "#")


def parse(pattern: str) -> tuple[Piece, ...]:
    """Read a message as ICU does; BadPattern if it is none."""
    pieces, end = _pieces(pattern, 0, depth=0, counts=False)
    if end != len(pattern):
        raise BadPattern(f"}} without {{ at {end}")
    return pieces


def _pieces(pattern: str, at: int, depth: int, counts: bool) -> tuple[tuple[Piece, ...], int]:
    """Read up to the brace that closes a form, or the end; an apostrophe quotes only what would be special."""
    pieces, text = list[Piece](), ""
    special = "{}#" if counts else "{}"
    while at < len(pattern):
        char, after = pattern[at], pattern[at + 1 : at + 2]
        if char == "'" and after == "'":
            text, at = text + "'", at + 2
        elif char == "'" and after and after in special:
            quoted, at = _quoted(pattern, at + 1)
            text += quoted
        elif char == "{" or (char == "#" and counts):
            field, at = _field(pattern, at + 1, depth) if char == "{" else (NUMBER, at + 1)
            pieces += [text, field] if text else [field]
            text = ""
        elif char == "}":
            break
        else:
            text, at = text + char, at + 1
    if depth and at == len(pattern):
        raise BadPattern("a form is not closed")
    return (*pieces, text) if text else tuple(pieces), at


def _quoted(pattern: str, at: int) -> tuple[str, int]:
    """Read up to the apostrophe that ends a quotation; two of them are one."""
    text = ""
    while at < len(pattern):
        if pattern[at] == "'":
            if pattern[at + 1 : at + 2] != "'":
                return text, at + 1
            at += 1
        text, at = text + pattern[at], at + 1
    return text, at


def _field(pattern: str, at: int, depth: int) -> tuple[Field, int]:
    """Read an argument, after its brace."""
    name = NAME.match(pattern, at)
    if name is None:
        raise BadPattern(f"no name of an argument at {at}")
    at = name.end()
    if pattern[at : at + 1] == "}":
        return Field(name[1]), at + 1
    kind = NAME.match(pattern, at + 1)
    if pattern[at : at + 1] != "," or kind is None:
        raise BadPattern(f"{{{name[1]} is not closed")
    at = kind.end()
    forms, offset, style = dict[str, tuple[Piece, ...]](), None, at
    if kind[1] in (*COUNTING, "select"):
        at += 1
        offset = OFFSET.match(pattern, at)
        at = at if offset is None else offset.end()
        while (form := FORM.match(pattern, at)) is not None:
            inside, end = _pieces(pattern, form.end(), depth + 1, counts=kind[1] in COUNTING)
            if form[1] in forms:
                raise BadPattern(f"the form {form[1]} of {name[1]} stands there twice")
            forms[form[1]], at = inside, end + 1
        if "other" not in forms:
            raise BadPattern(f"{name[1]} has no form for other")
        at += len(pattern[at:]) - len(pattern[at:].lstrip())
    else:  # a number's or a date's format
        at = pattern.find("}", at)
    if at < 0 or pattern[at : at + 1] != "}":
        raise BadPattern(f"{{{name[1]} is not closed")
    taken = int(offset[1]) if offset else 0
    return Field(name[1], kind[1], forms, taken, "" if forms else pattern[style:at]), at + 1


def fields(pieces: tuple[Piece, ...]) -> Iterator[Field]:
    """Yield every use of an argument, those inside forms too."""
    for piece in pieces:
        if isinstance(piece, Field) and piece is not NUMBER:
            yield piece
            for form in piece.forms.values():
                yield from fields(form)


class Pattern:
    """One message, read for a locale, as it is and escaped; `places` says where arguments stand if it has no forms."""

    __slots__ = ("escaped", "escaped_texts", "locale", "pieces", "places", "texts")

    def __init__(self, text: str, locale: str) -> None:
        self.pieces, self.locale = parse(text), locale
        self.escaped = escaped(self.pieces)
        self.places: list[tuple[int, str]] | None = None
        if not any(isinstance(piece, Field) and piece.kind for piece in self.pieces):
            self.places = [(place, piece.name) for place, piece in enumerate(self.pieces) if isinstance(piece, Field)]
        self.texts = ["" if isinstance(piece, Field) else piece for piece in self.pieces]
        self.escaped_texts = ["" if isinstance(piece, Field) else piece for piece in self.escaped]


def escaped(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return a message with its texts as markup."""
    return tuple(
        piece._replace(forms={form: escaped(inside) for form, inside in piece.forms.items()})
        if isinstance(piece, Field)
        else str(escape(piece))
        for piece in pieces
    )


@lru_cache(10_000)
def plural_form(locale: str, kind: str, number: float) -> str:
    """Return which form a number takes in a language: zero, one, two, few, many or other."""
    forms = " ".join(f"{form} {{{form}}}" for form in FORMS)
    return MessageFormat(f"{{n, {kind}, {forms}}}", locale).format({"n": number})
