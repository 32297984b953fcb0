"""ICU messages, read once: what stands in them, and the quick way to fill those that only hold names of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from icu4py.messageformat import MessageFormat
from markupsafe import escape

NAME = re.compile(r"\s*(\w+)\s*")
FORM = re.compile(r"\s*(=\d+|\w+)\s*\{")
OFFSET = re.compile(r"\s*offset:\d+")
COUNTING = ("plural", "selectordinal")
KEY = "__key"  # ends the name by which a message selects a term's key instead of its text


class BadPattern(ValueError):
    """A text that is no ICU message."""


class Field(NamedTuple):
    """An argument in a message: its name, how it is used, and the forms that it selects from."""

    name: str
    kind: str  # "" (as it is), plural, selectordinal, select, number, date, …
    forms: Mapping[str, tuple[Piece, ...]]
    end: int  # of the name, in the message


Piece = str | Field


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
        elif char == "{":
            field, at = _field(pattern, at + 1, depth)
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
        return Field(name[1], "", {}, name.end(1)), at + 1
    kind = NAME.match(pattern, at + 1)
    if pattern[at : at + 1] != "," or kind is None:
        raise BadPattern(f"{{{name[1]} is not closed")
    at = kind.end()
    forms = dict[str, tuple[Piece, ...]]()
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
    return Field(name[1], kind[1], forms, name.end(1)), at + 1


def fields(pieces: tuple[Piece, ...]) -> Iterator[Field]:
    """Yield every use of an argument, those inside forms too."""
    for piece in pieces:
        if isinstance(piece, Field):
            yield piece
            for form in piece.forms.values():
                yield from fields(form)


class Pattern:
    """One message in one locale. If it only holds arguments as they are, `places` says where; else `icu` fills it."""

    __slots__ = ("escaped", "formatted", "icu", "names", "places", "selected", "texts")

    def __init__(self, text: str, locale: str) -> None:
        pieces = parse(text)
        used = list(fields(pieces))
        self.names = tuple(dict.fromkeys(field.name for field in used))
        self.selected = frozenset(field.name for field in used if field.kind == "select")
        self.formatted = frozenset(field.name for field in used if field.kind)
        self.icu: MessageFormat | None = None
        if any(field.kind for field in used):
            for end in sorted((field.end for field in used if field.kind == "select"), reverse=True):
                text = f"{text[:end]}{KEY}{text[end:]}"
            self.icu = MessageFormat(text, locale)
        self.texts = ["" if isinstance(piece, Field) else piece for piece in pieces]
        self.escaped = [str(escape(piece)) for piece in self.texts]
        self.places = [(place, piece.name) for place, piece in enumerate(pieces) if isinstance(piece, Field)]
